import Foundation
import Glibc
import TestSupport
import Testing
import Wire

private let suite = "Suites/registration-language.yaml"
private let caseName = "change-carries-language-and-names"
/// Cases of a second comparison, in which the mutant breaks CRM-10, and CRM-7 by a rule.
private let laterCases = [
    "new-head-unit-is-compared-afresh[language=FR-CA]",
    "new-head-unit-is-compared-afresh[language=EN-US]",
    "language-that-comes-back-is-changed-again", "restarted-app-is-compared-as-at-first",
    "language-is-asked-for-after-the-declined-one",
]

@Suite("Known failures, repetitions and retries, as a user runs them")
struct PolicyTests {
    /// A day on which an entry may expire, which is at most a year ahead.
    static let inSomeMonths = Date(timeIntervalSinceNow: 300 * 86400).formatted(
        .iso8601.year().month().day())

    /// A file that lists failures of the mutant that forgets the app's name.
    private func list(
        _ entries: [(pattern: String, reason: String, expires: String)]
    ) throws -> String {
        let path = TemporaryFolder.lasting() + "/known.yaml"
        let text =
            "# what we know\nconform-known-failures: 1\nentries:\n"
            + entries.flatMap { entry in
                (laterCases.contains(entry.pattern) ? ["CRM-10", "CRM-7"] : ["CRM-7"]).map {
                    "  - case: \"\(entry.pattern)\"\n    check: \($0)\n"
                        + "    reason: \(entry.reason)\n"
                        + "    issue: issue-7\n    owner: anna\n    expires: \(entry.expires)\n"
                }
            }.joined()
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(
        _ options: String..., cases: [String] = [], mutant: String? = "forgets-app-name"
    ) throws -> (outcome: ConformProgram.Outcome, folder: String) {
        let folder = TemporaryFolder.lasting() + "/run"
        let device = mutant.map { ["--device", "reference:\($0)"] } ?? []
        let outcome = try ConformProgram.run(
            ["run", suite, "--reports", folder, "--explore", "0"] + device + options
                + cases.flatMap { ["--case", $0] })
        return (outcome, folder)
    }

    @Test("A listed failure does not fail the run, and its issue is named")
    func known() throws {
        let file = try list(
            ([caseName, "only-given-*"] + laterCases).map {
                ($0, "got no params.appName", Self.inSomeMonths)
            })
        // The rules of the suite fail further cases.
        let cases = [caseName, "only-given-*", "same-language-changes-nothing"] + laterCases
        let run = try run("--known", file, cases: cases)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        let results = try Results(run.folder)
        #expect(results.verdicts[caseName] == "known")
        #expect(results.verdicts["only-given-names-are-applied"] == "known")
        #expect(results.summaries[caseName]?.contains("issue-7") == true)
        #expect(run.outcome.output.contains("\(laterCases.count + 2) known to fail"))
    }

    @Test("A different reason, an expired entry, and an entry without a case fail the run")
    func notExcused() throws {
        let file = try list([
            (caseName, "something else", Self.inSomeMonths),
            ("only-given-*", "params.appName", "2020-01-01"),
            ("change-carries-langage-and-names", "x", Self.inSomeMonths),
        ])
        let run = try run("--known", file)
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        let results = try Results(run.folder)
        #expect(results.verdicts[caseName] == "fail")
        #expect(results.summaries[caseName]?.contains("lists issue-7 instead") == true)
        #expect(results.verdicts["only-given-names-are-applied"] == "fail")
        #expect(run.outcome.output.contains("has expired on 2020-01-01"))
        #expect(run.outcome.output.contains("did you mean \"\(caseName)\"?"))
    }

    @Test("A listed case that passes fails the run, but an entry outside the filter does not")
    func unexpectedPass() throws {
        let file = try list([(caseName, "got no params.appName", Self.inSomeMonths)])
        let pass = try run("--known", file, "--case", caseName, mutant: nil)
        #expect(pass.outcome.status == 1, "\(pass.outcome.output)")
        #expect(pass.outcome.output.contains("lists it as a known failure"))
        let other = try run(
            "--known", file, "--case", "same-language-changes-nothing", mutant: nil)
        #expect(other.outcome.status == 0, "\(other.outcome.output)")
    }

    @Test("An entry that matches nothing fails a run in which every case passes")
    func staleEntryAlone() throws {
        let file = try list([("no-such-case", "x", Self.inSomeMonths)])
        let run = try run(
            "--known", file, "--case", "same-language-changes-nothing", mutant: nil)
        #expect(run.outcome.status == 1, "\(run.outcome.output)")
        #expect(run.outcome.output.contains("\(file):4:5: "))
    }

    @Test("A rewritten list makes the next run conformant and keeps its comments")
    func update() throws {
        let file = try list([("no-such-case", "x", Self.inSomeMonths)])
        let first = try run("--known", "update=\(file)")
        #expect(first.outcome.status == 1)
        let failed = first.outcome.output.split(separator: "\n").count { $0.hasPrefix("fail  ") }
        #expect(failed >= 5)
        // A case that fails by a step and by a rule gets an entry for each.
        let added = try #require(
            first.outcome.output.firstMatch(of: /0 kept, 1 removed, (\d+) added/)?.1)
        #expect(try #require(Int(added)) > failed, "\(first.outcome.output)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("# what we know\n"))
        let second = try run("--known", file)
        #expect(second.outcome.status == 0, "\(second.outcome.output)\(second.outcome.errors)")
    }

    @Test("Contradictory options and wrong lists are refused before anything runs")
    func refused() throws {
        let file = try list([(caseName, "x", Self.inSomeMonths)])
        let broken = try list([("*", "x", "soon")])
        let refusals = [
            (["--known", file + ".yaml"], "there is no such file"),
            (["--known", broken], "\(broken):9:14: error: "),
            (["--known", "update="], "--known update=FILE"),
            (["--known", "update=\(file)", "--case", "*"], "--case narrows it"),
            (["--known", "update=\(file)", "--tag", "x"], "--tag narrows it"),
            (["--retries", "1", "--repeat", "2"], "one or the other"),
            (["--repeat", "0"], "at least 1"),
        ]
        for (options, text) in refusals {
            let folder = TemporaryFolder.lasting() + "/run"
            let run = try ConformProgram.run(["run", suite, "--reports", folder] + options)
            #expect(run.status == 2, "\(options)")
            #expect(run.errors.contains(text), "\(options): \(run.errors)")
            #expect(access(folder, F_OK) != 0, "nothing may be run")
        }
    }

    @Test("A repeated case reports its failure rate, and keeps the capture of each execution")
    func repeated() throws {
        let run = try run("--repeat", "3", "--case", caseName)
        #expect(run.outcome.status == 1)
        #expect(run.outcome.output.contains("failed in 3 of 3 runs (100.0 %, 95 % interval"))
        let executions = try Executions(run.folder)
        #expect(executions.verdicts == ["fail", "fail", "fail"])
        #expect(Set(executions.captures).count == 3)
        for capture in executions.captures {
            let path = "\(run.folder)/\(capture)"
            #expect(access(path, R_OK) == 0, "\(path)")
            #expect(try ConformProgram.run(["check", suite, path]).status == 1, "\(path)")
        }
    }

    @Test("With --repeat and --fail-fast the first execution that fails is the last one")
    func untilFailure() throws {
        let failing = try run("--repeat", "9", "--fail-fast", "--case", caseName)
        #expect(failing.outcome.status == 1)
        #expect(try Executions(failing.folder).verdicts == ["fail"])
        let passing = try run(
            "--repeat", "2", "--fail-fast", "--case", caseName, mutant: nil)
        #expect(passing.outcome.status == 0, "\(passing.outcome.output)")
        #expect(try Executions(passing.folder).verdicts == ["pass", "pass"])
    }

    @Test("A case that passes on a retry is flaky, and fails the run only under --strict flaky")
    func flaky() throws {
        for (options, status) in [([], 0), (["--strict", "flaky"], 1)] as [([String], Int32)] {
            let folder = TemporaryFolder.lasting()
            let profile = try failingOnce(in: folder)
            let run = try ConformProgram.run(
                [
                    "run", suite, "--device", profile, "--case", caseName, "--retries", "2",
                    "--reports", folder + "/run",
                ] + options)
            #expect(run.status == status, "\(run.output)\(run.errors)")
            let results = try Results(folder + "/run")
            #expect(results.verdicts[caseName] == "flaky")
            #expect(results.summaries[caseName]?.contains("got no params.appName") == true)
            #expect(try Executions(folder + "/run").verdicts == ["fail", "pass"])
            let first = try #require(results.captures.first)
            #expect(try ConformProgram.run(["check", suite, "\(folder)/run/\(first)"]).status == 1)
        }
    }

    @Test("A case that fails each time is a failure, whatever the retries")
    func failsEachTime() throws {
        let run = try run("--retries", "1", "--case", caseName)
        #expect(run.outcome.status == 1)
        #expect(try Executions(run.folder).verdicts == ["fail", "fail"])
        #expect(run.outcome.output.contains("not passed in 2 attempts: fail, fail"))
    }

    @Test("An interrupted repetition reports its executions so far")
    func interrupted() throws {
        let folder = TemporaryFolder.lasting() + "/run"
        let started = try ConformProgram.start([
            "run", suite, "--repeat", "1000", "--fail-fast", "--case", caseName, "--reports",
            folder,
        ])
        let second = "\(folder)/captures/attempts/registration-language.\(caseName)+2.pcapng"
        let limit = Date(timeIntervalSinceNow: 120)
        while access(second, R_OK) != 0, Date() < limit { poll(nil, 0, 50) }
        kill(started.process, SIGINT)
        let outcome = started.wait()
        #expect(outcome.status == 130, "\(outcome.output)\(outcome.errors)")
        let verdicts = try Executions(folder).verdicts
        #expect(!verdicts.isEmpty && verdicts.allSatisfy { $0 == "pass" }, "\(verdicts)")
        #expect(outcome.output.contains("failed in 0 of \(verdicts.count) run"))
    }

    @Test("A list that cannot be written is reported, and a failing run keeps its exit code")
    func unwritable() throws {
        let options = ["--known", "update=/no/such/folder/known.yaml"]
        for (mutant, status) in [(nil, 5), ("forgets-app-name", 1)] as [(String?, Int32)] {
            let folder = TemporaryFolder.lasting() + "/run"
            let device = mutant.map { ["--device", "reference:\($0)"] } ?? []
            let run = try ConformProgram.run(
                ["run", suite, "--reports", folder, "--explore", "0"] + device + options)
            #expect(run.status == status, "\(run.output)")
            #expect(run.errors.contains("cannot be written"), "\(run.errors)")
        }
    }

    /// Writes the profile of a device that forgets the app's name only at its first start.
    private func failingOnce(in folder: String) throws -> String {
        let profile = folder + "/device.yaml"
        let device = "\(ConformProgram.folder)/conform-device"
        // A run of root starts its devices as another user.
        mkdir(folder + "/state", 0o777)
        chmod(folder + "/state", 0o777)
        try """
        name: fails once
        role: sdl.app
        launch:
          - /bin/sh
          - -c
          - >-
            if mkdir '\(folder)/state/started' 2>/dev/null; then set -- --mutant forgets-app-name; fi;
            exec '\(device)' sdl-app --host ${host} --port ${port} --config ${config} "$@"
        features: [sdl.change-registration]
        files: {write: [state]}
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        return profile
    }
}

/// The executions of the only case of a results file.
private struct Executions {
    let verdicts: [String]
    let captures: [String]

    init(_ folder: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder + "/results.json")))
        let results = try Value(json: bytes.span.bytes)
        let executions = results["cases"]?.arrayValue?.first?["executions"]?.arrayValue ?? []
        verdicts = executions.compactMap { $0["verdict"]?.stringValue }
        captures = executions.compactMap { $0["capture"]?.stringValue }
    }
}
