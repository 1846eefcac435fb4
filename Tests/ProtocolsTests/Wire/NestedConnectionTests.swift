import Testing

@testable import BuiltInProtocols
@testable import Wire

@Suite("Streams within streams")
struct NestedConnectionTests {
    /// Bytes that no protocol accepts, as an outer protocol reports them.
    private struct Opaque: DissectedMessage {
        let bytes: [UInt8]
        var name: String { "outer.data" }
        var fields: Value { ["data": .bytes(bytes)] }
        var anomalies: [Anomaly] { [] }
    }

    private static let startService: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]

    private var nested = NestedConnection(
        in: .externalAccessory, of: DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
    private var messages: [StreamMessage] = []

    private mutating func consume(
        _ bytes: [UInt8], from side: ConnectionSide = .first, at outer: UInt64...
    ) {
        let ranges =
            outer.count == 1
            ? [outer[0]..<(outer[0] + UInt64(bytes.count))]
            : stride(from: 0, to: outer.count, by: 2).map { outer[$0]..<outer[$0 + 1] }
        nested.consume(
            bytes.span.bytes, from: side, at: ranges, opaque: Opaque.init, into: &messages)
    }

    @Test("An inner message has the outer ranges of its own bytes only")
    mutating func ranges() {
        consume(Self.startService + Self.startService.prefix(3), at: 100)
        consume(Array(Self.startService.dropFirst(3)), at: 200)
        #expect(messages.map(\.content.name) == ["sdl.StartService", "sdl.StartService"])
        #expect(messages.map(\.ranges) == [[100..<108], [108..<111, 200..<205]])
        #expect(nested.oldestPendingOffset(of: .first) == nil)
    }

    @Test("If the outer ranges have another length, a message has all of them")
    mutating func coarseRanges() {
        consume(Self.startService, at: 10, 14, 20, 29)
        #expect(messages.map(\.ranges) == [[10..<14, 20..<29]])
    }

    @Test("Bytes held until the protocol is known count as pending, and the other side follows")
    mutating func recognition() {
        consume([0x10], at: 50)
        #expect(messages.isEmpty)
        #expect(nested.oldestPendingOffset(of: .first) == 50)
        consume([0x50, 7, 2, 1], from: .second, at: 900)
        consume(Array(Self.startService.dropFirst()), at: 70)
        #expect(messages.map(\.content.name) == ["sdl.StartService"])
        #expect(messages.first?.ranges == [50..<51, 70..<77])
        #expect(nested.streamProtocol?.name == "sdl")
        consume([0, 0, 0, 0, 0, 0, 0, 0], from: .second, at: 904)
        #expect(messages.last?.content.name == "sdl.StartServiceACK")
        #expect(messages.last?.ranges == [900..<912])
    }

    @Test("Bytes of no protocol are reported piece by piece, including those held back")
    mutating func opaque() {
        consume([0x10], at: 0)
        consume([0xFF, 0xFF], at: 5)
        consume([0x07], at: 9)
        #expect(messages.map(\.content.name) == ["outer.data", "outer.data", "outer.data"])
        #expect(messages.map(\.content.bytes) == [[0x10], [0xFF, 0xFF], [0x07]])
        #expect(messages.map(\.ranges) == [[0..<1], [5..<7], [9..<10]])
        #expect(nested.streamProtocol == nil)
    }

    @Test("The end of a side releases held bytes, and a side that was cut off reports nothing")
    mutating func end() {
        consume([0x10, 7], at: 0)
        nested.finish(.first, .closed, opaque: Opaque.init, into: &messages)
        #expect(messages.map(\.content.bytes) == [[0x10, 7]])
        var other = NestedConnectionTests()
        other.consume(Self.startService + [0x10, 7], at: 0)
        other.nested.finish(.first, .cut, opaque: Opaque.init, into: &other.messages)
        #expect(other.messages.map(\.content.name) == ["sdl.StartService"])
    }

    @Test("After a loss of unknown length the inner decoder looks for the next unit")
    mutating func loss() {
        let first: [UInt8] = [0x52, 7, 0, 1, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 2]
        consume(Self.startService + first, at: 0)
        nested.lose(.first, opaque: Opaque.init, into: &messages)
        consume(Self.startService, at: 500)
        #expect(
            messages.map(\.content.name) == [
                "sdl.StartService", "sdl.malformed", "sdl.StartService",
            ])
        #expect(messages.last?.ranges == [500..<508])
        let reason = messages[1].content.fields["error"]?.stringValue ?? ""
        #expect(reason.contains("lacks bytes of the stream"))
    }

    @Test("Many small pieces are located less exactly, but within bounds")
    mutating func manyPieces() {
        let header: [UInt8] = [0x50, 7, 1, 0, 0, 3, 0, 0, 0, 0, 0, 1]
        let frame = Self.startService + [0x51, 10, 0, 1, 0, 3, 0, 0, 0, 0, 0, 1]
        let bytes = frame + [UInt8](repeating: 7, count: 0x3_0000) + header.prefix(1)
        for (place, byte) in bytes.enumerated() { consume([byte], at: UInt64(place) * 2) }
        #expect(messages.map(\.content.name) == ["sdl.StartService", "sdl.AudioData"])
        #expect(messages.last?.ranges.first?.lowerBound == 16)
        let end = messages.last?.ranges.last?.upperBound ?? 0
        #expect(end == UInt64(frame.count + 0x3_0000) * 2 - 1)
    }

    @Test("A protocol is found only in the carriers that it names")
    func carriers() {
        let stack = DissectionStack(ProtocolRegistry.builtIn.streamProtocols)
        for carrier in [StreamCarrier.tcp, .webSocket, .externalAccessory, .rfcomm] {
            #expect(stack.candidates(in: carrier).contains { $0.name == "sdl" }, "\(carrier)")
        }
        #expect(!stack.candidates(in: .externalAccessory).contains { $0.name == "websocket" })
        #expect(stack.candidates(in: StreamCarrier("pigeon")).isEmpty)
    }

    @Test("Streams nested beyond the limit are not dissected")
    func depth() {
        var stack = DissectionStack(ProtocolRegistry.builtIn.streamProtocols)
        for _ in 0..<DissectionStack.depthMax { stack = stack.inner }
        #expect(stack.candidates(in: .tcp).isEmpty)
    }
}
