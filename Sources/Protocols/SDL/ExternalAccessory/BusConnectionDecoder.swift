import Wire

extension ExternalAccessory {
    /// The protocol as the rest of the harness uses it.
    public static let module = ProtocolModule(
        [description], streamProtocols: [busProtocol])

    /// The accessory bus as a protocol over byte streams, recognised by the phone's first line.
    public static let busProtocol = StreamProtocol(
        name: "ea", recognises: { bytes, _ in recognisesBus(bytes) },
        makeConnectionDecoder: { BusConnectionDecoder(stack: $0) })

    static func recognisesBus(_ bytes: RawSpan) -> Bool? {
        let mark = [UInt8](busMark.utf8)
        let start = [UInt8](copying: bytes.extracting(first: mark.count))
        guard mark.starts(with: start) else { return false }
        return start.count == mark.count ? true : nil
    }

    /// A decoder of a connection of the accessory bus and of what its session carries.
    ///
    /// The first line of the phone identifies its side. After bytes that are not a line, the rest
    /// of that side is not decoded. On a control connection, however, the next line may be read
    /// again.
    public struct BusConnectionDecoder: ConnectionDecoder {
        private enum Mode {
            /// The kind of connection is not known yet.
            case start
            /// The accessory announces accessories, one in each line.
            case announcements
            /// The accessory's answer to the phone's request is due.
            case answer(Session)
            /// The phone may send nothing until the accessory has answered.
            case waiting(Session)
            /// The bytes of the session follow.
            case open
            /// No bytes are allowed, for this reason, which is reported if some arrive.
            case silent(String)
        }

        private struct Side {
            var mode = Mode.start
            var pending: [UInt8] = []
            /// The offset of the first pending byte.
            var position: UInt64 = 0
        }

        private let stack: DissectionStack
        private var sides = BothSides { Side() }
        /// The session whose end has not been reported yet.
        private var session: Session?
        /// The protocol that the session carries; `nil` if it carries only bytes.
        private var nested: NestedConnection?

        /// Creates a decoder that uses `stack` for the protocol that a session carries.
        public init(stack: DissectionStack) {
            self.stack = stack
        }

        /// The offset of the oldest byte of a side that a later message may refer to.
        public func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            min(nested?.oldestPendingOffset(of: side) ?? .max, sides[side].position)
        }

        /// Takes the next bytes of a side; see `ConnectionDecoder`.
        public mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            if sides[side].pending.isEmpty {
                sides[side].position = offset
                if case .open = sides[side].mode { return carry(bytes, side, &messages) }
            }
            bytes.withUnsafeBytes { sides[side].pending.append(contentsOf: $0) }
            while step(side, &messages) {}
        }

        /// Handles missing bytes; see `ConnectionDecoder`.
        public mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            while step(side, &messages) {}
            let opaque = opaque
            if case .open = sides[side].mode {
                nested?.lose(side, opaque: opaque, into: &messages)
            } else {
                let count = sides[side].pending.count
                lose(count, of: side, "the capture lacks the rest of this line", &messages)
                miss(of: side)
            }
            sides[side].position = offset
        }

        /// Handles the end of a side; see `ConnectionDecoder`.
        public mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            while step(side, &messages) {}
            let opaque = opaque
            nested?.finish(side, end, opaque: opaque, into: &messages)
            if end.showsUnfinished {
                lose(
                    sides[side].pending.count, of: side, "the stream ends within a line", &messages)
            }
            guard end.isOfSender, let session else { return }
            messages.append(StreamMessage(content: Message(.close(session)), ranges: []))
            self.session = nil
        }

        // MARK: - Steps

        /// Decodes one unit of a side; returns whether another may follow.
        private mutating func step(
            _ side: ConnectionSide, _ messages: inout [StreamMessage]
        ) -> Bool {
            let pending = sides[side].pending
            guard !pending.isEmpty else { return false }
            switch sides[side].mode {
            case .start:
                // Only the phone may begin; the accessory waits for its line.
                let isPhone = pending.starts(with: busMark.utf8.prefix(pending.count))
                guard isPhone || pending.count > Limits.lineBytesMax else { return false }
                return line(side, &messages, BusLine.preface)
            case .announcements:
                return line(side, &messages, BusLine.announcement)
            case .answer(let requested):
                return line(side, &messages) { bytes throws(DecodeError) in
                    try BusLine.answer(bytes, to: requested)
                }
            case .open:
                sides[side].pending = []
                carry(pending.span.bytes, side, &messages)
            case .waiting:
                lose(pending.count, of: side, "bytes before the accessory has answered", &messages)
            case .silent(let why):
                lose(pending.count, of: side, "bytes where none are allowed: \(why)", &messages)
            }
            return false
        }

        /// Reads a line, if there is a complete one.
        private mutating func line(
            _ side: ConnectionSide, _ messages: inout [StreamMessage],
            _ read: (ArraySlice<UInt8>) throws(DecodeError) -> Message.Content
        ) -> Bool {
            let pending = sides[side].pending
            guard let end = pending.prefix(Limits.lineBytesMax).firstIndex(of: 0x0A) else {
                guard pending.count >= Limits.lineBytesMax else { return false }
                let why = "a line longer than \(Limits.lineBytesMax) bytes"
                lose(pending.count, of: side, why, &messages)
                abandon(side, "a line did not end")
                return false
            }
            do throws(DecodeError) {
                let content = try read(pending[..<end])
                let (bytes, range) = consume(end + 1, of: side)
                messages.append(
                    StreamMessage(content: Message(content, bytes: bytes), ranges: [range]))
                follow(content, from: side)
            } catch {
                lose(end + 1, of: side, "\(error)", &messages)
                abandon(side, "a line could not be read")
            }
            return true
        }

        /// Updates the modes of both sides after a line.
        private mutating func follow(_ content: Message.Content, from side: ConnectionSide) {
            switch content {
            case .control:
                sides[side].mode = .silent("only the accessory sends on a control connection")
                sides[side.other].mode = .announcements
            case .open(let wish):
                session = wish
                if mayNest(wish.protocolString) {
                    nested = NestedConnection(in: .externalAccessory, of: stack)
                }
                sides[side].mode = .waiting(wish)
                sides[side.other].mode = .answer(wish)
            case .opened(let opened):
                // A phone that has given up does not end the session again.
                if session != nil { session = opened }
                sides[side].mode = .open
                sides[side.other].mode = .open
            case .refused:
                session = nil
                sides[side].mode = .silent("the session was refused")
                sides[side.other].mode = .silent("the session was refused")
            default: break
            }
        }

        /// Updates the modes after unreadable bytes: only announcements may continue.
        private mutating func abandon(_ side: ConnectionSide, _ why: String) {
            switch sides[side].mode {
            case .announcements: return
            case .start:
                sides[side.other].mode = .silent("the phone's first line could not be read")
            case .answer: sides[side.other].mode = .open
            default: break
            }
            sides[side].mode = .silent(why)
        }

        /// Continues after bytes that are missing from the capture and whose content is unknown.
        private mutating func miss(of side: ConnectionSide) {
            switch sides[side].mode {
            case .answer, .waiting:
                sides[side].mode = .open
                sides[side.other].mode = .open
            case .start: sides[side].mode = .silent("the capture lacks the beginning")
            case .announcements, .open, .silent: break
            }
        }

        /// Takes bytes of a session, which begin at the side's position.
        private mutating func carry(
            _ bytes: RawSpan, _ side: ConnectionSide, _ messages: inout [StreamMessage]
        ) {
            let start = sides[side].position
            sides[side].position += UInt64(bytes.byteCount)
            let range = start..<sides[side].position
            let opaque = opaque
            if nested != nil {
                nested?.consume(
                    bytes, from: side, at: [range], opaque: opaque, into: &messages)
            } else if !range.isEmpty {
                messages.append(
                    StreamMessage(content: opaque([UInt8](copying: bytes)), ranges: [range]))
            }
        }

        private var opaque: NestedConnection.OpaqueMessage {
            let session = session ?? Session()
            return { Message(.data(session, $0), bytes: $0) }
        }

        private mutating func consume(
            _ count: Int, of side: ConnectionSide
        ) -> ([UInt8], Range<UInt64>) {
            let bytes = Array(sides[side].pending.prefix(count))
            sides[side].pending.removeFirst(count)
            let start = sides[side].position
            sides[side].position += UInt64(count)
            return (bytes, start..<(start + UInt64(count)))
        }

        private mutating func lose(
            _ count: Int, of side: ConnectionSide, _ why: String,
            _ messages: inout [StreamMessage]
        ) {
            guard count > 0 else { return }
            let (bytes, range) = consume(count, of: side)
            let sample = Array(bytes.prefix(Limits.malformedSample))
            messages.append(
                StreamMessage(
                    content: Message(.malformed(why), bytes: sample), ranges: [range]))
        }
    }
}
