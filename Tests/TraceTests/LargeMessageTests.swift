import SDL
import TestSupport
import Testing
import Wire

@testable import Trace

@Suite("A file of five megabytes in small frames")
struct LargeMessageTests {
    private static let size = 5 << 20
    /// The numbers of bytes after which the stream's sequence numbers wrap at 2^32.
    private static let bytesBeforeWrap: [UInt32] = [1_000_000, 4_999_999]

    /// Returns a PutFile with random bytes, which do not repeat within a frame.
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
        "is one message: the frame numbers wrap at 255 many times, TCP's sequence numbers once",
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
