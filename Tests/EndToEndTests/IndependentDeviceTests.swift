import Foundation
import TestSupport
import Testing

/// A share of the independent devices, all of which `Tests/Independent/devices/survey.py` runs.
///
/// Habits that conform pass, and mistakes are found by a case that cites their requirement.
@Suite("Devices that others wrote from the documents", .serialized)
struct IndependentDeviceTests {
    private static let devices = "\(ConformProgram.root)/Tests/Independent/devices"
    private static let hasPython = FileManager.default.fileExists(atPath: "/usr/bin/python3")

    /// A row of the devices' tables with the case that is about it.
    struct Row: Sendable, CustomTestStringConvertible {
        let profile: String
        let name: String
        let suite: String
        let testCase: String
        var requirement = ""

        var testDescription: String { "\(profile): \(name)" }
    }

    private static let habits = [
        Row(
            profile: "session-client", name: "closes-after-abort", suite: "backoff-timing",
            testCase: "becomes-active-with-lost-session*"),
        Row(
            profile: "session-client", name: "cut-writes", suite: "backoff-timing",
            testCase: "half-open"),
        Row(
            profile: "session-client", name: "timer-restarted", suite: "backoff-timing",
            testCase: "pings-go-on-after-a-reconnection"),
        Row(
            profile: "head-unit", name: "few-channels", suite: "head-unit-multisession",
            testCase: "freed-index-is-told-again"),
        Row(
            profile: "accessory-app", name: "slow-retries", suite: "retry-exhaustion",
            testCase: "many-attempts*"),
    ]

    private static let mistakes = [
        Row(
            profile: "session-client", name: "pong-of-another", suite: "backoff-timing",
            testCase: "server-ping-is-answered*", requirement: "BOR-11"),
        Row(
            profile: "session-client", name: "silence-is-answer", suite: "backoff-timing",
            testCase: "validating-ping-is-not-answered", requirement: "BOR-14"),
        Row(
            profile: "session-client", name: "first-token", suite: "backoff-timing",
            testCase: "renewed-token", requirement: "BOR-9"),
        Row(
            profile: "head-unit", name: "eighth-app-refused", suite: "head-unit-multisession",
            testCase: "many-apps-under-multisession", requirement: "MSP-10"),
        Row(
            profile: "head-unit", name: "index-never-again", suite: "head-unit-multisession",
            testCase: "freed-index-is-told-again", requirement: "MSP-13"),
        Row(
            profile: "accessory-app", name: "strings-by-prefix",
            suite: "protocol-string-fallback", testCase: "near-misses-are-other-strings*",
            requirement: "MSP-5"),
        Row(
            profile: "accessory-app", name: "at-most-seven-retries", suite: "retry-exhaustion",
            testCase: "many-attempts*", requirement: "MSP-9"),
        Row(
            profile: "accessory-app", name: "index-as-digit", suite: "retry-exhaustion",
            testCase: "index-out-of-range*", requirement: "MSP-14"),
    ]

    private func run(_ row: Row, _ variable: String) throws -> JudgedRun {
        let original = try String(
            contentsOfFile: "\(Self.devices)/\(row.profile).yaml", encoding: .utf8)
        let profile = TemporaryFolder.lasting() + "/profile.yaml"
        // A device sees nothing of the user's home, where another Python may be.
        let launched = original.replacing("[python3,", with: "[/usr/bin/python3,")
        try (launched + "cwd: \(Self.devices)\nenv: {\(variable): \(row.name)}\n")
            .write(toFile: profile, atomically: true, encoding: .utf8)
        return try JudgedRun(
            "Suites/\(row.suite).yaml",
            [
                "--device", profile, "--case", row.testCase, "--time-scale", "3", "--jobs", "4",
            ])
    }

    @Test(
        "A habit that conforms passes", .enabled(if: hasPython, "no Python"), arguments: habits)
    func habit(row: Row) throws {
        let run = try run(row, "INDEPENDENT_VARIANT")
        let isGood = run.results.verdicts.allSatisfy { id, verdict in
            verdict == "pass"
                || verdict == "inconclusive"
                    && run.results.summaries[id]?.contains("the machine held up") == true
        }
        #expect(isGood && !run.results.verdicts.isEmpty, "\(run.outcome.output)")
    }

    @Test(
        "A mistake is found under its requirement, and its capture shows it again",
        .enabled(if: hasPython, "no Python"), arguments: mistakes)
    func mistake(row: Row) throws {
        let run = try run(row, "INDEPENDENT_MUTANT")
        #expect(
            run.results.failedRequirements.contains(row.requirement), "\(run.outcome.output)")
        try run.expectSameOffline()
    }
}
