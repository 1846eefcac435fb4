import Wire

extension HTTP.ConnectionDecoder {
    /// Emits everything that is pending as malformed.
    mutating func breach(
        _ reason: String, _ side: ConnectionSide, _ messages: inout [StreamMessage]
    ) {
        let known = sides[side].open.map { ($0.message.bytes, $0.start) }
        let (bytes, range) = sides[side].consume(sides[side].pending.count)
        sides[side].open = nil
        sides[side].settle()
        sides[side].place = .breach(reason)
        let start = known?.1 ?? range.lowerBound
        malformed(reason, (known?.0 ?? []) + bytes, start..<range.upperBound, &messages)
    }

    mutating func afterBreach(
        _ reason: String, _ side: ConnectionSide, _ messages: inout [StreamMessage]
    ) -> Bool {
        let slice = sides[side].pending.slice
        if let end = slice.firstIndex(of: 10), HTTP.startLine(slice[..<end]) != nil {
            sides[side].place = .start
            return true
        }
        breach(reason, side, &messages)
        return false
    }

    func malformed(
        _ reason: String, _ bytes: [UInt8], _ range: Range<UInt64>,
        _ messages: inout [StreamMessage]
    ) {
        guard !range.isEmpty else { return }
        let sample = Array(bytes.prefix(HTTP.Limits.malformedSample))
        messages.append(
            StreamMessage(
                content: HTTP.Message(.malformed(reason), bytes: sample), ranges: [range]))
    }
}
