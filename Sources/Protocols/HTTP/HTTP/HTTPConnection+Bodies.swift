import Wire

extension HTTP.ConnectionDecoder {
    mutating func body(
        _ part: HTTP.Direction.Part, _ side: ConnectionSide, _ messages: inout [StreamMessage]
    ) -> Bool {
        if sides[side].open?.expectsContinue == true {
            guard let hasBody = hasBody(side) else { return false }
            sides[side].open?.expectsContinue = false
            guard hasBody else {
                conclude(side, &messages)
                return true
            }
        }
        let available = sides[side].pending.count
        switch part {
        case .sized(let left):
            let count = min(left, available)
            keep(count, side)
            sides[side].place = .body(.sized(left - count))
            if count == left { conclude(side, &messages) }
        case .chunk(let left):
            let count = min(left, available)
            keep(count, side)
            sides[side].place = .body(count == left ? .chunkEnd : .chunk(left - count))
        case .untilClose: keep(available, side)
        case .chunkLine:
            switch sides[side].nextLine(atMost: HTTP.Limits.chunkLine) {
            case .more: return false
            case .tooLong:
                breach("the line with the size of a chunk is too long", side, &messages)
            case .line(let line):
                guard let line = HTTP.ChunkLine(line) else {
                    breach("not the size of a chunk (RFC 9112 7.1)", side, &messages)
                    return true
                }
                if line.hasWrongExtension {
                    sides[side].open?.record(
                        Anomaly(
                            .violation, "what follows the size of a chunk is not an extension",
                            specification: "RFC 9112 7.1.1"))
                }
                sides[side].place = .body(line.size == 0 ? .trailers : .chunk(line.size))
            }
        case .chunkEnd:
            switch sides[side].nextLine(atMost: 3) {
            case .more: return false
            case .line(let line) where line.isEmpty: sides[side].place = .body(.chunkLine)
            default: breach("a chunk does not end where it says", side, &messages)
            }
        case .trailers: return trailers(side, &messages)
        }
        return true
    }

    private mutating func trailers(
        _ side: ConnectionSide, _ messages: inout [StreamMessage]
    ) -> Bool {
        let known = sides[side].open?.trailerBytes.count ?? 0
        switch sides[side].nextLine(atMost: HTTP.Limits.trailers - min(known, HTTP.Limits.trailers))
        {
        case .more: return false
        case .tooLong: breach("the trailer section is too long", side, &messages)
        case .line(let line) where !line.isEmpty:
            sides[side].open?.trailerBytes += line + [10]
        case .line:
            let bytes = sides[side].open?.trailerBytes ?? []
            let lines = bytes.split(separator: 10)
            do throws(DecodeError) {
                let trailers = try HTTPHead.fields(lines)
                sides[side].open?.message.trailers = trailers
                sides[side].open?.message.found += HTTP.HeaderCheck.anomalies(
                    ofTrailers: trailers, bytes)
                conclude(side, &messages)
            } catch {
                breach("\(error)", side, &messages)
            }
        }
        return true
    }

    mutating func keep(_ count: Int, _ side: ConnectionSide) {
        let bytes = sides[side].consume(count).bytes
        sides[side].open?.record(bytes)
        sides[side].open?.add(bytes)
    }

    /// Emits the complete message.
    mutating func conclude(
        _ side: ConnectionSide, _ messages: inout [StreamMessage]
    ) {
        sides[side].place = .start
        guard var open = sides[side].open else { return }
        open.message.setBody(open.body, of: open.bodyLength, &sides[side].allowance)
        messages.append(
            StreamMessage(content: open.message, ranges: [open.start..<sides[side].start]))
        sides[side].open = nil
    }
}
