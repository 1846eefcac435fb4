import Protocols

/// Where a flow puts what it finds, and the packet that it finds it by.
struct TraceOutput {
    let options: TraceOptions
    /// What is looked for in streams.
    let stack: DissectionStack
    /// What is looked for in those of TCP connections.
    let candidates: [StreamProtocol]
    var statistics = TraceStatistics()
    /// Messages of the current packet, not numbered yet.
    var messages: [TraceMessage] = []
    /// Decoded units of the current call, kept to spare an allocation.
    var units: [StreamMessage] = []
    /// Bytes that are looked for in the streams.
    var watches: [ByteWatch] = []
    /// Bytes that wait for holes to be filled, over all flows.
    var waitingBytes = 0
    /// When the current packet was captured.
    var now = Timestamp(nanoseconds: 0)

    init(options: TraceOptions) {
        self.options = options
        stack = DissectionStack(options.protocols)
        candidates = stack.candidates(in: .tcp)
    }
}
