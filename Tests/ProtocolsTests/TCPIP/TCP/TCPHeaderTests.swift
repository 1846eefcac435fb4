import TCPIP
import Testing
import Wire

@Suite("TCP headers")
struct TCPHeaderTests {
    private func bytes(wordCount: UInt8 = 5, options: [UInt8] = []) -> [UInt8] {
        [
            0x9C, 0x40, 0x30, 0x39, 0xFF, 0xFF, 0xFF, 0xFE, 0x00, 0x00, 0x00, 0x01,
            wordCount << 4, 0x12, 0x20, 0x00, 0xAB, 0xCD, 0, 0,
        ] + options
    }

    @Test("Every field is read")
    func fields() throws {
        let header = try TCPHeader(parsing: bytes().span.bytes)
        #expect(header.sourcePort == 40_000)
        #expect(header.destinationPort == 12_345)
        #expect(header.sequence == TCPSequence(0xFFFF_FFFE))
        #expect(header.acknowledgement == TCPSequence(1))
        #expect(header.flags == [.syn, .ack])
        #expect(header.window == 0x2000)
        #expect(header.length == 20)
    }

    @Test("Options belong to the header")
    func options() throws {
        let whole = bytes(wordCount: 6, options: [2, 4, 5, 0xB4])
        #expect(try TCPHeader(parsing: whole.span.bytes).length == 24)
    }

    @Test("A header that ends too early is truncated, and one that is too short is a bad length")
    func shortHeaders() throws {
        let whole = bytes(wordCount: 6, options: [2, 4, 5, 0xB4])
        for count in 0..<whole.count {
            let cut = Array(whole[..<count])
            let error = try #require(throws: DecodeError.self) {
                try TCPHeader(parsing: cut.span.bytes)
            }
            #expect(error.code == .truncated)
        }
        let short = bytes(wordCount: 4)
        let error = try #require(throws: DecodeError.self) {
            try TCPHeader(parsing: short.span.bytes)
        }
        #expect(error.code == .badLength)
    }
}

@Suite("TCP sequence numbers")
struct TCPSequenceTests {
    @Test(
        "Distances are correct across the wrap",
        arguments: [
            (0, 0, 0), (5, 2, 3), (2, 5, -3), (1, 0xFFFF_FFFF, 2), (0xFFFF_FFFF, 1, -2),
            (0x7FFF_FFFF, 0, 0x7FFF_FFFF), (0x8000_0001, 0, -0x7FFF_FFFF),
        ] as [(UInt32, UInt32, Int)])
    func distances(left: UInt32, right: UInt32, distance: Int) {
        #expect(TCPSequence(left).distance(from: TCPSequence(right)) == distance)
        #expect(TCPSequence(right) + distance == TCPSequence(left))
    }
}
