import Foundation
import TestSupport
import Testing

/// The HCI packets of a phone, without the reports of its app.
@Suite("A log of a Bluetooth host without reports of the app")
struct ProfileLogTests {
    @Test(
        "Cases that need no report of the app are judged on a host's log",
        arguments: [
            ("", "activation-without-reads", "pass", ""),
            ("", "missing-service-fails-the-activation[discovery=all]", "pass", ""),
            ("", "deactivation-reverses-activation", "pass", ""),
            ("", "discovery-opens-nothing", "skipped", ""),
            ("writes-early", "activation-without-reads", "fail", "PCM-5"),
            // A missing packet may have been omitted from the log.
            ("never-subscribes", "activation-without-reads", "inconclusive", ""),
            (
                "subscribes-without-service", "missing-service-fails-the-activation[discovery=all]",
                "fail", "PCM-6"
            ),
            (
                "disconnects-without-unsubscribing", "deactivation-reverses-activation", "fail",
                "PCM-7"
            ),
        ])
    func judged(mutant: String, testCase: String, verdict: String, requirement: String) throws {
        let suite = "Suites/profile-connections.yaml"
        let run = try JudgedRun(
            suite,
            ["--case", testCase] + (mutant.isEmpty ? [] : ["--device", "reference:\(mutant)"]))
        let capture = try #require(run.results.captureOf[testCase])
        let exported = TemporaryFolder.lasting() + "/hci.pcapng"
        _ = try ConformProgram.run(["decode", "\(run.folder)/\(capture)", "--export", exported])
        let log = TemporaryFolder.lasting() + "/log.pcapng"
        let bytes = try Data(contentsOf: URL(filePath: exported))
        try Self.packets(ofType: 201, in: bytes).write(to: URL(filePath: log))
        let reports = TemporaryFolder.lasting() + "/checked"
        _ = try ConformProgram.run([
            "check", suite, log, "--case", testCase, "--parameter", "profileSilence=100ms",
            "--reports", reports,
        ])
        let results = try Results(reports)
        #expect(results.verdicts == [testCase: verdict], "\(results.summaries)")
        #expect(results.failedRequirements == Set(requirement.isEmpty ? [] : [requirement]))
    }

    /// Returns a pcapng file without the packets of interfaces of other link types.
    private static func packets(ofType linkType: Int, in file: Data) -> Data {
        var result = Data()
        var linkTypes: [Int] = []
        var rest = [UInt8](file)[...]
        func number(_ place: Int, _ count: Int) -> Int {
            rest.dropFirst(place).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        while rest.count >= 12 {
            let (type, length) = (number(0, 4), number(4, 4))
            if type == 1 { linkTypes.append(number(8, 2)) }
            if type != 6 || linkTypes[number(8, 4)] == linkType {
                result += Data(rest.prefix(length))
            }
            rest = rest.dropFirst(max(12, length))
        }
        return result
    }
}
