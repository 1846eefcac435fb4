import Foundation
import TestSupport
import Testing

/// What a reader sees of many captures by many cases: a table, and not an explanation of each.
@Suite("Many captures")
struct ManyCapturesTests {
    /// Copies of the captures of SDL programs in a folder, which is removed after `body`.
    private func withCopies<Answer>(
        _ count: Int, _ body: ([String]) throws -> Answer
    ) throws -> Answer {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let source = ConformProgram.root + "/Captures/sdl"
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        let copies = (0..<count).map { number in
            (source + "/" + names[number % names.count], "\(folder.path)/\(number).pcap")
        }
        for (original, copy) in copies {
            try FileManager.default.copyItem(atPath: original, toPath: copy)
        }
        return try body(copies.map(\.1))
    }

    @Test("Forty captures by sixteen cases fit two screens")
    func fits() throws {
        let outcome = try withCopies(40) { captures in
            try ConformProgram.run(
                ["check", "Benchmarks/never.yaml"] + captures + ["--case", "sixteen*", "-q"])
        }
        #expect(outcome.output.contains("16 cases by 40 captures"), "\(outcome.output)")
        #expect(outcome.output.contains("totals: 640 verdicts"))
        let lines = (outcome.output + outcome.errors).split(separator: "\n")
        #expect(lines.count < 50, "\(lines.count) lines")
    }

    @Test("Captures without a judged case are named once, the first ones by name")
    func unjudged() throws {
        let outcome = try withCopies(8) { captures in
            try ConformProgram.run(
                ["check", "Suites/registration-language.yaml"] + captures + ["-q"])
        }
        #expect(outcome.status == 4, "\(outcome.output)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("no case was judged on 8 of 8 captures: "))
        #expect(outcome.errors.contains("/4.pcap and 3 more; --allow-empty lets it pass"))
    }
}
