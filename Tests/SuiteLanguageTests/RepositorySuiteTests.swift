import BuiltInProtocols
import Glibc
import Testing

@testable import SuiteLanguage

/// Finds files of the repository relative to this file, also through a symbolic link.
enum Repository {
    static let root: String? = {
        guard let file = realpath(#filePath, nil) else { return nil }
        defer { free(file) }
        return String(cString: file).split(separator: "/").dropLast(3)
            .map { "/" + $0 }.joined()
    }()

    static func has(_ path: String) -> Bool {
        root.map { access("\($0)/\(path)", R_OK) == 0 } ?? false
    }
}

struct RepositorySuiteTests {
    @Test(
        "The suite of the repository loads without a finding",
        .enabled(if: Repository.has("Suites/registration-language.yaml"), "no Suites folder"))
    func registrationLanguage() throws {
        let root = try #require(Repository.root)
        let suite = try SuiteLoader(.builtIn).load(
            path: "\(root)/Suites/registration-language.yaml")
        #expect(suite.warnings.map(\.description) == [])
        #expect(suite.requirements.count == 11)
        #expect(
            suite.cases.contains {
                $0.id == "supported-language-changes-registration[language=FR-CA]"
            })
    }

    @Test(
        "The suite of hash resume loads without a finding, and judges every requirement",
        .enabled(if: Repository.has("Suites/hash-resume.yaml"), "no Suites folder"))
    func hashResume() throws {
        let root = try #require(Repository.root)
        let suite = try SuiteLoader(.builtIn).load(path: "\(root)/Suites/hash-resume.yaml")
        #expect(suite.warnings.map(\.description) == [])
        #expect(suite.requirements.count == 12)
        #expect(Set(suite.cases.flatMap(\.allChecks)).count == 12)
    }

    @Test(
        "Requirements of back-off, accessory sessions and SDL have a basis and ways to break them",
        .enabled(if: Repository.has("Suites/backoff-timing.yaml"), "no Suites folder"))
    func honestCatalogues() throws {
        let root = try #require(Repository.root)
        for name in [
            "backoff-timing", "protocol-string-fallback", "retry-exhaustion", "sdl-app-protocol",
            "sdl-head-unit-protocol",
        ] {
            let suite = try SuiteLoader(.builtIn).load(path: "\(root)/Suites/\(name).yaml")
            #expect(suite.warnings.map(\.description) == [])
            for requirement in suite.requirements {
                #expect(requirement.basis != nil, "\(requirement.id)")
                #expect(suite.ways[requirement.id]?.isEmpty == false, "\(requirement.id)")
            }
        }
    }

    @Test(
        "The suites of protocol strings load without a finding, and judge what they list",
        .enabled(if: Repository.has("Suites/retry-exhaustion.yaml"), "no Suites folder"))
    func protocolStrings() throws {
        let root = try #require(Repository.root)
        for (name, requirements) in [("protocol-string-fallback", 10), ("retry-exhaustion", 6)] {
            let suite = try SuiteLoader(.builtIn).load(path: "\(root)/Suites/\(name).yaml")
            #expect(suite.warnings.map(\.description) == [])
            #expect(suite.requirements.count == requirements)
            #expect(Set(suite.cases.flatMap(\.allChecks)).count == requirements)
        }
    }
}
