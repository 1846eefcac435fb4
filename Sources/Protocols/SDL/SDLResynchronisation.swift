import Wire

extension SDL {
    /// Bytes passed over in the search for a frame.
    struct SkippedBytes: Sendable {
        /// Offset of the first of them in the stream.
        let start: UInt64
        /// The first of them, at most `Limits.malformedSample`.
        private(set) var sample: [UInt8] = []
        /// Whether the search began because of a gap in the capture.
        let isLoss: Bool

        init(start: UInt64, isLoss: Bool) {
            self.start = start
            self.isLoss = isLoss
        }

        /// Adds the next of them to the sample.
        mutating func append(_ bytes: RawSpan) {
            let room = Limits.malformedSample - sample.count
            guard room > 0 else { return }
            sample += [UInt8](copying: bytes.extracting(first: room))
        }
    }

    /// A frame of which the capture lacks a part.
    struct LostFrame: Sendable {
        /// Its header, which was captured.
        let header: Header
        /// The stretches of the stream that were captured.
        private(set) var ranges: [Range<UInt64>]
        /// Offset of the first byte after the frame.
        let end: UInt64

        init(header: Header, captured: Range<UInt64>, end: UInt64) {
            self.header = header
            self.ranges = [captured]
            self.end = end
        }

        /// Begins another captured stretch, after a gap.
        mutating func resume(at offset: UInt64) {
            ranges.append(offset..<offset)
        }

        /// Extends the last stretch up to `end`.
        mutating func extend(to end: UInt64) {
            guard let last = ranges.popLast() else { return }
            ranges.append(last.lowerBound..<max(end, last.upperBound))
        }
    }
}
