import Wire

extension SDL.StreamDecoder {
    /// Decodes as much as possible and returns the number of bytes that this took.
    mutating func decode(
        _ bytes: RawSpan, into messages: inout [StreamMessage], asking screening: inout Screening
    ) -> Int {
        scanCount += 1
        var used = 0
        while true {
            // The screen is not queried again for a message that it is known to want.
            let isAsked = screening.isAsked
            screening.isAsked = false
            if !isAsked, !screening.wantsAll, case .synchronised = mode {
                used = passOver(bytes, from: used, asking: &screening)
                if used == bytes.byteCount { return used }
                if passOverContinuation(bytes, from: used, asking: &screening) {
                    return bytes.byteCount
                }
                if isFront(bytes, at: used) { return used }
            }
            let known = messages.count
            let rest = bytes.extracting(droppingFirst: used)
            guard let count = step(rest, into: &messages, asking: &screening) else { return used }
            if messages.count > known {
                messages[known].passedOverBefore = screening.takePassedOver()
            }
            used += count
            start = position + UInt64(count)
        }
    }

    /// Returns whether the bytes from an offset on are certainly the front of an incomplete frame.
    private func isFront(_ bytes: RawSpan, at offset: Int) -> Bool {
        let count = bytes.byteCount - offset
        guard count >= SDL.Header.shortSize else { return count == 0 }
        let word = UInt64(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let size = Int(UInt32(truncatingIfNeeded: word))
        return (2...5).contains(word >> 60) && size <= SDL.Limits.framePayload
            && count < SDL.Header.longSize + size
    }

    /// Performs one step and returns the number of bytes that it took.
    ///
    /// The result is `nil` if it needs more bytes.
    private mutating func step(
        _ rest: RawSpan, into messages: inout [StreamMessage], asking screening: inout Screening
    ) -> Int? {
        guard rest.byteCount > 0 else { return nil }
        switch mode {
        case .synchronised:
            return readFrame(rest, into: &messages, asking: &screening)
        case .searching(let skipped):
            return search(rest, skipped, into: &messages)
        case .discarding(let lost):
            return discard(rest, lost, into: &messages)
        case .passing(let frame):
            return pass(rest.byteCount, frame, into: &messages, asking: &screening)
        }
    }

    private mutating func readFrame(
        _ rest: RawSpan, into messages: inout [StreamMessage], asking screening: inout Screening
    ) -> Int? {
        // An error that would not be used is not created.
        if let size = SDL.Header.size(firstByte: rest.unsafeLoad(as: UInt8.self)),
            rest.byteCount < size
        {
            return nil
        }
        var reader = ByteReader(rest, unit: "sdl.header")
        do throws(DecodeError) {
            let header = try SDL.Header(parsing: &reader)
            let size = Int(header.dataSize)
            guard size <= SDL.Limits.framePayload else {
                throw DecodeError(
                    .limit, in: "sdl.header.data_size", at: 4,
                    "data size \(size), more than the \(SDL.Limits.framePayload) that are read")
            }
            guard reader.remaining >= size else { return nil }
            let payload = try reader.span(size)
            let end = position + UInt64(reader.offset)
            assembly.consume(header, payload, position..<end, into: &messages, asking: &screening)
            return reader.offset
        } catch {
            guard error.code != .truncated else { return nil }
            let sample = [UInt8](copying: rest.extracting(first: max(1, reader.offset)))
            report(
                error, position..<position + 1, sample: sample, section: "2.3", into: &messages)
            mode = .searching(SDL.SkippedBytes(start: position + 1, isLoss: false))
            return 1
        }
    }

    private mutating func search(
        _ rest: RawSpan, _ skipped: SDL.SkippedBytes, into messages: inout [StreamMessage]
    ) -> Int? {
        var skipped = skipped
        var count = 0
        var verdict: Bool? = false
        let allowance = SDL.Limits.controlPayload - Int(position - skipped.start)
        while count < min(rest.byteCount, allowance) {
            verdict = assembly.isPlausible(rest.extracting(droppingFirst: count))
            guard verdict == false else { break }
            count += 1
        }
        skipped.append(rest.extracting(first: count))
        let end = position + UInt64(count)
        if verdict == true || count == allowance {
            report(skipped, upTo: end, into: &messages)
            mode =
                verdict == true
                ? .synchronised : .searching(SDL.SkippedBytes(start: end, isLoss: skipped.isLoss))
            return count
        }
        mode = .searching(skipped)
        return count > 0 ? count : nil
    }

    private mutating func discard(
        _ rest: RawSpan, _ lost: SDL.LostFrame, into messages: inout [StreamMessage]
    ) -> Int {
        var lost = lost
        let count = min(rest.byteCount, Int(lost.end - position))
        lost.extend(to: position + UInt64(count))
        if position + UInt64(count) == lost.end {
            report(lost, into: &messages)
            mode = .synchronised
        } else {
            mode = .discarding(lost)
        }
        return count
    }

    /// Ends the current step because of a gap at `end`.
    ///
    /// Returns the frame that is cut, if its header is known.
    mutating func lostFrame(
        endingAt end: UInt64, into messages: inout [StreamMessage]
    ) -> SDL.LostFrame? {
        switch mode {
        case .discarding(let lost):
            return lost
        case .passing(let frame):
            return SDL.LostFrame(
                header: frame.header, captured: frame.start..<end, end: frame.end)
        case .searching(var skipped):
            skipped.append(pending.span.bytes)
            report(skipped, upTo: end, into: &messages)
            return nil
        case .synchronised:
            guard !pending.isEmpty else { return nil }
            var reader = ByteReader(pending.span.bytes, unit: "sdl.header")
            if let header = try? SDL.Header(parsing: &reader) {
                let frameEnd = position + UInt64(header.size) + UInt64(header.dataSize)
                return SDL.LostFrame(header: header, captured: position..<end, end: frameEnd)
            }
            report(
                DecodeError(.truncated, in: "sdl.header", at: pending.count, "capture gap"),
                position..<end, sample: pending, section: "2.1", isLoss: true, into: &messages)
            return nil
        }
    }
}
