import Wire

extension WebSocket {
    /// A protocol carried over a WebSocket, which creates its own messages from heads and payloads.
    public protocol Application: Sendable {
        /// Returns this protocol's message for the head of a handshake; `nil` if it has none.
        mutating func message(
            of head: HTTPHead, bytes: [UInt8], anomalies: [Anomaly]
        ) -> (any DissectedMessage)?
        /// Returns this protocol's message for a payload; `nil` if it has none.
        mutating func message(
            of frame: Frame, bytes: [UInt8], anomalies: [Anomaly]
        ) -> (any DissectedMessage)?
    }

    /// A decoder of one direction of a WebSocket connection: the handshake, then frames.
    ///
    /// Fragments are reassembled; control frames between them are separate messages. The decoder
    /// cannot resynchronise after missing bytes at the beginning or within a stream, because frames
    /// have no mark. Bytes that follow are reported as malformed.
    public struct StreamDecoder: Wire.StreamDecoder {
        private enum Mode {
            case head
            case frames
            /// The rest of the stream cannot be decoded, for this reason; `nil` after a refusal.
            case lost(String?)
        }

        private struct Fragments {
            var first: Frame
            var count = 1
            var bytes: [UInt8]
            var ranges: [Range<UInt64>]
            var anomalies: [Anomaly]
        }

        private var application: (any Application)?
        private var mode = Mode.head
        private(set) var pending = PendingBytes()
        /// How many of the pending bytes are known not to contain the end of the handshake's head.
        private var searched = 0
        /// How many bytes have been searched for that end.
        private(set) var searchedCount = 0
        /// The offset of the first pending byte.
        private var start: UInt64 = 0
        private var fragments: Fragments?
        /// Whether the sender is the client; `nil` if the handshake was not seen.
        private var isClient: Bool?
        /// The head of the handshake's request: this side's own, or that of the other side.
        private(set) var request: HTTPHead?
        /// Whether this side has sent a close frame.
        private var hasClosed = false
        private var skipped: Range<UInt64>?
        private var agreement = Agreement.unknown
        /// The decompressor for this side's messages, if they may be compressed.
        private var unpacker: MessageUnpacker?

        /// Creates a decoder; `application` converts content into its own messages where it can.
        public init(application: (any Application)?) {
            self.application = application
        }

        /// The offset of the oldest byte that a later message may refer to.
        public var oldestPendingOffset: UInt64 {
            fragments?.ranges.first?.lowerBound ?? skipped?.lowerBound ?? start
        }

        /// Takes the next bytes; see `Wire.StreamDecoder`.
        public mutating func consume(
            _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
        ) {
            if pending.isEmpty { start = offset }
            pending.append(bytes)
            while step(&messages) {}
        }

        /// Handles missing bytes; see `Wire.StreamDecoder`.
        public mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
            lose("bytes are missing, and frames cannot be found again", &messages)
            reportSkipped(&messages)
            start = offset
        }

        /// Handles the end of the stream; see `Wire.StreamDecoder`.
        public mutating func finish(into messages: inout [StreamMessage]) {
            if !pending.isEmpty || fragments != nil && !hasClosed {
                lose("the stream ends within a frame or message", &messages)
            }
            reportSkipped(&messages)
        }

        /// Handles the end of a stream that nobody reads on; see `Wire.StreamDecoder`.
        public mutating func abandon(into messages: inout [StreamMessage]) {
            if case .lost = mode { finish(into: &messages) }
        }

        /// Whether the head of this side is still to come.
        var awaitsHead: Bool { if case .head = mode { true } else { false } }

        /// Takes the head of the request that the other side has sent.
        mutating func handle(_ request: HTTPHead?) { self.request = request }

        // MARK: - Extensions

        /// The extensions in the server's response, if this is the server's side and it was seen.
        var agreementOfServer: Agreement? {
            if isClient == false, case .frames = mode { agreement } else { nil }
        }

        /// Applies the extensions in the server's response; only the first call has an effect.
        mutating func handle(_ agreement: Agreement) {
            guard case .unknown = self.agreement else { return }
            self.agreement = agreement
            guard case .deflate(let deflate) = agreement else { return }
            unpacker = MessageUnpacker(isClient == false ? deflate.server : deflate.client)
        }

        // MARK: - Steps

        /// Decodes one unit; returns whether another may follow.
        private mutating func step(_ messages: inout [StreamMessage]) -> Bool {
            switch mode {
            case .head: return head(&messages)
            case .frames: return frame(&messages)
            case .lost:
                guard !pending.isEmpty else { return false }
                let end = start + UInt64(pending.count)
                skipped = (skipped?.lowerBound ?? start)..<end
                pending.removeAll()
                start = end
                return false
            }
        }

        private mutating func head(_ messages: inout [StreamMessage]) -> Bool {
            searchedCount += pending.count - searched
            guard let length = HTTPHead.length(in: pending.slice, behind: searched) else {
                // The end may have begun in the last bytes.
                searched = max(0, pending.count - 3)
                guard pending.count > HTTPHead.bytesMax else { return false }
                lose("the head of the handshake does not end", &messages)
                return true
            }
            let (bytes, range) = consume(length)
            do throws(DecodeError) {
                let head = try HTTPHead(parsing: bytes)
                let anomalies = HandshakeCheck(head: head, bytes: bytes, request: request)
                    .anomalies
                let message =
                    application?.message(of: head, bytes: bytes, anomalies: anomalies)
                    ?? Message(.handshake(head), bytes: bytes, anomalies: anomalies)
                messages.append(StreamMessage(content: message, ranges: [range]))
                if case .request = head.start { isClient = true } else { isClient = false }
                if isClient == true { request = head }
                if head.isWebSocket {
                    mode = .frames
                    if isClient == false { handle(Agreement(head)) }
                } else if isClient == true {
                    lose("the request does not ask for a WebSocket", &messages)
                } else {
                    mode = .lost(nil)
                }
            } catch {
                malformed("\(error)", bytes, [range], &messages)
                lose("the handshake cannot be read", &messages)
            }
            return true
        }

        private mutating func frame(_ messages: inout [StreamMessage]) -> Bool {
            do throws(DecodeError) {
                guard let header = try FrameHeader(parsing: pending.slice),
                    pending.count >= header.length + header.payloadLength
                else { return false }
                let (bytes, range) = consume(header.length + header.payloadLength)
                let body = bytes[header.length...]
                let payload = header.maskingKey.map { Frame.masked(body, by: $0) } ?? Array(body)
                let frame = Frame(
                    header.opcode, payload, isFinal: header.isFinal, reserved: header.reserved,
                    maskingKey: header.maskingKey)
                var anomalies = FrameCheck(isClient: isClient, agreement: agreement).anomalies(
                    frame, header, continues: fragments != nil)
                if hasClosed, !frame.opcode.isControl {
                    anomalies.append(
                        Anomaly(
                            .violation, "data after a close frame", specification: "RFC 6455 5.5.1")
                    )
                }
                if frame.opcode == .close { hasClosed = true }
                accept(frame, bytes, range, anomalies, &messages)
                return true
            } catch {
                lose("\(error)", &messages)
                return true
            }
        }

        private mutating func accept(
            _ frame: Frame, _ bytes: [UInt8], _ range: Range<UInt64>, _ anomalies: [Anomaly],
            _ messages: inout [StreamMessage]
        ) {
            if frame.opcode == .continuation, var open = fragments {
                // A second reference to the same bytes would copy all of them for each frame.
                fragments = nil
                open.first.payload += frame.payload
                open.first.isFinal = frame.isFinal
                open.count += 1
                open.bytes += bytes
                open.ranges.append(range)
                open.anomalies += anomalies
                guard open.first.payload.count <= Limits.payload else {
                    lose("a message of more than \(Limits.payload) bytes", &messages)
                    return
                }
                if frame.isFinal { emit(open, &messages) } else { fragments = open }
                return
            }
            let whole = Fragments(
                first: frame, bytes: bytes, ranges: [range], anomalies: anomalies)
            if frame.opcode.isControl || frame.isFinal {
                emit(whole, &messages)
            } else {
                if let open = fragments { emit(open, &messages) }
                fragments = whole
            }
        }

        private mutating func emit(_ packed: Fragments, _ messages: inout [StreamMessage]) {
            let whole: Fragments
            do throws(DecodeError) {
                whole = try unpacked(packed)
            } catch {
                let what = "a packed message that cannot be unpacked: \(error)"
                let unread =
                    error.code == .limit
                    ? Unread(because: "a message cannot be unpacked: \(error)") : nil
                return malformed(what, packed.bytes, packed.ranges, &messages, unread: unread)
            }
            var anomalies = whole.anomalies
            if whole.first.opcode == .text,
                String(validating: whole.first.payload, as: UTF8.self) == nil
            {
                anomalies.append(
                    Anomaly(.violation, "text that is not UTF-8", specification: "RFC 6455 8.1"))
            }
            let own = application?.message(
                of: whole.first, bytes: whole.bytes, anomalies: anomalies)
            let message =
                own
                ?? Message(
                    .frames(whole.first, count: whole.count), bytes: whole.bytes,
                    anomalies: anomalies)
            messages.append(StreamMessage(content: message, ranges: whole.ranges))
        }

        /// Returns the message decompressed, or unchanged if it is not compressed (RFC 7692 6.2).
        private mutating func unpacked(_ whole: Fragments) throws(DecodeError) -> Fragments {
            guard whole.first.isPacked, !whole.first.opcode.isControl else { return whole }
            if case .unreadable(let why) = agreement {
                throw DecodeError(.badValue, in: "websocket", at: 0, why)
            }
            guard let message = try unpacker?.unpack(whole.first.payload) else { return whole }
            var result = whole
            result.first.payload = message.payload
            if message.endsInFinalBlock {
                result.anomalies.append(
                    Anomaly(
                        .warning, "the last block is final, and no empty block follows it",
                        specification: "RFC 7692 7.2.1"))
            }
            return result
        }

        // MARK: - Undecodable bytes

        private mutating func consume(_ count: Int) -> ([UInt8], Range<UInt64>) {
            let bytes = pending.consume(count)
            defer { start += UInt64(count) }
            return (bytes, start..<(start + UInt64(count)))
        }

        private mutating func lose(_ why: String, _ messages: inout [StreamMessage]) {
            if let open = fragments {
                malformed("an unfinished message; \(why)", open.bytes, open.ranges, &messages)
                fragments = nil
            }
            if case .lost = mode {
                _ = step(&messages)
                return
            }
            mode = .lost(why)
            guard !pending.isEmpty else { return }
            let (bytes, range) = consume(pending.count)
            malformed(why, bytes, [range], &messages)
        }

        private mutating func reportSkipped(_ messages: inout [StreamMessage]) {
            guard let range = skipped, case .lost(let why?) = mode else { return }
            skipped = nil
            malformed("\(range.count) bytes skipped: \(why)", [], [range], &messages)
        }

        private func malformed(
            _ why: String, _ bytes: [UInt8], _ ranges: [Range<UInt64>],
            _ messages: inout [StreamMessage], unread: Unread? = nil
        ) {
            let sample = Array(bytes.prefix(Limits.malformedSample))
            messages.append(
                StreamMessage(
                    content: Message(.malformed(why), bytes: sample, unread: unread),
                    ranges: ranges))
        }
    }

    /// A check of a single frame for violations.
    struct FrameCheck {
        let isClient: Bool?
        var agreement = Agreement.unknown

        func anomalies(
            _ frame: Frame, _ header: FrameHeader, continues isMessageOpen: Bool
        ) -> [Anomaly] {
            var found: [Anomaly] = []
            func note(_ text: String, _ section: String) {
                found.append(Anomaly(.violation, text, specification: "RFC 6455 \(section)"))
            }
            if let isClient, isClient != (frame.maskingKey != nil) {
                note(
                    isClient
                        ? "a frame of the client is not masked" : "a frame of the server is masked",
                    "5.1")
            }
            if frame.opcode.name == nil { note("opcode \(frame.opcode.rawValue)", "5.2") }
            if frame.reserved & 3 != 0 { note("reserved bits \(frame.reserved)", "5.2") }
            if frame.isPacked, let anomaly = anomaly(ofPacked: frame) { found.append(anomaly) }
            if header.isLengthPadded { note("the length is not in its shortest form", "5.2") }
            if frame.opcode.isControl {
                if !frame.isFinal { note("a control frame is in fragments", "5.5") }
                if frame.payload.count > 125 {
                    note("a control frame of \(frame.payload.count) bytes", "5.5")
                }
                if frame.opcode == .close { closeAnomalies(frame.payload, note) }
            } else if frame.opcode == .continuation, !isMessageOpen {
                note("a continuation without a message", "5.4")
            } else if frame.opcode != .continuation, isMessageOpen {
                note("a new message within another", "5.4")
            }
            return found
        }

        /// The anomaly of a frame with the first reserved bit set.
        private func anomaly(ofPacked frame: Frame) -> Anomaly? {
            switch agreement {
            case .unknown:
                return Anomaly(
                    .warning, "the first reserved bit is set; an extension may define it",
                    specification: "RFC 6455 5.2")
            case .none:
                return Anomaly(
                    .violation, "the first reserved bit is set, and there is no extension",
                    specification: "RFC 6455 5.2")
            case .deflate, .unreadable:
                guard frame.opcode.isControl || frame.opcode == .continuation else { return nil }
                return Anomaly(
                    .violation,
                    "a control frame or a further fragment is marked as packed",
                    specification: "RFC 7692 6")
            }
        }

        private func closeAnomalies(
            _ payload: [UInt8], _ note: (String, String) -> Void
        ) {
            guard !payload.isEmpty else { return }
            guard payload.count >= 2 else { return note("half a status code", "5.5.1") }
            let code = Int(payload[0]) << 8 | Int(payload[1])
            let isKnown = (1000...1014).contains(code) && ![1004, 1005, 1006].contains(code)
            if !isKnown, !(3000...4999).contains(code) { note("status code \(code)", "7.4") }
            if String(validating: payload.dropFirst(2), as: UTF8.self) == nil {
                note("a reason that is not UTF-8", "5.5.1")
            }
        }
    }
}
