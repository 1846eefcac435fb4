import Foundation
import TestSupport
import Testing

/// A selection of the independent devices, all of which `Tests/Independent/devices/survey.py` runs.
///
/// Conformant habits pass, and mistakes are found by a case that cites their requirement. The
/// survey itself is run with a few rows of each device.
@Suite("Devices that others wrote from the documents", .serialized)
struct IndependentDeviceTests {
    private static let devices = "\(ConformProgram.root)/Tests/Independent/devices"
    private static let hasPython = FileManager.default.fileExists(atPath: "/usr/bin/python3")

    /// A mistake of the devices' tables with the case that finds it.
    struct Row: Sendable, CustomTestStringConvertible {
        let profile: String
        let name: String
        let suite: String
        let testCase: String
        let requirement: String

        var testDescription: String { "\(profile): \(name)" }
    }

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

    /// Some rows of a device's tables, with the cases that are about them.
    struct Share: Sendable, CustomTestStringConvertible {
        let device: String
        let names: [String]
        let cases: [String]
        /// The numbers of variants that pass and of mutants that are found.
        let variants, mutants: Int

        var testDescription: String { device }
    }

    private static let shares = [
        Share(
            device: "sdl-app", names: ["probe-at-full", "icon-at-start", "change-when-equal"],
            cases: ["same-language-changes-nothing*"], variants: 2, mutants: 1),
        Share(
            device: "accessory-app", names: ["slow-retries", "at-most-seven-retries"],
            cases: ["many-attempts*"], variants: 1, mutants: 1),
        Share(
            device: "session-client", names: ["cut-writes", "timer-restarted", "ping-every-5s"],
            cases: ["half-open", "pings-go-on-after-a-reconnection"], variants: 2, mutants: 1),
        Share(
            device: "head-unit", names: ["few-channels", "index-never-again"],
            cases: ["freed-index-is-told-again"], variants: 1, mutants: 1),
    ]

    @Test(
        "The survey prints the variants that passed and the mutants that were found",
        .enabled(if: hasPython, "no Python"), arguments: shares)
    func survey(share: Share) throws {
        var words: [String] = ["/usr/bin/python3", "\(Self.devices)/survey.py", share.device]
        words += ["--conform", "\(ConformProgram.folder)/conform"]
        words += ["--work", TemporaryFolder.lasting(), "--time-scale", "3"]
        words += ["--names", "^(\(share.names.joined(separator: "|")))$"]
        for pattern in share.cases { words += ["--case", pattern] }
        let outcome = try ConformProgram.Started(words, in: ConformProgram.root).wait()
        let line =
            "| \(share.device) | \(share.variants) of \(share.variants) "
            + "| \(share.mutants) | \(share.mutants) | - |"
        #expect(
            outcome.status == 0 && outcome.output.contains(line),
            "\(outcome.output)\(outcome.errors)")
    }

    private func run(_ row: Row) throws -> JudgedRun {
        let original = try String(
            contentsOfFile: "\(Self.devices)/\(row.profile).yaml", encoding: .utf8)
        let profile = TemporaryFolder.lasting() + "/profile.yaml"
        // A device sees nothing of the user's home, where another Python may be.
        let launched = original.replacing("[python3,", with: "[/usr/bin/python3,")
        try (launched + "cwd: \(Self.devices)\nenv: {INDEPENDENT_MUTANT: \(row.name)}\n")
            .write(toFile: profile, atomically: true, encoding: .utf8)
        return try JudgedRun(
            "Suites/\(row.suite).yaml",
            [
                "--device", profile, "--case", row.testCase, "--time-scale", "3", "--jobs", "4",
            ])
    }

    @Test(
        "A mistake fails its requirement, live and from the capture",
        .enabled(if: hasPython, "no Python"), arguments: mistakes)
    func mistake(row: Row) throws {
        let run = try run(row)
        #expect(
            run.results.failedRequirements.contains(row.requirement), "\(run.outcome.output)")
        try run.expectSameOffline()
    }
}
