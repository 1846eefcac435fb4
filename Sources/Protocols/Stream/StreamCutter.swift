/// Cuts one direction of a stream into messages, as a suite says.
struct StreamCutter: StreamDecoder {
    /// Whether the next pending byte begins a message.
    private enum Place {
        case atMessage
        /// Bytes are missing before it: what comes before the next message is no one's fault.
        case afterGap
        /// Bytes before it were no message, for this reason, and so is what follows directly.
        case afterBreach(String)
    }

    private let cutting: StreamCutting
    private let messageBytesMax: Int
    private var pending = PendingBytes()
    /// Where the first pending byte stands in the stream.
    private var start: UInt64 = 0
    /// How many of the pending bytes were searched for the end of the message.
    private var searched = 0
    private var place = Place.atMessage

    init(_ cutting: StreamCutting, messageBytesMax: Int = StreamCutting.messageBytesMax) {
        self.cutting = cutting
        self.messageBytesMax = messageBytesMax
    }

    var oldestPendingOffset: UInt64 { start }

    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
    ) {
        if pending.isEmpty { start = offset }
        pending.append(bytes)
        let endCount = endCount
        while let count = nextCount() {
            switch place {
            case .atMessage:
                messages.append(unit(count) { StreamUnit($0, endedBy: endCount) })
            case .afterGap: drop(count)
            case .afterBreach(let error):
                if count > 0 { messages.append(unit(count) { StreamUnit(malformed: $0, error) }) }
            }
            place = .atMessage
        }
        if case .atMessage = place, let error = breach { place = .afterBreach(error) }
        let useless = pending.count - keptCount
        guard useless > 0 else { return }
        switch place {
        case .atMessage: break
        case .afterGap: drop(useless)
        case .afterBreach(let error):
            messages.append(unit(useless) { StreamUnit(malformed: $0, error) })
        }
    }

    /// Why the pending bytes can be no message, whatever follows; `nil` if they may be one.
    private var breach: String? {
        if case .length(let field) = cutting, pending.count >= field.end {
            guard let length = field.length(of: pending.slice) else {
                return "the length of the message is beyond all bounds"
            }
            if length > messageBytesMax {
                return "the message says that it has \(length) bytes, more than \(messageBytesMax)"
            }
        }
        return pending.count > messageBytesMax
            ? "the message has no end within \(messageBytesMax) bytes" : nil
    }

    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
        pending.removeAll()
        searched = 0
        start = offset
        place = .afterGap
    }

    mutating func finish(into messages: inout [StreamMessage]) {
        defer { pending.removeAll() }
        if cutting.idle != nil { return pause(into: &messages) }
        guard !pending.isEmpty else { return }
        switch place {
        case .atMessage:
            messages.append(
                unit(pending.count) {
                    StreamUnit(malformed: $0, "the stream ends within a message")
                })
        case .afterGap: break
        case .afterBreach(let error):
            messages.append(unit(pending.count) { StreamUnit(malformed: $0, error) })
        }
    }

    /// Ends the message, because nothing has come for so long.
    mutating func pause(into messages: inout [StreamMessage]) {
        guard cutting.idle != nil else { return }
        defer { place = .atMessage }
        guard !pending.isEmpty else { return }
        switch place {
        case .atMessage: messages.append(unit(pending.count) { StreamUnit($0) })
        case .afterGap: drop(pending.count)
        case .afterBreach(let error):
            messages.append(unit(pending.count) { StreamUnit(malformed: $0, error) })
        }
    }

    /// The first pending bytes as one message.
    private mutating func unit(
        _ count: Int, _ make: ([UInt8]) -> StreamUnit
    ) -> StreamMessage {
        let range = start..<(start + UInt64(count))
        let content = make(pending.take(count))
        start = range.upperBound
        searched = max(0, searched - count)
        return StreamMessage(content: content, ranges: [range])
    }

    private mutating func drop(_ count: Int) {
        _ = pending.take(count)
        start += UInt64(count)
        searched = max(0, searched - count)
    }

    /// How many bytes only end a message.
    private var endCount: Int {
        if case .until(let end) = cutting { end.count } else { 0 }
    }

    /// How many of the pending bytes may yet belong to the end of a message.
    private var keptCount: Int {
        if case .until(let end) = cutting { min(end.count - 1, pending.count) } else { 0 }
    }

    /// How many pending bytes the next message has, or go before it where its beginning is not known;
    /// `nil` if that is not to be seen yet.
    private mutating func nextCount() -> Int? {
        switch (cutting, place) {
        case (.until(let end), _): return countUntil(end)
        case (.fixed(let size), .atMessage): return pending.count >= size ? size : nil
        case (.fixed(let size), _):
            // Whole messages lie at multiples of the size, whatever is missing before.
            let ahead = Int((UInt64(size) - start % UInt64(size)) % UInt64(size))
            return pending.count >= ahead ? ahead : nil
        case (.length(let field), .atMessage):
            guard pending.count >= field.end, let length = field.length(of: pending.slice),
                length <= min(messageBytesMax, pending.count)
            else { return nil }
            return length
        case (.length, _), (.idle, _): return nil
        }
    }

    private mutating func countUntil(_ end: [UInt8]) -> Int? {
        let bytes = pending.slice
        var place = max(0, searched - end.count + 1)
        while place + end.count <= bytes.count {
            let first = bytes.startIndex + place
            if bytes[first] == end[0], bytes[first..<first + end.count].elementsEqual(end) {
                return place + end.count
            }
            place += 1
        }
        searched = bytes.count
        return nil
    }
}
