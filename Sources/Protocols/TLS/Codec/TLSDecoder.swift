import Wire

extension TLS {
    /// A decoder of both directions of a connection, with what it carries.
    ///
    /// A record is decrypted when it is complete, with the keys that are known then. One that cannot
    /// be decrypted is reported as `tls.encrypted`; the carried protocol gets a gap in its place.
    struct Decoder: ConnectionDecoder {
        private var sides = BothSides { Side() }
        private var session = Session()
        private let secrets: DecryptionSecrets
        private var inner: NestedConnection

        init(of stack: DissectionStack, carrying known: StreamProtocol?) {
            secrets = stack.secrets
            inner = NestedConnection(in: .tcp, of: stack, carrying: known)
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            if sides[side].pending.isEmpty { sides[side].start = offset }
            sides[side].pending.append(bytes)
            while let record = sides[side].nextRecord() {
                take(record, from: side, into: &messages)
            }
            guard sides[side].state != .records, !sides[side].pending.isEmpty else { return }
            let rest = sides[side].takeRest()
            if sides[side].state == .broken {
                messages.append(
                    StreamMessage(
                        content: Message.malformed(rest.bytes, "the bytes are not a record"),
                        ranges: [rest.range]))
            } else {
                conceal(rest.bytes, type: nil, Reason.gap, rest.range, side, into: &messages)
            }
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            let rest = sides[side].takeRest()
            if !rest.bytes.isEmpty {
                messages.append(
                    StreamMessage(
                        content: Message.encrypted(rest.bytes, type: nil, Reason.gap),
                        ranges: [rest.range]))
            }
            if sides[side].state == .records { sides[side].state = .lost }
            sides[side].start = offset
            sides[side].forgetHandshake()
            inner.lose(side, opaque: Message.data, into: &messages)
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            inner.finish(side, end, opaque: Message.data, into: &messages)
            let rest = sides[side].takeRest()
            guard end == .closed, !rest.bytes.isEmpty, sides[side].state == .records else { return }
            messages.append(
                StreamMessage(
                    content: Message.malformed(rest.bytes, "the stream ends within a record"),
                    ranges: [rest.range]))
        }

        mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage]) {
            inner.pause(of: side, into: &messages)
        }

        mutating func restart(_ side: ConnectionSide, into messages: inout [StreamMessage]) {
            inner.restart(side, into: &messages)
        }

        func begun(of side: ConnectionSide) -> StreamMessage? { inner.begun(of: side) }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            let oldest = sides[side].oldest
            return inner.oldestPendingOffset(of: side).map { min(oldest, $0) } ?? oldest
        }
    }

    /// Why records were not decrypted, as clauses.
    enum Reason {
        static let gap = "bytes before them are missing"
        static let noKey = "no key of the connection is known"
        static let wrongKey = "the known key does not fit"
        static let suite = "the cipher suite is not supported"
        static let hello = "the hellos of the connection were not seen"
    }
}

// MARK: - Records

extension TLS.Decoder {
    private typealias ContentType = TLS.ContentType
    private typealias Message = TLS.Message
    private typealias Reason = TLS.Reason

    private mutating func take(
        _ record: TLS.Record, from side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        let isNew = session.isVersion13
        let isProtected =
            isNew || sides[side].epoch == .early
            ? record.type == ContentType.applicationData : sides[side].epoch == .changed
        guard isProtected else {
            if record.type == ContentType.applicationData, sides[side].epoch == .plain {
                conceal(record, Reason.hello, side, into: &messages)
            } else {
                takePlain(
                    record.type, Array(record.payload), record, from: side, into: &messages)
            }
            return
        }
        switch open(record, from: side) {
        case .plain(var content):
            var type = record.type
            if isNew || sides[side].epoch == .early {
                // The type is the last byte that is not padding (RFC 8446 5.2).
                while content.last == 0 { content.removeLast() }
                guard let last = content.popLast() else {
                    messages.append(
                        malformed(record, "the record has no content type (RFC 8446 5.4)"))
                    return
                }
                type = last
            }
            takePlain(type, content, record, from: side, into: &messages)
        case .dark(let reason):
            conceal(record, reason, side, into: &messages)
        case .wrong:
            messages.append(malformed(record, "the tag of the record is wrong (RFC 8446 5.2)"))
            inner.lose(side, opaque: Message.data, into: &messages)
        }
    }

    private func malformed(_ record: TLS.Record, _ error: String) -> StreamMessage {
        StreamMessage(
            content: Message.malformed(record.header + record.payload, error),
            ranges: [record.range])
    }

    /// Takes the content of a record that is not encrypted, or not any more.
    private mutating func takePlain(
        _ type: UInt8, _ content: [UInt8], _ record: TLS.Record, from side: ConnectionSide,
        into messages: inout [StreamMessage]
    ) {
        guard !content.isEmpty || type == ContentType.applicationData else {
            messages.append(malformed(record, "a record of type \(type) without content"))
            return
        }
        switch type {
        case ContentType.handshake:
            takeHandshake(content, record.range, from: side, into: &messages)
        case ContentType.alert:
            messages.append(
                StreamMessage(content: Message.alert(content), ranges: [record.range]))
            // It is the end of what the sender sends (RFC 8446 6.1).
            if content.count == 2, content[1] == 0 {
                inner.finish(
                    side, inner.hasEnded(side.other) ? .abandoned : .closed, opaque: Message.data,
                    into: &messages)
            }
        case ContentType.changeCipherSpec:
            messages.append(
                StreamMessage(
                    content: content == [1]
                        ? Message("ChangeCipherSpec", bytes: content)
                        : Message.malformed(content, "a ChangeCipherSpec is not the byte 1"),
                    ranges: [record.range]))
            if session.endsPlainText, sides[side].epoch != .early { sides[side].begin(.changed) }
        case ContentType.applicationData:
            inner.consume(
                content.span.bytes, from: side, at: [record.range], opaque: Message.data,
                into: &messages)
        case ContentType.heartbeat:
            messages.append(
                StreamMessage(content: Message("heartbeat", bytes: content), ranges: [record.range])
            )
        default:
            messages.append(malformed(record, "a record of the unknown type \(type)"))
        }
    }

    // MARK: - What is not seen

    private mutating func conceal(
        _ record: TLS.Record, _ reason: String, _ side: ConnectionSide,
        into messages: inout [StreamMessage]
    ) {
        conceal(
            Array(record.payload), type: record.type, reason, record.range, side, into: &messages)
        guard session.client == side || record.type == ContentType.handshake else { return }
        noteHiddenFinished(record, side, into: &messages)
    }

    private mutating func conceal(
        _ bytes: [UInt8], type: UInt8?, _ reason: String, _ range: Range<UInt64>,
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        messages.append(
            StreamMessage(
                content: Message.encrypted(bytes, type: type, reason), ranges: [range]))
        // A message of the handshake may go on in it.
        sides[side].forgetHandshake()
        inner.lose(side, opaque: Message.data, into: &messages)
    }

    /// Records a Finished that can be recognised without its content.
    ///
    /// Up to TLS 1.2 it is the first handshake record after ChangeCipherSpec (RFC 5246 7.3). In TLS
    /// 1.3 it is the client's first encrypted record after the ServerHello that is not an alert: a
    /// hash of 32 bytes, a header of 4, the content type and a tag of 16 (RFC 8446 2 and 5.2).
    private mutating func noteHiddenFinished(
        _ record: TLS.Record, _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        guard !sides[side].isFinished else { return }
        if session.isVersion13 {
            guard side == session.client, record.payload.count >= 53 else { return }
            finish(side.other, record.range, into: &messages)
        } else if record.type != ContentType.handshake || sides[side].epoch != .changed {
            return
        }
        finish(side, record.range, into: &messages)
    }

    /// Records that a side has sent Finished.
    private mutating func finish(
        _ side: ConnectionSide, _ range: Range<UInt64>, into messages: inout [StreamMessage]
    ) {
        let isFirst = !sides[side].isFinished
        sides[side].isFinished = true
        guard isFirst, sides[side.other].isFinished else { return }
        messages.append(StreamMessage(content: session.finished, ranges: [range]))
    }
}

// MARK: - Keys

extension TLS.Decoder {
    /// The result of decrypting a record.
    private enum Opened {
        case plain([UInt8])
        /// It cannot be decrypted, for this reason.
        case dark(String)
        /// Its tag is wrong, although the key is right and all bytes before it were seen.
        case wrong
    }

    private mutating func open(_ record: TLS.Record, from side: ConnectionSide) -> Opened {
        if let darkness = sides[side].darkness { return .dark(darkness) }
        if sides[side].protection != nil {
            if case .plain(let content)? = sides[side].protection?.open(
                record.header, record.payload)
            {
                return .plain(content)
            }
            if sides[side].epoch == .early { return openAfterEarlyData(record, from: side) }
            guard let sequence = sides[side].protection?.sequence, sequence > 0 else {
                return .dark(Reason.wrongKey)
            }
            sides[side].darkness = "a record before them is damaged"
            return .wrong
        }
        let found = session.protections(sides[side].epoch, of: side, secrets)
        for var candidate in found.protections {
            if case .plain(let content) = candidate.open(record.header, record.payload) {
                sides[side].protection = candidate
                return .plain(content)
            }
        }
        if sides[side].epoch == .early {
            let opened = openAfterEarlyData(record, from: side)
            if case .plain = opened { return opened }
        }
        // Without the keys of the handshake, its end is where those of the data begin to fit.
        if sides[side].epoch == .handshake {
            for var candidate in session.protections(.application, of: side, secrets).protections {
                if case .plain(let content) = candidate.open(record.header, record.payload) {
                    sides[side].begin(.application)
                    sides[side].protection = candidate
                    return .plain(content)
                }
            }
        }
        return .dark(found.reason)
    }

    /// Decrypts a client's record with the keys of the handshake: the server has rejected early
    /// data.
    private mutating func openAfterEarlyData(
        _ record: TLS.Record, from side: ConnectionSide
    ) -> Opened {
        for var candidate in session.protections(.handshake, of: side, secrets).protections {
            if case .plain(let content) = candidate.open(record.header, record.payload) {
                sides[side].begin(.handshake)
                sides[side].protection = candidate
                return .plain(content)
            }
        }
        return .dark(Reason.wrongKey)
    }
}

// MARK: - Handshake

extension TLS.Decoder {
    private typealias HandshakeType = TLS.HandshakeType

    private mutating func takeHandshake(
        _ content: [UInt8], _ range: Range<UInt64>, from side: ConnectionSide,
        into messages: inout [StreamMessage]
    ) {
        _ = sides[side].handshakes.append(content.count, at: [range])
        sides[side].handshakeBytes.append(content.span.bytes)
        while sides[side].handshakeBytes.count >= 4 {
            let header = Array(sides[side].handshakeBytes.slice.prefix(4))
            let length = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
            let end = sides[side].handshakes.next
            let from = end - UInt64(sides[side].handshakeBytes.count)
            guard length <= TLS.Limits.handshake else {
                let bytes = Array(sides[side].handshakeBytes.slice)
                let ranges = sides[side].handshakes.outer(of: [from..<end])
                sides[side].forgetHandshake()
                sides[side].darkness = "a message of the handshake is too long"
                messages.append(
                    StreamMessage(
                        content: Message.malformed(
                            bytes, "a handshake message of \(length) bytes"), ranges: ranges))
                return
            }
            guard sides[side].handshakeBytes.count >= 4 + length else { return }
            let bytes = sides[side].handshakeBytes.consume(4 + length)
            let next = from + UInt64(bytes.count)
            let ranges = sides[side].handshakes.outer(of: [from..<next])
            messages.append(StreamMessage(content: message(bytes, from: side), ranges: ranges))
            sides[side].handshakes.forget(before: next)
            if bytes[0] == HandshakeType.finished.rawValue {
                finish(side, range, into: &messages)
                if session.isVersion13, sides[side].epoch == .handshake {
                    sides[side].begin(.application)
                }
            }
        }
    }

    /// Processes a handshake message and returns it for suites.
    private mutating func message(_ bytes: [UInt8], from side: ConnectionSide) -> Message {
        let body = bytes.span.bytes.extracting(droppingFirst: 4)
        do throws(DecodeError) {
            switch HandshakeType(rawValue: bytes[0]) {
            case .clientHello?:
                let hello = try TLS.Hello(body, isOfClient: true)
                session.takeClientHello(hello, from: side)
                if sides[side].epoch == .plain || sides[side].epoch == .early {
                    sides[side].begin(hello.extensions.hasEarlyData ? .early : .plain)
                }
                return hello.message(bytes)
            case .serverHello?:
                let hello = try TLS.Hello(body, isOfClient: false)
                takeServerHello(hello, from: side)
                return hello.message(bytes)
            case .encryptedExtensions?:
                return try session.takeExtensions(body, bytes)
            case .certificate?:
                session.noteCertificate(side)
                return try TLS.certificates(body, isNew: session.isVersion13, bytes)
            case .clientKeyExchange?:
                session.hasKeyExchange = true
            case .endOfEarlyData?:
                sides[side].begin(.handshake)
            case .keyUpdate?:
                if let updated = sides[side].protection?.updated {
                    sides[side].protection = updated
                } else {
                    sides[side].darkness = Reason.noKey
                }
            default: break
            }
        } catch {
            return Message.malformed(bytes, error.description)
        }
        let kind = HandshakeType(rawValue: bytes[0])?.messageName
        return Message(kind ?? "handshake", bytes: bytes)
    }

    private mutating func takeServerHello(_ hello: TLS.Hello, from side: ConnectionSide) {
        guard !hello.isRetry else {
            session.isRetried = true
            if sides[side.other].epoch == .early { sides[side.other].begin(.plain) }
            return
        }
        session.takeServerHello(hello, from: side)
        sides[side].isFinished = false
        sides[side.other].isFinished = false
        guard session.isVersion13 else {
            if sides[side.other].epoch == .early { sides[side.other].begin(.plain) }
            return
        }
        sides[side].begin(.handshake)
        if sides[side.other].epoch != .early { sides[side.other].begin(.handshake) }
    }
}
