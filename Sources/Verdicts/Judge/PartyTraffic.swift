import Suites
import Trace

/// What the parties of a case were seen to do on a trace, whatever the case makes of it.
struct PartyTraffic: Sendable {
    /// The connections with a party at one of their ends.
    private(set) var flows: Set<Int> = []
    /// A party's message that is earlier than the one before it.
    private(set) var clockLoss: UnseenSpan?
    /// Addresses of devices that nobody named, and when they were met; at most two.
    private(set) var devices: [(device: Endpoint, time: Timestamp)] = []
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
        guard parties.devices.isEmpty, parties.devicesByPeer.isEmpty, devices.count < 2 else {
            return
        }
        let device = (isFromPeer ? destination : source).party
        guard devices.first?.device != device else { return }
        devices.append((device, message.time))
    }
}
