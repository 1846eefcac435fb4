import BuiltInProtocols
import SDL
import Testing
import Wire

@Suite("Catalogue of protocols")
struct ProtocolRegistryTests {
    private func type(_ path: String, _ message: String) throws -> FieldType? {
        ProtocolRegistry.builtIn.fieldType(of: try #require(FieldPath(path)), inMessage: message)
    }

    @Test("Messages of every protocol are found by name, and only under their own name")
    func messages() {
        for name in ["sdl.StartService", "sdl.Show.request", "tcp.SYN", "device.started"] {
            #expect(ProtocolRegistry.builtIn.message(named: name)?.name == name)
        }
        #expect(ProtocolRegistry.builtIn.message(named: "sdl.startService") == nil)
        #expect(
            ProtocolRegistry.builtIn.messageNames == ProtocolRegistry.builtIn.messageNames.sorted())
    }

    @Test("No two messages have the same name, and every code leads back to its name")
    func codes() {
        let names = ProtocolRegistry.builtIn.messageNames
        #expect(names.count == ProtocolRegistry.builtIn.descriptions.flatMap(\.messages).count)
        let codes = names.compactMap { ProtocolRegistry.builtIn.code(ofMessage: $0) }
        #expect(codes.map { ProtocolRegistry.builtIn.name(of: $0) } == names)
        let table = ProtocolRegistry.builtIn.table("") { $0 }
        #expect(codes.map { table[Int($0.index)] } == names)
        #expect(table.filter { !$0.isEmpty }.count == names.count)
        #expect(table.count < 2 * names.count)
    }

    @Test("An RPC's fields are those of its header and the specification's parameters, in order")
    func rpcFields() throws {
        let fields = try #require(ProtocolRegistry.builtIn.message(named: "sdl.AddCommand.request"))
            .fields
        #expect(
            fields.map(\.path) == [
                "rpc.type", "rpc.type_name", "rpc.function_id", "rpc.function",
                "rpc.correlation_id", "rpc.json_size", "bulk.length", "bulk.data", "params.cmdID",
                "params.menuParams", "params.vrCommands", "params.cmdIcon",
                "params.secondaryImage",
            ])
        #expect(fields.filter(\.isMandatory).map(\.path).last == "params.cmdID")
        let erroneous = ProtocolRegistry.builtIn.message(named: "sdl.AddCommand.errorResponse")
        #expect(erroneous?.summary == "The erroneous response of AddCommand.")
        #expect(erroneous?.specification == "SDL RPC 8.0.0 AddCommand")
    }

    @Test("A structure inside itself accepts anything, wherever it appears")
    func recursion() throws {
        let path = "params.systemCapability.videoStreamingCapability"
        let message = "sdl.GetSystemCapability.response"
        guard case .structure? = try type(path, message) else {
            Issue.record("no structure")
            return
        }
        let inner = try type("\(path).additionalVideoStreamingCapabilities[0]", message)
        guard case .any? = inner else {
            Issue.record("not left open")
            return
        }
    }

    @Test("A path has a type if the message or its protocol has the field")
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

    @Test(
        "A field is known if and only if some message has it",
        arguments: [
            "sdl.version", "rpc.type", "params.appName", "params.filenames[3]", "bytes", "ip.src",
            "params.filenames.x", "sdl", "rpc.nothing", "iap2.seq", "http.request.uri", "offset",
        ])
    func fieldsOfAnyMessage(text: String) throws {
        let path = try #require(FieldPath(text))
        #expect(
            ProtocolRegistry.builtIn.hasField(path)
                == ProtocolRegistry.builtIn.messageNames.contains {
                    ProtocolRegistry.builtIn.fieldType(of: path, inMessage: $0) != nil
                })
    }

    @Test("Protocols that carry others are marked, and the names for undecoded bytes are known")
    func transports() {
        #expect(
            ProtocolRegistry.builtIn.transports == [
                "tcp", "udp", "icmp", "iap2", "hci_h4", "bthci_cmd", "bthci_evt", "btl2cap",
                "btatt", "btsmp", "btsdp", "btrfcomm", "tls",
            ])
        let lost = ProtocolRegistry.builtIn.lostBytesNames
        #expect(Set(["tcp.data", "sdl.malformed", "http.malformed"]).isSubset(of: lost))
    }

    @Test("The SDL decoder is found by its opening frame")
    func streamProtocol() throws {
        let start: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]
        let found = ProtocolRegistry.builtIn.streamProtocols.filter {
            $0.recognises(start.span.bytes) == true
        }
        #expect(found.map(\.name) == ["sdl"])
        var decoder = try #require(found.first).makeDecoder()
        var messages: [StreamMessage] = []
        decoder.consume(start.span.bytes, at: 0, into: &messages)
        #expect(messages.map(\.content.name) == ["sdl.StartService"])
    }

    @Test("A registry knows only what its modules declare")
    func ownModule() throws {
        let echo = ProtocolDescription(
            name: "echo", firstCode: 4, title: "Echo",
            messages: [
                MessageDescription(
                    name: "echo.request", summary: "A question.", specification: "RFC 862",
                    fields: [FieldDescription("length", .integer(nil))], response: "echo.answer"),
                MessageDescription(
                    name: "echo.answer", summary: "Its answer.", specification: "RFC 862"),
            ], fields: [], correlation: [])
        let registry = ProtocolRegistry([ProtocolModule([echo])])
        #expect(registry.messageNames == ["echo.answer", "echo.request"])
        #expect(registry.code(ofMessage: "echo.answer")?.index == 5)
        #expect(registry.table("-") { $0 } == ["-", "-", "-", "-", "echo.request", "echo.answer"])
        #expect(registry.message(named: "echo.request")?.response == "echo.answer")
        #expect(registry.message(named: "sdl.Show.request") == nil)
        #expect(registry.hasField(try #require(FieldPath("length"))))
        #expect(registry.screenedField(try #require(FieldPath("sdl.version"))) == nil)
    }
}
