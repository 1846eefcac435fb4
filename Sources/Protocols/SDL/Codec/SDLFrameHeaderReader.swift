import Wire

extension SDL {
    /// Reads single and control frames by their headers; every other frame is left to the decoder.
    enum FrameHeaderReader: HeaderReader {
        static func read(
            _ bytes: RawSpan, _ state: inout HeaderReaderState, asking screening: inout Screening
        ) -> HeaderReading {
            var used = 0
            if state.passing > 0 {
                if state.gathered.isEmpty {
                    used = Int(state.passing)
                    state.passing = 0
                    state.concludePassed(asking: &screening)
                } else {
                    used = state.gather(bytes, asking: &screening)
                    if !state.gathered.isEmpty {
                        return HeaderReading(count: used, continues: state.passing > 0)
                    }
                }
            }
            return readFrames(bytes, from: used, &state, asking: &screening)
        }

        /// Reads frames from a place where one begins.
        @inline(__always)
        private static func readFrames(
            _ bytes: RawSpan, from start: Int, _ state: inout HeaderReaderState,
            asking screening: inout Screening
        ) -> HeaderReading {
            let count = bytes.byteCount
            let codes = MessageCodes.shared
            var agreed = SDLPackedHeader.agreedBits(state.agreement)
            var used = start
            while used < count {
                let found =
                    SDLPackedHeader.messageHeader(of: bytes, at: used, agreed, codes)
                    ?? state.messageHeader(of: bytes, at: used)
                guard let (frame, messageHeader) = found else {
                    let continues = state.gathersHeader(of: bytes, at: used)
                    return HeaderReading(count: continues ? count : used, continues: continues)
                }
                guard frame.isReadByHeader(bytes, at: used) else {
                    return HeaderReading(count: used, continues: false)
                }
                let end = used + frame.size
                guard end <= count else {
                    state.keep(bytes, from: used, frame, messageHeader, screening.onlyCounts)
                    return HeaderReading(count: count, continues: true)
                }
                guard screening.passesOver(messageHeader, bytes.extracting(used..<end)) else {
                    screening.isAsked = true
                    return HeaderReading(count: used, continues: false)
                }
                if state.agreement == 0 {
                    state.agree(with: frame)
                    agreed = SDLPackedHeader.agreedBits(state.agreement)
                }
                used = end
            }
            return HeaderReading(count: used, continues: true)
        }
    }
}

extension RawSpan {
    /// Returns eight bytes as a number, at an offset that was checked.
    @inline(__always)
    fileprivate func number(at offset: Int) -> UInt64 {
        UInt64(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }
}

extension SDLPackedHeader {
    /// The session and version, in the format of `HeaderReaderState.agreement`.
    @inline(__always)
    fileprivate var agreement: UInt16 { UInt16(sessionID) << 8 | UInt16(version) }

    /// The number of bytes of a single frame that are needed to recognise it by its header.
    @inline(__always)
    fileprivate static var readableSize: Int { SDL.Header.longSize + SDL.RPC.headerSize }

    /// Returns the bits under `agreedMask` in the first word of an agreed session's single frames.
    ///
    /// If nothing is agreed, the value matches no frame.
    @inline(__always)
    fileprivate static func agreedBits(_ agreement: HeaderContext) -> UInt64 {
        agreement == 0
            ? .max
            : SDL.HeaderField.version.bits.placed(UInt64(agreement & 0xFF))
                | SDL.HeaderField.frameType.bits.placed(UInt64(SDL.FrameType.single.rawValue))
                | SDL.HeaderField.sessionID.bits.placed(UInt64(agreement >> 8))
    }

    /// The bits of version, encryption, frame type and session.
    @inline(__always)
    private static var agreedMask: UInt64 {
        SDL.HeaderField.version.bits.placed(.max) | SDL.HeaderField.encrypted.bits.placed(.max)
            | SDL.HeaderField.frameType.bits.placed(.max)
            | SDL.HeaderField.sessionID.bits.placed(.max)
    }

    /// Returns the frame at a place and its message header.
    ///
    /// It is `nil` unless the frame is an RPC in a single frame of the agreed session, of which at
    /// least `readableSize` bytes are available.
    @inline(__always)
    fileprivate static func messageHeader(
        of bytes: RawSpan, at offset: Int, _ agreed: UInt64, _ codes: SDL.MessageCodes
    ) -> (frame: SDLPackedHeader, messageHeader: MessageHeader)? {
        guard bytes.byteCount - offset >= readableSize else { return nil }
        let frame = SDLPackedHeader(bytes.number(at: offset))
        let json = bytes.number(at: offset + SDL.Header.longSize + 4)
        guard frame.word & agreedMask == agreed, frame.payloadSize <= SDL.Limits.framePayload,
            let messageHeader = SDL.rpcHeader(
                serviceType: frame.serviceType, headerSize: SDL.Header.longSize,
                size: frame.payloadSize, call: bytes.number(at: offset + SDL.Header.longSize),
                jsonSize: UInt32(truncatingIfNeeded: json), codes)
        else { return nil }
        return (frame, messageHeader)
    }
}

extension SDLPackedHeader {
    /// Returns whether the decoder does not need the frame.
    ///
    /// A StartServiceACK limits the frames of the other direction, unless its sender accepts frames
    /// of any size. After the end of a session its id may belong to one of another version.
    @inline(__always)
    fileprivate func isReadByHeader(_ bytes: RawSpan, at offset: Int) -> Bool {
        if isStartServiceACK { return takesFramesOfAnySize(bytes, at: offset) }
        return !endsSession
    }

    private func takesFramesOfAnySize(_ bytes: RawSpan, at offset: Int) -> Bool {
        let end = offset + size
        guard end <= bytes.byteCount else { return false }
        let payload = bytes.extracting(offset + headerSize..<end)
        guard payload.byteCount == 0 || payload.isPlainBSON else { return false }
        return SDL.FrameLimit(announcedBy: header(messageID: 0), payload)?.isTight != true
    }
}

extension HeaderReaderState {
    /// Keeps an incomplete frame, or only the contents of its header if it is only counted.
    @inline(__always)
    fileprivate mutating func keep(
        _ bytes: RawSpan, from start: Int, _ frame: SDLPackedHeader, _ messageHeader: MessageHeader,
        _ isCounted: Bool
    ) {
        guard isCounted else { return begin(with: bytes, from: start, size: frame.size) }
        pass(frame, messageHeader, missing: start + frame.size - bytes.byteCount)
        tag = UInt32(truncatingIfNeeded: bytes.number(at: start + 4))
    }

    /// Passes over the rest of a frame that is only counted.
    @inline(__always)
    fileprivate mutating func pass(
        _ frame: SDLPackedHeader, _ messageHeader: MessageHeader, missing: Int
    ) {
        passing = UInt32(truncatingIfNeeded: missing)
        code = messageHeader.code.index
        header = frame.word
        correlation = UInt32(truncatingIfNeeded: messageHeader.correlation)
    }

    /// Reports a frame that was passed over, now that it is complete.
    ///
    /// Nothing is agreed before that.
    @inline(__always)
    fileprivate mutating func concludePassed(asking screening: inout Screening) {
        agree(with: SDLPackedHeader(header))
        _ = screening.passesOver(messageHeader, RawSpan())
    }

    /// Adopts the session and version of the first data frame (4.2.3).
    @inline(__always)
    fileprivate mutating func agree(with frame: SDLPackedHeader) {
        if agreement == 0, frame.isReadableSingle { agreement = frame.agreement }
    }

    /// Starts to gather a frame of the given size.
    fileprivate mutating func begin(with bytes: RawSpan, from offset: Int, size: Int) {
        let count = bytes.byteCount - offset
        gathered.reserveCapacity(min(size, SDL.Limits.gatheredRoom))
        bytes.extracting(droppingFirst: offset).withUnsafeBytes {
            gathered.append(contentsOf: $0)
        }
        passing = UInt32(truncatingIfNeeded: size - count)
    }

    /// Adds bytes to the gathered ones, and queries the screen when they are a whole frame.
    ///
    /// - Returns: The number of bytes that belong to the frame. After the call nothing is gathered
    ///   if the frame is done, and nothing is missing if the decoder must process it.
    fileprivate mutating func gather(_ bytes: RawSpan, asking screening: inout Screening) -> Int {
        var used = add(bytes, from: 0)
        guard passing == 0 else { return used }
        guard let (frame, messageHeader) = messageHeader(of: gathered.span.bytes, at: 0) else {
            return used
        }
        if frame.size > gathered.count, screening.onlyCounts {
            tag = UInt32(truncatingIfNeeded: gathered.span.bytes.number(at: 4))
            pass(frame, messageHeader, missing: frame.size - gathered.count)
            gathered = []
            return passOn(bytes, from: used, asking: &screening)
        }
        gathered.reserveCapacity(min(frame.size, SDL.Limits.gatheredRoom))
        passing = UInt32(truncatingIfNeeded: frame.size - gathered.count)
        used = add(bytes, from: used)
        guard passing == 0, frame.isReadByHeader(gathered.span.bytes, at: 0) else { return used }
        if screening.passesOver(messageHeader, gathered.span.bytes) {
            agree(with: frame)
            gathered = []
        } else {
            screening.isAsked = true
        }
        return used
    }

    /// Adds the missing bytes, as far as they are available, and returns where they end.
    private mutating func add(_ bytes: RawSpan, from start: Int) -> Int {
        let count = min(Int(passing), bytes.byteCount - start)
        bytes.extracting(start..<start + count).withUnsafeBytes {
            gathered.append(contentsOf: $0)
        }
        passing -= UInt32(truncatingIfNeeded: count)
        return start + count
    }

    /// Passes over the missing bytes of a frame that is only counted, as far as they are available.
    private mutating func passOn(
        _ bytes: RawSpan, from start: Int, asking screening: inout Screening
    ) -> Int {
        let count = min(Int(passing), bytes.byteCount - start)
        passing -= UInt32(truncatingIfNeeded: count)
        if passing == 0 { concludePassed(asking: &screening) }
        return start + count
    }

    /// Returns the frame at a place and its message header.
    ///
    /// It is `nil` if too little of the frame is available, or if the decoder must process it.
    fileprivate func messageHeader(
        of bytes: RawSpan, at offset: Int
    ) -> (frame: SDLPackedHeader, messageHeader: MessageHeader)? {
        guard let frame = frame(of: bytes, at: offset),
            let messageHeader = frame.messageHeader(of: bytes, at: offset)
        else { return nil }
        return (frame, messageHeader)
    }

    /// Starts to gather an incomplete frame; returns `false` if its header does not identify it.
    fileprivate mutating func gathersHeader(of bytes: RawSpan, at offset: Int) -> Bool {
        guard let frame = frame(of: bytes, at: offset),
            bytes.byteCount - offset < frame.readableSize
        else { return false }
        begin(with: bytes, from: offset, size: frame.readableSize)
        return true
    }

    /// Returns the frame at a place, if its first words are available and its header may identify
    /// it.
    private func frame(of bytes: RawSpan, at offset: Int) -> SDLPackedHeader? {
        guard bytes.byteCount - offset >= SDL.Header.shortSize else { return nil }
        let frame = SDLPackedHeader(bytes.number(at: offset))
        let isTold =
            frame.isReadableSingle
            ? (frame.agreement == agreement || agreement == 0 && frame.sessionID != 0)
                && (SDL.RPC.headerSize...SDL.Limits.framePayload).contains(frame.payloadSize)
            : frame.isReadableControl && frame.payloadSize <= SDL.Limits.controlPayload
        return isTold ? frame : nil
    }
}
