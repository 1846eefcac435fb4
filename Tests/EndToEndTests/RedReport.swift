import Foundation
import FoundationXML
import Testing
import Wire

/// The expected result of a case in `results.json` and `junit.xml`, with parts of its reason.
struct Expected {
    let id: String
    let verdict: String
    let code: String?
    /// Parts of the sentence with the reason, in any order.
    let words: [String]

    static func pass(_ id: String) -> Expected {
        Expected(id: id, verdict: "pass", code: nil, words: [])
    }

    static func fail(_ id: String, _ code: String, _ words: String...) -> Expected {
        Expected(id: id, verdict: "fail", code: code, words: words)
    }

    static func inconclusive(_ id: String, _ code: String, _ words: String...) -> Expected {
        Expected(id: id, verdict: "inconclusive", code: code, words: words)
    }

    static func error(_ id: String, _ code: String, _ words: String...) -> Expected {
        Expected(id: id, verdict: "error", code: code, words: words)
    }

    static func skipped(_ id: String, _ code: String, _ words: String...) -> Expected {
        Expected(id: id, verdict: "skipped", code: code, words: words)
    }

    /// The child of JUnit's `testcase`, with its type if it has one; `nil` if there is no child.
    var element: String? {
        switch verdict {
        case "fail": "failure conform.\(code ?? "")"
        case "error": "error conform.\(code ?? "")"
        case "inconclusive": "error conform.inconclusive"
        case "skipped": "skipped"
        default: nil
        }
    }
}

/// The parts of the report folder of a failing run that the tests use.
struct RedReport {
    /// One case of `results.json`.
    struct Case: Equatable {
        let verdict: String
        let code: String?
        let summary: String
    }

    let folder: String
    let cases: [String: Case]
    /// The verdict on each requirement, by case.
    let checks: [String: [String: String]]
    /// The saved captures.
    let captures: [String]
    let planned: Int
    let exitCode: Int64?
    private let elements: [String: [String]]

    init(_ folder: String) throws {
        self.folder = folder
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder + "/results.json")))
        let results = try Value(json: bytes.span.bytes)
        planned = results["run"]?["planned"]?.arrayValue?.count ?? 0
        exitCode = results["exitCode"]?.integerValue
        let entries = results["cases"]?.arrayValue ?? []
        captures = entries.compactMap { $0["capture"]?.stringValue }
        func byID<Content>(_ content: (Value) -> Content) -> [String: Content] {
            Dictionary(
                entries.map { ($0["id"]?.stringValue ?? "", content($0)) },
                uniquingKeysWith: { first, _ in first })
        }
        cases = byID {
            Case(
                verdict: $0["verdict"]?.stringValue ?? "",
                code: $0["reason"]?["code"]?.stringValue,
                summary: $0["reason"]?["summary"]?.stringValue ?? "")
        }
        checks = byID {
            Dictionary(
                ($0["checks"]?.arrayValue ?? []).map {
                    ($0["requirement"]?.stringValue ?? "", $0["verdict"]?.stringValue ?? "")
                }, uniquingKeysWith: { first, _ in first })
        }
        elements = try Self.elements(of: folder + "/junit.xml")
    }

    /// Returns the children of each `testcase` that describe its outcome.
    private static func elements(of path: String) throws -> [String: [String]] {
        let junit = try XMLDocument(contentsOf: URL(filePath: path))
        var elements: [String: [String]] = [:]
        for case let testCase as XMLElement in try junit.nodes(forXPath: "//testcase") {
            let name = testCase.attribute(forName: "name")?.stringValue ?? ""
            let stated = (testCase.children ?? []).compactMap { $0 as? XMLElement }
                .filter { !["properties", "system-out"].contains($0.name) }
            elements[name] = stated.map { element in
                [element.name, element.attribute(forName: "type")?.stringValue]
                    .compactMap { $0 }.joined(separator: " ")
            }
        }
        return elements
    }

    /// Returns the children of a `testcase` that describe its outcome; `nil` without such a case.
    func junit(_ id: String) -> [String]? { elements[id] }

    /// Returns the number of cases with a verdict and a code.
    func count(_ verdict: String, _ code: String) -> Int {
        cases.values.count { $0.verdict == verdict && $0.code == code }
    }

    /// Compares the report with the expected results, case by case; there must be no other case.
    func expect(_ expected: [Expected], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            Set(cases.keys) == Set(expected.map(\.id)), "other cases",
            sourceLocation: sourceLocation)
        for wanted in expected {
            guard let actual = cases[wanted.id] else { continue }
            #expect(
                actual.verdict == wanted.verdict && actual.code == wanted.code,
                "\(wanted.id): \(actual)", sourceLocation: sourceLocation)
            for word in wanted.words {
                #expect(
                    actual.summary.contains(word),
                    "\(wanted.id) does not say \"\(word)\": \(actual.summary)",
                    sourceLocation: sourceLocation)
            }
            #expect(
                junit(wanted.id) == wanted.element.map { [$0] } ?? [],
                "\(wanted.id) in junit.xml", sourceLocation: sourceLocation)
        }
    }

    /// Judges the saved captures again without a device.
    ///
    /// Compares the verdicts and reasons with those of the run.
    func expectTheSameOffline(
        _ suite: String, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let check = try ConformProgram.run(
            ["check", suite, "--reports", folder + "/checked"]
                + captures.map { "\(folder)/\($0)" })
        #expect(check.status == status, "\(check.errors)", sourceLocation: sourceLocation)
        let offline = try RedReport(folder + "/checked")
        let judged = cases.filter { $0.value.verdict != "skipped" }
        #expect(captures.count == judged.count, sourceLocation: sourceLocation)
        #expect(offline.cases.count == judged.count, sourceLocation: sourceLocation)
        for (id, live) in judged {
            #expect(offline.cases[id] == live, "\(id)", sourceLocation: sourceLocation)
            #expect(offline.checks[id] == checks[id], "\(id)", sourceLocation: sourceLocation)
            #expect(offline.junit(id) == junit(id), "\(id)", sourceLocation: sourceLocation)
        }
    }
}
