import Foundation
import TestSupport
import Testing

/// `Documentation/architecture.md` in comparison with the package.
@Suite("The page on the architecture")
struct ArchitectureTests {
    /// The part of the output of `swift package dump-package` that is needed here.
    private struct Package: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
            let path: String?
        }
        let targets: [Target]
    }

    private static let page = ConformProgram.root + "/Documentation/architecture.md"

    /// The rows of the table below a heading, as cells.
    private static func rows(below heading: String) throws -> [[String]] {
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
            .filter { $0.hasPrefix("| ") }.dropFirst(2)
            .map { line in
                line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
    }

    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`").enumerated()
            .filter { $0.offset % 2 == (cell.hasPrefix("`") ? 0 : 1) }
            .map { String($0.element) }
    }

    @Test("The page names every module, in the folder where it is")
    func modules() throws {
        // In a separate scratch folder, because the test run holds the lock of the usual one.
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let outcome = try ConformProgram.Started(
            ["swift", "package", "--scratch-path", scratch.path, "dump-package"],
            in: ConformProgram.root
        ).wait()
        try #require(outcome.status == 0, "\(outcome.errors)")
        let package = try JSONDecoder().decode(Package.self, from: Data(outcome.output.utf8))
        let actual = package.targets.filter {
            $0.path?.hasPrefix("Tests/") != true && $0.type != "test"
        }
        var folder = ""
        var named: [String: String] = [:]
        for row in try Self.rows(below: "Modules") {
            folder = Self.names(in: row[0]).first ?? folder
            for name in Self.names(in: row[1]) { named[name] = folder }
        }
        #expect(actual.allSatisfy { named[$0.name] != nil })
        for target in actual {
            let path = try #require(target.path)
            let folder = try #require(named[target.name], "\(target.name)")
            #expect(path.hasPrefix("Sources/\(folder)") || path.hasPrefix(folder), "\(path)")
        }
    }

    @Test("Every place that the page names exists")
    func places() throws {
        let rows = try Self.rows(below: "Where things are")
        for place in rows.flatMap({ Self.names(in: $0[1]) }) where place.contains("/") {
            let path = place.replacing("PROTOCOL/", with: "")
            let isThere = FileManager.default.fileExists(
                atPath: "\(ConformProgram.root)/\(path)")
            #expect(isThere, "\(place)")
        }
    }
}
