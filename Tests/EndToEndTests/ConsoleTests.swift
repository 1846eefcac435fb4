import Foundation
import Glibc
import TestSupport
import Testing

private let suite = "Suites/registration-language.yaml"
private let cases = [
    "--case", "same-language-changes-nothing", "--case", "delegate-not-implemented-changes-nothing",
]

@Suite("The console, on a terminal and without one")
struct ConsoleTests {
    private func arguments(_ further: String...) -> [String] {
        ["run", suite, "--reports", TemporaryFolder.lasting() + "/run", "--jobs", "1"]
            + cases + further
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The successive texts of the bottom line.
    private static func states(_ bytes: [UInt8]) -> [String] {
        text(bytes).replacing("\r\n", with: "\n").components(separatedBy: "\r\u{1B}[2K")
            .compactMap { $0.components(separatedBy: "\n").last }
            .filter { $0.contains(" of 2") }
    }

    @Test("Progress is redrawn in place, fits the width, and is removed at the end")
    func live() throws {
        let terminal = try PseudoTerminal(arguments(), columns: 50)
        #expect(terminal.wait() == 0, "\(Self.text(terminal.output))")
        let states = Self.states(terminal.output)
        #expect(states.contains { $0.hasPrefix("0 of 2; running registration-") })
        #expect(states.contains { $0.hasPrefix("1 of 2, about ") && $0.contains(" s left") })
        #expect(states.allSatisfy { $0.count < 50 }, "\(states)")
        let screen = terminal.screen
        #expect(!screen.contains { $0.contains(" of 2;") || $0.contains("ESC") })
        #expect(screen.filter { $0.hasPrefix("pass ") }.map { $0.hasSuffix(": 2 pass") } == [true])
        #expect(Self.text(terminal.output).contains("\u{1B}[32m"), "colour")
    }

    @Test("The current width applies, and COLUMNS if the terminal has none")
    func width() throws {
        let terminal = try PseudoTerminal(arguments(), columns: 100)
        terminal.read { Self.text($0).contains("1 of 2") }
        terminal.resize(columns: 30)
        #expect(terminal.wait() == 0)
        let states = Self.states(terminal.output)
        #expect(
            states.contains { $0.count > 40 } && (states.last?.count ?? 99) < 30, "\(states)")
        let blind = try PseudoTerminal(arguments(), columns: 0, variables: ["COLUMNS=40"])
        #expect(blind.wait() == 0)
        #expect(Self.states(blind.output).allSatisfy { $0.count < 40 })
    }

    @Test(
        "In a CI job, and on a dumb terminal, lines are plain",
        arguments: [["CI=true"], ["TERM=dumb"]])
    func plain(variables: [String]) throws {
        let terminal = try PseudoTerminal(arguments(), columns: 80, variables: variables)
        #expect(terminal.wait() == 0)
        #expect(!Self.text(terminal.output).contains("\u{1B}[2K"))
        #expect(terminal.screen.count { $0.hasPrefix("pass ") } == 2)
    }

    @Test("NO_COLOR removes the colours and keeps the progress")
    func noColour() throws {
        let terminal = try PseudoTerminal(arguments(), columns: 80, variables: ["NO_COLOR=1"])
        #expect(terminal.wait() == 0)
        let text = Self.text(terminal.output)
        #expect(text.contains("\u{1B}[2K"))
        #expect(!text.replacing("\u{1B}[2K", with: "").contains("\u{1B}"))
    }

    @Test("Output to a file has no control characters, and the same end")
    func file() throws {
        let outcome = try ConformProgram.run(arguments())
        #expect(outcome.status == 0 && !outcome.output.contains("\u{1B}"))
        #expect(!outcome.output.contains("\r"))
        // The lines below "requirements" count how often rules were exercised.
        let heads = outcome.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.suffix(6)
            .map { $0.prefix { $0 != ":" } }
        #expect(heads == ["conformant", "audit", "rules", "requirements", "reports", "next"])
    }

    @Test("The next command can be pasted, even if the folder's name has a space")
    func paste() throws {
        let folder = TemporaryFolder.lasting() + "/my reports"
        let run = try ConformProgram.run(
            ["run", suite, "--reports", folder, "--case", "same-language-changes-nothing"])
        #expect(run.status == 0, "\(run.errors)")
        let line = try #require(run.output.split(separator: "\n").last { $0.hasPrefix("next: ") })
        let command = line.dropFirst("next: conform ".count)
        let again = try ConformProgram.Started(
            ["/bin/sh", "-c", "'\(ConformProgram.folder)/conform' \(command)"],
            in: ConformProgram.root
        ).wait()
        #expect(again.status == 0, "\(command): \(again.errors)")
        #expect(again.output.contains("all 1") || again.output.contains("planned case passed"))
    }

    @Test("Quiet omits passes, verbose shows steps, and both together are refused")
    func levels() throws {
        let quiet = try ConformProgram.run(arguments("--quiet"))
        #expect(quiet.status == 0)
        #expect(!quiet.output.contains("pass  ") && quiet.output.contains("audit: "))
        let verbose = try ConformProgram.run(arguments("-v"))
        #expect(verbose.output.contains("start "))
        #expect(verbose.output.contains("done") && verbose.output.contains("expect: sdl."))
        let both = try ConformProgram.run(arguments("-q", "-v"))
        #expect(both.status == 2 && both.errors.contains("exclude each other"))
    }
}
