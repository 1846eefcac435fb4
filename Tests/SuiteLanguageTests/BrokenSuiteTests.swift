import Testing

@testable import SuiteLanguage

/// Broken suites, with a mark `⟦code⟧` directly before the place of each finding.
struct BrokenSuiteTests {
    @Test("Each mistake at the top of a suite is reported at its place", arguments: versionLines)
    func versions(_ marked: String) {
        expectFindings(marked)
    }

    static let versionLines = [
        "⟦wrong-type⟧",
        "conform: ⟦unsupported-version⟧2",
        "⟦missing-key⟧suite: x",
        "⟦unknown-key⟧confrom: 1",
        "⟦unknown-key⟧comform: 1\nsuite: x",
        "⟦wrong-type⟧[1, 2]",
        "⟦wrong-type⟧just text",
    ]

    @Test("Each mistake outside the cases is reported at its place", arguments: topLevel)
    func top(_ marked: String) { expectFindings(marked) }

    static let topLevel = [
        """
        ⟦missing-key⟧⟦missing-key⟧⟦missing-key⟧⟦missing-key⟧conform: 1
        """,
        """
        conform: 1
        suite: ⟦bad-name⟧two words
        title: ⟦wrong-type⟧[]
        requirements: [⟦file-not-found⟧missing.yaml]
        device: {role: sdl.app}
        ⟦empty-cases⟧cases: []
        """,
        """
        conform: 1
        suite: s
        requirements: [catalogue.yaml]
        device: {⟦unknown-key⟧rol: sdl.app, role: sdl.app}
        ⟦unknown-key⟧Peers: {}
        ⟦unsupported⟧matrix: {}
        cases: ⟦wrong-type⟧{}
        """,
        """
        conform: 1
        suite: s
        requirements: [catalogue.yaml]
        device: ⟦missing-key⟧{}
        peers:
          hu: ⟦missing-key⟧{port: 1}
          hv: {is: ⟦unknown-peer-kind⟧sdl.headunit}
          hw: ⟦wrong-type⟧sdl.head-unit
          ⟦bad-name⟧device: {is: sdl.head-unit}
          hx: {is: sdl.head-unit, ⟦unknown-setting⟧langauge: X, port: ⟦bad-setting⟧65536, mtu: ⟦bad-setting⟧big}
          hy: {is: sdl.head-unit, protocol: ⟦bad-setting⟧5.4, language: ⟦unknown-variable⟧"${lang}"}
        defaults: {within: ⟦bad-duration⟧5 s, tolerance: ⟦bad-tolerance⟧50 ms, unexpected: ⟦bad-value⟧fial, ⟦unknown-key⟧quite: 1s}
        ignore: [⟦unknown-message⟧sdl.Heartbeet, ⟦unknown-message⟧sld.*, {⟦unknown-key⟧checks: [A-1], message: sdl.Heartbeat}]
        variables: {⟦bad-name⟧1x: 1, a: ⟦bad-template⟧"${b"}
        cases: [{id: c, checks: [A-1], steps: [{expect: sdl.StartService}]}]
        """,
    ]

    @Test("Each mistake in a case is reported at its place", arguments: caseLines)
    func cases(_ lines: String) { expectFindings(SuiteFixture.suite(case: lines)) }

    static let caseLines = [
        "⟦empty-steps⟧steps: []",
        "steps: ⟦wrong-type⟧none",
        "⟦unknown-key⟧stpes: []",
        "title: ⟦wrong-type⟧1\nsteps: [{expect: sdl.StartService}]",
        "⟦unknown-key⟧stepps: []\nsteps: [{expect: sdl.StartService}]",
        "⟦unsupported⟧matrix: {}\nsteps: [{expect: sdl.StartService}]",
        "needs: ⟦unknown-feature⟧f.tow\nsteps: [{expect: sdl.StartService}]",
        "needs: ⟦bad-needs⟧f.one and\nsteps: [{expect: sdl.StartService}]",
        "needs: ⟦bad-needs⟧(f.one\nsteps: [{expect: sdl.StartService}]",
        "needs: ⟦bad-needs⟧f.one f.two\nsteps: [{expect: sdl.StartService}]",
        "given: {⟦unknown-party⟧hv: {}}\nsteps: [{expect: sdl.StartService}]",
        "given: {hu: {⟦unknown-setting⟧is: sdl.head-unit}}\nsteps: [{expect: sdl.StartService}]",
        "given: {device: ⟦wrong-type⟧[]}\nsteps: [{expect: sdl.StartService}]",
        "given: {hu: {port: ⟦bad-setting⟧-1}}\nsteps: [{expect: sdl.StartService}]",
        "quiet: ⟦bad-duration⟧2\nsteps: [{expect: sdl.StartService}]",
        "timeout: ⟦bad-duration⟧1d\nsteps: [{expect: sdl.StartService}]",
        "unexpected: ⟦bad-value⟧faill\nsteps: [{expect: sdl.StartService}]",
        "never: [⟦unknown-message⟧sdl.Shows.request]\nsteps: [{expect: sdl.StartService}]",
        "never: [⟦missing-key⟧{from: hu}]\nsteps: [{expect: sdl.StartService}]",
        "never: [{message: sdl.Show.request, where: {⟦unknown-field⟧params.mainFeld1: x}}]\n"
            + "steps: [{expect: sdl.StartService}]",
        "never: [{message: sdl.Show.request, checks: [⟦unknown-requirement⟧A-2]}]\n"
            + "steps: [{expect: sdl.StartService}]",
        "each: {x: ⟦wrong-type⟧[]}\nsteps: [{expect: sdl.StartService}]",
        "each: {x: ⟦wrong-type⟧1}\nsteps: [{expect: sdl.StartService}]",
        "each: {⟦unused-variable⟧x: [1]}\nsteps: [{expect: sdl.StartService}]",
        "each: {x: [1, ⟦duplicate-id⟧1]}\nsteps: [{expect: sdl.StartService}]",
        "each: {⟦bad-name⟧1: [1]}\nsteps: [{expect: sdl.StartService}]",
        "title: ⟦unknown-variable⟧\"${x} a\"\nsteps: [{expect: sdl.StartService}]",
        "⟦unknown-key⟧check: [A-1]\nsteps: [{expect: sdl.StartService}]",
    ]

    @Test("Each mistake in a step is reported at its place", arguments: stepLines)
    func steps(_ lines: String) { expectFindings(SuiteFixture.suite(steps: lines)) }

    static let stepLines = [
        "- ⟦no-verb⟧id: a",
        "- ⟦no-verb⟧expct: sdl.StartService",
        "- expect: sdl.StartService\n  ⟦two-verbs⟧wait: 1s",
        "- ⟦empty-steps⟧anyOrder: []",
        "- lost: ⟦wrong-type⟧{}",
        "- ⟦wrong-type⟧expect",
        "- expect: ⟦unknown-message⟧sdl.StartServise",
        "- expect: ⟦unknown-message⟧sdl.Show",
        "- expect: ⟦unknown-message⟧sdl.*",
        "- expect: ⟦wrong-type⟧1",
        "- expect: sdl.StartService\n  ⟦unknown-key⟧withn: 5s",
        "- expect: sdl.StartService\n  ⟦misplaced-key⟧with: {}",
        "- expect: sdl.StartService\n  from: ⟦unknown-party⟧hv",
        "- expect: sdl.StartService\n  to: ⟦unknown-party⟧nobody",
        "- expect: sdl.StartService\n  within: ⟦bad-duration⟧5sec",
        "- expect: sdl.StartService\n  within: ⟦bad-duration⟧-5s",
        "- expect: sdl.StartService\n  tolerance: ⟦bad-tolerance⟧10% 50ms",
        "- expect: sdl.StartService\n  tolerance: ⟦bad-tolerance⟧ten",
        "- expect: sdl.StartService\n  within: 1s\n  after: ⟦contradictory-window⟧2s",
        "- expect: sdl.StartService\n  after: ⟦contradictory-window⟧6s",
        "- expect: sdl.StartService\n  at: 1s\n  ⟦contradictory-window⟧within: 2s",
        "- expect: sdl.StartService\n  checks: [A-1, ⟦unknown-requirement⟧A-2]",
        "- expect: sdl.StartService\n  since: ⟦unknown-step⟧a",
        "- expect: sdl.StartService\n  since: ⟦unknown-step⟧a\n- expect: sdl.StartService\n  id: a",
        "- expect: sdl.StartService\n  id: a\n- expect: sdl.StartService\n  id: ⟦duplicate-id⟧a",
        "- expect: sdl.StartService\n  id: ⟦bad-name⟧a b",
        "- collect: ⟦wrong-type⟧sdl.Show.request",
        "- collect: [⟦unknown-message⟧sdl.Shwo.request]",
        "- collect: [{message: sdl.Show.request, ⟦unknown-key⟧within: 1s}]",
        "- collect: [{message: sdl.Show.request, from: ⟦unknown-party⟧hv}]",
        "- collect: [{message: sdl.Show.request, where: {⟦unknown-field⟧params.x: 1}}]",
        "- collect: []\n  quiet: ⟦bad-duration⟧5",
        "- collect: []\n  ⟦misplaced-key⟧at: 1s",
        "- expect: sdl.StartService\n  next: ⟦wrong-type⟧1",
        "- wait: 1s\n  ⟦misplaced-key⟧next: true",
        "- wait: ⟦bad-duration⟧5",
        "- wait: ⟦bad-duration⟧5 sec",
        "- wait: 5s\n  ⟦misplaced-key⟧where: {}",
        "- wait: 5s\n  ⟦misplaced-key⟧within: 1s",
        "- do: ⟦unknown-action⟧hu.colse",
        "- do: ⟦unknown-party⟧hv.close",
        "- do: ⟦unknown-action⟧hu",
        "- do: ⟦unknown-action⟧device",
        "- do: {⟦unknown-party⟧hv.close: 1}",
        "- do: {hu.close: ⟦bad-argument⟧1}",
        "- do: ⟦bad-argument⟧hu.configure",
        "- do: {hu.configure: {⟦unknown-field⟧langauge: DE-DE}}",
        "- do: {hu.configure: {language: ⟦bad-argument⟧1}}",
        "- do: {hu.configure: ⟦bad-argument⟧now}",
        "- do: {device.stop: ⟦bad-argument⟧now}",
        "- do: ⟦bad-argument⟧device.damage",
        "- do: {device.damage: ⟦bad-argument⟧{files: x}}",
        "- do: {device.damage: ⟦bad-argument⟧{remove: true, truncate: 1}}",
        "- do: {device.damage: {truncate: ⟦bad-argument⟧half}}",
        "- do: {device.damage: {replace: ⟦bad-argument⟧{text: a}}}",
        "- do: {device.damage: {⟦unknown-field⟧folder: x, remove: true}}",
        "- do: ⟦wrong-type⟧{hu.close: 1, hu.reset: 1}",
        "- send: ⟦unknown-message⟧sdl.Show.respons",
        "- send: ⟦not-sendable⟧tcp.FIN",
        "- send: sdl.Show.response\n  from: ⟦unknown-party⟧device",
        "- send: sdl.Show.response\n  ⟦misplaced-key⟧where: {}",
        "- send: sdl.Show.response\n  with: {⟦unknown-field⟧params.resultCod: SUCCESS}",
        "- send: sdl.Show.response\n  without: [⟦unknown-field⟧params.resultCod]",
        "- send: sdl.Show.response\n  with: {params.resultCode: ⟦irregular-value⟧SUCESS}",
        "- send: sdl.Show.response\n  with: {params.success: ⟦unknown-variable⟧\"${ok}\"}",
    ]

    @Test("Each mistake in a condition is reported at its place", arguments: conditionLines)
    func conditions(_ condition: String) {
        expectFindings(
            SuiteFixture.suite(
                steps: "- expect: sdl.RegisterAppInterface.request\n  where: \(condition)"))
    }

    static let conditionLines = [
        "⟦wrong-type⟧x",
        "{⟦unknown-field⟧params.languageDesird: DE-DE}",
        "{⟦unknown-field⟧\"params.ttsName[0].txt\": x}",
        "{⟦bad-path⟧params..x: 1}",
        "{params.languageDesired: ⟦impossible-value⟧DEDE}",
        "{params.languageDesired: ⟦impossible-value⟧1}",
        "{params.languageDesired: ⟦impossible-value⟧null}",
        "{params.languageDesired: {in: [DE-DE, ⟦impossible-value⟧FRCA]}}",
        "{params.languageDesired: {not: ⟦impossible-value⟧no}}",
        "{params.languageDesired: {⟦impossible-value⟧min: 1}}",
        "{params.languageDesired: {any: [{present: false}, ⟦impossible-value⟧DEDE]}}",
        "{params.syncMsgVersion: {where: {⟦unknown-field⟧major: 1}}}",
        "{params.syncMsgVersion: {where: {majorVersion: ⟦impossible-value⟧x}}}",
        "{params.ttsName: {contains: {where: {⟦unknown-field⟧txt: x}}}}",
        "{params.appName: {⟦impossible-value⟧where: {a: 1}}}",
        "{params.syncMsgVersion: {where: ⟦bad-matcher⟧1}}",
        "{params.isMediaApplication: ⟦impossible-value⟧yes}",
        "{params.syncMsgVersion.majorVersion: ⟦impossible-value⟧\"5\"}",
        "{params.syncMsgVersion.majorVersion: ⟦impossible-value⟧-5}",
        "{params.syncMsgVersion: ⟦impossible-value⟧5.1}",
        "{params.syncMsgVersion: {⟦unknown-field⟧majorVersoin: 5}}",
        "{params.ttsName: ⟦impossible-value⟧Weather}",
        "{params.ttsName: [{text: Weather, type: ⟦impossible-value⟧TXT}]}",
        "{params.ttsName: {⟦bad-matcher⟧text: a, type: TEXT}}",
        "{params.ttsName: {⟦impossible-value⟧matches: a}}",
        "{params.ttsName: {contains: {⟦unknown-field⟧txt: a}}}",
        "{params.appName: ⟦impossible-value⟧[a]}",
        "{params.appName: {matches: ⟦bad-pattern⟧\"a(b\"}}",
        "{params.appName: {matches: ⟦bad-matcher⟧1}}",
        "{params.appName: {present: ⟦bad-matcher⟧yes}}",
        "{params.appName: {type: ⟦bad-matcher⟧text}}",
        "{params.appName: {type: ⟦impossible-value⟧integer}}",
        "{params.appName: {in: ⟦bad-matcher⟧[]}}",
        "{params.appName: {length: {min: ⟦impossible-value⟧a}}}",
        "{params.appName: {length: {max: 5, ⟦bad-matcher⟧mix: 1}}}",
        "{params.appName: {⟦impossible-value⟧hex: 00}}",
        "{bulk.data: {hex: ⟦bad-matcher⟧00}}",
        "{bulk.data: {hex: ⟦bad-matcher⟧0af}}",
        "{bulk.data: ⟦impossible-value⟧abc}",
        "{params.appName: ⟦unknown-variable⟧\"${app}\"}",
        "{params.appName: ⟦bad-template⟧\"${a b}\"}",
    ]

    static let yamlTexts = [
        "conform: 1\n⟦duplicate-key⟧conform: 1\n⟦duplicate-key⟧conform: 2",
        "a: ⟦yaml-alias⟧*b",
        "a: &a [⟦yaml-alias⟧*a]",
        "a: ⟦yaml-tag⟧!!set {}",
        "a: ⟦yaml-number⟧99999999999999999999",
        "⟦complex-key⟧[a]: b",
        "a: 1\n⟦yaml-syntax⟧---\nb: 1",
        "a:\n⟦yaml-syntax⟧\tb: 1",
        "a: [1, 2\n⟦yaml-syntax⟧",
        "a: b⟦yaml-syntax⟧: c",
        "a: ⟦yaml-syntax⟧@x",
        "a: x⟦yaml-encoding⟧\u{7}y",
    ]

    @Test("What the YAML reader finds is reported with its place", arguments: yamlTexts)
    func yaml(_ marked: String) {
        let marked = MarkedText(marked)
        #expect(throws: (any Error).self) { _ = try YAMLNode.parse(text: marked.text, file: "f") }
        do throws(InvalidInput) {
            _ = try YAMLNode.parse(text: marked.text, file: "f")
        } catch {
            #expect(SuiteFixture.places(error.diagnostics) == marked.expected)
        }
    }

    private func expectFindings(_ marked: String) {
        let marked = MarkedText(marked)
        let found = SuiteFixture.findings(marked.text)
        #expect(
            SuiteFixture.places(found) == marked.expected,
            "\(found.map(\.description).joined(separator: "\n"))")
    }
}
