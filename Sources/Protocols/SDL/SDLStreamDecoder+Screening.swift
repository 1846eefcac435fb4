/// The words of a frame that a screen needs, read from bytes that hold the whole frame.
struct SDLFrameHead {
    /// Version, flags, service, frame info, session and data size.
    private let word: UInt64

    /// Reads the header at an offset; `nil` unless the bytes hold all of a frame.
    init?(_ bytes: RawSpan, at offset: Int) {
        let room = bytes.byteCount - offset
        guard room >= SDL.Header.shortSize else { return nil }
        word = UInt64(
            bigEndian: bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt64.self))
        guard (1...5).contains(version), payloadSize <= SDL.Limits.framePayload, room >= size
        else { return nil }
    }

    var version: UInt8 { UInt8(truncatingIfNeeded: word >> 60) }
    var isEncrypted: Bool { word >> 59 & 1 != 0 }
    var frameType: UInt8 { UInt8(truncatingIfNeeded: word >> 56) & 0x07 }
    var serviceType: UInt8 { UInt8(truncatingIfNeeded: word >> 48) }
    var frameInfo: UInt8 { UInt8(truncatingIfNeeded: word >> 40) }
    var sessionID: UInt8 { UInt8(truncatingIfNeeded: word >> 32) }
    var payloadSize: Int { Int(UInt32(truncatingIfNeeded: word)) }
    /// Bytes of the header.
    var headerSize: Int { version == 1 ? SDL.Header.shortSize : SDL.Header.longSize }
    /// Bytes of header and payload.
    var size: Int { headerSize + payloadSize }
}

extension SDL {
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
    /// Passes over the whole frames at the front that make up messages which are not wanted.
    ///
    /// - Returns: How many bytes they take; behind them begins what must be decoded.
    mutating func passOver(_ bytes: RawSpan, asking screening: inout Screening) -> Int {
        var used = 0
        while let frame = SDLFrameHead(bytes, at: used) {
            // The JSON envelope of version 1 must be parsed to tell what it is.
            let isSingle =
                frame.frameType == SDL.FrameType.single.rawValue && frame.version > 1
            guard isSingle || frame.frameType == SDL.FrameType.control.rawValue,
                !frame.isEncrypted,
                let head = SDL.head(
                    frameType: frame.frameType, serviceType: frame.serviceType,
                    frameInfo: frame.frameInfo, headerSize: frame.headerSize, bytes,
                    payloadAt: used + frame.headerSize, size: frame.payloadSize),
                screening.passesOver(head, bytes.extracting(used..<used + frame.size))
            else { break }
            if isSingle { assembly.note(version: frame.version, ofSession: frame.sessionID) }
            used += frame.size
        }
        return used
    }
}
