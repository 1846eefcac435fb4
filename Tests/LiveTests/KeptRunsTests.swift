import Foundation
import TestSupport
import Testing

@testable import Live

@Suite("Runs that are kept")
struct KeptRunsTests {
    private let folder = TemporaryFolder()

    private func make(_ name: String, _ files: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(name)/captures", withIntermediateDirectories: true)
        for file in files {
            try "x".write(
                toFile: "\(folder.path)/\(name)/\(file)", atomically: false, encoding: .utf8)
        }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test("The oldest runs are removed, and nothing else")
    func prune() throws {
        defer { folder.remove() }
        let runs = [
            "2026-03-01T120000Z", "2026-03-01T120000Z-2", "2026-03-02T080000Z",
            "2026-03-03T080000Z",
        ]
        for name in runs { try make(name, ["results.json", "captures/a.pcapng"]) }
        let others = ["2026-02-01T120000Z-old", "2026-02-01", "ci", "nightly"]
        for name in others { try make(name, ["results.json"]) }
        try make("2026-01-01T120000Z", ["notes.txt"])
        try make("elsewhere", ["results.json"])
        symlink("elsewhere", folder.path + "/2026-01-02T120000Z")
        let removed = KeptRuns.prune(folder.path, to: 2)
        #expect(removed == runs.prefix(2).map { "\(folder.path)/\($0)" })
        #expect(
            try names
                == (runs.dropFirst(2) + others + [
                    "2026-01-01T120000Z", "2026-01-02T120000Z", "elsewhere",
                ]).sorted())
        #expect(KeptRuns.prune(folder.path, to: 2).isEmpty)
    }

    @Test("A run that is being written is not removed")
    func claimed() throws {
        defer { folder.remove() }
        let runs = ["2026-03-01T120000Z", "2026-03-02T080000Z"]
        for name in runs { try make(name, ["journal.jsonl"]) }
        let claim = try FolderClaim("\(folder.path)/\(runs[0])")
        #expect(withExtendedLifetime(claim) { KeptRuns.prune(folder.path, to: 1) }.isEmpty)
        #expect(try names == runs)
    }
}
