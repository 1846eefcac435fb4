import Wire

/// The words of a frame that a screen needs, read from bytes that hold the whole frame.
struct SDLPackedHeader {
    /// Version, flags, service, frame info, session and data size.
    let word: UInt64

    /// Takes the words of a frame that was read before.
    @inline(__always)
    init(_ word: UInt64) { self.word = word }

    /// Reads the header at an offset; the bytes need not hold all of the frame.
    @inline(__always)
    init?(_ bytes: RawSpan, at offset: Int) {
        guard bytes.byteCount - offset >= SDL.Header.shortSize else { return nil }
        self.init(
            UInt64(
                bigEndian: bytes.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: offset, as: UInt64.self)))
        guard (1...5).contains(version), payloadSize <= SDL.Limits.framePayload else {
            return nil
        }
    }

    /// Takes the first byte of a frame, which has the fields up to the frame type.
    init(firstByte: UInt8) { word = UInt64(firstByte) << 56 }

    var version: UInt8 { SDL.HeaderField.version.bits.number(in: word) }
    var isEncrypted: Bool { SDL.HeaderField.encrypted.bits.number(in: word) as UInt8 != 0 }
    var frameType: UInt8 { SDL.HeaderField.frameType.bits.number(in: word) }
    var serviceType: UInt8 { SDL.HeaderField.serviceType.bits.number(in: word) }
    var frameInfo: UInt8 { SDL.HeaderField.frameInfo.bits.number(in: word) }
    var sessionID: UInt8 { SDL.HeaderField.sessionID.bits.number(in: word) }
    var payloadSize: Int { SDL.HeaderField.dataSize.bits.number(in: word) }

    /// How many of its bytes must be there so that it is told by its header.
    @inline(__always)
    var readableSize: Int {
        isReadableSingle ? min(SDL.Header.longSize + SDL.RPC.headerSize, size) : size
    }

    /// The header of the message that the frame makes up; `nil` if the bytes hold too little of it, or
    /// the headers do not tell.
    @inline(__always)
    func messageHeader(of bytes: RawSpan, at offset: Int) -> MessageHeader? {
        guard isReadableSingle || isReadableControl, bytes.byteCount - offset >= readableSize else {
            return nil
        }
        return SDL.messageHeader(
            frameType: frameType, serviceType: serviceType, frameInfo: frameInfo,
            headerSize: headerSize, bytes, payloadAt: offset + headerSize, size: payloadSize)
    }

    /// Whether it is a single frame whose headers tell what it is: the JSON envelope of version 1
    /// must be parsed.
    var isReadableSingle: Bool {
        frameType == SDL.FrameType.single.rawValue && (2...5).contains(version) && !isEncrypted
    }
    /// Whether it is a control frame whose headers tell what it is.
    var isReadableControl: Bool {
        frameType == SDL.FrameType.control.rawValue && !isEncrypted && (1...5).contains(version)
    }
    /// Whether it says how large the frames of a service may be.
    @inline(__always)
    var isStartServiceACK: Bool {
        frameType == SDL.FrameType.control.rawValue
            && frameInfo == SDL.ControlFrame.startServiceACK.rawValue
    }
    /// Bytes of the header.
    var headerSize: Int { version == 1 ? SDL.Header.shortSize : SDL.Header.longSize }
    /// Bytes of header and payload.
    var size: Int { headerSize + payloadSize }

    /// The header, of which the words here do not hold the message id.
    func header(messageID: UInt32) -> SDL.Header {
        SDL.Header(
            version: version, isEncrypted: isEncrypted,
            frameType: SDL.FrameType(frameType), serviceType: serviceType,
            frameInfo: frameInfo, sessionID: sessionID,
            dataSize: UInt32(truncatingIfNeeded: payloadSize), messageID: messageID)
    }
}

extension SDL {
    /// A frame that is passed over before all of it has come.
    struct PassingFrame: Sendable {
        /// What the frame says of itself.
        let header: Header
        /// Offset of its first byte in the stream.
        let start: UInt64
        /// What a single frame tells, without the body; `nil` for one that continues a message.
        let messageHeader: MessageHeader?

        /// Takes the frame that is passed over where a stream that was read by headers has come to.
        init(_ course: HeaderReaderState, at offset: UInt64) {
            let frame = SDLPackedHeader(course.header)
            header = frame.header(messageID: course.tag)
            start = offset + UInt64(course.passing) - UInt64(frame.size)
            messageHeader = course.messageHeader
        }

        /// Takes a frame that continues a message and begins at an offset.
        init(continuing header: Header, at start: UInt64) {
            self.header = header
            self.start = start
            messageHeader = nil
        }

        /// Offset of the first byte behind it.
        var end: UInt64 { start + UInt64(header.size) + UInt64(header.dataSize) }
    }

    /// The header of a message from its first frame's header and its reassembled payload; `nil` if
    /// the headers do not tell its name.
    @inline(__always)
    static func messageHeader(
        frameType: UInt8, serviceType: UInt8, frameInfo: UInt8, headerSize: Int,
        _ bytes: RawSpan, payloadAt start: Int, size: Int
    ) -> MessageHeader? {
        if frameType == FrameType.control.rawValue {
            guard size <= Limits.controlPayload, ServiceType(rawValue: serviceType) != nil,
                let code = MessageCodes.shared.code(ofControl: frameInfo)
            else { return nil }
            // Control frames have no correlation id, which differs from having the id 0.
            return MessageHeader(
                code: code, byteCount: headerSize + size,
                correlation: 1 << 63 | UInt64(serviceType) << 32,
                body: size == 0 ? .empty : .bson(headerSize..<headerSize + size))
        }
        guard size >= RPC.headerSize else { return nil }
        return rpcHeader(
            serviceType: serviceType, headerSize: headerSize, size: size,
            call: UInt64(
                bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)),
            jsonSize: UInt32(
                bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start + 8, as: UInt32.self)),
            MessageCodes.shared)
    }

    /// The header of an RPC from the words of its own header; `nil` if they do not tell its name.
    ///
    /// - Parameters:
    ///   - serviceType: The service of its frame.
    ///   - headerSize: How many bytes the frame's header has.
    ///   - size: How many bytes its payload has.
    ///   - call: Type, function and correlation id.
    ///   - jsonSize: How many bytes of JSON it announces.
    ///   - codes: The codes of messages.
    @inline(__always)
    static func rpcHeader(
        serviceType: UInt8, headerSize: Int, size: Int, call: UInt64, jsonSize: UInt32,
        _ codes: MessageCodes
    ) -> MessageHeader? {
        guard serviceType == ServiceType.rpc.rawValue || serviceType == ServiceType.bulk.rawValue,
            Int(jsonSize) <= size - RPC.headerSize,
            let code = codes.code(ofRPC: call)
        else { return nil }
        let json = headerSize + RPC.headerSize
        return MessageHeader(
            code: code, byteCount: headerSize + size,
            correlation: correlation(serviceType, RPCField.correlationID.bits.number(in: call)),
            body: .json(json..<json + Int(jsonSize)))
    }

    /// The correlation fields of an RPC, packed.
    @inline(__always)
    static func correlation(_ serviceType: UInt8, _ identifier: UInt32) -> UInt64 {
        UInt64(serviceType) << 32 | UInt64(identifier)
    }
}

extension HeaderReaderState {
    /// What the headers of the message that is passed over tell, without its body.
    @inline(__always)
    var messageHeader: MessageHeader {
        let frame = SDLPackedHeader(header)
        return MessageHeader(
            code: MessageCode(index: code), byteCount: frame.size,
            correlation: SDL.correlation(frame.serviceType, correlation), body: .empty)
    }
}

extension SDL.StreamDecoder {
    /// Passes over the frames at the front that make up messages which are not wanted.
    ///
    /// - Returns: Where what must be decoded begins.
    @inline(__always)
    mutating func passOver(
        _ bytes: RawSpan, from offset: Int, asking screening: inout Screening
    ) -> Int {
        let base = position &- UInt64(offset)
        var used = offset
        while let frame = SDLPackedHeader(bytes, at: used),
            let messageHeader = frame.messageHeader(of: bytes, at: used)
        {
            let end = used + frame.size
            guard end <= bytes.byteCount,
                screening.passesOver(messageHeader, bytes.extracting(used..<end))
            else { break }
            if frame.isReadableSingle {
                assembly.note(version: frame.version, ofSession: frame.sessionID)
            } else if frame.isStartServiceACK {
                let payload = bytes.extracting(used + frame.headerSize..<end)
                assembly.noteAnnouncement(frame.header(messageID: 0), payload)
            }
            used = end
        }
        start = base + UInt64(used)
        return used
    }

    /// Begins to pass over a frame that is not whole, if nothing more need be kept of the message that
    /// it continues.
    ///
    /// - Returns: Whether it does; all of the bytes are passed over then.
    mutating func passOverContinuation(
        _ bytes: RawSpan, from offset: Int, asking screening: inout Screening
    ) -> Bool {
        guard !screening.wantsAll, assembly.hasPartials,
            bytes.byteCount - offset >= SDL.Header.longSize,
            let frame = SDLPackedHeader(bytes, at: offset), frame.version > 1, !frame.isEncrypted,
            frame.frameType == SDL.FrameType.consecutive.rawValue,
            frame.size > bytes.byteCount - offset
        else { return false }
        let header = SDL.Header(beginning: bytes.extracting(droppingFirst: offset))
        guard assembly.isSeen(header, by: screening) else { return false }
        mode = .passing(SDL.PassingFrame(continuing: header, at: position))
        start = position + UInt64(bytes.byteCount - offset)
        return true
    }

    /// Passes over bytes of a frame that nobody looks at, and counts it if they complete it.
    ///
    /// - Returns: How many of them belong to it.
    mutating func pass(
        _ count: Int, _ frame: SDL.PassingFrame, into messages: inout [StreamMessage],
        asking screening: inout Screening
    ) -> Int {
        let end = position + UInt64(count)
        guard end >= frame.end else { return count }
        mode = .synchronised
        if let messageHeader = frame.messageHeader {
            _ = screening.passesOver(messageHeader, RawSpan())
            assembly.note(version: frame.header.version, ofSession: frame.header.sessionID)
        } else {
            assembly.pass(
                frame.header, frame.start..<frame.end, into: &messages, asking: &screening)
        }
        return Int(frame.end - position)
    }
}
