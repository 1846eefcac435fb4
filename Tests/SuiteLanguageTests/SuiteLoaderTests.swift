import Testing
import Wire

@testable import SuiteLanguage

struct SuiteLoaderTests {
    @Test("Everything in a suite is in the model")
    func wholeSuite() throws {
        let suite = try SuiteFixture.load(
            """
            conform: 1
            suite: whole
            title: The ${word} suite
            requirements: [catalogue.yaml]
            device: {role: sdl.app}
            variables: {word: whole}
            peers:
              hu: {is: sdl.head-unit, port: 4711, language: EN-US}
            defaults: {within: 3s, tolerance: 20ms 10%, unexpected: allow, quiet: 1s, timeout: 9s}
            ignore: [sdl.Heartbeat]
            cases:
              - id: one
                title: The first
                checks: A-1
                tags: [fast, wire]
                needs: f.one and not f.two
                given:
                  hu: {language: DE-DE}
                  device: {languages: [DE-DE], deep: {word: "${word}"}}
                preamble:
                  - expect: sdl.StartService
                steps:
                  - expect: sdl.Show.request
                    id: shown
                    to: hu
                    where: {params.mainField1: Sunny}
                    save: {text: params.mainField2}
                    after: 100ms
                    within: 2s
                    note: A remark.
                    checks: [A-1]
                  - expect: sdl.Show.response
                    from: hu
                    at: 1s
                    since: shown
                    tolerance: 5ms
                  - do: device.background
                  - wait: 250ms
                never:
                  - sdl.Alert.*
                  - {message: sdl.Show.request, where: {params.mainField1: "${text}"}, checks: A-1}
                quiet: 4s
                ignore: [{message: tcp.FIN, from: hu}]
                unexpected: fail
                timeout: 1m
            """)
        #expect(suite.warnings == [])
        #expect(suite.title == "The whole suite")
        #expect(suite.deviceRole == "sdl.app")
        #expect(suite.requirement("A-1")?.source == "Made up, 1")
        #expect(suite.features["f.one"] == "The first.")
        let one = try #require(suite.cases.first)
        #expect(one.position == SourcePosition(file: "suite.yaml", line: 12, column: 5))
        #expect(one.checks == ["A-1"] && one.tags == ["fast", "wire"])
        #expect(one.needs == .and(.feature("f.one"), .not(.feature("f.two"))))
        #expect(
            one.peers.map(\.settings)
                == [["port": 4711, "language": "DE-DE"]] && one.peers[0].name == "hu")
        #expect(one.deviceConfiguration == ["languages": ["DE-DE"], "deep": ["word": "whole"]])
        #expect(one.unexpected == .fail && one.quiet == .seconds(4) && one.timeout == .seconds(60))
        #expect(one.preamble[0].within == .seconds(3))
        #expect(
            one.preamble[0].tolerance == Tolerance(absolute: .milliseconds(20), percent: 10))
        let shown = one.steps[0]
        #expect(shown.id == "shown" && shown.from == "device" && shown.to == "hu")
        #expect(shown.after == .milliseconds(100) && shown.within == .seconds(2))
        #expect(shown.saves.map(\.variable) == ["text"] && shown.note == "A remark.")
        #expect(shown.position.line == 23 && shown.position.column == 9)
        #expect(one.steps[1].at == .seconds(1) && one.steps[1].since == "shown")
        #expect(one.steps.map(\.suiteText)[2...] == ["do: device.background", "wait: 250ms"])
        #expect(one.never.map(\.pattern.message) == ["sdl.Alert.*", "sdl.Show.request"])
        #expect(one.never[1].checks == ["A-1"] && one.never[0].checks == [])
        #expect(one.ignore.map(\.from) == [nil, "hu"])
    }

    @Test("`each` makes one case of every combination, and the last variable changes fastest")
    func matrix() throws {
        let suite = try SuiteFixture.load(
            SuiteFixture.suite(
                case: """
                    title: ${language} and ${x}
                    each: {language: [DE-DE, FR-CA], x: [1, "1"]}
                    given: {hu: {language: "${language}", mtu: 100}}
                    steps:
                      - expect: sdl.Show.request
                        where: {params.mainField1: "${x}${x}"}
                      - send: sdl.Show.response
                        with: {params.info: "${language}"}
                    """))
        #expect(
            suite.cases.map(\.id) == [
                "one[language=DE-DE,x=1]", "one[language=DE-DE,x=\"1\"]",
                "one[language=FR-CA,x=1]", "one[language=FR-CA,x=\"1\"]",
            ])
        let last = try #require(suite.cases.last)
        #expect(last.title == "FR-CA and 1")
        #expect(last.values == [.init("language", "FR-CA"), .init("x", "1")])
        #expect(last.peers[0].settings["language"] == "FR-CA")
        #expect(last.steps[0].conditions[0].matcher == .equals(.literal("11")))
        guard case .send(_, let overrides, _) = last.steps[1].verb else {
            Issue.record("not a send")
            return
        }
        #expect(overrides.map(\.value) == [.literal("FR-CA")])
    }

    @Test("A matrix of more combinations than the limit is refused")
    func matrixLimit() {
        let values = (1...101).map(String.init).joined(separator: ",")
        let text = SuiteFixture.suite(
            case: "title: ${a} ${b}\neach: {a: [\(values)], b: [\(values)]}\n"
                + "steps: [{expect: sdl.Show.request}]")
        #expect(SuiteFixture.findings(text).map(\.code).contains("matrix-limit"))
    }

    @Test("A variable that is the whole value keeps its type and its parts")
    func wholeVariables() throws {
        let suite = try SuiteFixture.load(
            SuiteFixture.head.replacing(
                "cases:",
                with: """
                    variables:
                      flag: true
                      names: [{text: "cost $${5}", type: TEXT}]
                      list: ["${flag}", 1]
                    cases:
                    """) + """
                      - id: one
                        checks: [A-1]
                        given: {device: {flag: "${flag}", list: "${list}", "k-${flag}": "$5 $${x}"}}
                        steps:
                          - expect: sdl.RegisterAppInterface.request
                            where: {params.isMediaApplication: "${flag}", params.ttsName: "${names}"}
                    """)
        let one = try #require(suite.cases.first)
        #expect(
            one.deviceConfiguration == ["flag": true, "list": [true, 1], "k-true": "$5 ${x}"])
        #expect(
            one.steps[0].conditions.map(\.matcher) == [
                .equals(.literal(true)),
                .equals(.literal([["text": "cost ${5}", "type": "TEXT"]])),
            ])
    }

    @Test("Variables that steps save stay in the expressions of later steps")
    func savedVariables() throws {
        let one = try SuiteFixture.onlyCase(
            SuiteFixture.suite(
                steps: """
                    - expect: sdl.Show.request
                      save: {text: params.mainField1}
                    - send: sdl.Show.response
                      with: {params.info: "got ${text} $${x}", rpc.correlation_id: "${text}"}
                    """))
        guard case .send(_, let overrides, _) = one.steps[1].verb else {
            Issue.record("not a send")
            return
        }
        let values = overrides.compactMap(\.value)
        #expect(
            values == [
                .template([.text("got "), .variable("text"), .text(" ${x}")]),
                .template([.variable("text")]),
            ])
        #expect(try values.map { try $0.evaluate(["text": 7]) } == ["got 7 ${x}", 7])
        #expect(throws: EvaluationError(unbound: "text")) { try values[0].evaluate([:]) }
    }

    @Test("A saved variable is refused where its value is needed to load the suite")
    func lateVariables() {
        let marked = MarkedText(
            SuiteFixture.suite(
                steps: """
                    - expect: sdl.Show.request
                      save: {text: params.mainField1}
                    - expect: sdl.Show.request
                      within: ⟦late-variable⟧"${text}"
                      where: {params.mainField2: {matches: ⟦late-variable⟧"a${text}"}}
                    """))
        #expect(SuiteFixture.places(SuiteFixture.findings(marked.text)) == marked.expected)
    }

    @Test("A send answers the latest open request of the device, also one of the preamble")
    func answering() throws {
        let one = try SuiteFixture.onlyCase(
            SuiteFixture.suite(
                case: """
                    preamble:
                      - expect: sdl.RegisterAppInterface.request
                      - expect: sdl.Show.request
                      - expect: sdl.Show.response
                        from: hu
                      - expect: sdl.Show.request
                    steps:
                      - wait: 1s
                      - expect: sdl.Show.request
                      - send: sdl.Show.response
                      - send: sdl.Show.response
                      - send: sdl.Show.response
                      - send: sdl.RegisterAppInterface.response
                    """))
        let answered = one.steps.compactMap { step -> Int?? in
            if case .send(_, _, let answering) = step.verb { .some(answering) } else { nil }
        }
        #expect(answered == [5, 3, nil, 0])
    }

    @Test("A send needs no `from` with one peer, and one with two")
    func senders() throws {
        let steps = "- send: sdl.Show.response"
        let one = try SuiteFixture.onlyCase(SuiteFixture.suite(steps: steps))
        #expect(one.steps[0].from == "hu")
        let two = SuiteFixture.suite(steps: steps)
            .replacing("cases:", with: "  hv: {is: sdl.head-unit}\ncases:")
        #expect(SuiteFixture.findings(two).map(\.code) == ["missing-key"])
    }

    @Test("What steps and rules check is among the checks of the case")
    func collectedChecks() throws {
        let text = SuiteFixture.suite(
            case: "steps: [{expect: sdl.Show.request, checks: [A-1]}]"
        ).replacing("    checks: [A-1]\n", with: "")
        #expect(try SuiteFixture.onlyCase(text).allChecks == ["A-1"])
        #expect(try SuiteFixture.onlyCase(text).checks.isEmpty)
        let none = SuiteFixture.suite(case: "steps: [{expect: sdl.Show.request}]")
            .replacing("    checks: [A-1]\n", with: "")
        #expect(SuiteFixture.places(SuiteFixture.findings(none)) == ["8:5:no-checks"])
    }

    @Test("Ids of cases are unique")
    func duplicateCases() {
        let marked = MarkedText(
            SuiteFixture.head + """
                  - {id: a, checks: [A-1], steps: [{expect: sdl.Show.request}]}
                  - {id: ⟦duplicate-id⟧a, checks: [A-1], steps: [{expect: sdl.Show.request}]}
                """)
        #expect(SuiteFixture.places(SuiteFixture.findings(marked.text)) == marked.expected)
    }

    @Test("Two suites of one call have different names")
    func duplicateSuites() throws {
        let text = SuiteFixture.suite(case: "steps: [{expect: sdl.Show.request}]")
        let (one, two) = (try SuiteFixture.load(text), try SuiteFixture.load(text))
        #expect([one].duplicates.isEmpty)
        #expect([one, two].duplicates.map { "⟦\($0.code)⟧" } == ["⟦duplicate-suite⟧"])
    }

    @Test("A requirement without a case, an unused variable and a harmless case are warnings")
    func warnings() throws {
        let suite = try SuiteFixture.load(
            """
            conform: 1
            suite: s
            requirements: [more.yaml, catalogue.yaml]
            device: {role: sdl.app}
            variables: {unused: 1}
            cases:
              - {id: a, checks: [A-1], unexpected: allow, steps: [{wait: 1s}]}
            """,
            files: [
                "more.yaml": """
                conform-requirements: 1
                document: D
                requirements:
                  B-1: {text: t}
                """
            ])
        #expect(
            suite.warnings.map(\.description) == [
                "more.yaml:4:3: warning: no case of this suite checks B-1 [uncovered-requirement]",
                "suite.yaml:5:13: warning: nothing uses \"${unused}\"; take it out "
                    + "[unused-variable]",
                "suite.yaml:7:5: warning: nothing that the device sends can fail this case; "
                    + "expect something of the device, add \"never\", or say "
                    + "\"unexpected: fail\" [cannot-fail]",
            ])
        #expect(suite.requirement("B-1")?.source == "D")
    }

    @Test("Each mistake in a catalogue is reported at its place")
    func catalogues() {
        let marked = MarkedText(
            """
            conform-requirements: 1
            ⟦unknown-key⟧documnt: D
            features: {⟦bad-name⟧and: x, f: ⟦wrong-type⟧1}
            requirements:
              A-1: {text: t, ⟦unknown-key⟧wires: w}
              A-2: ⟦missing-key⟧{section: s}
              A-3: ⟦wrong-type⟧t
            """)
        let suite = SuiteFixture.suite(case: "steps: [{expect: sdl.Show.request}]")
        let findings = SuiteFixture.findings(suite, files: ["catalogue.yaml": marked.text])
        #expect(SuiteFixture.places(findings) == marked.expected)
        #expect(findings.allSatisfy { $0.position?.file == "catalogue.yaml" })
    }
}
