import Protocols
import Testing

@Suite("Catalogue of protocols")
struct ProtocolCatalogueTests {
    private func type(_ path: String, _ message: String) throws -> FieldType? {
        ProtocolCatalogue.fieldType(of: try #require(FieldPath(path)), inMessage: message)
    }

    @Test("Messages of every protocol are found by name, and only under their own name")
    func messages() {
        for name in ["sdl.StartService", "sdl.Show.request", "tcp.SYN", "device.started"] {
            #expect(ProtocolCatalogue.message(named: name)?.name == name)
        }
        #expect(ProtocolCatalogue.message(named: "sdl.startService") == nil)
        #expect(ProtocolCatalogue.messageNames == ProtocolCatalogue.messageNames.sorted())
    }

    @Test("A path has a type where the message or its protocol has the field, otherwise none")
    func fieldTypes() throws {
        guard case .integer? = try type("sdl.version", "sdl.StartService"),
            case .string? = try type("params.filenames[3]", "sdl.ListFiles.response"),
            case .any? = try type("params.whatever", "sdl.UnknownFunction.request")
        else {
            Issue.record("wrong types")
            return
        }
        #expect(try type("params.filenames.x", "sdl.ListFiles.response") == nil)
        #expect(try type("sdl.versions", "sdl.StartService") == nil)
        #expect(try type("sdl.version", "device.started") == nil)
    }

    @Test("The SDL decoder is found by its opening frame")
    func streamProtocol() throws {
        let start: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]
        let found = ProtocolCatalogue.streamProtocols.filter {
            $0.recognises(start.span.bytes) == true
        }
        #expect(found.map(\.name) == ["sdl"])
        var decoder = try #require(found.first).makeDecoder()
        var messages: [StreamMessage] = []
        decoder.consume(start.span.bytes, at: 0, into: &messages)
        #expect(messages.map(\.content.name) == ["sdl.StartService"])
    }
}
