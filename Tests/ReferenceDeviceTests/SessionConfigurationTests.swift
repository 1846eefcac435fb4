import Diffusion
import HTTP
import Testing
import Wire

@testable import conform_device

@Suite("Configuration of the session client")
struct SessionConfigurationTests {
    @Test("A document changes what it names, and nothing else")
    func document() throws {
        let text = """
            {"strategy": {"rule": "coded", "maximum": 3000}, "reconnectionTimeout": 0,
             "principal": "admin", "carrier": "headers", "active": false, "path": "/a/diffusion"}
            """
        let configuration = try SessionConfiguration(document: try Value(json: text))
        let expected = SessionConfiguration.rule(.coded).with {
            $0.strategy.maximum = 3000
            $0.reconnectionTimeout = 0
            $0.principal = "admin"
            $0.carrier = .headers
            $0.isActive = false
            $0.path = "/a/diffusion"
        }
        #expect(configuration == expected)
        #expect(try SessionConfiguration(document: [:]) == SessionConfiguration())
    }

    @Test(
        "A bad document is refused with the key and what is expected",
        arguments: [
            (#"{"strategy": {"rule": "spoken"}}"#, "strategy.rule", "\"written\" or \"coded\""),
            (#"{"strategy": {"steps": 1}}"#, "strategy.steps", "increment"),
            (#"{"pingPeriod": 0}"#, "pingPeriod", "from 1"),
            (#"{"connectionTimeout": -1}"#, "connectionTimeout", "integer"),
            (#"{"reconnectionTimeout": "1s"}"#, "reconnectionTimeout", "integer"),
            (#"{"path": "diffusion"}"#, "path", "begins with"),
            (#"{"path": "/a b"}"#, "path", "without blanks"),
            (#"{"carrier": "cookie"}"#, "carrier", "\"query\" or \"headers\""),
            (#"{"activ": true}"#, "activ", "active"),
        ])
    func errors(text: String, key: String, problem: String) throws {
        let document = try Value(json: text)
        let error = #expect(throws: ConfigurationError.self) {
            try SessionConfiguration(document: document)
        }
        #expect(error?.key == key)
        #expect(error?.description.contains(problem) == true)
    }

    private func parameters(_ configuration: SessionConfiguration) throws -> [String: String] {
        let resumption = ConnectRequest.Resumption(
            token: Array("a+b/c=d&e f".utf8), clientSequence: 1, serverSequence: 2)
        let request = ConnectRequest(
            configuration: configuration, reconnectionTimeout: 4000, resumption: resumption)
        let bytes = request.head(host: "::1", key: "AAAA").bytes
        let head = try HTTPHead(parsing: bytes)
        #expect(head.isWebSocket)
        #expect(head.path == configuration.path)
        let connect = Diffusion.Connect(head: head, bytes: bytes)
        #expect(connect.name == "diffusion.reconnect")
        return Dictionary(uniqueKeysWithValues: connect.parameters.map { ($0.name, $0.value) })
    }

    @Test(
        "The parameters are transferred unchanged, in either carrier",
        arguments: ["query", "headers"])
    func carriers(carrier: String) throws {
        let configuration = SessionConfiguration().with {
            $0.carrier = carrier == "query" ? .query : .headers
            $0.principal = "Jürgen & Co"
            $0.password = "password"
        }
        #expect(
            try parameters(configuration) == [
                "v": "18", "ty": "WB", "ca": "8", "r": "4000", "username": "Jürgen & Co",
                "password": "AQhwYXNzd29yZA==", "c": "a+b/c=d&e f", "cs": "1", "ss": "2",
            ])
    }

    @Test("A text with line ends does not create header fields")
    func injection() throws {
        let configuration = SessionConfiguration().with {
            $0.carrier = .headers
            $0.principal = "a\r\nc: stolen"
        }
        #expect(try parameters(configuration)["c"] == "a+b/c=d&e f")
    }
}
