import Suites
import Trace

/// What the parties of a case were seen to do on a trace, whatever the case makes of it.
struct PartyTraffic: Sendable {
    /// The connections with a party at one of their ends.
    private(set) var flows: Set<Int> = []
    /// A party's message that is earlier than the one before it.
    private(set) var clockLoss: UnseenSpan?
    /// Two devices that nobody named, and when the second was met; `nil` if there is one only.
    private(set) var conflict: (first: Endpoint, second: Endpoint, time: Timestamp)?
    /// Where the device is that nobody named, in a network of hosts and on the air: an app reports
    /// over the one what its Bluetooth host does on the other.
    private var devices: (host: Endpoint?, node: Endpoint?)
    private var lastTime: Timestamp?
    private var lastFlow: Int?

    /// Learns from a message of the trace.
    mutating func learn(from message: TraceMessage, _ parties: Parties) {
        guard let source = message.source, let destination = message.destination else { return }
        let isFromPeer = parties.peer(at: source) != nil
        guard isFromPeer || parties.peer(at: destination) != nil else { return }
        if let flow = message.flow, flow != lastFlow {
            flows.insert(flow)
            lastFlow = flow
        }
        if let lastTime, message.time < lastTime, clockLoss == nil {
            clockLoss = UnseenSpan(
                cause: .clock, since: message.time - Limits.tick, until: lastTime,
                frame: message.frames.last, flow: message.flow, source: source,
                destination: destination)
        }
        lastTime = max(lastTime ?? message.time, message.time)
        guard parties.devices.isEmpty, parties.devicesByPeer.isEmpty, conflict == nil else {
            return
        }
        let device = (isFromPeer ? destination : source).party
        let known = device.isBluetooth ? devices.node : devices.host
        if let known, known != device { conflict = (known, device, message.time) }
        if device.isBluetooth { devices.node = device } else { devices.host = device }
    }
}
