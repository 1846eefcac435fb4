import SDL
import Testing
import Wire

@testable import Trace

@Suite("Bytes that a test sends, found in the stream")
struct ByteWatchTests {
    private static let server = Endpoint("10.0.0.2:12345")
    private static let client = Endpoint("10.0.0.1:40000")

    private func watch(
        _ text: String, step: Int? = 3, from source: Endpoint? = nil, to other: Endpoint? = nil
    ) throws -> ByteWatch {
        try #require(ByteWatch(Array(text.utf8), from: source, to: other, step: step))
    }

    @Test("Bytes in several segments are found once, with the frames that carried them")
    func acrossSegments() throws {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.engine.watch(for: try watch("23ab"))
        bench.consume([
            .data(Array("zz2".utf8), at: 1_000), .data(Array("3".utf8), at: 1_003),
            .data(Array("abzz23ab".utf8), at: 1_004),
        ])
        let found = bench.messages.filter { $0.name == SentBytes.name }
        #expect(found.map(\.frames) == [[4, 5, 6]])
        #expect(found.first?.content.fields["step"] == 3)
        #expect(found.first?.source == Self.client)
    }

    @Test("Without a step they are found repeatedly and without overlap")
    func overAndOver() throws {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.engine.watch(for: try watch("aa", step: nil))
        bench.consume([.data(Array("xaaaaa".utf8), at: 1_000), .data(Array("a".utf8), at: 1_006)])
        #expect(bench.names.count { $0 == SentBytes.name } == 3)
    }

    @Test("They precede the message that they decode to, on their own connection only")
    func placed() throws {
        let letter = String(decoding: LetterProtocol.bytes("hi"), as: UTF8.self)
        for (receiver, isFound) in [(Self.server, true), (Self.client, false)] {
            var bench = TestBench()
            bench.consume(TestSegment.handshake())
            bench.consume([.data(LetterProtocol.bytes("yo"), at: 1_000)])
            bench.engine.watch(for: try watch(letter, to: receiver))
            bench.consume([.data(LetterProtocol.bytes("hi"), at: 1_004)])
            let expected = isFound ? [SentBytes.name, "letter.text"] : ["letter.text"]
            // Three events open the connection, and one letter precedes the watch.
            #expect(Array(bench.names.dropFirst(4)) == expected)
        }
    }

    @Test("The event in a capture's metadata gives the same watch")
    func event() throws {
        let watch = try watch("hi", from: Self.server, to: Self.client)
        let again = try #require(ByteWatch(watch.event))
        #expect(again.bytes == watch.bytes)
        #expect(again.source == watch.source)
        #expect(again.destination == watch.destination)
        #expect(again.step == 3)
        #expect(ByteWatch(DeviceEvent(name: DeviceEvent.started)) == nil)
    }

    @Test(
        "After a deliberately broken message the next one is found, whatever length it claims",
        arguments: [UInt32(0), 5, 10_000], [true, false])
    func afterBroken(claimed: UInt32, isOneSegment: Bool) throws {
        var encoder = SDL.Encoder(version: 5, sessionID: 1)
        let start = encoder.encode(
            .startService, service: .rpc, parameters: ["protocolVersion": "5.4.0"], sessionID: 0,
            version: 1)
        let request = try #require(SDL.RPC(.request, "ListFiles", correlationID: 1))
        var broken = encoder.encode(request)
        withUnsafeBytes(of: claimed.bigEndian) { broken.replaceSubrange(4..<8, with: $0) }
        let next = encoder.encode(request)
        for isBroken in [true, false] {
            var bench = TestBench(protocols: [SDL.streamProtocol])
            bench.consume(TestSegment.handshake())
            bench.consume([.data(start, at: 1_000)])
            let place = 1_000 + UInt32(start.count)
            bench.engine.watch(
                for: try #require(
                    ByteWatch(broken, from: nil, to: nil, step: 1, isBroken: isBroken)))
            if isOneSegment {
                bench.consume([.data(broken + next, at: place)])
            } else {
                bench.consume([
                    .data(broken, at: place), .data(next, at: place + UInt32(broken.count)),
                ])
            }
            bench.finish()
            let isSeen = bench.names.last { $0 != "tcp.end" } == "sdl.ListFiles.request"
            if isBroken { #expect(isSeen, "\(bench.names)") }
            if !isBroken, claimed == 10_000 { #expect(!isSeen, "\(bench.names)") }
        }
    }

    @Test("The event of a broken message is marked as such")
    func brokenEvent() throws {
        let watch = try #require(
            ByteWatch([1, 2], from: nil, to: nil, step: 4, isBroken: true))
        #expect(try #require(ByteWatch(watch.event)).isBroken)
        #expect(try !#require(ByteWatch(self.watch("hi").event)).isBroken)
    }

    @Test("A message has its range in the stream")
    func range() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([
            .data(LetterProtocol.bytes("yo") + LetterProtocol.bytes("hi"), at: 1_000)
        ])
        #expect(bench.messages.suffix(2).map(\.streamRange) == [0..<4, 4..<8])
    }
}
