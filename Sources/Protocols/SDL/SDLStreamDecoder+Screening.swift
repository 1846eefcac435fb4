/// The words of a frame that a screen needs, read from bytes that hold the whole frame.
struct SDLFrameHead {
    /// Version, flags, service, frame info, session and data size.
    private let word: UInt64

    /// Reads the header at an offset; the bytes need not hold all of the frame.
    @inline(__always)
    init?(_ bytes: RawSpan, at offset: Int) {
        guard bytes.byteCount - offset >= SDL.Header.shortSize else { return nil }
        word = UInt64(
            bigEndian: bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt64.self))
        guard (1...5).contains(version), payloadSize <= SDL.Limits.framePayload else {
            return nil
        }
    }

    var version: UInt8 { UInt8(truncatingIfNeeded: word >> 60) }
    var isEncrypted: Bool { word >> 59 & 1 != 0 }
    var frameType: UInt8 { UInt8(truncatingIfNeeded: word >> 56) & 0x07 }
    var serviceType: UInt8 { UInt8(truncatingIfNeeded: word >> 48) }
    var frameInfo: UInt8 { UInt8(truncatingIfNeeded: word >> 40) }
    var sessionID: UInt8 { UInt8(truncatingIfNeeded: word >> 32) }
    var payloadSize: Int { Int(UInt32(truncatingIfNeeded: word)) }
    /// The head of the message that the frame makes up; `nil` if the bytes hold too little of it, or
    /// the headers do not tell.
    @inline(__always)
    func head(of bytes: RawSpan, at offset: Int) -> MessageHead? {
        let room = bytes.byteCount - offset
        guard
            isTellingSingle
                ? room >= SDL.Header.longSize + SDL.RPC.headerSize || room >= size
                : frameType == SDL.FrameType.control.rawValue && !isEncrypted && room >= size
        else { return nil }
        return SDL.head(
            frameType: frameType, serviceType: serviceType, frameInfo: frameInfo,
            headerSize: headerSize, bytes, payloadAt: offset + headerSize, size: payloadSize)
    }

    /// Whether it is a single frame whose headers tell what it is: the JSON envelope of version 1
    /// must be parsed.
    var isTellingSingle: Bool {
        frameType == SDL.FrameType.single.rawValue && version > 1 && !isEncrypted
    }
    /// Bytes of the header.
    var headerSize: Int { version == 1 ? SDL.Header.shortSize : SDL.Header.longSize }
    /// Bytes of header and payload.
    var size: Int { headerSize + payloadSize }
}

extension SDL {
    /// A single frame that is passed over before all of it has come.
    struct PassingFrame: Sendable {
        let header: Header
        /// Offset of its first byte in the stream.
        let start: UInt64
        private let code: MessageCode
        private let correlation: UInt64

        /// Takes what was read of a frame, which begins at `place` of the bytes and at `start` of
        /// the stream.
        @inline(__always)
        init(
            _ frame: SDLFrameHead, _ head: MessageHead, _ bytes: RawSpan, at place: Int,
            _ start: UInt64
        ) {
            header = Header(
                version: frame.version, frameType: .single, serviceType: frame.serviceType,
                frameInfo: frame.frameInfo, sessionID: frame.sessionID,
                dataSize: UInt32(truncatingIfNeeded: frame.payloadSize),
                messageID: UInt32(
                    bigEndian: bytes.unsafeLoadUnaligned(
                        fromByteOffset: place + Header.shortSize, as: UInt32.self)))
            self.start = start
            code = head.code
            correlation = head.correlation
        }

        /// Offset of the first byte behind it.
        var end: UInt64 { start + UInt64(header.size) + UInt64(header.dataSize) }

        /// What its headers tell, without the body.
        var head: MessageHead {
            MessageHead(
                code: code, byteCount: header.size + Int(header.dataSize),
                correlation: correlation, body: .empty)
        }
    }

    /// The head of a message from its first frame's header and its reassembled payload; `nil` if
    /// the headers do not tell its name.
    @inline(__always)
    static func head(
        frameType: UInt8, serviceType: UInt8, frameInfo: UInt8, headerSize: Int,
        _ bytes: RawSpan, payloadAt start: Int, size: Int
    ) -> MessageHead? {
        if frameType == FrameType.control.rawValue {
            guard size <= Limits.controlPayload, ServiceType(rawValue: serviceType) != nil,
                let code = MessageCodes.shared.code(ofControl: frameInfo)
            else { return nil }
            // Control frames have no correlation id, which differs from having the id 0.
            return MessageHead(
                code: code, byteCount: headerSize + size,
                correlation: 1 << 63 | UInt64(serviceType) << 32,
                body: size == 0 ? .empty : .bson(headerSize..<headerSize + size))
        }
        guard serviceType == ServiceType.rpc.rawValue || serviceType == ServiceType.bulk.rawValue,
            size >= RPC.headerSize,
            let code = MessageCodes.shared.code(
                ofRPC: UInt32(
                    bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)))
        else { return nil }
        let correlation = UInt32(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start + 4, as: UInt32.self))
        let jsonSize = UInt32(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start + 8, as: UInt32.self))
        guard Int(jsonSize) <= size - RPC.headerSize else { return nil }
        let json = headerSize + RPC.headerSize
        return MessageHead(
            code: code, byteCount: headerSize + size,
            correlation: UInt64(serviceType) << 32 | UInt64(correlation),
            body: .json(json..<json + Int(jsonSize)))
    }
}

extension SDL.StreamDecoder {
    /// Passes over the frames at the front that make up messages which are not wanted, and over the
    /// last one before it is whole if that is of no account.
    ///
    /// - Returns: Where what must be decoded begins.
    @inline(__always)
    mutating func passOver(
        _ bytes: RawSpan, from offset: Int, asking screening: inout Screening
    ) -> Int {
        let base = position &- UInt64(offset)
        var used = offset
        while let frame = SDLFrameHead(bytes, at: used), let head = frame.head(of: bytes, at: used)
        {
            let end = used + frame.size
            guard end <= bytes.byteCount else {
                guard screening.onlyCounts, frame.isTellingSingle else { break }
                passing = SDL.PassingFrame(frame, head, bytes, at: used, base + UInt64(used))
                start = base + UInt64(bytes.byteCount)
                screening.passingBytes = end - bytes.byteCount - 1
                return bytes.byteCount
            }
            guard screening.passesOver(head, bytes.extracting(used..<end)) else { break }
            if frame.isTellingSingle {
                assembly.note(version: frame.version, ofSession: frame.sessionID)
            }
            used = end
        }
        start = base + UInt64(used)
        return used
    }

    /// Takes the next bytes while a frame is passed over; counts the frame if they complete it.
    ///
    /// - Returns: How many of them belong to it.
    mutating func pass(
        _ count: Int, at offset: UInt64, _ frame: SDL.PassingFrame,
        asking screening: inout Screening
    ) -> Int {
        let end = offset + UInt64(count)
        guard end >= frame.end else {
            start = end
            screening.passingBytes = Int(frame.end - end) - 1
            return count
        }
        passing = nil
        start = frame.end
        _ = screening.passesOver(frame.head, RawSpan())
        assembly.note(version: frame.header.version, ofSession: frame.header.sessionID)
        return Int(frame.end - offset)
    }

    /// Tells that bytes of the frame that is passed over have come.
    mutating func passOver(upTo offset: UInt64) {
        if passing != nil { start = offset }
    }
}
