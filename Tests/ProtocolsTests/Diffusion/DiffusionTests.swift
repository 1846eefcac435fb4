import TestSupport
import Testing

@testable import BuiltInProtocols
@testable import Diffusion
@testable import HTTP
@testable import Wire

struct DiffusionTests {
    private static let session = Diffusion.ConnectResponse.Session(
        server: 0x6c60_0e92_e7b2_bff0, value: 0x0000_0003_0000_0001,
        token: Array("abcdefghijklmnopqrstuvwx".utf8), pingPeriod: 90_000, last: 0x7FFF_FFFF)

    private func server(_ payloads: [[UInt8]]) -> [any DissectedMessage] {
        let frames = payloads.flatMap { WebSocket.Frame(.binary, $0).bytes }
        return StreamPieces.decode(
            [WebSocketTests.response.bytes + frames], by: Diffusion.streamProtocol
        ).dropFirst().map(\.content)
    }

    private func request(_ target: String, _ fields: [(String, String)] = []) -> HTTPHead {
        HTTPHead(
            .request(method: "GET", target: target),
            fields: [HTTPHead.Field("Upgrade", "websocket")]
                + fields.map { HTTPHead.Field($0.0, $0.1) })
    }

    private func connect(_ head: HTTPHead) throws -> any DissectedMessage {
        let messages = StreamPieces.decode([head.bytes], by: Diffusion.streamProtocol)
        return try #require(messages.first?.content)
    }

    @Test("a response contains the session id in the form that clients print")
    func response() throws {
        let payload = Diffusion.ConnectResponse.payload(
            version: 25, code: 100, session: Self.session)
        #expect(payload.count == 55)
        let message = try #require(server([payload]).first)
        #expect(message.name == "diffusion.response")
        #expect(
            message.fields == [
                "version": 25, "code": 100,
                "sessionId": "6c600e92e7b2bff0-0000000300000001",
                "token": "abcdefghijklmnopqrstuvwx", "pingPeriod": 90_000,
                "maxMessageSize": 0x7FFF_FFFF,
            ])
    }

    @Test(
        "older responses are shorter, refusals the shortest, and a resumed session has a sequence")
    func otherResponses() throws {
        var old = Self.session
        old.last = nil
        let middle = Diffusion.ConnectResponse.payload(version: 14, code: 100, session: old)
        #expect(middle.count == 51)
        #expect(try #require(server([middle]).first).fields["maxMessageSize"] == nil)
        old.pingPeriod = nil
        let oldest = Diffusion.ConnectResponse.payload(version: 6, code: 100, session: old)
        #expect(oldest.count == 43)
        #expect(try #require(server([oldest]).first).fields["token"] != nil)
        let refused = try #require(server([[0x23, 6, 116]]).first)
        #expect(refused.fields == ["version": 6, "code": 116])
        let resumed = Diffusion.ConnectResponse.payload(
            version: 25, code: 105, session: Self.session)
        #expect(
            try #require(server([resumed]).first).fields["recoverySequence"] == 0x7FFF_FFFF)
        #expect(server([[0x23, 6, 100]]).first?.anomalies.count == 1)
        #expect(server([Array(middle.prefix(20))]).first?.name == "diffusion.malformed")
    }

    @Test("parameters are read from the query or from header fields")
    func carriers() throws {
        let query = try connect(
            request("/diffusion?v=18&ty=WB&ca=8&r=60000&username=me&password=x"))
        #expect(query.name == "diffusion.connect")
        #expect(query.fields["carrier"] == "query")
        #expect(
            query.fields["parameters"] == [
                "v": 18, "ty": "WB", "ca": 8, "r": 60_000, "username": "me",
            ])
        let header = try connect(
            request("/app/diffusion", [("v", "25"), ("ty", "PY"), ("c", "token"), ("cs", "0")]))
        #expect(header.name == "diffusion.reconnect")
        #expect(header.fields["carrier"] == "header")
        #expect(header.fields["parameters"] == ["v": 25, "ty": "PY", "c": "token", "cs": 0])
    }

    @Test("only a path that ends in /diffusion is Diffusion")
    func recognition() {
        let own = request("/x/diffusion?v=1").bytes
        #expect(Diffusion.recognises(own.span.bytes) == true)
        let other = request("/diffusionx").bytes
        #expect(Diffusion.recognises(other.span.bytes) == false)
        #expect(WebSocket.recognises(other.span.bytes) == true)
    }

    @Test("each message decodes and encodes to the same bytes")
    func messages() throws {
        let all: [(Diffusion.Message.Content, String)] = [
            (.serviceRequest(service: 56, conversation: 300, body: []), "diffusion.ping"),
            (.serviceRequest(service: 55, conversation: 0, body: []), "diffusion.systemPing"),
            (.serviceRequest(service: 3, conversation: 1, body: [9]), "diffusion.serviceRequest"),
            (.serviceResponse(conversation: .max, body: [1]), "diffusion.serviceResponse"),
            (.serviceError(conversation: 127, body: []), "diffusion.serviceError"),
            (.topicValue(topic: 7, body: [1, 2]), "diffusion.topicValue"),
            (.topicDelta(topic: 7, body: []), "diffusion.topicDelta"),
            (.abort, "diffusion.abort"), (.close, "diffusion.close"),
            (.other(type: 0x80, body: [1]), "diffusion.other"),
        ]
        let found = server(all.map { Diffusion.Message.payload(of: $0.0) })
        #expect(found.map(\.name) == all.map(\.1))
        #expect(found.compactMap { ($0 as? Diffusion.Message)?.content } == all.map(\.0))
        for message in found {
            for member in message.fields.objectValue ?? [] {
                let path = try #require(FieldPath(member.name))
                let type = ProtocolRegistry.builtIn.fieldType(of: path, inMessage: message.name)
                #expect(type != nil, "\(message.name) \(member.name)")
            }
        }
    }

    @Test("unreadable bytes become a malformed message and never trap")
    func malformed() {
        let endless = [6] + [UInt8](repeating: 0xFF, count: 11)
        #expect(server([endless]).first?.name == "diffusion.malformed")
        #expect(server([[]]).first?.name == "diffusion.malformed")
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let payloads = (0..<5).map { _ in
                (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
            #expect(server(payloads).count == 5, "seed \(seed)")
            #expect(server([[0x23] + payloads[0]]).count == 1)
        }
    }
}
