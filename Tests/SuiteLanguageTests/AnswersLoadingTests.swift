import Testing
import Wire

@testable import SuiteLanguage

@Suite("Loading of answers that differ from a peer's own")
struct AnswersLoadingTests {
    private static func suite(_ answers: String, configured: String = "[]") -> String {
        SuiteFixture.head.replacing(
            "{is: sdl.head-unit}", with: "{is: sdl.head-unit, answers: \(answers)}")
                + """
                  - id: one
                    checks: [A-1]
                    steps:
                      - do: {hu.configure: {answers: \(configured)}}
                      - expect: sdl.StartService

                """
    }

    @Test(
        "The longest delay is known, of declarations and of steps",
        arguments: [
            ("[]", "[]", 0), ("[{message: sdl.*, after: 300ms}]", "[]", 300),
            (
                "[{message: sdl.Show.request, after: 1s}, {message: sdl.*, after: 2s}]",
                "[{message: sdl.*, after: 3s}]", 3_000
            ),
            ("[{message: sdl.Show.request, with: {params.info: 1 a}}]", "[]", 0),
        ])
    func longest(answers: String, configured: String, milliseconds: Int64) throws {
        let suite = try SuiteFixture.load(Self.suite(answers, configured: configured))
        #expect(suite.cases.first?.peers.first?.latestAnswer == .milliseconds(milliseconds))
    }

    @Test("The longest delay of a peer with a script is known")
    func longestOfScript() throws {
        let suite = try SuiteFixture.load(
            """
            conform: 1
            suite: greeting
            requirements: [catalogue.yaml]
            device: {role: tcp.client}
            peers:
              mx:
                is: tcp.server
                port: 25
                answers:
                  - {to: {starts: EHLO}, send: {text: "250 mx\r\n"}, after: 300ms}
                  - {to: {starts: RCPT}, send: {text: "250 ok\r\n"}, after: 2s}
            cases:
              - {id: one, title: One, checks: [A-1], steps: [expect: tcp.SYN]}

            """)
        #expect(suite.cases.first?.peers.first?.latestAnswer == .seconds(2))
    }

    @Test("The delay of a step is known beside a value that is saved")
    func besideSaved() throws {
        let suite = try SuiteFixture.load(
            SuiteFixture.head + """
                  - id: one
                    checks: [A-1]
                    steps:
                      - {expect: sdl.RegisterAppInterface.request, save: {l: params.languageDesired}}
                      - do: {hu.configure: {language: "${l}", answers: [{message: sdl.*, after: 3s}]}}
                      - expect: sdl.Show.request

                """)
        #expect(suite.cases.first?.peers.first?.latestAnswer == .seconds(3))
    }

    @Test(
        "What is wrong is reported where it stands, in declarations and in steps",
        arguments: [
            ("[{after: 1s}]", "missing-key"),
            ("[{message: sdl.Shaw.request, after: 1s}]", "unknown-message"),
            ("[{message: gatt.read, after: 1s}]", "bad-setting"),
            ("[{message: sdl.Show.request, send: diffusion.ping}]", "bad-setting"),
            ("[{message: sdl.*, with: {params.info: a}}]", "bad-setting"),
            ("[{message: sdl.Show.request, with: {params.inf: a}}]", "unknown-field"),
            ("[{message: sdl.Show.request, times: 0}]", ""),
            ("[{message: sdl.Show.request, then: vanish}]", ""),
            ("[{message: sdl.Show.request, late: 1s}]", "unknown-field"),
        ])
    func wrong(answers: String, code: String) {
        for (text, own) in [
            (Self.suite(answers), "bad-setting"),
            (Self.suite("[]", configured: answers), "bad-argument"),
        ] {
            do {
                _ = try SuiteFixture.load(text)
                Issue.record("\(answers) was loaded")
            } catch {
                #expect(error.diagnostics.map(\.code) == [code.isEmpty ? own : code])
            }
        }
    }

    @Test("A peer with a script has another table of that name")
    func scripted() {
        let text =
            SuiteFixture.head.replacing(
                "{is: sdl.head-unit}", with: "{is: tcp.server, answers: [{to: a, send: {text: b}}]}"
            )
                + """
                  - id: one
                    checks: [A-1]
                    steps: [{expect: tcp.SYN}]

                """
        #expect(throws: Never.self) { _ = try SuiteFixture.load(text) }
    }
}
