/// Cuts one direction of a stream into messages, as a suite specifies.
struct StreamCutter: StreamDecoder {
    /// Whether the next pending byte begins a message.
    private enum Place {
        case atMessage
        /// Bytes are missing before it: what precedes the next message is not anyone's fault.
        case afterGap
        /// The bytes before it were not a message, for this reason.
        ///
        /// The bytes that directly follow are not one either.
        case afterBreach(String)
    }

    /// How the stream is cut; `nil` if the description determines where messages end.
    private let cutting: StreamCutting?
    private let description: (any StreamDescription)?
    /// The number of bytes in each message before the described part.
    private let prefix: Int
    /// The dissection of the next message, if the description has been queried.
    private var dissected: StreamDissection?
    /// The minimum number of bytes before the description is worth querying.
    private var needed = 1
    /// Why the pending bytes are not a message, according to the description.
    private var fault: String?
    private let messageBytesMax: Int
    private var pending = PendingBytes()
    /// The offset of the first pending byte in the stream.
    private var start: UInt64 = 0
    /// The number of pending bytes that were searched for the end of the message.
    private var searched = 0
    private var place = Place.atMessage

    init(_ cutting: StreamCutting, messageBytesMax: Int = StreamCutting.messageBytesMax) {
        if case .described(let stream) = cutting {
            self.cutting = stream.cutting
            description = stream.description
            prefix = stream.prefix
        } else {
            self.cutting = cutting
            description = nil
            prefix = 0
        }
        self.messageBytesMax = messageBytesMax
    }

    var oldestPendingOffset: UInt64 { start }

    /// The message that has begun.
    ///
    /// It is `nil` where a pause ends messages: any bytes there are a message.
    var begun: StreamMessage? {
        guard case .atMessage = place, !pending.isEmpty, cutting?.idle == nil else { return nil }
        let count = pending.count
        let content = StreamBeginning(
            Array(pending.slice.prefix(StreamBeginning.shownBytesMax)), count: count)
        return StreamMessage(content: content, ranges: [start..<(start + UInt64(count))])
    }

    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
    ) {
        if pending.isEmpty { start = offset }
        pending.append(bytes)
        let endCount = endCount
        while let count = nextCount() {
            switch place {
            case .atMessage:
                messages.append(message(count, endedBy: endCount))
            case .afterGap: drop(count)
            case .afterBreach(let error):
                if count > 0 { messages.append(malformed(count, error)) }
            }
            place = .atMessage
        }
        if case .atMessage = place, let error = breach {
            place = .afterBreach(error)
            forget()
        }
        let useless = pending.count - keptCount
        guard useless > 0 else { return }
        switch place {
        case .atMessage: break
        case .afterGap: drop(useless)
        case .afterBreach(let error):
            messages.append(malformed(useless, error))
        }
    }

    /// Why the pending bytes cannot be a message, whatever follows; `nil` if they may be one.
    private var breach: String? {
        if let fault { return fault }
        if case .length(let field)? = cutting, pending.count >= field.end {
            guard let length = field.length(of: pending.slice) else {
                return "the length of the message is out of range"
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
        forget()
        start = offset
        place = .afterGap
    }

    mutating func finish(into messages: inout [StreamMessage]) {
        defer { pending.removeAll() }
        if cutting?.idle != nil { return pause(into: &messages) }
        guard !pending.isEmpty else { return }
        switch place {
        case .atMessage:
            messages.append(malformed(pending.count, "the stream ends within a message"))
        case .afterGap: break
        case .afterBreach(let error):
            messages.append(malformed(pending.count, error))
        }
    }

    mutating func abandon(into messages: inout [StreamMessage]) {
        if case .afterBreach = place { return finish(into: &messages) }
        pause(into: &messages)
    }

    /// Ends the message, because nothing has arrived for the configured time.
    mutating func pause(into messages: inout [StreamMessage]) {
        guard cutting?.idle != nil else { return }
        defer { place = .atMessage }
        guard !pending.isEmpty else { return }
        switch place {
        case .atMessage: messages.append(message(pending.count, endedBy: 0))
        case .afterGap: drop(pending.count)
        case .afterBreach(let error):
            messages.append(malformed(pending.count, error))
        }
    }

    /// Discards what was found out about the next message.
    private mutating func forget() {
        dissected = nil
        needed = 1
        fault = nil
    }

    /// Returns the first pending bytes as a message, as the description decodes it.
    private mutating func message(_ count: Int, endedBy endCount: Int) -> StreamMessage {
        let known = dissected
        forget()
        guard let description else {
            return unit(count) { StreamUnit($0, endedBy: endCount) }
        }
        return unit(count) { [prefix] bytes in
            StreamUnit(
                bytes, endedBy: endCount, by: description,
                as: known ?? description.dissect(Array(bytes.dropFirst(prefix)), isWhole: true),
                prefix: prefix)
        }
    }

    /// Returns the first pending bytes as a malformed message.
    private mutating func malformed(_ count: Int, _ error: String) -> StreamMessage {
        let name = description?.protocolName
        return unit(count) { StreamUnit(malformed: $0, error, of: name) }
    }

    /// Returns the first pending bytes as one message.
    private mutating func unit(
        _ count: Int, _ make: ([UInt8]) -> StreamUnit
    ) -> StreamMessage {
        let range = start..<(start + UInt64(count))
        let content = make(pending.consume(count))
        start = range.upperBound
        searched = max(0, searched - count)
        return StreamMessage(content: content, ranges: [range])
    }

    private mutating func drop(_ count: Int) {
        _ = pending.consume(count)
        start += UInt64(count)
        searched = max(0, searched - count)
    }

    /// The number of bytes that only terminate a message.
    private var endCount: Int {
        if case .until(let end)? = cutting { end.count } else { 0 }
    }

    /// The number of pending bytes that may still be part of a message's terminator.
    private var keptCount: Int {
        if case .until(let end)? = cutting { min(end.count - 1, pending.count) } else { 0 }
    }

    /// Returns the size of the next message, or the bytes to skip before it if its start is
    /// unknown.
    ///
    /// It is `nil` if the number cannot be determined yet.
    private mutating func nextCount() -> Int? {
        guard let cutting else { return describedCount() }
        switch (cutting, place) {
        case (.until(let end), _): return countUntil(end)
        case (.fixed(let size), .atMessage): return pending.count >= size ? size : nil
        case (.fixed(let size), _):
            // Whole messages start at multiples of the size, whatever is missing before.
            let ahead = Int((UInt64(size) - start % UInt64(size)) % UInt64(size))
            return pending.count >= ahead ? ahead : nil
        case (.length(let field), .atMessage):
            guard pending.count >= field.end, let length = field.length(of: pending.slice),
                length <= min(messageBytesMax, pending.count)
            else { return nil }
            return length
        case (.length, _), (.idle, _), (.described, _): return nil
        }
    }

    /// Returns the size of the next message according to the description.
    private mutating func describedCount() -> Int? {
        guard case .atMessage = place, fault == nil, let description, pending.count >= needed,
            pending.count <= messageBytesMax
        else { return nil }
        switch description.dissect(Array(pending.slice), isWhole: false) {
        case .message(let fields, let count) where count > 0:
            dissected = .message(fields, count: count)
            return count
        case .refused(let reason, let count) where count > 0:
            dissected = .refused(reason, count: count)
            return count
        case .message, .refused: fault = "the message has no bytes"
        case .incomplete(let count): needed = max(count, pending.count + 1)
        case .malformed(let error): fault = error
        }
        return nil
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
