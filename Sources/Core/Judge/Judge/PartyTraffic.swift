import SuiteLanguage
import TCPIP
import Trace
import Wire

/// What the parties of a case were seen to do on a trace, independent of the case's steps.
struct PartyTraffic: Sendable {
    /// The connections with a party at one of their ends.
    private(set) var flows: Set<Int> = []
    /// The first message of a party that is earlier than the message before it.
    private(set) var clockLoss: UnseenSpan?
    /// Two unnamed devices and when the second was seen; `nil` if there is only one.
    private(set) var conflict: (first: Endpoint, second: Endpoint, time: Timestamp)?
    /// The endpoints of a device that the user has not named.
    ///
    /// It has an address, from which its app reports, and the adapter of its Bluetooth host. The
    /// adapter's own Bluetooth addresses are not further devices.
    private var device: (address: Endpoint?, adapter: Endpoint?)
    private var lastTime: Timestamp?
    /// The last connection events that have a later frame than all events before them.
    private var events: [(frame: Int, time: Timestamp)] = []
    private var lastFlow: Int?

    /// Learns from a message of the trace, which has a code if its protocol is known.
    mutating func update(from message: TraceMessage, _ code: MessageCode?, _ parties: Parties) {
        guard let source = message.source, let destination = message.destination else { return }
        guard parties.concern(message) else { return }
        let isFromPeer = parties.isFromPeer(message)
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
        if clockLoss == nil, let code, Self.ordered.contains(code) {
            recordOrder(of: message, source, destination)
        }
        guard parties.devices.isEmpty, parties.devicesByPeer.isEmpty, conflict == nil else {
            return
        }
        let party = (isFromPeer ? destination : source).party
        switch party {
        case .ip:
            meet(party, at: message.time, after: device.address)
            device.address = party
        case .bluetooth(.adapter, _):
            meet(party, at: message.time, after: device.adapter)
            device.adapter = party
        case .bluetooth: break
        }
    }

    /// Checks the order of attempts and ends of connections.
    ///
    /// They come in the order of their times. If that is not the order of their frames, the clock
    /// of the capture was set back between them.
    private mutating func recordOrder(
        of message: TraceMessage, _ source: Endpoint, _ destination: Endpoint
    ) {
        guard let frame = message.frames.last else { return }
        guard let last = events.last, frame < last.frame else {
            events.append((frame, message.time))
            if events.count > 2 * Self.eventCountMax { events.removeFirst(Self.eventCountMax) }
            return
        }
        guard message.time - last.time > Self.clockJitter,
            let first = events.first(where: { $0.frame > frame })
        else { return }
        clockLoss = UnseenSpan(
            cause: .clock, since: first.time - Limits.tick, until: message.time, frame: frame,
            flow: message.flow, source: source, destination: destination)
    }

    /// The largest number of events that are kept to find where the clock was set back.
    private static let eventCountMax = 1024

    private static let ordered = [TCPEvent.Kind.syn, .synAck, .refused, .rst, .fin]
        .compactMap(\.code)
    /// The largest difference between the clocks of processors that stamp packets.
    private static let clockJitter: Duration = .milliseconds(1)

    private mutating func meet(_ party: Endpoint, at time: Timestamp, after known: Endpoint?) {
        if let known, known != party { conflict = (known, party, time) }
    }
}
