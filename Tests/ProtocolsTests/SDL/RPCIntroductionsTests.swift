import Testing

@testable import BuiltInProtocols
@testable import SDL
@testable import Wire

struct RPCIntroductionsTests {
    @Test("each name with a version is a message, a structure, or a parameter of one of them")
    func names() {
        let specification = RPCSpecification.shared
        var known = Set(specification.structures.keys)
        for (name, members) in specification.structures {
            known.formUnion(members.map { "\(name).\($0.name)" })
        }
        for (key, parameters) in specification.messages {
            guard let name = RPCFunctions.shared.names[key.functionID] else { continue }
            known.insert("\(name).\(key.type.name)")
            known.formUnion(parameters.map { "\(name).\(key.type.name).\($0.name)" })
        }
        let versions = RPCIntroductions.shared.versions
        #expect(versions.count > 500)
        #expect(versions.keys.filter { !known.contains($0) }.sorted() == [])
        #expect(versions.values.allSatisfy { $0.first?.isNumber == true })
    }

    @Test("versions of messages and fields are found by their names")
    func lookUp() {
        let messages = ProtocolRegistry([SDL.module])
        #expect(messages.message(named: "sdl.Show.request")?.since == "1.0")
        #expect(messages.message(named: "sdl.CreateWindow.errorResponse")?.since == "6.0")
        #expect(messages.message(named: "sdl.Heartbeat")?.since == nil)
        let field = messages.fields(ofMessage: "sdl.Show.request").first {
            $0.path == "params.mainField3"
        }
        #expect(field?.since == "2.0")
    }
}
