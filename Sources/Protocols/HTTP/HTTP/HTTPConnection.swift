import Wire

extension HTTP {
    /// A decoder of both directions of a connection.
    ///
    /// Only both together show which response answers which request, and what a response to HEAD or
    /// CONNECT is. A connection that becomes a WebSocket continues with its decoder, if there is one;
    /// after a refusal it continues as HTTP.
    struct ConnectionDecoder: Wire.ConnectionDecoder {
        /// Another protocol that a request asked for.
        private struct Upgrade {
            let client: ConnectionSide
            var decoder: any Wire.ConnectionDecoder
            var isAccepted = false
        }

        private let makeWebSocket: (@Sendable () -> any Wire.ConnectionDecoder)?
        /// Whether the refusal of a WebSocket is a message of WebSocket.
        private let isWebSocket: Bool
        var sides = BothSides { Direction() }
        /// Requests without a response so far, the oldest first.
        private var requests: [Message.Request] = []
        /// Whether every request since the last one without an answer was seen.
        private var isPaired = true
        /// The sides that have ended.
        private var haveEnded: Set<ConnectionSide> = []
        /// The sides whose last message announced the end of the connection.
        private var haveClosed: Set<ConnectionSide> = []
        private var upgrade: Upgrade?

        init(of stack: DissectionStack) {
            if stack.protocols.contains(where: { $0.name == HTTPHead.webSocket }) {
                makeWebSocket = { WebSocket.CarryingDecoder(of: stack) }
            } else {
                makeWebSocket = nil
            }
            isWebSocket = false
        }

        /// Creates a decoder of a connection that begins with the handshake of a WebSocket.
        init(webSocket: @escaping @Sendable () -> any Wire.ConnectionDecoder) {
            makeWebSocket = webSocket
            isWebSocket = true
        }

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            if upgrade?.isAccepted == true {
                handOver(side, into: &messages)
                upgrade?.decoder.consume(bytes, from: side, at: offset, into: &messages)
                return
            }
            if sides[side].pending.isEmpty { sides[side].start = offset }
            sides[side].pending.append(bytes)
            while step(side, &messages) {}
            handOver(side, into: &messages)
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            if upgrade != nil {
                // What is missing may be the acceptance.
                upgrade?.isAccepted = true
                handOver(side, into: &messages)
                upgrade?.decoder.gap(upTo: offset, from: side, into: &messages)
                return
            }
            if !sides[side].lose(upTo: offset) {
                requests = []
                isPaired = false
            }
            haveClosed.remove(side)
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            while step(side, &messages) {}
            if upgrade?.isAccepted == true {
                handOver(side, into: &messages)
                upgrade?.decoder.finish(side, end, into: &messages)
                return
            }
            if sides[side].place == .waiting, !sides[side].pending.isEmpty {
                upgrade = nil
                while step(side, &messages) {}
            }
            if sides[side].place == .body(.untilClose) {
                if end.isOfSender { conclude(side, &messages) }
                sides[side].open = nil
                return
            }
            if end.isOfSender { haveEnded.insert(side) }
            endExpectation(side, &messages)
            guard end.showsUnfinished, !needsNoRest(side),
                sides[side].open != nil || !sides[side].pending.isEmpty
            else { return }
            switch sides[side].place {
            case .search, .skip, .skipAll, .tunnel: break
            case .start where sides[side].isGuess: break
            case .body where sides[side].open == nil: break
            default: breach("the stream ends within a message", side, &messages)
            }
        }

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            guard let upgrade, upgrade.isAccepted else { return sides[side].oldest }
            let oldest = upgrade.decoder.oldestPendingOffset(of: side)
            return sides[side].pending.isEmpty ? oldest : min(oldest, sides[side].start)
        }

        /// Whether a side may stop within its message: a request whose final response has come, or
        /// that nobody reads to its end (RFC 9112 9.5).
        func needsNoRest(_ side: ConnectionSide) -> Bool {
            guard case .request? = sides[side].open?.message.head?.start else { return false }
            return !isPaired || requests.isEmpty || haveEnded.contains(side.other)
        }

        /// Gives the WebSocket decoder the bytes that arrived before the WebSocket was accepted.
        private mutating func handOver(
            _ side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            guard upgrade?.isAccepted == true, !sides[side].pending.isEmpty else { return }
            let (bytes, range) = sides[side].consume(sides[side].pending.count)
            upgrade?.decoder.consume(
                bytes.span.bytes, from: side, at: range.lowerBound, into: &messages)
        }

        // MARK: - Steps

        /// Decodes one unit; returns whether another may follow.
        private mutating func step(
            _ side: ConnectionSide, _ messages: inout [StreamMessage]
        ) -> Bool {
            guard !sides[side].pending.isEmpty, upgrade?.isAccepted != true else { return false }
            switch sides[side].place {
            case .start: return head(side, &messages)
            case .search: return sides[side].search()
            case .breach(let reason): return afterBreach(reason, side, &messages)
            case .body(let part): return body(part, side, &messages)
            case .skip(let left):
                let count = min(left, sides[side].pending.count)
                sides[side].drop(count)
                sides[side].place = count == left ? .start : .skip(left - count)
                return true
            case .skipAll:
                sides[side].drop(sides[side].pending.count)
                return false
            case .waiting:
                guard upgrade == nil else {
                    // Only another request may come before the answer, and frames do not begin as
                    // one: the answer was not seen.
                    upgrade?.isAccepted =
                        sides[side].pending.count > Limits.early
                        || sides[side].pending.slice.first.map(HeaderCheck.isTokenByte) == false
                    return false
                }
                sides[side].place = .start
                return true
            case .tunnel:
                let (bytes, range) = sides[side].consume(sides[side].pending.count)
                messages.append(
                    StreamMessage(content: Message(.data, bytes: bytes), ranges: [range]))
                return false
            }
        }

        private mutating func head(
            _ side: ConnectionSide, _ messages: inout [StreamMessage]
        ) -> Bool {
            let hadEmptyLine: Bool
            switch sides[side].nextHead() {
            case .more: return false
            case .breach(let reason):
                if sides[side].isGuess {
                    sides[side].searchOn()
                } else {
                    breach(reason, side, &messages)
                }
                return true
            case .head(let bytes, let range):
                hadEmptyLine = sides[side].hasEmptyLine
                let isGuess = sides[side].isGuess
                sides[side].settle()
                do throws(DecodeError) {
                    let head = try HTTPHead(parsing: bytes)
                    var found = HeaderCheck(head: head, bytes: bytes).anomalies
                    if hadEmptyLine {
                        found.append(
                            Anomaly(
                                .violation, "an empty line before the message",
                                specification: "RFC 9112 2.2"))
                    }
                    try begin(head, bytes, range, found, side, &messages)
                } catch {
                    if isGuess {
                        sides[side].place = .search
                    } else {
                        malformed("\(error)", bytes, range, &messages)
                        sides[side].place = .breach("it follows bytes that are not a message")
                    }
                }
                return true
            }
        }

        private mutating func begin(
            _ head: HTTPHead, _ bytes: [UInt8], _ range: Range<UInt64>, _ found: [Anomaly],
            _ side: ConnectionSide, _ messages: inout [StreamMessage]
        ) throws(DecodeError) {
            var message = Message(.head(head), bytes: bytes)
            message.found = found
            var refused: Upgrade?
            switch head.start {
            case .request(let method, let target):
                record(
                    Message.Request(
                        method: method, target: target, minorVersion: head.minorVersion))
                if head.isWebSocket, upgrade == nil, let decoder = makeWebSocket?() {
                    return query(decoder, bytes, range, side, &messages)
                }
                if haveClosed.contains(side) {
                    message.found.append(
                        Anomaly(
                            .violation, "a request after Connection: close",
                            specification: "RFC 9112 9.6"))
                }
                if head.words(of: "Connection").contains("close") { haveClosed.insert(side) }
            case .response(let status, _):
                if head.isWebSocket, upgrade == nil, let decoder = makeWebSocket?() {
                    upgrade = Upgrade(client: side.other, decoder: decoder)
                }
                if let upgrade, upgrade.client != side, status == 101 || status >= 200 {
                    if head.isWebSocket {
                        return accept(bytes, range, side, &messages)
                    }
                    refused = isWebSocket ? upgrade : nil
                    self.upgrade = nil
                }
                message.request = answered(status)
                if status == 100 { sides[side.other].open?.expectsContinue = false }
                if let request = message.request {
                    let check = HeaderCheck(head: head, bytes: bytes)
                    message.found += check.demands(answering: request)
                }
            }
            let framing = try Framing(
                of: head, answering: message.request?.method, in: bytes)
            if refused != nil {
                // As in an acceptance, the message is the head alone.
                refused?.decoder.consume(
                    bytes.span.bytes, from: side, at: range.lowerBound, into: &messages)
            } else {
                sides[side].open = Direction.Open(message: message, start: range.lowerBound)
                sides[side].open?.expectsContinue =
                    message.name == "http.request"
                    && head.words(of: "Expect").contains("100-continue")
            }
            switch framing {
            case .none: conclude(side, &messages)
            case .sized(let count): sides[side].place = .body(.sized(count))
            case .chunked: sides[side].place = .body(.chunkLine)
            case .untilClose: sides[side].place = .body(.untilClose)
            case .tunnel:
                conclude(side, &messages)
                sides[side].place = .tunnel
                sides[side.other].place = .tunnel
            }
        }

        // MARK: - Requests and responses

        private mutating func record(_ request: Message.Request) {
            if requests.count >= Limits.openRequests {
                requests = []
                isPaired = false
            }
            if !isPaired {
                // Few clients send a request before the previous one is answered.
                requests = []
                isPaired = true
            }
            requests.append(request)
        }

        /// The request that a response answers; several may answer one if all but the last are 1xx.
        private mutating func answered(_ status: Int) -> Message.Request? {
            guard isPaired, let first = requests.first else { return nil }
            if status >= 200 || status == 101 { requests.removeFirst() }
            return first
        }

        /// Starts the decoder of a requested WebSocket, which reads both heads.
        private mutating func query(
            _ webSocket: any Wire.ConnectionDecoder, _ bytes: [UInt8], _ range: Range<UInt64>,
            _ side: ConnectionSide, _ messages: inout [StreamMessage]
        ) {
            var decoder = webSocket
            decoder.consume(bytes.span.bytes, from: side, at: range.lowerBound, into: &messages)
            upgrade = Upgrade(client: side, decoder: decoder)
            sides[side].place = .waiting
        }

        private mutating func accept(
            _ bytes: [UInt8], _ range: Range<UInt64>, _ side: ConnectionSide,
            _ messages: inout [StreamMessage]
        ) {
            upgrade?.decoder.consume(
                bytes.span.bytes, from: side, at: range.lowerBound, into: &messages)
            upgrade?.isAccepted = true
            sides[side].open = nil
        }
    }
}
