import Foundation
import Testing

@Suite("Completion in shells, with values from the suites")
struct CompletionTests {
    private static let suite = "Suites/registration-language.yaml"
    private static let path = "PATH=\(ConformProgram.folder):/usr/local/bin:/usr/bin:/bin"

    /// A command line whose last word is completed, and the completion that must be offered.
    struct Line: CustomTestStringConvertible, Sendable {
        let words: [String]
        let found: String
        var testDescription: String { words.joined(separator: " ") }

        init(_ text: String, _ found: String) {
            words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            self.found = found
        }
    }

    static let lines = [
        Line("expl", "explain"), Line("run --network iso", "isolated"),
        Line("run --strict fl", "flaky"), Line("lint --format sa", "sarif"),
        Line("decode --format in", "indented"), Line("run --device ref", "reference"),
        Line("prove --mutant never-ch", "never-changes"),
        Line("run \(suite) --checks CRM-11", "CRM-11"),
        Line("run Suites/retry-exhaustion.yaml --tag lo", "long"),
        Line("list \(suite) --case same-language-changes-n", "same-language-changes-nothing"),
        Line(
            "decode --protocol Suites/examples/descriptions/s",
            "Suites/examples/descriptions/someip.yaml"),
        Line(
            "record --protocol Suites/examples/descriptions/d",
            "Suites/examples/descriptions/dns.yaml"),
        Line("explain \(suite) same-language-changes-n", "same-language-changes-nothing"),
    ]

    private static func run(_ words: [String]) throws -> String {
        try ConformProgram.Started([path] + words, in: ConformProgram.root).wait().output
    }

    @Test("Words are completed in bash", arguments: lines)
    func bash(line: Line) throws {
        let script = try ConformProgram.run(["completion", "bash"]).output
        let program =
            script + "\nCOMP_WORDS=(conform \"$@\"); COMP_CWORD=$#; _conform\n"
            + "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
        let output = try Self.run(["/bin/bash", "-c", program, "bash"] + line.words)
        #expect(output.split(separator: "\n").contains(Substring(line.found)), "\(output)")
    }

    @Test("In bash, words are split at =, and the name of a case is not executed")
    func bashWords() throws {
        let script = try ConformProgram.run(["completion", "bash"]).output
        let words = [
            "run", Self.suite, "--case", "supported-language-changes-registration[language", "=",
            "DE",
        ]
        let program =
            script + "\nCOMP_WORDS=(conform \"$@\"); COMP_CWORD=$#; _conform\n"
            + "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
        #expect(try Self.run(["/bin/bash", "-c", program, "bash"] + words) == "DE-DE]\n")
        let evil =
            script + "\nconform() { printf '$(echo executed)\\n'; }\n"
            + "COMP_WORDS=(conform run s.yaml --case ''); COMP_CWORD=4; _conform\n"
            + "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
        #expect(try Self.run(["/bin/bash", "-c", evil]) == "$(echo executed)\n")
    }

    @Test(
        "Words are completed in fish",
        .enabled(if: access("/usr/bin/fish", X_OK) == 0, "fish is not installed"),
        arguments: lines)
    func fish(line: Line) throws {
        let script = try ConformProgram.run(["completion", "fish"]).output
        let command = "conform " + line.words.joined(separator: " ")
        let output = try Self.run(
            ["/usr/bin/fish", "--no-config", "-c", script + "\ncomplete -C '\(command)'"])
        let found = output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(found.contains(Substring(line.found)), "\(output)")
    }

    @Test(
        "Words are completed in zsh",
        .enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"),
        arguments: lines)
    func zsh(line: Line) throws {
        let script = try ConformProgram.run(["completion", "zsh"]).output
        // The line editor runs in a pseudo terminal; a key writes the completed line to a file.
        let program = """
            zmodload zsh/zpty
            file=$(mktemp -d)
            print -r -- "$1" > $file/script
            zpty z zsh -f -i
            zpty -w z "PS1=; unsetopt beep; autoload -U compinit; compinit -u -D; source $file/script"
            zpty -w z 'bindkey "^I" complete-word'
            zpty -w z "keep() { print -r -- \\$BUFFER > $file/part; mv $file/part $file/line }"
            zpty -w z 'zle -N keep; bindkey "^X^K" keep'
            zpty -w z "print > $file/ready"
            for ((i = 0; i < 300; i++)); do
                [[ -e $file/ready ]] && break
                sleep 0.1
            done
            zpty -w -n z "$2"$'\\t\\C-x\\C-k'
            for ((i = 0; i < 300; i++)); do
                zpty -r -t z ignored
                [[ -e $file/line ]] && break
                sleep 0.1
            done
            cat $file/line
            zpty -d z
            rm -rf $file
            """
        let command = "conform " + line.words.joined(separator: " ")
        let output = try Self.run(["/usr/bin/zsh", "-f", "-c", program, "zsh", script, command])
        let wanted = "conform " + (line.words.dropLast() + [line.found]).joined(separator: " ")
        #expect(output.trimmingCharacters(in: .whitespacesAndNewlines) == wanted)
    }
}
