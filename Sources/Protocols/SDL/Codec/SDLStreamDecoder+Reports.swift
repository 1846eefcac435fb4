import Wire

// The decoder's reports about bytes that are not a message.
extension SDL.StreamDecoder {
    /// Whether bytes were skipped in search of a frame that are not reported yet.
    public var hasSkipped: Bool {
        guard case .searching(let skipped) = mode else { return false }
        return !skipped.isLoss && position > skipped.start
    }

    /// Reports the bytes that were skipped so far; the search continues.
    public mutating func reportSkipped(into messages: inout [StreamMessage]) {
        guard hasSkipped, case .searching(let skipped) = mode else { return }
        report(skipped, upTo: position, into: &messages)
        mode = .searching(SDL.SkippedBytes(start: position, isLoss: false))
    }

    func report(
        _ skipped: SDL.SkippedBytes, upTo end: UInt64, into messages: inout [StreamMessage]
    ) {
        guard end > skipped.start else { return }
        let error = DecodeError(
            .badValue, in: "sdl", at: 0,
            "\(end - skipped.start) byte(s) skipped while searching for a frame header")
        report(
            error, skipped.start..<end, sample: skipped.sample, section: "2.3",
            isLoss: skipped.isLoss, into: &messages)
    }

    func report(_ lost: SDL.LostFrame, into messages: inout [StreamMessage]) {
        let error = DecodeError(
            .truncated, in: "sdl", at: lost.header.size, "the capture lacks a part of this frame")
        let message = SDL.Message(
            malformed: error, header: lost.header, payload: [], section: "2.3", isLoss: true)
        messages.append(
            StreamMessage(content: message, ranges: lost.ranges.filter { !$0.isEmpty }))
    }

    func report(
        _ error: DecodeError, _ range: Range<UInt64>, sample: [UInt8], section: String,
        isLoss: Bool = false, into messages: inout [StreamMessage]
    ) {
        let message = SDL.Message(
            malformed: error, payload: sample, section: section, isLoss: isLoss)
        messages.append(StreamMessage(content: message, ranges: [range]))
    }
}
