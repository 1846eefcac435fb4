import Bluetooth
import Wire

extension Flow {
    /// Replaces the controller by the device that it relays for, in the message added last.
    func name(_ party: any StreamParty, in output: inout TraceOutput) {
        guard let party = party as? BluetoothParty, !output.messages.isEmpty else { return }
        let remote = Endpoint.bluetooth(party.node, party.channel)
        let host = key.source(party.hostSide == Direction.fromFirst.side ? .fromFirst : .fromSecond)
        output.messages[output.messages.count - 1].source = party.isSender ? remote : host
        output.messages[output.messages.count - 1].destination = party.isSender ? host : remote
    }
}
