import Testing

@testable import SuiteLanguage

/// Steps that consist of other steps.
struct GroupLoadingTests {
    private func read(_ lines: String) throws -> [Step] {
        try SuiteFixture.onlyCase(SuiteFixture.suite(steps: lines)).steps
    }

    @Test("Each kind of group is read, and written as in a suite")
    func kinds() throws {
        let steps = try self.read(
            """
            - optional: [{expect: sdl.StartService}]
            - either: [{expect: sdl.StartService}, [{expect: sdl.Heartbeat}, {wait: 1s}]]
            - anyOrder: [{expect: sdl.StartService}, [{expect: sdl.Heartbeat}]]
            - repeat: {times: 3, steps: [{expect: sdl.Heartbeat}]}
              note: Three beats.
            - repeat: {min: 1, max: 5, steps: [{expect: sdl.Heartbeat}]}
            - repeat: {max: 2, steps: [{expect: sdl.Heartbeat}]}
            - repeat: {until: sdl.Heartbeat, steps: [{expect: sdl.StartService}]}
            - repeat:
                until: {expect: sdl.Heartbeat, within: 9s, id: beat, save: {v: sdl.version}}
                max: 4
                steps: [{expect: sdl.StartService}]
            - {expect: sdl.EndService, since: beat, where: {sdl.version: "${v}"}}
            """)
        let start = "{expect: sdl.StartService {within: 5s}}"
        let beat = "{expect: sdl.Heartbeat {within: 5s}}"
        #expect(
            steps.map(\.suiteText) == [
                "optional: [\(start)]", "either: [[\(start)], [\(beat), {wait: 1s}]]",
                "anyOrder: [[\(start)], [\(beat)]]", "repeat: {times: 3, steps: [\(beat)]}",
                "repeat: {min: 1, max: 5, steps: [\(beat)]}",
                "repeat: {min: 0, max: 2, steps: [\(beat)]}",
                "repeat: {until: \(beat), steps: [\(start)]}",
                "repeat: {until: {expect: sdl.Heartbeat {id: beat, save: {v: sdl.version}, "
                    + "within: 9s}}, max: 4, steps: [\(start)]}",
                "expect: sdl.EndService {where: {sdl.version: \"${v}\"}, within: 5s, since: beat}",
            ])
        #expect(steps[3].note == "Three beats.")
        #expect(steps.plain.count == 14)
    }

    static let broken = [
        "- ⟦empty-steps⟧optional: []",
        "- either: ⟦bad-value⟧[{expect: sdl.StartService}]",
        "- either: [[{expect: sdl.StartService}], ⟦empty-steps⟧[]]",
        "- optional: ⟦wrong-type⟧{expect: sdl.StartService}",
        "- optional: [{expect: ⟦unknown-message⟧sdl.StartServise}]",
        "- optional: [{expect: sdl.StartService}]\n  ⟦misplaced-key⟧within: 5s",
        "- optional: [{expect: sdl.StartService}]\n  ⟦unknown-key⟧notee: 5s",
        "- optional: [{expect: sdl.StartService}]\n  ⟦two-verbs⟧either: []",
        "- repeat: ⟦missing-key⟧{steps: [{expect: sdl.StartService}]}",
        "- repeat: ⟦missing-key⟧{times: 3}",
        "- repeat: {⟦bad-value⟧times: 3, max: 3, steps: [{expect: sdl.StartService}]}",
        "- repeat: {times: ⟦bad-value⟧0, steps: [{expect: sdl.StartService}]}",
        "- repeat: {⟦bad-value⟧times: 2, until: sdl.Heartbeat, steps: [{expect: sdl.StartService}]}",
        "- repeat: {⟦bad-value⟧min: 2, until: sdl.Heartbeat, steps: [{expect: sdl.StartService}]}",
        "- repeat: {until: ⟦unknown-message⟧sdl.Heartbeet, steps: [{expect: sdl.StartService}]}",
        "- repeat: {until: ⟦no-verb⟧{from: hu}, steps: [{expect: sdl.StartService}]}",
        """
        - repeat: {until: sdl.Heartbeat, steps: [{expect: sdl.StartService, id: a}]}
        - expect: sdl.EndService
          since: ⟦unknown-step⟧a
        """,
        """
        - optional: [{expect: sdl.StartService, id: a}]
        - expect: sdl.Heartbeat
          since: ⟦unknown-step⟧a
        """,
        """
        - either: [{expect: sdl.StartService, id: a}, {expect: sdl.Heartbeat, id: ⟦duplicate-id⟧a}]
        """,
        """
        - either:
          - {expect: sdl.RegisterAppInterface.request, save: {x: params.appID}}
          - {expect: sdl.Heartbeat}
        - expect: sdl.Show.request
          where: {params.mainField1: ⟦unknown-variable⟧"${x}"}
        """,
    ]

    /// Mistakes that are not about the form.
    static let senseless = [
        "- repeat: {⟦bad-value⟧min: 4, max: 3, steps: [{expect: sdl.StartService}]}",
        "- repeat: ⟦empty-steps⟧{times: 2, steps: [{optional: [{expect: sdl.StartService}]}]}",
    ]

    @Test("Each mistake in a group is reported at its place", arguments: broken + senseless)
    func mistakes(_ lines: String) {
        let marked = MarkedText(SuiteFixture.suite(steps: lines))
        let findings = SuiteFixture.findings(marked.text)
        #expect(
            Set(SuiteFixture.places(findings)).isSuperset(of: marked.expected),
            "\(findings.map(\.description))")
    }

    @Test("What all alternatives save is known after them")
    func saved() throws {
        let steps = try self.read(
            """
            - either:
              - {expect: sdl.RegisterAppInterface.request, save: {x: params.appID}}
              - {expect: sdl.Show.request, save: {x: params.mainField1}}
            - expect: sdl.Show.request
              where: {params.mainField2: "${x}"}
            """)
        #expect(steps.count == 2)
    }

    @Test("A send answers the request of its own round, alternative or element")
    func answers() throws {
        let steps = try self.read(
            """
            - repeat:
                times: 2
                steps: [{expect: sdl.Show.request}, {send: sdl.Show.response}]
            - expect: sdl.Alert.request
            - either:
              - [{expect: sdl.Show.request}, {send: sdl.Show.response}, {send: sdl.Alert.response}]
              - [{expect: sdl.StartService}, {send: sdl.Alert.response}]
            """)
        let answering = steps.plain.map { step in
            if case .send(_, _, let answering) = step.verb { answering } else { nil as Int? }
        }
        #expect(answering == [nil, 0, nil, nil, 3, 2, nil, 2])
    }

    @Test("A case whose steps are all optional, with anything allowed, cannot fail")
    func harmless() {
        let text = SuiteFixture.suite(
            case: "unexpected: allow\nsteps: [{optional: [{expect: sdl.StartService}]}]")
        #expect(SuiteFixture.findings(text).map(\.code) == ["cannot-fail"])
    }

    /// Steps before an act, and whether the act is refused.
    static let actLines: [(String, Bool)] = [
        ("- optional: [{expect: sdl.StartService}]\n- send: sdl.HeartbeatACK", true),
        (
            "- optional: [{expect: sdl.StartService}]\n- expect: sdl.Heartbeat\n- do: hu.close",
            false
        ),
        (
            """
            - either:
              - [{expect: sdl.StartService}, {send: sdl.HeartbeatACK}]
              - [{expect: sdl.Heartbeat}, {do: hu.close}]
            """, false
        ),
        (
            """
            - either:
              - [{expect: sdl.Heartbeat}, {send: sdl.HeartbeatACK}]
              - [{expect: sdl.Heartbeat}, {expect: sdl.StartService}]
            """, true
        ),
        (
            """
            - either:
              - - {expect: sdl.Show.request, where: {params.mainField1: a}}
                - {send: sdl.Show.response}
              - - {expect: sdl.Show.request, where: {params.mainField1: b}}
                - {do: hu.close}
            """, false
        ),
        (
            """
            - repeat: {times: 100, steps: [{send: sdl.HeartbeatACK}, {expect: sdl.Heartbeat}]}
            - do: hu.close
            """, false
        ),
        (
            """
            - repeat: {max: 3, steps: [{expect: sdl.Heartbeat}, {send: sdl.HeartbeatACK}]}
            - do: hu.close
            """, true
        ),
        (
            """
            - repeat: {max: 3, steps: [{expect: sdl.Heartbeat}, {send: sdl.HeartbeatACK}]}
            - expect: sdl.StartService
            - do: hu.close
            """, false
        ),
        (
            """
            - anyOrder:
              - [{expect: sdl.Heartbeat}, {send: sdl.HeartbeatACK}]
              - [{expect: sdl.StartService}, {do: hu.close}]
            """, false
        ),
        (
            """
            - either: [{expect: sdl.Show.response, from: hu}, {expect: sdl.Heartbeat}]
            - do: hu.close
            """, true
        ),
    ]

    @Test("An act is refused if messages may leave open whether it is due", arguments: actLines)
    func acts(_ lines: String, _ isRefused: Bool) {
        let codes = SuiteFixture.findings(SuiteFixture.suite(steps: lines)).map(\.code)
        #expect(codes.contains("ambiguous-act") == isRefused, "\(codes)")
        #expect(codes.allSatisfy { $0 == "ambiguous-act" || $0 == "cannot-fail" }, "\(codes)")
    }

    @Test(
        "An act is refused if ignored bytes of any protocol may leave it open",
        arguments: [
            ("sdl.Show.request", false), ("sdl.malformed", true), ("http.malformed", true),
            ("tcp.data", true),
        ])
    func ignoredBytes(_ ignored: String, _ isRefused: Bool) {
        let text = SuiteFixture.suite(
            case: """
                ignore: [\(ignored)]
                steps:
                  - either:
                    - [{lost: bytes}, {send: sdl.HeartbeatACK}]
                    - [{expect: sdl.Heartbeat}, {do: hu.close}]
                """)
        let codes = SuiteFixture.findings(text).map(\.code)
        #expect(codes.contains("ambiguous-act") == isRefused, "\(codes)")
    }

    @Test(
        "Rounds end with a message, and a round has something to do",
        arguments: [
            "- repeat: {until: ⟦bad-value⟧{wait: 1s}, steps: [{expect: sdl.StartService}]}",
            "- repeat: ⟦empty-steps⟧{until: sdl.Heartbeat, steps: [{optional: [{wait: 1s}]}]}",
        ])
    func endOfRounds(_ lines: String) {
        let marked = MarkedText(SuiteFixture.suite(steps: lines))
        let findings = SuiteFixture.findings(marked.text)
        #expect(Set(SuiteFixture.places(findings)) == Set(marked.expected), "\(findings)")
    }

    @Test("An act in rounds that a message ends is refused only where it is ambiguous")
    func actsInRounds() {
        let answered = """
            - repeat:
                until: {expect: sdl.Show.request, where: {params.mainField1: done}}
                steps: [{expect: sdl.Show.request}, {send: sdl.Show.response}]
            - send: sdl.Show.response
            """
        #expect(SuiteFixture.findings(SuiteFixture.suite(steps: answered)).map(\.code) == [])
        let first = """
            - repeat: {until: sdl.Heartbeat, steps: [{send: sdl.Show.response}]}
            """
        #expect(
            SuiteFixture.findings(SuiteFixture.suite(steps: first)).map(\.code)
                == ["ambiguous-act"])
    }
}
