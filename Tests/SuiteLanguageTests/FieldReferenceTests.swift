import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

struct FieldReferenceTests {
    @Test("A message has its fields with type, limits, whether they are mandatory and since when")
    func message() throws {
        let reference = FieldReference(messages: ["sdl.Show.request"], of: .builtIn)
        let message = try #require(reference.messages.first)
        #expect(reference.messages.count == 1)
        #expect(message.description.since == "1.0")
        let field = try #require(message.own.first { $0.path == "params.mainField3" })
        #expect(field.type == "text of at most 500 characters")
        #expect(field.remarks == "since 2.0")
        let buttons = try #require(message.own.first { $0.path == "params.softButtons" })
        #expect(buttons.type == "list of 0 to 8 SoftButton")
        #expect(reference.common["sdl"]?.contains { $0.path == "sdl.session_id" } == true)
        #expect(
            reference.structures["SoftButton"]?.first { $0.path == "type" }?.isMandatory == true)
        #expect(reference.enumerations["SoftButtonType"] == ["TEXT", "IMAGE", "BOTH"])
    }

    @Test("Every type of a field is explained")
    func closed() {
        let reference = FieldReference(
            messages: ProtocolRegistry.builtIn.messageNames, of: .builtIn)
        #expect(reference.messages.count == ProtocolRegistry.builtIn.messageNames.count)
        let plain = ["Boolean", "integer", "number", "text", "bytes", "duration", "any value"]
        let fields =
            reference.messages.flatMap(\.own) + reference.common.values.flatMap(\.self)
            + reference.structures.values.flatMap(\.self)
        for field in fields {
            var name = field.type[...]
            if name.hasPrefix("list of ") {
                name =
                    plain.contains { name.contains(" \($0)") }
                    ? "text" : name.split(separator: " ").last ?? ""
            }
            let isKnown =
                plain.contains { name.hasPrefix($0) } || reference.structures[String(name)] != nil
                || reference.enumerations[String(name)] != nil
            #expect(isKnown, "\(field)")
        }
    }

    @Test("A pattern, or the start of a name, selects messages")
    func patterns() throws {
        let all = ["sdl.Show.errorResponse", "sdl.Show.request", "sdl.Show.response"]
        #expect(try FieldReference.names("sdl.Show.request", of: .builtIn) == ["sdl.Show.request"])
        #expect(try FieldReference.names("sdl.Show.*", of: .builtIn) == all)
        #expect(try FieldReference.names("sdl.Show", of: .builtIn) == all)
        #expect(
            try FieldReference.names("sdl.*scribeButton.request", of: .builtIn)
                == ["sdl.SubscribeButton.request", "sdl.UnsubscribeButton.request"])
    }

    @Test(
        "An unknown message is refused with what may be meant",
        arguments: [
            ("sdl.Show.requst", #"did you mean "sdl.Show.request"?"#),
            ("xyz", "conform fields lists all messages"),
        ])
    func unknown(name: String, advice: String) {
        #expect {
            try FieldReference.names(name, of: .builtIn)
        } throws: { error in
            (error as? InvalidInput)?.diagnostics.map(\.advice) == [advice]
        }
    }

    @Test("The schema names the fields of each message for editors")
    func completion() throws {
        let definitions = try #require(SuiteSchema(.builtIn).suite["$defs"])
        for name in ProtocolRegistry.builtIn.messageNames {
            let fields = definitions["fields-\(name)"]?["properties"]?["where"]
            #expect(fields?["properties"] != nil, "\(name)")
        }
        let show = definitions["fields-sdl.Show.request"]?["properties"]?["where"]?["properties"]
        #expect(
            show?["params.mainField3"]?["description"]
                == "text of at most 500 characters; since 2.0")
        #expect(show?["params.graphic.value"] != nil)
    }

    @Test(
        "The schema reports a mistake where it is, without alternatives",
        arguments: [
            ("{expect: sdl.Show.request, wihtin: 2s}", ".cases[0].steps[0].wihtin: not allowed"),
            (
                "{expect: sdl.Show.request, within: 2}",
                ".cases[0].steps[0].within: type \"string\""
            ),
            (
                "{expect: sdl.Show.request, where: {params.mainField1: {contains: a, max: b}}}",
                ".cases[0].steps[0].where.params.mainField1.max: type \"number\""
            ),
            ("{repeat: {times: 2, step: []}}", ".cases[0].steps[0].repeat.step: not allowed"),
        ])
    func oneAlternative(step: String, problem: String) throws {
        let problems = try Self.problems(SuiteFixture.suite(steps: "- \(step)"))
        #expect(problems.contains(problem), "\(problems)")
        #expect(!problems.contains { $0.contains("no alternative fits") }, "\(problems)")
    }

    @Test(
        "The schema lists the words of which one must be present, and nothing else",
        arguments: [
            ("{expct: sdl.Show.request}", ".cases[0].steps[0].expct (name): enum ["),
            ("{within: 2s}", ".cases[0].steps[0].within (name): enum ["),
            ("{expect: sdl.Shw.request}", ".cases[0].steps[0].expect: enum ["),
            ("{send: sdl.Shw.response}", ".cases[0].steps[0].send: enum ["),
            ("{}", ".cases[0].steps[0]: minProperties 1"),
        ])
    func words(step: String, problem: String) throws {
        let problems = try Self.problems(SuiteFixture.suite(steps: "- \(step)"))
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }

    @Test("The schema lists the kinds of peers")
    func kinds() throws {
        let problems = try Self.problems(
            SuiteFixture.suite(steps: "- expect: tcp.SYN").replacing(
                "is: sdl.head-unit", with: "is: sdl.headunit"))
        #expect(problems.count == 1 && problems[0].contains(".is: enum ["), "\(problems)")
    }

    private static func problems(_ suite: String) throws -> [String] {
        let value = try YAMLNode.parse(text: suite, file: "f").value
        return try SchemaCheck(SuiteSchema(.builtIn).suite).problems(value)
    }
}
