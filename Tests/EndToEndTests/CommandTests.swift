import Devices
import Foundation
import TestSupport
import Testing
import Wire

@Suite("The commands that only print information")
struct CommandTests {
    private static let suite = "Suites/registration-language.yaml"

    @Test(
        "The command schema prints JSON for each kind of file",
        arguments: [
            "", "include", "protocol", "requirements", "device", "project", "log", "results",
            "evidence",
        ])
    func schema(kind: String) throws {
        let outcome = try ConformProgram.run(["schema"] + (kind.isEmpty ? [] : [kind]))
        #expect(outcome.status == 0)
        let schema = try Value(json: outcome.output)
        #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$id"]?.stringValue?.hasPrefix("urn:conform:schema:") == true)
        guard kind == "project" else { return }
        // The example of the schema is read as a file of that kind.
        let folder = TemporaryFolder.lasting()
        let example = try #require(schema["examples"]?.arrayValue?.first)
        try example.jsonText().write(
            toFile: folder + "/conform.yaml", atomically: true, encoding: .utf8)
        let list = try ConformProgram.run(["list"], in: folder)
        #expect(list.status == 2 && list.errors.contains("suites"), "\(list.errors)")
        let findings = list.errors.split(separator: "\n").filter { $0.hasPrefix("conform.yaml:") }
        #expect(findings.allSatisfy { $0.contains("[missing-path]") }, "\(list.errors)")
    }

    @Test("The documents explain every code of a verdict and of a device error")
    func codes() throws {
        let page = try String(
            contentsOfFile: "\(ConformProgram.root)/Documentation/troubleshooting.md",
            encoding: .utf8)
        let schema = try Value(json: ConformProgram.run(["schema", "results"]).output)
        let words = schema["$defs"]?["code"]?["enum"]?.arrayValue
        let codes = try #require(words).compactMap(\.stringValue)
        #expect(codes.count >= 17)
        for code in codes { #expect(page.contains("\n| `\(code)` |"), "\(code)") }
        for code in DeviceError.Code.allCases {
            #expect(page.contains("`\(code.rawValue)`"), "\(code)")
        }
    }

    /// The commands that the overview lists.
    private static func names() throws -> [String] {
        try ConformProgram.run(["help"]).output.split(separator: "\n")
            .filter { $0.hasPrefix("  ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test("Every option of a command in the documents exists")
    func documentedOptions() throws {
        let names = try Set(Self.names())
        let folder = "\(ConformProgram.root)/Documentation"
        let pages = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        var helps: [[String]: String] = [:]
        for page in pages + ["\(ConformProgram.root)/README.md"] {
            let text = try String(contentsOfFile: page, encoding: .utf8)
            for line in text.split(separator: "\n") {
                // Text in quotes belongs to other programs.
                for use in line.components(separatedBy: "conform ").dropFirst() {
                    let words = use.prefix { !"`'|;&".contains($0) }.split(separator: " ")
                    guard let name = words.first.map(String.init), names.contains(name) else {
                        continue
                    }
                    let command = name == "report" ? words.prefix(2).map(String.init) : [name]
                    for word in words
                    where word.hasPrefix("--") && !["--", "--help"].contains(word) {
                        let option = word.prefix { $0.isLetter || $0 == "-" }
                        let help =
                            try helps[command] ?? ConformProgram.run(["help"] + command).output
                        helps[command] = help
                        #expect(
                            help.contains("  \(option) ") || help.contains(", \(option) "),
                            "\(page): conform \(command.joined(separator: " ")) \(option)")
                    }
                }
            }
        }
    }

    @Test("The command docs finds the line about an error code, and lists the pages")
    func docs() throws {
        let code = try ConformProgram.run(["docs", "bad-matcher"])
        #expect(code.status == 0)
        #expect(code.output.contains("Documentation/findings.md:"))
        #expect(code.output.contains("`bad-matcher`"))
        let reason = try ConformProgram.run(["docs", "conform.capture-loss"])
        #expect(reason.output.contains("| `capture-loss` | inconclusive |"))
        let words = try ConformProgram.run(["docs", "protocols", "of", "your", "own"])
        #expect(words.status == 0 && words.output.contains("your-protocol.md:1: "))
        let page = try ConformProgram.run(["docs", "device profile"])
        #expect(page.output.contains("# Device profiles\n    A "), "\(page.output)")
        let contents = try ConformProgram.run(["docs"])
        #expect(contents.status == 0 && contents.output.contains("(cookbook.md)"))
        let unknown = try ConformProgram.run(["docs", "no-such-code-anywhere"])
        #expect(unknown.status == 2 && unknown.errors.contains("no document in"))
    }

    @Test("The command explain describes one case, and several by a pattern")
    func explain() throws {
        let one = try ConformProgram.run(
            ["explain", Self.suite, "same-language-changes-nothing"])
        #expect(one.status == 0)
        #expect(one.output.contains("The device must send sdl.RegisterAppInterface.request"))
        let four = try ConformProgram.run(
            ["explain", Self.suite, "supported-language-changes-registration*"])
        #expect(four.output.split(separator: "Checked requirements").count == 5)
    }

    @Test("The command explain suggests a similar case for one that does not exist")
    func unknownCase() throws {
        let outcome = try ConformProgram.run(
            ["explain", Self.suite, "same-langage-changes-nothing"])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("did you mean \"same-language-changes-nothing\"?"))
    }

    @Test("Every shell completes every command", arguments: ["bash", "zsh", "fish"])
    func shells(shell: String) throws {
        let script = try ConformProgram.run(["completion", shell]).output
        for command in ["run", "check", "lint", "list", "explain", "decode", "prove", "schema"] {
            #expect(script.contains(command), "\(command)")
        }
    }
}
