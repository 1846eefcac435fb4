import BuiltInProtocols
import Judge
import Results
import SuiteLanguage
import TestSupport
import Testing

@testable import Offline

/// Checks that skipping messages by their headers changes no verdict.
///
/// Messages that change nothing are skipped where no report is wanted.
@Suite("Messages that are skipped change no verdict")
struct ScreenedJudgingTests {
    private static let root = LossSubject.root

    /// Captures of other tools, each judged by the suite for it and by suites for other captures.
    private static let captures = [
        "sdl/app-java-core-registration.pcap", "sdl/app-java-protocol-v2.pcap",
        "sdl/app-js-core-resume.pcap", "sdl/app-js-core-wrong-language.pcap", "sdl/heartbeat.pcap",
        "damaged/from-frame-8.pcap", "damaged/lost-26-30.pcap", "damaged/snaplen-66.pcap",
    ]
    private static let suites = [
        "Suites/registration-language.yaml", "Suites/hash-resume.yaml",
        "GoldenCaptures/suites/app-js-core-resume.yaml",
        "GoldenCaptures/suites/app-java-protocol-v2.yaml",
        "GoldenCaptures/suites/heartbeat.yaml",
    ]

    @Test(
        "Each case has the same verdict and sentence with and without a report", arguments: captures
    )
    func sameVerdict(_ name: String) throws {
        for path in Self.suites {
            let suite = try SuiteLoader(.builtIn).load(path: "\(Self.root)/\(path)", searchPath: [])
            let capture = "\(Self.root)/GoldenCaptures/\(name)"
            let (whole, screened) = (
                try results(of: suite, on: capture, keepsEvidence: true),
                try results(of: suite, on: capture, keepsEvidence: false)
            )
            try #require(whole.count == suite.cases.count)
            for (one, other) in zip(whole, screened) {
                #expect(one.id == other.id)
                #expect(one.verdict == other.verdict, "\(path) \(one.id)")
                #expect(one.reason?.summary == other.reason?.summary, "\(path) \(one.id)")
                #expect(one.checks == other.checks)
            }
        }
    }

    @Test("A message that only a collect step names is not skipped")
    func collections() throws {
        let suite = try SuiteLoader(.builtIn).load(path: "suite") { path in
            path == "suite" ? Self.gathering : Self.catalogue
        }
        let capture = "\(Self.root)/GoldenCaptures/sdl/heartbeat.pcap"
        let whole = try results(of: suite, on: capture, keepsEvidence: true)
        let screened = try results(of: suite, on: capture, keepsEvidence: false)
        #expect(whole.map(\.verdict) == [.pass])
        #expect(screened.map(\.verdict) == [.pass])
    }

    private static let gathering = """
        conform: 1
        suite: gathering
        requirements: [catalogue]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {within: 5s, tolerance: 100ms, unexpected: allow, quiet: 200ms}
        cases:
          - id: gathered
            checks: [A-1]
            steps:
              - expect: sdl.RegisterAppInterface.response
                from: hu
              - collect: [{message: sdl.OnSystemRequest.notification, from: hu}]
                quiet: 1s

        """

    private static let catalogue = """
        conform-requirements: 1
        document: A
        requirements:
          A-1: {section: "1", text: The device says what it has to say., wire: Messages.}

        """

    /// Judges all cases together.
    private func results(
        of suite: Suite, on path: String, keepsEvidence: Bool
    ) throws -> [CaseResult] {
        var options = CaptureCheck.Options(.builtIn)
        options.keepsEvidence = keepsEvidence
        var prepared: [String: PreparedCase] = [:]
        return try JudgedCapture([path], options).judge(
            suite.cases, of: suite, prepared: &prepared)
    }
}
