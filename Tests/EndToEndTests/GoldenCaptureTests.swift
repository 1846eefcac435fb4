import Foundation
import Testing

/// A row of the tables of `GoldenCaptures/README.md`.
struct GoldenCapture: Sendable, CustomTestStringConvertible {
    let capture: String
    let suite: String
    /// The words of the command, without the program.
    let command: [String]
    let verdict: String

    var testDescription: String { command.joined(separator: " ") }

    /// The exit code for the verdict.
    var status: Int32? { ["pass": 0, "fail": 1, "inconclusive": 3][verdict] }

    static let folder = ConformProgram.root + "/GoldenCaptures"

    /// Every row, in order.
    static let all: [GoldenCapture] = {
        let text = (try? String(contentsOfFile: folder + "/README.md", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
            }
            guard cells.count == 4, cells[2].hasPrefix("conform ") else { return nil }
            return GoldenCapture(
                capture: cells[0], suite: cells[1],
                command: cells[2].split(separator: " ").dropFirst().map(String.init),
                verdict: cells[3])
        }
    }()
}

@Suite("Golden captures")
struct GoldenCaptureTests {
    @Test("Each golden capture has the verdict in the table", arguments: GoldenCapture.all)
    func verdict(row: GoldenCapture) throws {
        let outcome = try ConformProgram.run(row.command + ["--quiet"])
        #expect(outcome.status == row.status, "\(outcome.output)\(outcome.errors)")
        #expect(row.command.prefix(3) == ["check", row.suite, "GoldenCaptures/\(row.capture)"])
    }

    @Test("Every file has a row, and every suite has one that passes and one that fails")
    func everyFile() throws {
        let files = try #require(FileManager.default.enumerator(atPath: GoldenCapture.folder))
            .compactMap { $0 as? String }
            .filter { $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }
        #expect(Set(files) == Set(GoldenCapture.all.map(\.capture)))
        let suites = try FileManager.default.contentsOfDirectory(
            atPath: ConformProgram.root + "/Suites"
        ).filter { $0.hasSuffix(".yaml") }
        #expect(suites.count > 5)
        for suite in suites {
            let rows = GoldenCapture.all.filter { $0.suite == "Suites/\(suite)" }
            #expect(Set(rows.map(\.verdict)).isSuperset(of: ["pass", "fail"]), "\(suite)")
        }
        #expect(GoldenCapture.all.contains { $0.verdict == "inconclusive" })
    }

    @Test("The folder of golden captures stays small")
    func size() throws {
        let bytes = try GoldenCapture.all.map(\.capture).reduce(into: Set()) { $0.insert($1) }
            .map { path in
                let file = "\(GoldenCapture.folder)/\(path)"
                return try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
            }
        #expect(bytes.reduce(0, +) < 1_500_000)
    }
}
