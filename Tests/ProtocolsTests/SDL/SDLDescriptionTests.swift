import Testing

@testable import SDL
@testable import Wire

@Suite("SDL: the messages and fields that suites may name")
struct SDLDescriptionTests {
    private let description = SDL.description

    private func message(_ name: String) throws -> MessageDescription {
        try #require(description.messages.first { $0.name == name })
    }

    private func type(_ path: String, _ name: String) throws -> FieldType? {
        let fields = try message(name).fields + description.fields
        let path = try #require(FieldPath(path)).components
        for field in fields {
            let prefix = try #require(FieldPath(field.path)).components
            guard path.starts(with: prefix) else { continue }
            if let type = field.type.descending(path.dropFirst(prefix.count)) { return type }
        }
        return nil
    }

    @Test("Every message has a unique name that begins with sdl, a summary and a source")
    func names() {
        let names = description.messages.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("sdl.") })
        #expect(
            description.messages.allSatisfy { !$0.summary.isEmpty && !$0.specification.isEmpty })
    }

    @Test("A request names its response and a control frame its answer, and both exist")
    func responses() throws {
        #expect(
            try message("sdl.RegisterAppInterface.request").response
                == "sdl.RegisterAppInterface.response")
        #expect(try message("sdl.StartService").response == "sdl.StartServiceACK")
        #expect(try message("sdl.Heartbeat").response == "sdl.HeartbeatACK")
        #expect(try message("sdl.OnHMIStatus.notification").response == nil)
        let names = Set(description.messages.map(\.name))
        #expect(description.messages.compactMap(\.response).allSatisfy(names.contains))
    }

    @Test("Fields of structures and arrays are found with their types")
    func fieldTypes() throws {
        let name = "sdl.RegisterAppInterface.request"
        guard
            case .enumeration("Language", let words, _)? = try type("params.languageDesired", name)
        else {
            Issue.record("no Language")
            return
        }
        #expect(words.contains("DE-DE"))
        guard case .integer(1...10)? = try type("params.syncMsgVersion.majorVersion", name),
            case .string(500)? = try type("params.ttsName[0].text", name),
            case .integer(0...255)? = try type("sdl.session_id", name),
            case .integer? = try type("rpc.correlation_id", name)
        else {
            Issue.record("wrong types")
            return
        }
        #expect(try type("params.nonsense", name) == nil)
        #expect(try type("params.appName.x", name) == nil)
        #expect(try type("rpc.correlation_id", "sdl.StartService") == nil)
    }

    @Test("A structure within itself is described once, and its inner copy may contain anything")
    func recursiveStructures() throws {
        let outer = "params.systemCapability.videoStreamingCapability"
        let inner = "\(outer).additionalVideoStreamingCapabilities[0]"
        let name = "sdl.GetSystemCapability.response"
        guard case .structure("VideoStreamingCapability", _)? = try type(outer, name),
            case .any? = try type(inner, name)
        else {
            Issue.record("wrong types")
            return
        }
    }

    @Test("Every field of a decoded message is described")
    func decodedFields() throws {
        var generator = MessageGenerator(seed: 21)
        var encoder = SDL.Encoder(version: 5, sessionID: 1)
        let query: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
        var bytes = encoder.encode(payload: query, service: .control)
        for frame in SDL.ControlFrame.allCases {
            let data: Value = frame == .serviceDataACK ? ["data": .bytes([1])] : .object([])
            bytes += encoder.encode(frame, service: .rpc, parameters: data)
        }
        bytes += encoder.encode(payload: [1], service: .audio)
        bytes += encoder.encode(payload: [1], service: .rpc)
        bytes += encoder.encode(payload: [1], service: .rpc, isEncrypted: true)
        for _ in 0..<30 {
            var rpc = generator.rpc(version: 5)
            rpc.type = .request
            rpc.parameters = .object([])
            bytes += encoder.encode(rpc)
        }
        let known = Set(description.messages.map(\.name))
        for message in Wire.messages(bytes) where known.contains(message.name) {
            for section in message.fields.objectValue ?? [] {
                for field in section.value.objectValue ?? [] {
                    let path = "\(section.name).\(field.name)"
                    #expect(try type(path, message.name) != nil, "\(path) in \(message.name)")
                }
            }
        }
    }
}
