import Reporting
import Trace
import Wire

/// Writes the listing of a trace through a buffer, message by message as the trace grows.
///
/// Lines that can be written from headers are written without decoding the messages. For that, the
/// trace's engine must be given its `screen`.
public struct TraceWriter {
    private var listing: TraceListing
    private let selection: MessageSelection
    private let isImmediate: Bool
    private let sink: ([UInt8]) -> Void
    private let lines = HeaderLines()
    /// The lines that were taken out, kept to avoid allocations.
    private var taken = HeaderLines.Lines()
    private var buffer: [UInt8] = []
    /// The number of the next message in the trace.
    private var nextNumber = 1

    /// The number of bytes that are written at once.
    private static let bufferSize = 1 << 16

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - listing: The format of lines.
    ///   - selection: The messages that are listed.
    ///   - isImmediate: Whether nothing is held back after a call of `write`.
    ///   - sink: Receives the text.
    public init(
        _ listing: TraceListing, of selection: MessageSelection, isImmediate: Bool,
        to sink: @escaping ([UInt8]) -> Void
    ) {
        self.listing = listing
        self.selection = selection
        self.isImmediate = isImmediate
        self.sink = sink
    }

    /// The screen that selects the messages to be decoded; `nil` for all.
    public var screen: (any MessageScreen)? {
        guard !selection.isEverything || listing.isReadFromHeaders else { return nil }
        return SelectionScreen(selection, listing: listing, lines: lines)
    }

    /// Writes the messages from the engine, and those that it has passed over since the last call.
    ///
    /// They are written in the order of their numbers.
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

    /// Writes everything that is held back.
    public mutating func flush() {
        merge([])
        give()
    }

    private mutating func give() {
        guard !buffer.isEmpty else { return }
        sink(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Merges the lines of messages with the lines of those that were passed over.
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
