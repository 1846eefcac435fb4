import Testing
import Wire

@Suite("The commands that only tell")
struct CommandTests {
    private static let suite = "Suites/registration-language.yaml"

    @Test(
        "schema prints JSON for each kind of file", arguments: ["", "include", "device", "project"])
    func schema(kind: String) throws {
        let outcome = try ConformProgram.run(["schema"] + (kind.isEmpty ? [] : [kind]))
        #expect(outcome.status == 0)
        let schema = try Value(json: outcome.output)
        #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("docs finds the line about an error code, and lists the pages")
    func docs() throws {
        let code = try ConformProgram.run(["docs", "bad-matcher"])
        #expect(code.status == 0)
        #expect(code.output.contains("Documentation/suite-language.md:"))
        #expect(code.output.contains("`bad-matcher`"))
        let contents = try ConformProgram.run(["docs"])
        #expect(contents.status == 0 && contents.output.contains("(cookbook.md)"))
        let unknown = try ConformProgram.run(["docs", "no-such-code-anywhere"])
        #expect(unknown.status == 2 && unknown.errors.contains("no document in"))
    }

    @Test("explain tells a case, and several by a pattern")
    func explain() throws {
        let one = try ConformProgram.run(
            ["explain", Self.suite, "same-language-changes-nothing"])
        #expect(one.status == 0)
        #expect(one.output.contains("The device must send sdl.RegisterAppInterface.request"))
        let four = try ConformProgram.run(
            ["explain", Self.suite, "supported-language-changes-registration*"])
        #expect(four.output.split(separator: "It judges").count == 5)
    }

    @Test("explain of a case that is not there tells which one was meant")
    func unknownCase() throws {
        let outcome = try ConformProgram.run(
            ["explain", Self.suite, "same-langage-changes-nothing"])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("did you mean \"same-language-changes-nothing\"?"))
    }

    @Test("completion knows every command in every shell", arguments: ["bash", "zsh", "fish"])
    func shells(shell: String) throws {
        let script = try ConformProgram.run(["completion", shell]).output
        for command in ["run", "check", "lint", "list", "explain", "decode", "prove", "schema"] {
            #expect(script.contains(command), "\(command)")
        }
    }
}
