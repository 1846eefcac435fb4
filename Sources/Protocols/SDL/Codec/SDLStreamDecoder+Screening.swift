import Wire

/// The first word of a frame header, with all that a screen needs of it.
struct SDLPackedHeader {
    /// The version, flags, service, frame info, session and data size.
    let word: UInt64

    /// Creates a header from a word that was read before.
    @inline(__always)
    init(_ word: UInt64) { self.word = word }

    /// Reads the header at an offset; the bytes need not contain the whole frame.
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

    /// Creates a header from the first byte of a frame, which has the fields up to the frame type.
    init(firstByte: UInt8) { word = UInt64(firstByte) << 56 }

    var version: UInt8 { SDL.HeaderField.version.bits.number(in: word) }
    var isEncrypted: Bool { SDL.HeaderField.encrypted.bits.number(in: word) as UInt8 != 0 }
    var frameType: UInt8 { SDL.HeaderField.frameType.bits.number(in: word) }
    var serviceType: UInt8 { SDL.HeaderField.serviceType.bits.number(in: word) }
    var frameInfo: UInt8 { SDL.HeaderField.frameInfo.bits.number(in: word) }
    var sessionID: UInt8 { SDL.HeaderField.sessionID.bits.number(in: word) }
    var payloadSize: Int { SDL.HeaderField.dataSize.bits.number(in: word) }

    /// The number of bytes that are needed to recognise the frame by its header.
    @inline(__always)
    var readableSize: Int {
        isReadableSingle ? min(SDL.Header.longSize + SDL.RPC.headerSize, size) : size
    }

    /// Returns the header of the message that the frame makes up.
    ///
    /// The result is `nil` if the bytes contain too little of the frame, or the headers do not
    /// identify it.
    @inline(__always)
    func messageHeader(of bytes: RawSpan, at offset: Int) -> MessageHeader? {
        guard isReadableSingle || isReadableControl, bytes.byteCount - offset >= readableSize else {
            return nil
        }
        return SDL.messageHeader(
            frameType: frameType, serviceType: serviceType, frameInfo: frameInfo,
            headerSize: headerSize, bytes, payloadAt: offset + headerSize, size: payloadSize)
    }

    /// Whether it is a single frame that can be recognised by its headers.
    ///
    /// Version 1 cannot, because its JSON envelope must be parsed.
    var isReadableSingle: Bool {
        frameType == SDL.FrameType.single.rawValue && (2...5).contains(version) && !isEncrypted
    }
    /// Whether it is a control frame that can be recognised by its headers.
    var isReadableControl: Bool {
        frameType == SDL.FrameType.control.rawValue && !isEncrypted && (1...5).contains(version)
    }
    /// Whether it may announce a limit for the frames of a service.
    @inline(__always)
    var isStartServiceACK: Bool {
        frameType == SDL.FrameType.control.rawValue
            && frameInfo == SDL.ControlFrame.startServiceACK.rawValue
    }
    /// Whether it ends a session, or agrees to its end.
    @inline(__always)
    var endsSession: Bool {
        frameType == SDL.FrameType.control.rawValue
            && serviceType == SDL.ServiceType.rpc.rawValue
            && SDL.ControlFrame(rawValue: frameInfo)?.endsService == true
    }
    /// The number of bytes of the header.
    var headerSize: Int { version == 1 ? SDL.Header.shortSize : SDL.Header.longSize }
    /// The number of bytes of header and payload.
    var size: Int { headerSize + payloadSize }

    /// Returns the full header; the message id must be given, because it is not in the word.
    func header(messageID: UInt32) -> SDL.Header {
        SDL.Header(
            version: version, isEncrypted: isEncrypted,
            frameType: SDL.FrameType(frameType), serviceType: serviceType,
            frameInfo: frameInfo, sessionID: sessionID,
            dataSize: UInt32(truncatingIfNeeded: payloadSize), messageID: messageID)
    }
}

extension SDL {
    /// A frame that is passed over before all of it has arrived.
    struct PassingFrame: Sendable {
        /// The frame's header.
        let header: Header
        /// The offset of its first byte in the stream.
        let start: UInt64
        /// The message header of a single frame, without the body.
        ///
        /// It is `nil` for one that continues a message.
        let messageHeader: MessageHeader?

        /// Creates the frame that is being passed over in a stream that was read by headers.
        init(_ course: HeaderReaderState, at offset: UInt64) {
            let frame = SDLPackedHeader(course.header)
            header = frame.header(messageID: course.tag)
            start = offset + UInt64(course.passing) - UInt64(frame.size)
            messageHeader = course.messageHeader
        }

        /// Creates a frame that continues a message and begins at an offset.
        init(continuing header: Header, at start: UInt64) {
            self.header = header
            self.start = start
            messageHeader = nil
        }

        /// The offset of the first byte after the frame.
        var end: UInt64 { start + UInt64(header.size) + UInt64(header.dataSize) }
    }

    /// Returns the header of a message from its first frame's header and its reassembled payload.
    ///
    /// The result is `nil` if the headers do not determine its name.
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

    /// Returns the header of an RPC from its own header's words.
    ///
    /// The result is `nil` if they do not determine its name.
    ///
    /// - Parameters:
    ///   - serviceType: The service of its frame.
    ///   - headerSize: The size of the frame's header in bytes.
    ///   - size: The size of its payload in bytes.
    ///   - call: The type, function and correlation id.
    ///   - jsonSize: The announced size of the JSON in bytes.
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

    /// Returns the correlation fields of an RPC, packed.
    @inline(__always)
    static func correlation(_ serviceType: UInt8, _ identifier: UInt32) -> UInt64 {
        UInt64(serviceType) << 32 | UInt64(identifier)
    }
}

extension HeaderReaderState {
    /// The header of the message that is passed over, without its body.
    @inline(__always)
    var messageHeader: MessageHeader {
        let frame = SDLPackedHeader(header)
        return MessageHeader(
            code: MessageCode(index: code), byteCount: frame.size,
            correlation: SDL.correlation(frame.serviceType, correlation), body: .empty)
    }
}

extension SDL.StreamDecoder {
    /// Passes over the frames at the front whose messages are not wanted.
    ///
    /// - Returns: The offset of the first frame that must be decoded.
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
                assembly.record(version: frame.version, ofSession: frame.sessionID)
            } else if frame.isStartServiceACK {
                let payload = bytes.extracting(used + frame.headerSize..<end)
                assembly.recordAnnouncement(frame.header(messageID: 0), payload)
            } else if frame.endsSession {
                assembly.forget(session: frame.sessionID)
            }
            used = end
        }
        start = base + UInt64(used)
        return used
    }

    /// Starts to pass over an incomplete frame, if nothing more of the message is needed.
    ///
    /// The message is the one that the frame continues.
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

    /// Passes over bytes of a frame that is not needed, and counts the frame if they complete it.
    ///
    /// - Returns: The number of bytes that belong to the frame.
    mutating func pass(
        _ count: Int, _ frame: SDL.PassingFrame, into messages: inout [StreamMessage],
        asking screening: inout Screening
    ) -> Int {
        let end = position + UInt64(count)
        guard end >= frame.end else { return count }
        mode = .synchronised
        if let messageHeader = frame.messageHeader {
            _ = screening.passesOver(messageHeader, RawSpan())
            assembly.record(version: frame.header.version, ofSession: frame.header.sessionID)
        } else {
            assembly.pass(
                frame.header, frame.start..<frame.end, into: &messages, asking: &screening)
        }
        return Int(frame.end - position)
    }
}
