import SDL
import TestSupport
import Testing
import Wire

@testable import Trace

@Suite("A file of five megabytes in small frames")
struct LargeMessageTests {
    private static let size = 5 << 20
    /// Initial sequence numbers: the stream crosses 2^32 after so many bytes.
    private static let bytesBeforeWrap: [UInt32] = [1_000_000, 4_999_999]

    /// A PutFile with bytes that repeat nowhere near the size of a frame.
    private static func putFile(_ number: Int32) throws -> (rpc: SDL.RPC, bulk: [UInt8]) {
        var generator = SeededGenerator(seed: UInt64(number))
        var bulk: [UInt8] = []
        bulk.reserveCapacity(size)
        while bulk.count < size {
            withUnsafeBytes(of: generator.next()) { bulk += $0 }
        }
        let rpc = try #require(
            SDL.RPC(
                .request, "PutFile", correlationID: number,
                parameters: ["syncFileName": "cover.png", "fileType": "GRAPHIC_PNG"], bulk: bulk))
        return (rpc, bulk)
    }

    @Test(
        "is one message again: 255 frame numbers wrap many times, TCP's numbers once",
        arguments: bytesBeforeWrap)
    func reassembles(_ before: UInt32) throws {
        let (rpc, bulk) = try Self.putFile(Int32(7))
        var encoder = SDL.Encoder(version: 5, sessionID: 1, maximumPayload: 1012)
        let start = encoder.encode(
            .startService, service: .rpc, parameters: ["protocolVersion": "5.4.0"], sessionID: 0,
            version: 1)
        let bytes = start + encoder.encode(rpc)
        let initial = UInt32.max - before
        var bench = TestBench(protocols: [SDL.streamProtocol])
        bench.consume(TestSegment.handshake(client: initial &- 1))
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + 32_000, bytes.count)
            bench.consume([
                .data(Array(bytes[offset..<end]), at: initial &+ UInt32(truncatingIfNeeded: offset))
            ])
            offset = end
        }
        bench.finish()
        let messages = bench.messages.compactMap { $0.content as? SDL.Message }
        #expect(bench.engine.statistics.gaps == 0)
        #expect(messages.map(\.name) == ["sdl.StartService", "sdl.PutFile.request"])
        let message = try #require(messages.last)
        let (data, count) = (
            try #require(FieldPath("bulk.data")), try #require(FieldPath("sdl.frames"))
        )
        #expect(message.field(data) == .bytes(bulk))
        #expect(try #require(message.field(count)?.integerValue) > 20 * 255)
        #expect(message.anomalies.isEmpty)
    }
}
