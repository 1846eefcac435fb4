import Testing

@testable import HTTP
@testable import SDL

@Suite("Protocols carried by a WebSocket")
struct WebSocketCarryingTests {
    private static let startService: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]

    @Test("SDL in binary messages is reported in place of them, with their ranges")
    func sdl() {
        let head = WebSocketTests.response.bytes
        let first = WebSocket.Frame(.binary, Array(Self.startService.prefix(5))).bytes
        let ping = WebSocket.Frame(.ping, [1]).bytes
        let second = WebSocket.Frame(.binary, Array(Self.startService.dropFirst(5))).bytes
        let messages = StreamPieces.decode([head + first + ping + second])
        #expect(
            messages.map(\.content.name)
                == ["websocket.response", "websocket.ping", "sdl.StartService"])
        let (start, pong) = (UInt64(head.count), UInt64(first.count + ping.count))
        #expect(
            messages.last?.ranges == [
                start..<(start + UInt64(first.count)),
                (start + pong)..<(start + pong + UInt64(second.count)),
            ])
    }

    @Test("Binary messages that only began like SDL are reported whole, with their headers")
    func notSDL() {
        let head = WebSocketTests.response.bytes
        let first = WebSocket.Frame(.binary, [0x10, 7]).bytes
        let second = WebSocket.Frame(.binary, [0xFF]).bytes
        let messages = StreamPieces.decode([head + first, second], isEnded: false)
        #expect(
            messages.map(\.content.name)
                == ["websocket.response", "websocket.binary", "websocket.binary"])
        #expect(messages.dropFirst().map(\.content.bytes) == [first, second])
        let covered = messages.flatMap(\.ranges).reduce(0) { $0 + $1.count }
        #expect(covered == head.count + first.count + second.count)
    }

    @Test("An incomplete SDL frame at the end of the stream is reported as a binary message")
    func unfinished() {
        let head = WebSocketTests.response.bytes
        let frame = WebSocket.Frame(.binary, [0x10, 7]).bytes
        let messages = StreamPieces.decode([head + frame])
        #expect(messages.map(\.content.name) == ["websocket.response", "websocket.binary"])
    }
}
