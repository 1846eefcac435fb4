import Wire

/// What a dissector of another program has found in a frame, and between which ends.
public struct DissectedUnit: Sendable {
    /// Who sent it.
    public let source: Endpoint
    /// To whom it went.
    public let destination: Endpoint
    /// Whether UDP carried it, and not TCP.
    public let isDatagram: Bool
    /// What was found.
    public let content: DissectorEvent

    /// Makes a unit.
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
