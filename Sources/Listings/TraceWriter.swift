import Reports
import Trace
import Wire

/// Writes the listing of a trace through a buffer, message by message as the trace grows.
///
/// What the heads of messages tell it writes without having them decoded: the trace's engine must
/// be given its `screen`.
public struct TraceWriter {
    private var listing: TraceListing
    private let selection: MessageSelection
    private let isImmediate: Bool
    private let sink: ([UInt8]) -> Void
    private let lines = HeaderLines()
    /// What was taken out of them, kept to spare allocations.
    private var taken = HeaderLines.Lines()
    private var buffer: [UInt8] = []
    /// The number of the next message in the trace.
    private var nextNumber = 1

    /// Bytes that are written at once.
    private static let bufferSize = 1 << 16

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - listing: How a line looks.
    ///   - selection: Which messages have one.
    ///   - isImmediate: Whether nothing is held back behind a call of `write`.
    ///   - sink: Where the text goes.
    public init(
        _ listing: TraceListing, of selection: MessageSelection, isImmediate: Bool,
        to sink: @escaping ([UInt8]) -> Void
    ) {
        self.listing = listing
        self.selection = selection
        self.isImmediate = isImmediate
        self.sink = sink
    }

    /// Who says which messages are to be decoded; `nil` for all.
    public var screen: (any MessageScreen)? {
        guard !selection.isEverything || listing.isReadFromHeaders else { return nil }
        return SelectionScreen(selection, listing: listing, lines: lines)
    }

    /// Writes the messages that the engine has given, and those that it has passed over since the
    /// last call, in the order of their numbers.
    public mutating func write(_ messages: [TraceMessage]) {
        if messages.isEmpty, !isImmediate, !lines.isFull { return }
        merge(messages)
        if isImmediate || buffer.count >= Self.bufferSize { give() }
    }

    /// Writes lines of text.
    public mutating func write(lines: [String]) {
        merge([])
        for line in lines {
            buffer += line.utf8
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    /// Gives away what is held back.
    public mutating func flush() {
        merge([])
        give()
    }

    private mutating func give() {
        guard !buffer.isEmpty else { return }
        sink(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Puts the lines of messages between those that were passed over.
    private mutating func merge(_ messages: [TraceMessage]) {
        lines.exchange(for: &taken)
        var passed = 0
        var start = 0
        for message in messages {
            passed = min(passed + message.number - nextNumber, taken.ends.count)
            let end = passed == 0 ? 0 : taken.ends[passed - 1]
            buffer += taken.bytes[start..<end]
            start = end
            if selection.contains(message) { listing.append(message, to: &buffer) }
            nextNumber = message.number + 1
        }
        buffer += taken.bytes[start...]
        nextNumber += taken.ends.count - passed
    }
}
