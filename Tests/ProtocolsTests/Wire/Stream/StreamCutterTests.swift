import TestSupport
import Testing

@testable import Wire

/// Streams that a suite cuts into messages.
struct StreamCutterTests {
    private struct Cut: Equatable {
        var name: String
        var bytes: [UInt8]
        var range: Range<UInt64>
    }

    private static func cuts(
        _ cutting: StreamCutting, _ pieces: [[UInt8]], bytesMax: Int = 64, ends: Bool = true
    ) -> [Cut] {
        var cutter = StreamCutter(cutting, messageBytesMax: bytesMax)
        var messages: [StreamMessage] = []
        var offset: UInt64 = 0
        for piece in pieces {
            cutter.consume(piece.span.bytes, at: offset, into: &messages)
            offset += UInt64(piece.count)
        }
        if ends { cutter.finish(into: &messages) }
        return messages.map {
            Cut(name: $0.content.name, bytes: $0.content.bytes, range: $0.ranges[0])
        }
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("A message cut at a delimiter has it in its bytes, but not in its text")
    func until() {
        let unit = StreamUnit(Self.bytes("QUIT\r\n"), endedBy: 2)
        #expect(unit.fields == ["data": .bytes(Self.bytes("QUIT\r\n")), "text": "QUIT"])
        let cuts = Self.cuts(.until([13, 10]), [Self.bytes("a\r\n\r\nb\rc\r\n")])
        #expect(cuts.map(\.bytes) == ["a\r\n", "\r\n", "b\rc\r\n"].map(Self.bytes))
        #expect(cuts.map(\.range) == [0..<3, 3..<5, 5..<10])
        #expect(StreamUnit([0xFF]).fields == ["data": .bytes([0xFF])])
    }

    @Test("A message is cut by a length field in either byte order, with a constant added")
    func length() {
        let big = StreamCutting.length(.init(offset: 1, size: 2, endian: .big))
        #expect(
            Self.cuts(big, [[9, 0, 1, 7, 9, 0, 0]]).map(\.bytes) == [[9, 0, 1, 7], [9, 0, 0]])
        let little = StreamCutting.length(.init(offset: 0, size: 2, endian: .little, plus: -2))
        #expect(Self.cuts(little, [[3, 0, 7, 2, 0]]).map(\.bytes) == [[3, 0, 7], [2, 0]])
    }

    @Test("An impossible length is a violation, and so are all bytes after it")
    func impossibleLength() {
        let field = StreamCutting.length(.init(offset: 0, size: 1, plus: -1))
        let cuts = Self.cuts(field, [[2, 7, 0, 1], [2, 7]])
        #expect(
            cuts.map(\.name) == ["stream.message"] + Array(repeating: "stream.malformed", count: 2))
        #expect(cuts.map(\.bytes) == [[2, 7], [0, 1], [2, 7]])
        let large = StreamCutting.length(.init(offset: 0, size: 8))
        #expect(
            Self.cuts(large, [[UInt8](repeating: 255, count: 8)]).map(\.name) == [
                "stream.malformed"
            ])
        #expect(Self.cuts(large, [[0, 0, 0, 0, 0, 0, 0, 65]]).map(\.name) == ["stream.malformed"])
    }

    @Test("A stream that ends within a message gives a malformed one")
    func unfinished() {
        for cutting in [
            StreamCutting.until([10]), .fixed(3), .length(.init(offset: 0, size: 1)),
        ] {
            let cuts = Self.cuts(cutting, [[2, 65]])
            #expect(cuts.map(\.name) == ["stream.malformed"], "\(cutting)")
            #expect(Self.cuts(cutting, [[2, 65]], ends: false) == [], "\(cutting)")
        }
    }

    @Test("A message without an end is malformed from its limit up to the next end")
    func limit() {
        let cuts = Self.cuts(
            .until([13, 10]), [Self.bytes("abcdefgh"), Self.bytes("ij\r\nk\r\n")], bytesMax: 6)
        #expect(
            cuts.map(\.name)
                == ["stream.malformed", "stream.malformed", "stream.message"])
        #expect(cuts.map(\.bytes).joined().elementsEqual(Self.bytes("abcdefghij\r\nk\r\n")))
        #expect(cuts.last?.bytes == Self.bytes("k\r\n"))
    }

    @Test(
        "After a gap, decoding resumes with the next message that is certainly complete")
    func gap() {
        func after(_ cutting: StreamCutting, _ bytes: [UInt8], at offset: UInt64) -> [[UInt8]] {
            var cutter = StreamCutter(cutting)
            var messages: [StreamMessage] = []
            cutter.consume(([9, 2] as [UInt8]).span.bytes, at: 0, into: &messages)
            cutter.gap(upTo: offset, into: &messages)
            cutter.consume(bytes.span.bytes, at: offset, into: &messages)
            cutter.pause(into: &messages)
            return messages.map(\.content.bytes)
        }
        #expect(after(.until([10]), [65, 10, 66, 10], at: 7) == [[66, 10]])
        #expect(after(.fixed(4), [1, 2, 3, 4, 5, 6, 7], at: 6) == [[3, 4, 5, 6]])
        #expect(after(.length(.init(offset: 0, size: 1)), [1, 2, 1, 2], at: 7) == [])
        #expect(after(.idle(.milliseconds(5)), [1, 2], at: 7) == [])
    }

    @Test("Only a pause ends a message that is cut by pauses")
    func idle() {
        var cutter = StreamCutter(.idle(.milliseconds(50)))
        var messages: [StreamMessage] = []
        for (offset, bytes) in [(0, [1, 2]), (2, [3])] as [(UInt64, [UInt8])] {
            cutter.consume(bytes.span.bytes, at: offset, into: &messages)
        }
        #expect(messages.isEmpty)
        cutter.pause(into: &messages)
        cutter.pause(into: &messages)
        #expect(messages.map(\.content.bytes) == [[1, 2, 3]])
        #expect(messages.map(\.content.name) == ["stream.message"])
        #expect(messages.first?.ranges == [0..<3])
    }

    private static let cuttings: [StreamCutting] = [
        .until([10]), .until([13, 10]), .until([1, 1, 2]), .fixed(1), .fixed(5),
        .length(.init(offset: 0, size: 1)), .length(.init(offset: 2, size: 2, endian: .little)),
        .length(.init(offset: 1, size: 1, plus: -2)),
    ]

    /// Returns the messages with adjacent malformed ones joined.
    private static func joined(_ cuts: [Cut]) -> [Cut] {
        cuts.reduce(into: []) { joined, cut in
            if cut.name == "stream.malformed", let last = joined.last, last.name == cut.name {
                joined[joined.count - 1].bytes += cut.bytes
                joined[joined.count - 1].range = last.range.lowerBound..<cut.range.upperBound
            } else {
                joined.append(cut)
            }
        }
    }

    @Test("A stream cut at every segment border gives the same messages", arguments: cuttings)
    func borders(_ cutting: StreamCutting) {
        var generator = SeededGenerator(seed: 19)
        for _ in 0..<60 {
            // Few values, so that delimiters and small lengths are frequent.
            let stream = (0..<40).map { _ in [0, 1, 2, 3, 10, 13][generator.below(6)] as UInt8 }
            let whole = Self.joined(Self.cuts(cutting, [stream]))
            #expect(whole.flatMap(\.bytes) == stream)
            for border in 1..<stream.count {
                let cut = Self.cuts(cutting, [Array(stream[..<border]), Array(stream[border...])])
                #expect(Self.joined(cut) == whole, "at \(border) of \(stream)")
            }
            #expect(Self.joined(Self.cuts(cutting, stream.map { [$0] })) == whole)
        }
    }

    @Test("No byte is lost or reported twice, and few wait", arguments: cuttings)
    func hostile(_ cutting: StreamCutting) {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<40 {
            let pieces = (0..<30).map { _ in generator.bytes(generator.below(60)) }
            let cuts = Self.cuts(cutting, pieces)
            #expect(cuts.flatMap(\.bytes) == pieces.flatMap(\.self))
            var next: UInt64 = 0
            for cut in cuts {
                #expect(cut.range.lowerBound == next && cut.range.count == cut.bytes.count)
                #expect(cut.bytes.count <= 64 + 60)
                next = cut.range.upperBound
            }
        }
    }
}
