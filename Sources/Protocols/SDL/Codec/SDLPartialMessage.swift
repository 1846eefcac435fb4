import Wire

extension SDL {
    /// A multi-frame message under assembly (specification 3.3).
    struct PartialMessage: Sendable {
        /// The payload size of a First frame in bytes: total size and number of consecutive frames.
        static let firstPayloadSize = 8
        /// The maximum number of anomalies that one message collects; more would add nothing new.
        private static let maximumAnomalies = 32

        /// The header of the First frame.
        let header: Header
        /// The size of the unencrypted message in bytes, as the First frame announces it.
        private let totalSize: Int
        /// The number of consecutive frames, as the First frame announces it.
        private let announcedFrames: Int
        /// The number of consecutive frames so far.
        private var consecutiveFrames = 0
        /// The number of the next consecutive frame, unless it is the last one.
        private var expectedNumber: UInt8 = 1
        /// The number of payload bytes so far, whether kept or not.
        private var receivedBytes = 0
        private var isEncrypted = false
        /// Whether bytes were not kept because of `Limits.bufferedBytes`.
        private var isOverLimit = false

        /// The header of the First frame and the payload so far.
        private var unit: [UInt8]
        /// The payload so far.
        var payload: [UInt8] { Array(unit[header.size...]) }
        /// The number of payload bytes so far, except for those above the limit.
        var payloadCount: Int { unit.count - header.size + passedBytes }
        /// The number of payload bytes that were not kept because nothing needs them.
        private var passedBytes = 0
        /// The ranges of the stream so far, with adjacent ones joined.
        private(set) var ranges: [Range<UInt64>]
        /// The sizes of the frames in bytes.
        private(set) var sizes: FrameSizes
        /// The anomalies so far.
        private(set) var anomalies: [Anomaly]
        /// Whether the last frame has arrived.
        private(set) var isComplete = false

        /// The key of the message.
        var key: MessageAssembly.Key { MessageAssembly.Key(header) }
        /// The number of frames so far, including the First frame.
        var frameCount: Int { consecutiveFrames + 1 }

        /// Creates a message from a First frame.
        ///
        /// Throws `truncated` if its payload is shorter than 8 bytes.
        init(
            _ header: Header, _ payload: RawSpan, _ range: Range<UInt64>, _ anomalies: [Anomaly]
        ) throws(DecodeError) {
            var reader = ByteReader(payload, unit: "sdl.first_frame")
            self.header = header
            totalSize = Int(try reader.uint32("total_size"))
            announcedFrames = Int(try reader.uint32("frames"))
            ranges = [range]
            self.anomalies = anomalies
            unit = header.bytes
            sizes = FrameSizes(header.size + payload.byteCount)
        }

        /// The maximum room that is allocated at once, because an announced size is untrusted.
        private static let roomMax = 64 << 10

        /// Adds a consecutive frame and returns the number of bytes that it takes of the room.
        ///
        /// - Parameters:
        ///   - header: Its header.
        ///   - bytes: Its payload; empty if it is not kept.
        ///   - count: The size of the payload in bytes.
        ///   - range: Its range in the stream.
        ///   - frameAnomalies: Its anomalies.
        ///   - room: The number of bytes that may be added.
        ///   - isKept: Whether its payload is kept.
        mutating func append(
            _ header: Header, _ bytes: RawSpan, count: Int, _ range: Range<UInt64>,
            _ frameAnomalies: [Anomaly], room: Int, isKept: Bool
        ) -> Int {
            for anomaly in frameAnomalies { add(anomaly) }
            extend(by: range)
            sizes.append(header.size + count)
            consecutiveFrames += 1
            receivedBytes += count
            isEncrypted = isEncrypted || header.isEncrypted
            checkNumber(header.frameInfo)
            guard !isOverLimit, count <= room else {
                isOverLimit = true
                return 0
            }
            guard isKept else {
                passedBytes += count
                return count
            }
            if consecutiveFrames == 1 {
                unit.reserveCapacity(header.size + min(totalSize, Self.roomMax))
            }
            bytes.withUnsafeBytes { unit.append(contentsOf: $0) }
            return count
        }

        /// The message, once it is complete.
        var message: Message {
            var message = bareMessage
            message.sizes = sizes
            return message
        }

        private var bareMessage: Message {
            if isOverLimit {
                return Message(
                    malformed: DecodeError(
                        .limit, in: "sdl", at: 0,
                        "a message of \(receivedBytes) bytes exceeds Limits.bufferedBytes"),
                    header: header, frameCount: frameCount, payload: payload, section: "3.3",
                    anomalies: anomalies)
            }
            return Message(
                data: header, isEncrypted: isEncrypted, frameCount: frameCount, payload,
                anomalies: anomalies)
        }
    }
}

extension SDL.PartialMessage {
    /// Returns whether a screen that wants no message whole needs no more of it.
    ///
    /// Such a screen needs the header, and the body unless it only counts.
    func isSeen(by screening: borrowing Screening) -> Bool {
        guard !screening.wantsAll, unit.count >= header.size + SDL.RPC.headerSize, !isOverLimit,
            !isEncrypted, !header.isEncrypted, header.version > 1,
            let messageHeader = messageHeader(size: totalSize),
            screening.selectsNothing(of: messageHeader.code)
        else { return false }
        return screening.onlyCounts || unit.count >= messageHeader.body.end
    }

    /// Returns the message header for a payload of the given size.
    private func messageHeader(size: Int) -> MessageHeader? {
        SDL.messageHeader(
            frameType: header.frameType.rawValue, serviceType: header.serviceType,
            frameInfo: header.frameInfo, headerSize: header.size, unit.span.bytes,
            payloadAt: header.size, size: size)
    }

    /// Returns whether the complete message is not wanted.
    func isPassedOver(asking screening: inout Screening) -> Bool {
        guard !isOverLimit, !isEncrypted, !header.isEncrypted, header.version > 1 else {
            return false
        }
        guard let messageHeader = messageHeader(size: payloadCount) else { return false }
        return screening.passesOver(messageHeader, unit.span.bytes)
    }

    /// Whether the number of frames and bytes that the First frame announces has arrived.
    private var isFull: Bool {
        consecutiveFrames >= announcedFrames && (isEncrypted || receivedBytes >= totalSize)
    }

    /// Checks the number of a consecutive frame and whether it is the last one (3.3.2.1).
    private mutating func checkNumber(_ number: UInt8) {
        if number == 0 {
            // 0 directly after 255 is the mistake of a counter that wraps to 0, not the last frame.
            if expectedNumber == 1, consecutiveFrames > 1, !isFull {
                add("consecutive frame number 0 after 255, expected 1", "3.3.2.1")
                return
            }
            complete()
        } else if isFull {
            add("the last consecutive frame has number \(number), expected 0", "3.3.2.1")
            complete()
        } else {
            if number != expectedNumber {
                add("consecutive frame number \(number), expected \(expectedNumber)", "3.3.2.1")
            }
            expectedNumber = number == 255 ? 1 : number + 1
        }
    }

    private mutating func complete() {
        isComplete = true
        if consecutiveFrames != announcedFrames {
            add(
                "the First frame announces \(announcedFrames) consecutive frame(s), "
                    + "\(consecutiveFrames) came", "3.3.1.1")
        }
        if !isEncrypted, receivedBytes != totalSize {
            add(
                "the First frame announces \(totalSize) byte(s), \(receivedBytes) came",
                "3.3.1.1")
        }
    }

    private mutating func extend(by range: Range<UInt64>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    private mutating func add(_ text: String, _ section: String) {
        add(Anomaly(.violation, text, specification: SDL.citation(section)))
    }

    private mutating func add(_ anomaly: Anomaly) {
        guard anomalies.count < Self.maximumAnomalies, !anomalies.contains(anomaly) else { return }
        anomalies.append(anomaly)
    }
}
