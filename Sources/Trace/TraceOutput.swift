import Protocols

/// Where a flow puts what it finds, and the packet that it finds it by.
struct TraceOutput {
    let options: TraceOptions
    /// What is looked for in streams.
    let stack: DissectionStack
    /// What is looked for in those of TCP connections.
    let candidates: [StreamProtocol]
    var statistics = TraceStatistics()
    /// Messages of the current packet.
    var messages: [TraceMessage] = []
    /// Decoded units of the current call, kept to spare an allocation.
    var units: [StreamMessage] = []
    /// Bytes that are looked for in the streams.
    var watches: [ByteWatch] = []
    /// Bytes that wait for holes to be filled, over all flows.
    var waitingBytes = 0
    /// When the current packet was captured.
    var now = Timestamp(nanoseconds: 0)
    /// Who says which messages are wanted.
    var screening: Screening
    /// The number of the next message.
    var nextNumber = 1

    init(options: TraceOptions, screen: (any MessageScreen)?) {
        self.options = options
        screening = Screening(screen)
        stack = DissectionStack(options.protocols)
        candidates = stack.candidates(in: .tcp)
    }

    /// Adds a message and gives it its number.
    mutating func append(_ message: TraceMessage) {
        var message = message
        message.number = nextNumber
        nextNumber += 1
        messages.append(message)
    }
}
