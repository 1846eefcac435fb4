import Wire

/// A unit that another program's dissector found in a frame, with its two ends.
public struct DissectedUnit: Sendable {
    /// The sender.
    public let source: Endpoint
    /// The receiver.
    public let destination: Endpoint
    /// Whether UDP carried it, instead of TCP.
    public let isDatagram: Bool
    /// The content that was found.
    public let content: DissectorEvent

    /// Creates a unit.
    public init(
        from source: Endpoint, to destination: Endpoint, isDatagram: Bool, _ content: DissectorEvent
    ) {
        self.source = source
        self.destination = destination
        self.isDatagram = isDatagram
        self.content = content
    }
}

extension TraceEngine {
    /// Adds what another program has found in a frame.
    mutating func addDissected(frame: Int) {
        for unit in output.options.dissected[frame] ?? [] {
            let key = FlowKey.make(from: unit.source, to: unit.destination).key
            let flow =
                unit.isDatagram
                ? datagrams.flow(of: key) : flows.slot(of: key).map { flows[$0].number }
            output.append(
                TraceMessage(
                    number: 0, time: output.now, frames: [frame], flow: flow, source: unit.source,
                    destination: unit.destination, content: unit.content))
        }
    }
}
