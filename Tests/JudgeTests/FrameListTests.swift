import Testing

@testable import Judge

@Suite("Frame numbers in sentences")
struct FrameListTests {
    @Test(
        "Frames are listed as ranges, and counted beyond a few of them",
        arguments: [
            ([], ""), ([17], " (frame 17)"), ([18, 17], " (frames 17, 18)"),
            ([7, 8, 9, 20], " (frames 7-9, 20)"),
            (
                Array(stride(from: 1, through: 19, by: 2)) + [30, 31],
                " (frames 1, 3, 5, 7, 9, 11, 13, 15 and 4 more)"
            ),
        ])
    func lists(frames: [Int], text: String) {
        #expect(MessageText.suffix(frames: frames) == text)
    }
}
