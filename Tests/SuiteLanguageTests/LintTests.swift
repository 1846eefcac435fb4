import Testing
import Wire

@testable import SuiteLanguage

/// Faults of suites that are correct in form.
struct LintTests {
    private func expectFindings(_ text: String) {
        let marked = MarkedText(text)
        let found = SuiteFixture.findings(marked.text)
        #expect(
            SuiteFixture.places(found) == marked.expected,
            "\(found.map(\.description).joined(separator: "\n"))")
    }

    @Test("Conditions that contradict one another are reported", arguments: impossibleConditions)
    func conditions(_ condition: String) {
        expectFindings(
            SuiteFixture.suite(
                steps: "- expect: sdl.RegisterAppInterface.request\n  where: \(condition)"))
    }

    static let impossibleConditions = [
        "{⟦impossible-condition⟧params.syncMsgVersion.majorVersion: {min: 5, max: 3}}",
        "{⟦impossible-condition⟧params.syncMsgVersion.majorVersion: {min: 11}}",
        "{⟦impossible-condition⟧params.syncMsgVersion.majorVersion: {max: 0}}",
        "{⟦impossible-condition⟧params.syncMsgVersion.majorVersion: {min: 5.2, max: 5.8}}",
        "{⟦impossible-condition⟧params.syncMsgVersion.majorVersion: {min: 5, max: 6, not: {in: [5, 6]}}}",
        "{⟦impossible-condition⟧rpc.correlation_id: {min: 2147483648}}",
        "{⟦impossible-condition⟧params.appName: {all: [a, b]}}",
        "{⟦impossible-condition⟧params.appName: {in: [a, b], matches: ^c}}",
        "{⟦impossible-condition⟧params.appName: {length: {min: 9, max: 8}}}",
        "{⟦impossible-condition⟧params.appName: {length: {min: 101}}}",
        "{⟦impossible-condition⟧params.appName: {present: false, matches: a}}",
        "{⟦impossible-condition⟧params.appName: {all: [{present: false}, {present: true}]}}",
        "{⟦impossible-condition⟧params.languageDesired: {matches: \"^XX\"}}",
        "{⟦impossible-condition⟧params.languageDesired: {in: [DE-DE], not: DE-DE}}",
        "{⟦impossible-condition⟧params.languageDesired: {any: [{matches: ^XX}, {length: 1}]}}",
        "{⟦impossible-condition⟧params.isMediaApplication: {not: {in: [true, false]}}}",
        "{⟦impossible-condition⟧params.vrSynonyms: {length: {max: 2, min: 3}}}",
        "{⟦impossible-condition⟧params.vrSynonyms: {contains: {all: [a, b]}}}",
        "{⟦impossible-condition⟧bulk.data: {all: [{hex: \"00\"}, {hex: \"01\"}]}}",
    ]

    @Test("A field without limits may be any integer", arguments: ["{not: 0}", "{max: 0, not: 0}"])
    func unlimited(_ condition: String) {
        expectFindings(
            SuiteFixture.suite(steps: "- expect: device.exited\n  where: {code: \(condition)}"))
    }

    @Test(
        "Conditions that something satisfies are not reported",
        arguments: [
            "{params.syncMsgVersion.majorVersion: {min: 5, max: 5}}",
            "{params.syncMsgVersion.majorVersion: {min: 5, max: 7, not: {in: [5, 6]}}}",
            "{params.appName: {all: [{matches: a}, {matches: b}], length: {min: 2, max: 100}}}",
            "{params.appName: {any: [{present: false}, {matches: a}]}}",
            "{params.appName: {not: {present: true}}}",
            "{params.languageDesired: {any: [{matches: ^XX}, {matches: ^DE}], not: EN-US}}",
            "{params.isMediaApplication: {not: true}}",
            "{params.vrSynonyms: {all: [{contains: a}, {contains: b}, {type: array}]}}",
            "{params.ttsName: {any: [{present: false}, {length: 0}]}}",
            "{rpc.correlation_id: {min: 1, max: 4, not: 2}}",
        ])
    func possible(_ condition: String) {
        expectFindings(
            SuiteFixture.suite(
                steps: "- expect: sdl.RegisterAppInterface.request\n  where: \(condition)"))
    }

    @Test("Conditions on what steps save are checked only in the run")
    func late() {
        expectFindings(
            SuiteFixture.suite(
                steps: """
                    - expect: sdl.Show.request
                      save: {x: params.mainField1}
                    - expect: sdl.Show.request
                      where: {params.mainField1: {all: ["${x}", a, {not: "${x}"}]}}
                    """))
    }

    @Test("Steps that can never be in time are reported", arguments: lateSteps)
    func times(_ lines: String) { expectFindings(SuiteFixture.suite(steps: lines)) }

    static let lateSteps = [
        "- expect: sdl.Show.request\n  id: a\n- wait: 3s\n- ⟦impossible-time⟧expect: sdl.Alert.request\n  since: a\n  within: 1s",
        "- expect: sdl.Show.request\n  id: a\n- expect: sdl.Heartbeat\n  after: 3s\n- ⟦impossible-time⟧expect: sdl.Alert.request\n  since: a\n  within: 2.8s",
        "- expect: sdl.Show.request\n  id: a\n- expect: sdl.Heartbeat\n  since: a\n  after: 3s\n- ⟦impossible-time⟧expect: sdl.Alert.request\n  since: a\n  at: 1s",
        "- expect: sdl.Show.request\n  id: a\n- wait: 6s\n- ⟦impossible-time⟧send: sdl.Show.response\n  since: a\n  after: 1s",
        // The limit of one step bounds another: b comes within 1s of a, c not before 5s after a.
        "- expect: sdl.Show.request\n  id: a\n- expect: sdl.Heartbeat\n  id: b\n  within: 1s\n- expect: sdl.Alert.request\n  since: a\n  after: 5s\n  within: 6s\n- ⟦impossible-time⟧expect: sdl.Speak.request\n  since: b\n  within: 2s",
        "- optional: [{expect: sdl.Show.request, id: a}, {wait: 3s}, ⟦impossible-time⟧{expect: sdl.Alert.request, since: a, within: 1s}]\n- expect: sdl.Heartbeat",
    ]

    @Test(
        "Steps that can be in time are not reported",
        arguments: [
            "- expect: sdl.Show.request\n  id: a\n- wait: 3s\n- expect: sdl.Alert.request\n  since: a\n  within: 3s",
            "- expect: sdl.Show.request\n  id: a\n- wait: 3.05s\n- expect: sdl.Alert.request\n  since: a\n  within: 3s",
            "- expect: sdl.Show.request\n  id: a\n- optional: [{wait: 9s}]\n- expect: sdl.Alert.request\n  since: a\n  within: 3s",
            "- wait: 10s\n- expect: sdl.Alert.request",
            "- expect: sdl.Show.request\n  at: 1s\n  id: a\n- expect: sdl.Alert.request\n  at: 1s\n- expect: sdl.Speak.request\n  since: a\n  at: 1s",
        ])
    func possibleTimes(_ lines: String) { expectFindings(SuiteFixture.suite(steps: lines)) }

    @Test("A case whose waits take longer than its timeout is reported", arguments: ["1m", "20s"])
    func timeouts(_ limit: String) {
        let waits =
            "steps:\n  - wait: 15s\n  - expect: sdl.Show.request\n    after: 10s\n    within: 11s"
        let text = SuiteFixture.suite(case: "timeout: \(limit)\n" + waits)
        #expect(
            SuiteFixture.findings(text).map(\.description)
                == (limit == "1m"
                    ? []
                    : [
                        "suite.yaml:8:5: warning: this case takes at least 25.15s, its timeout is "
                            + "20s; say a longer \"timeout\" [short-timeout]"
                    ]))
    }

    @Test(
        "Rules and expectations that have no effect in the case are reported", arguments: pointless)
    func rules(_ lines: String) { expectFindings(SuiteFixture.suite(case: lines)) }

    static let pointless = [
        "steps: [⟦never-sent⟧{expect: sdl.RegisterAppInterface.response}]",
        "steps: [⟦never-sent⟧{expect: sdl.StartService, from: hu}, {expect: sdl.Show.request}]",
        "steps: [⟦never-sent⟧{expect: device.exited, from: hu}, {expect: sdl.Show.request}]",
        "steps: [{expect: sdl.Heartbeat, from: hu}, {expect: sdl.Heartbeat}, {expect: tcp.FIN, from: hu}]",
        "quiet: 0s\nsteps: [{expect: sdl.Show.request}]\nnever: [⟦idle-never⟧sdl.Show.request]",
        "steps: [{expect: sdl.Show.request}]\nnever: [sdl.Show.request]",
        "steps: [{expect: sdl.Show.request, where: {params.mainField1: ab}}]\nnever: [{message: sdl.Show.request, where: {params.mainField1: ab}}]",
        "steps: [{expect: sdl.Show.request}]\nnever: [{message: sdl.Show.request, where: {params.mainField1: {starts: a}}}]",
        "quiet: 0s\nsteps: [{expect: sdl.Show.request}, {wait: 1s}]\nnever: [sdl.Show.request]",
        "steps: [{expect: sdl.Show.request}]\nnever: [sdl.Alert.*, ⟦idle-never⟧sdl.Alert.request]",
        "steps: [{expect: sdl.Show.request, id: a}]\nnever: [sdl.Alert.*, ⟦idle-never⟧{message: sdl.Alert.request, on: a}]",
        "steps: [{expect: sdl.Show.request, id: a}]\nnever: [{message: sdl.Alert.request, on: a}, sdl.Alert.request]",
        "steps: [{expect: sdl.Show.request, id: a}]\nnever: [{message: sdl.Alert.request, on: ⟦unknown-step⟧b}]",
        "steps: [{expect: sdl.Show.request}]\nnever: [sdl.Alert.request, ⟦idle-never⟧{message: sdl.Alert.request, from: device}]",
        "steps: [{expect: sdl.Show.request}]\nnever: [{message: sdl.Alert.request, from: hu}, sdl.Alert.*]",
        "steps: [{expect: sdl.Show.request}]\nignore: [⟦ignored-expectation⟧sdl.Show.*]",
        "steps: [{expect: sdl.Show.request}]\nignore: [{message: sdl.Show.request, where: {params.mainField1: a}}, {message: sdl.Show.request, from: hu}]",
    ]

    @Test(
        "A peer that connects before the device can have started again is reported",
        arguments: [
            "⟦early-connect⟧{do: c.connect}", "{expect: device.started}, {do: c.connect}",
            "{wait: 1s}, {do: c.connect}",
        ])
    func earlyConnect(next: String) {
        expectFindings(
            """
            conform: 1
            suite: made-up
            requirements: [catalogue.yaml]
            device: {role: tcp.server}
            peers: {c: {is: tcp.client, port: 7}}
            cases:
              - id: one
                checks: [A-1]
                steps: [{do: device.restart}, \(next), {expect: tcp.FIN}]
            """)
    }

    @Test("A case that nothing can fail is reported")
    func harmless() {
        let text = SuiteFixture.suite(case: "steps: [{wait: 1s}]\nunexpected: allow")
        #expect(SuiteFixture.places(SuiteFixture.findings(text)) == ["8:5:cannot-fail"])
    }

    @Test("A message that the suite ignores for all of its cases may be expected in one")
    func sharedIgnore() {
        expectFindings(
            SuiteFixture.suite(steps: "- expect: sdl.Heartbeat")
                .replacing("cases:", with: "ignore: [sdl.Heartbeat]\ncases:"))
    }

    @Test("A misspelt kind of device is an error, an unknown one a warning")
    func roles() {
        let text = SuiteFixture.suite(steps: "- expect: sdl.Show.request")
        let slip = SuiteFixture.findings(text.replacing("sdl.app", with: "sdl.ap"))
        #expect(
            slip.map(\.description) == [
                "suite.yaml:4:16: error: conform knows no device role \"sdl.ap\"; "
                    + "did you mean \"sdl.app\"? [unknown-role]"
            ])
        let other = SuiteFixture.findings(text.replacing("sdl.app", with: "coffee.machine"))
        #expect(other.map(\.code) == ["unknown-role"] && other[0].severity == .warning)
    }

    @Test("A finding in a step of a fragment has the line where it is used")
    func fragments() {
        let text = FragmentTests.suite(
            "f: [{expect: sdl.Show.response}, {expect: sdl.Alert.request, id: a}, {wait: 3s}, "
                + "{expect: sdl.Speak.request, since: a, within: 1s}]", steps: "- use: f")
        #expect(
            SuiteFixture.findings(text).map { "\($0.code) \($0.uses.map(\.line))" }
                == ["never-sent [13]", "impossible-time [13]"])
    }
}

/// Compares the table of findings with the sources.
struct FindingCodeTests {
    /// Returns the codes in the first column of the table.
    private static func documented() throws -> Set<String> {
        let rows = try DocumentationTests.text(of: "findings").split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        let codes = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").split(separator: "`").filter {
                $0.contains { $0.isLetter }
            }
        }
        return Set(codes.map(String.init))
    }

    /// Returns every text in the sources that looks like a code where a finding is created.
    private static func written() throws -> Set<String> {
        let root = try #require(Repository.root)
        var codes: Set<String> = []
        let files = ["SuiteLanguage", "YAML"].flatMap {
            SourceTree.files(below: "\(root)/Sources/Core/\($0)", suffix: ".swift")
        }
        for file in files {
            let text = try SourceFile.text(path: file)
            for match in text.matches(
                of: /(?:report|warn|refuse|Diagnostic)\(\s*"([a-z]+(?:-[a-z]+)+|unsupported)"/)
            {
                codes.insert(String(match.1))
            }
            for match in text.matches(
                of:
                    /(?:code:|case \.\w+:|code \?\?|warnOfUnused\([\w.]+,) "([a-z]+(?:-[a-z]+)+|unsupported)"/
            ) {
                codes.insert(String(match.1))
            }
        }
        return codes
    }

    @Test(
        "The documented codes are those of the sources",
        .enabled(if: Repository.has(DocumentationTests.page), "no Documentation folder"))
    func complete() throws {
        let written = try Self.written()
        let documented = try Self.documented()
        #expect(written.count > 60)
        #expect(written.subtracting(documented).sorted() == [], "not documented")
        #expect(documented.subtracting(written).sorted() == [], "not in the sources")
    }
}
