import Testing

@testable import Protocols

struct RPCIntroductionsTests {
    @Test("each name with a version is a message, a structure or a parameter of one")
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
        #expect(ProtocolCatalogue.introduction(ofMessage: "sdl.Show.request") == "1.0")
        #expect(
            ProtocolCatalogue.introduction(ofMessage: "sdl.CreateWindow.errorResponse") == "6.0")
        #expect(ProtocolCatalogue.introduction(ofMessage: "sdl.Heartbeat") == nil)
        #expect(ProtocolCatalogue.introduction(ofMessage: "tcp.SYN") == nil)
        let graphic = ProtocolCatalogue.introduction(
            ofField: "params.mainField3", inMessage: "sdl.Show.request")
        #expect(graphic == "2.0")
    }
}
