import Wire

/// Cuts one direction of a connection into messages.
struct EchoDecoder: StreamDecoder {
    private var pending = PendingBytes()
    /// The offset of the first pending byte.
    private var start: UInt64 = 0
    /// Whether bytes are missing before the pending ones, so that these may not begin a message.
    private var isBehindGap = false

    var oldestPendingOffset: UInt64 { start }

    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
    ) {
        pending.append(bytes)
        while let first = pending.slice.first {
            guard first == EchoMessage.mark else {
                passOver(into: &messages)
                continue
            }
            let header = Array(pending.slice.prefix(EchoMessage.headerSize))
            guard header.count == EchoMessage.headerSize else { return }
            let size = EchoMessage.headerSize + Int(header[3])
            guard pending.count >= size else { return }
            let text = Array(pending.slice.dropFirst(EchoMessage.headerSize).prefix(Int(header[3])))
            if let kind = EchoMessage.Kind(rawValue: header[1]),
                let message = EchoMessage(kind, header[2], text)
            {
                isBehindGap = false
                consume(size, as: message, into: &messages)
            } else {
                passOver(into: &messages)
            }
        }
    }

    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
        pending.removeAll()
        start = offset
        isBehindGap = true
    }

    mutating func finish(into messages: inout [StreamMessage]) {
        guard !pending.isEmpty, !isBehindGap else { return }
        let rest = EchoMalformed(
            error: "the stream ends within a message", bytes: Array(pending.slice))
        consume(pending.count, as: rest, into: &messages)
    }

    /// Skips the first byte and all bytes after it up to the next mark.
    private mutating func passOver(into messages: inout [StreamMessage]) {
        let rest = pending.slice.dropFirst()
        let next = rest.firstIndex(of: EchoMessage.mark) ?? rest.endIndex
        let bytes = Array(pending.slice[..<next])
        guard !isBehindGap else {
            _ = pending.consume(bytes.count)
            start += UInt64(bytes.count)
            return
        }
        consume(
            bytes.count, as: EchoMalformed(error: "no message begins here", bytes: bytes),
            into: &messages)
    }

    private mutating func consume(
        _ count: Int, as content: any DissectedMessage, into messages: inout [StreamMessage]
    ) {
        let range = start..<start + UInt64(count)
        _ = pending.consume(count)
        start = range.upperBound
        messages.append(StreamMessage(content: content, ranges: [range]))
    }
}
