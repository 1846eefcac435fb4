import Foundation
import TestSupport
import Testing

/// The suite of sessions over TLS on the reference client and its mutants.
///
/// On a machine that does not let the client run in time a case is inconclusive.
@Suite("Sessions over TLS", .serialized)
struct SessionTLSTests {
    private static let suite = "Suites/session-tls.yaml"

    /// Runs cases of the suite on the reference client; the words are added to its launch.
    private func run(_ words: String, _ options: [String]) throws -> JudgedRun {
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        let text = try String(
            contentsOfFile: ConformProgram.root + "/Suites/devices/session-tls.yaml",
            encoding: .utf8)
        try text.replacing(
            "conform-device, session", with: "\(ConformProgram.folder)/conform-device, session"
        )
        .replacing("\"${config}\"]", with: "\"${config}\"\(words)]")
        .write(toFile: profile, atomically: true, encoding: .utf8)
        return try JudgedRun(Self.suite, ["--device", profile] + options)
    }

    @Test("The reference client passes every case, and each capture gives the live verdict")
    func reference() throws {
        let run = try run("", ["--jobs", "3"])
        #expect(run.faults.isEmpty, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count == 28)
        #expect(run.results.passCount * 2 > run.results.verdicts.count, "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test(
        "Each mistake of a client fails the case for it",
        arguments: [
            ("no-name", "refuses-name[*other name]"),
            ("no-name-again", "refuses-name-again[*other name]"),
            ("no-name-after-refusal", "refuses-name-again[*address]"),
            ("common-name", "refuses-name[*common name]"),
            ("common-name-again", "refuses-name-again[*common name]"),
            ("no-time", "refuses-time[*expired]"),
            ("no-time-again", "refuses-time-again[*expired]"),
            ("no-time-after-refusal", "refuses-time-again[*not yet valid]"),
            ("no-verification", "refuses-issuer[*unknown issuer]"),
            ("no-verification-again", "refuses-issuer-again[*self-signed]"),
            ("no-verification-after-refusal", "refuses-issuer-again[*unknown issuer]"),
            ("self-signed", "refuses-issuer[*self-signed]"),
            ("self-signed-again", "refuses-issuer-again[*self-signed]"),
            ("self-signed-after-refusal", "refuses-issuer-again[*self-signed]"),
            ("any-issuer", "refuses-issuer[*missing intermediate]"),
            ("any-issuer-again", "refuses-issuer-again[*missing intermediate]"),
            ("any-issuer-after-refusal", "refuses-issuer-again[*unknown issuer]"),
            ("any-usage", "refuses-usage"), ("any-usage-again", "refuses-usage-again"),
            ("any-usage-after-refusal", "refuses-usage-again"),
            ("old-versions", "old-versions"), ("old-versions-again", "old-versions-again"),
            ("no-protection-again", "resumes"),
            ("no-protection-after-refusal", "keeps-trying[*unknown issuer]"),
            ("resets-after-refusal", "keeps-trying[*fatal alert]"),
            ("gives-up-after-refusal", "keeps-trying[*unknown issuer]"),
            ("waits-for-handshake", "unanswered-handshake"),
            ("no-close-notify", "ends-with-close-notify"),
        ])
    func mutants(mutant: String, testCase: String) throws {
        let run = try run(", --mutant, \(mutant)", ["--case", testCase])
        let isFailed = run.results.verdicts.values.contains("fail")
        let isUndecided = run.results.verdicts.keys.allSatisfy(run.isUndecided)
        #expect(isFailed || isUndecided, "\(run.outcome.output)")
    }
}
