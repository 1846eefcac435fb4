import Wire

extension SDL {
    /// Bytes skipped in the search for a frame.
    struct SkippedBytes: Sendable {
        /// The offset of the first byte in the stream.
        let start: UInt64
        /// The first bytes, at most `Limits.malformedSample`.
        private(set) var sample: [UInt8] = []
        /// Whether the search began because of a gap in the capture.
        let isLoss: Bool

        /// Adds the next bytes to the sample.
        mutating func append(_ bytes: RawSpan) {
            let room = Limits.malformedSample - sample.count
            guard room > 0 else { return }
            sample += [UInt8](copying: bytes.extracting(first: room))
        }
    }

    /// A frame that is only partly in the capture.
    struct LostFrame: Sendable {
        /// Its header, which was captured.
        let header: Header
        /// The ranges of the stream that were captured.
        private(set) var ranges: [Range<UInt64>]
        /// The offset of the first byte after the frame.
        let end: UInt64

        init(header: Header, captured: Range<UInt64>, end: UInt64) {
            self.header = header
            self.ranges = [captured]
            self.end = end
        }

        /// Starts another captured range, after a gap.
        mutating func resume(at offset: UInt64) {
            ranges.append(offset..<offset)
        }

        /// Extends the last range up to `end`.
        mutating func extend(to end: UInt64) {
            guard let last = ranges.popLast() else { return }
            ranges.append(last.lowerBound..<max(end, last.upperBound))
        }
    }
}
