import TestSupport
import Testing

@testable import Wire

@Suite("Bytes that wait for the end of their unit")
struct PendingBytesTests {
    @Test("Bytes come out in order, however they are cut, and are moved at most once")
    func orderAndCost() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<200 {
            var pending = PendingBytes()
            var given: [UInt8] = []
            var taken: [UInt8] = []
            for _ in 0..<100 {
                let piece = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                pending.append(piece.span.bytes)
                given += piece
                let count = Int.random(in: 0...pending.count, using: &generator)
                taken += pending.consume(count)
                #expect(taken + pending.slice == given)
                #expect(pending.isEmpty == (pending.count == 0))
            }
            #expect(pending.movedCount <= taken.count)
        }
    }
}
