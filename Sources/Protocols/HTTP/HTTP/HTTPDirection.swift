import Wire

extension HTTP {
    /// One direction of a connection, which finds heads and gathers bodies.
    struct Direction: Sendable {
        /// The position in the stream of the next pending byte.
        enum Place: Hashable {
            /// At the first line of a message.
            case start
            /// After missing bytes: what comes before the next message is not an error.
            case search
            /// After bytes that are not a message, for this reason.
            case breach(String)
            /// Within a body.
            case body(Part)
            /// Within the rest of a body with missing bytes.
            case skip(Int)
            /// Within a body with missing bytes that extends to the end of the stream.
            case skipAll
            /// After a request for another protocol that is not answered yet.
            case waiting
            /// In another protocol.
            case tunnel
        }

        /// The part of a body that is read next.
        enum Part: Hashable {
            case sized(Int)
            case chunkLine
            case chunk(Int)
            case chunkEnd
            case trailers
            case untilClose
        }

        /// A message whose body is being gathered.
        struct Open {
            var message: Message
            let start: UInt64
            var body: [UInt8]? = []
            var bodyLength = 0
            var trailerBytes: [UInt8] = []
            /// Whether it is a request that waits for 100 (Continue) before its body.
            var expectsContinue = false

            /// Keeps bytes of the body, unless there are too many.
            mutating func add(_ bytes: [UInt8]) {
                bodyLength += bytes.count
                guard bodyLength <= Limits.body else {
                    body = nil
                    return
                }
                body?.append(contentsOf: bytes)
            }

            /// Records what is wrong with its body, once.
            mutating func record(_ anomaly: Anomaly) {
                if !message.found.contains(anomaly) { message.found.append(anomaly) }
            }

            /// Keeps bytes as they are on the wire.
            mutating func record(_ bytes: [UInt8]) {
                if message.bytes.count <= Limits.body { message.bytes += bytes }
            }
        }

        var place = Place.start
        var pending = PendingBytes()
        /// The offset of the first pending byte.
        var start: UInt64 = 0
        /// How many of the pending bytes are known not to contain the end of a head.
        private var searched = 0
        /// Whether the first pending line was examined.
        private var isLineKnown = false
        /// Whether the next message is only a guess, because bytes are missing before it.
        private(set) var isGuess = false
        /// Whether an empty line came before the message.
        private(set) var hasEmptyLine = false
        var open: Open?
        /// The allowance for its compressed bodies.
        var allowance = InflationAllowance()

        /// The offset of the oldest byte that a later message may refer to.
        var oldest: UInt64 { open?.start ?? start }

        /// Takes the given number of pending bytes, and returns them with their range.
        mutating func consume(_ count: Int) -> (bytes: [UInt8], range: Range<UInt64>) {
            let range = start..<(start + UInt64(count))
            start = range.upperBound
            searched = 0
            isLineKnown = false
            return (pending.consume(count), range)
        }

        mutating func drop(_ count: Int) { _ = consume(count) }

        /// The result of reading the pending bytes at the first line of a message.
        enum Head {
            case more
            case head(bytes: [UInt8], range: Range<UInt64>)
            case breach(String)
        }

        /// Takes the next head if it is complete.
        mutating func nextHead() -> Head {
            while let first = pending.slice.first, first == 10 || first == 13 {
                if first == 13, pending.count == 1 { return .more }
                guard first == 10 || pending.slice.dropFirst().first == 10 else { break }
                drop(first == 10 ? 1 : 2)
                hasEmptyLine = true
            }
            if !isLineKnown, let reason = lineBreach() { return .breach(reason) }
            guard let count = headLength(pending.slice, after: searched) else {
                searched = pending.count
                return pending.count > Limits.head
                    ? .breach("the head has no end within \(Limits.head) bytes") : .more
            }
            guard count <= Limits.head else {
                return .breach("the head has more than \(Limits.head) bytes")
            }
            let (bytes, range) = consume(count)
            return .head(bytes: bytes, range: range)
        }

        /// Why the pending bytes cannot begin a message; `nil` if they may.
        private mutating func lineBreach() -> String? {
            guard let first = pending.slice.first else { return nil }
            let what = "neither a request nor a response"
            if !(65...90).contains(first) {
                // Few methods begin in another way: what has no end yet is not waited for.
                let word = pending.slice.prefix(while: HeaderCheck.isTokenByte)
                guard !word.isEmpty, pending.slice[word.endIndex...].first == 32 else {
                    return what
                }
            }
            guard let end = pending.slice.firstIndex(of: 10) else { return nil }
            isLineKnown = true
            return startLine(pending.slice[..<end], isExpected: true) == nil ? what : nil
        }

        /// Records that the head of a message was read.
        mutating func settle() {
            isGuess = false
            hasEmptyLine = false
        }

        /// Searches for the first line of a message after missing bytes; returns whether there is
        /// one.
        mutating func search() -> Bool {
            while let end = pending.slice.firstIndex(of: 10) {
                if startLine(pending.slice[..<end]) != nil {
                    place = .start
                    isGuess = true
                    return true
                }
                drop(end + 1 - pending.slice.startIndex)
            }
            if pending.count > Limits.head { drop(pending.count) }
            return false
        }

        /// Continues the search after a first line that did not begin a message.
        mutating func searchOn() {
            if let end = pending.slice.firstIndex(of: 10) {
                drop(end + 1 - pending.slice.startIndex)
            }
            place = .search
        }

        /// The result of reading the next line of a chunked body, without its line ending.
        enum Line {
            case more
            case line([UInt8])
            case tooLong
        }

        mutating func nextLine(atMost limit: Int) -> Line {
            guard let end = pending.slice.prefix(limit).firstIndex(of: 10) else {
                return pending.count >= limit ? .tooLong : .more
            }
            let bytes = consume(end + 1 - pending.slice.startIndex).bytes
            open?.record(bytes)
            let line = bytes.dropLast()
            if line.last != 13 {
                open?.record(
                    Anomaly(.violation, "a line ends without CR", specification: "RFC 9112 7.1"))
            }
            return .line(Array(line.last == 13 ? line.dropLast() : line))
        }

        /// Discards the pending bytes, because bytes up to an offset are missing.
        ///
        /// - Returns: Whether it is still known which message is the next one.
        mutating func lose(upTo offset: UInt64) -> Bool {
            var left: Int?
            switch place {
            case .body where open?.expectsContinue == true:
                // What is missing may be the body or the next request.
                break
            case .body(.sized(let count)), .skip(let count):
                // Its pending bytes were taken already.
                let missing = offset > start ? offset - start : 0
                left = Int(exactly: missing).map { count - $0 }
            default: break
            }
            pending.removeAll()
            searched = 0
            isLineKnown = false
            hasEmptyLine = false
            open = nil
            start = offset
            if case .tunnel = place { return true }
            if place == .body(.untilClose) || place == .skipAll {
                place = .skipAll
                return true
            }
            guard let left, left >= 0 else {
                place = .search
                return false
            }
            place = left == 0 ? .start : .skip(left)
            return true
        }
    }
}
