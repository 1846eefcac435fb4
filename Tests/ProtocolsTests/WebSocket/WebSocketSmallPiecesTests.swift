import Testing

@testable import HTTP
@testable import Wire

@Suite("The cost of a WebSocket in small pieces")
struct WebSocketSmallPiecesTests {
    private static let head: [UInt8] = {
        var head = WebSocketTests.response
        for number in 0..<40 { head.fields.append(HTTPHead.Field("X-\(number)", "a value")) }
        return head.bytes
    }()

    private func decode(_ pieces: [[UInt8]]) -> (WebSocket.StreamDecoder, [StreamMessage]) {
        var decoder = WebSocket.StreamDecoder(application: nil)
        var messages: [StreamMessage] = []
        var offset: UInt64 = 0
        for piece in pieces {
            decoder.consume(piece.span.bytes, at: offset, into: &messages)
            offset += UInt64(piece.count)
        }
        return (decoder, messages)
    }

    @Test("Byte by byte, no byte of the header is examined more than a few times")
    func bytewiseHeader() {
        let (decoder, messages) = decode(Self.head.map { [$0] })
        #expect(messages.map(\.content.name) == ["websocket.response"])
        #expect(decoder.searchedCount <= 4 * Self.head.count)
    }

    @Test("Byte by byte or all at once, frames are moved in memory at most once")
    func framesAreNotMoved() {
        let frame = WebSocket.Frame(.text, Array("a text".utf8)).bytes
        let stream = Self.head + (0..<400).flatMap { _ in frame }
        let (whole, found) = decode([stream])
        let (bytewise, same) = decode(stream.map { [$0] })
        #expect(found.count == 401)
        #expect(StreamPieces.summary(found) == StreamPieces.summary(same))
        #expect(whole.pending.movedCount == 0)
        #expect(bytewise.pending.movedCount <= stream.count)
    }

    @Test("Bytes that a recogniser has examined are not searched again")
    func recognition() {
        let head = WebSocketTests.request.bytes
        let bytes = head.span.bytes
        for known in 0..<bytes.byteCount {
            #expect(WebSocket.recognises(bytes, behind: known) == true)
        }
        #expect(WebSocket.recognises(bytes, behind: bytes.byteCount) == nil)
    }

    @Test("A message in very many fragments is joined")
    func fragments() {
        let text = Array("0123456789".utf8)
        let frames =
            [WebSocket.Frame(.text, text, isFinal: false)]
            + (0..<3_000).map { WebSocket.Frame(.continuation, text, isFinal: $0 == 2_999) }
        let (_, messages) = decode([Self.head + frames.flatMap(\.bytes)])
        #expect(messages.count == 2)
        #expect(messages.last?.content.bytes.count == 3_001 * 12)
        #expect(messages.last?.ranges.count == 3_001)
    }
}
