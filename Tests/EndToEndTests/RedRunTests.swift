import Foundation
import Glibc
import TestSupport
import Testing

private let demands = "Tests/EndToEndTests/Suites/red.yaml"
private let devices = "Tests/EndToEndTests/Suites/red-devices.yaml"
private let wrongDevice = "Tests/EndToEndTests/Suites/wrong-device.yaml"

@Suite("Every fault makes a run fail, live and from the saved capture")
struct RedRunTests {
    /// Runs `conform` with a separate report folder.
    private func run(
        _ arguments: String...
    ) throws -> (outcome: ConformProgram.Outcome, folder: String) {
        let folder = TemporaryFolder.lasting() + "/run"
        let outcome = try ConformProgram.run(["run"] + arguments + ["--reports", folder])
        return (outcome, folder)
    }

    @Test("Each requirement that the reference device misses is reported with the right words")
    func wrongDemands() throws {
        let (outcome, folder) = try run(demands, "--jobs", "12")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("\nnot conformant: 10 failed of 17 planned cases (exit 1)"))
        let report = try RedReport(folder)
        #expect(report.exitCode == 1)
        report.expect(Self.wrongDemands)
        #expect(report.checks["never-in-the-body"] == ["CRM-1": "none", "CRM-4": "fail"])
        #expect(report.checks["never-in-the-closing-window"] == ["CRM-5": "fail"])
        #expect(report.checks["preamble-not-reached"] == ["CRM-3": "inconclusive"])
        try report.expectTheSameOffline(demands, status: 1)
    }

    private static let change = "sdl.ChangeRegistration.request"

    private static let wrongDemands: [Expected] = [
        .pass("right"),
        .pass("only-absence"),
        .fail(
            "swapped", "sequence", "step 1 (\(demands):", "sdl.RegisterAppInterface.request",
            "step 2's message sdl.StartService came before it"),
        .fail(
            "missing", "sequence", "step 4 (\(demands):",
            "expected \(change) within 200ms of registered, nothing came"),
        .fail("extra", "unexpected", "expected sdl.Show.request", "unexpected \(change) "),
        .fail(
            "extra-at-the-end", "unexpected", "closing window after step 3",
            "expected silence for 1s, got unexpected \(change)"),
        .fail(
            "repeated", "sequence", "step 5 (\(demands):", "expected sdl.Show.request",
            "step 1's message sdl.StartService came again"),
        .fail(
            "late", "timing", "step 5 (\(demands):",
            "expected sdl.StartService within 100ms of closed, it came too late", "s late"),
        .fail(
            "early", "timing", "expected \(change) not before 2s", "of registered",
            "it came too early", "before its time"),
        .fail(
            "field", "field", "expected \(change) with params.language FR-CA",
            "got params.language DE-DE, ", "(frame "),
        .fail(
            "never-in-the-body", "absence", "step 4 (\(demands):", "\(change) came ",
            "which never (\(demands):", "forbids"),
        .fail(
            "never-in-the-closing-window", "absence", "closing window after step 3",
            "\(change) came ", "which never (\(demands):", "forbids"),
        .inconclusive(
            "preamble-not-reached", "preamble", "step 3 (\(demands):", ", preamble)",
            "expected sdl.Show.request within 100ms, nothing came"),
        .inconclusive(
            "preamble-unexpected", "preamble", ", preamble)", "got unexpected \(change)"),
        .inconclusive(
            "peer-silent", "sequence",
            "peer hu did not send sdl.RegisterAppInterface.response from hu within 100ms"),
        .error("timeout", "timeout", "longer than its timeout of 700ms", "a wait of 5s"),
        .skipped(
            "not-applicable", "not-applicable",
            "(sdl.change-registration and not sdl.reconnect); it declares: ", "sdl.reconnect"),
    ]

    @Test("Each wrong device is reported with the right words, even if only absence is required")
    func wrongDevices() throws {
        let (outcome, folder) = try run(devices, "--device", wrongDevice, "--jobs", "15")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        let report = try RedReport(folder)
        report.expect(Self.inSequence + Self.inAbsence)
        #expect(
            report.checks["sequence[device=forbidden-in-the-body]"]
                == ["CRM-1": "none", "CRM-2": "fail"])
        try report.expectTheSameOffline(devices, status: 1)
    }

    private static func sequence(_ device: String) -> String { "sequence[device=\(device)]" }
    private static func absence(_ device: String) -> String { "absence[device=\(device)]" }

    private static let inSequence: [Expected] = [
        .pass(sequence("right")),
        .fail(
            sequence("swapped"), "sequence", "step 2 (\(devices):", "expected sdl.Heartbeat",
            "step 3's message sdl.EndService came before it"),
        .fail(
            sequence("missing"), "sequence", "step 3 (\(devices):",
            "expected sdl.EndService within 2s, nothing came"),
        .fail(
            sequence("extra"), "unexpected", "expected sdl.EndService",
            "got unexpected sdl.HeartbeatACK "),
        .fail(
            sequence("repeated"), "sequence", "expected sdl.EndService",
            "step 2's message sdl.Heartbeat came again"),
        .fail(
            sequence("late"), "timing", "within 1.5s of started, it came too late 2.",
            "s after started", "s late"),
        .fail(
            sequence("early"), "timing", "not before 800ms and within 1.5s of started",
            "it came too early ", "before its time"),
        .fail(
            sequence("field"), "field", "expected sdl.Heartbeat with sdl.service_type 0",
            "got sdl.service_type 7"),
        .fail(
            sequence("forbidden-in-the-body"), "absence", "step 2", "sdl.StartServiceNAK came ",
            "which never (\(devices):", "forbids"),
        .fail(
            sequence("forbidden-in-the-closing-window"), "absence", "closing window after step 3",
            "sdl.StartServiceNAK came ", "forbids"),
        .fail(
            sequence("garbage"), "malformed",
            "the device sent bytes that do not decode: sdl.malformed"),
        .fail(
            sequence("half-a-frame"), "sequence", "step 2", "expected sdl.Heartbeat", "nothing came"
        ),
        .fail(
            sequence("hangs-up"), "sequence", "step 2", "expected sdl.Heartbeat", "nothing came"),
        .fail(
            sequence("greedy"), "liveness", "the device was killed by signal 25 (SIGXFSZ)",
            "the last step done is 1"),
        .fail(
            sequence("crash"), "liveness", "the device was killed by signal 11 (SIGSEGV)",
            "while sdl.Heartbeat", "the last step done is 1"),
        .fail(sequence("killed"), "liveness", "the device was killed by signal 9 (SIGKILL)"),
        .fail(sequence("exit"), "liveness", "the device exited with code 0", "without being asked"),
        .fail(
            sequence("exit-in-the-closing-window"), "liveness", "closing window after step 3",
            "the device exited with code 0", "while silence for 1s was expected"),
        .fail(
            sequence("crash-in-the-closing-window"), "liveness", "closing window after step 3",
            "the device was killed by signal 11 (SIGSEGV)"),
        .inconclusive(
            sequence("unreachable"), "preamble", ", preamble)",
            "expected sdl.StartService within 2s, nothing came"),
        .inconclusive(sequence("mute"), "preamble", "expected sdl.StartService", "nothing came"),
        .inconclusive(
            sequence("crash-in-the-preamble"), "preamble", ", preamble)",
            "killed by signal 11 (SIGSEGV)", "no step was done"),
    ]

    private static let inAbsence: [Expected] = [
        .pass(absence("quiet")),
        .fail(absence("crash"), "liveness", "killed by signal 11 (SIGSEGV)", "a wait of 1s"),
        .fail(absence("killed"), "liveness", "killed by signal 9 (SIGKILL)"),
        .fail(absence("exit"), "liveness", "exited with code 0", "without being asked to"),
        .fail(
            absence("exit-later"), "liveness", "closing window after step 1", "exited with code 0"),
        .fail(absence("crash-in-the-preamble"), "liveness", "killed by signal 11 (SIGSEGV)"),
        .inconclusive(
            absence("unreachable"), "preamble", "the trace shows nothing of the device"),
    ]

    @Test("A mutant that crashes does not pass the case that only requires absence")
    func crashingMutant() throws {
        let (outcome, folder) = try run(
            demands, "--tag", "absence", "--device", "reference:crashes-when-refused")
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        let report = try RedReport(folder)
        report.expect([.fail("only-absence", "liveness", "the device was killed by signal ")])
        try report.expectTheSameOffline(demands, status: 1)
    }

    @Test(
        "A device whose program is missing is refused once, before the run, with exit code 2",
        arguments: [
            ("/no/such/program", "there is no program /no/such/program"),
            ("no-such-program", "the program no-such-program is in no folder of PATH; install it"),
        ])
    func deviceCannotBeStarted(program: String, fault: String) throws {
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        try """
        name: nowhere
        role: sdl.app
        launch: [\(program), "${host}"]
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let (outcome, folder) = try run(
            devices, "--case", "absence[device=quiet]", "--device", profile)
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("the device nowhere cannot be started: \(fault)"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("An inconclusive case gives exit code 3, but with a failure the exit code is 1")
    func mixtures() throws {
        let unclear = try run(demands, "--case", "preamble-unexpected", "--case", "right")
        #expect(unclear.outcome.status == 3, "\(unclear.outcome.output)")
        #expect(
            unclear.outcome.output.contains("\ncould not judge: 0 with an error and 1 inconclusive")
        )
        try RedReport(unclear.folder).expectTheSameOffline(demands, status: 3)
        let failed = try run(
            demands, "--case", "preamble-unexpected", "--case", "swapped", "--case", "right",
            "--min", "9")
        #expect(failed.outcome.status == 1, "\(failed.outcome.output)")
        try RedReport(failed.folder).expectTheSameOffline(demands, status: 1)
    }

    @Test("A run in which nothing is judged, or too little, ends with exit code 4")
    func nothingExecuted() throws {
        let skipped = try run(demands, "--tag", "skipped")
        #expect(skipped.outcome.status == 4, "\(skipped.outcome.output)")
        let report = try RedReport(skipped.folder)
        report.expect([.skipped("not-applicable", "not-applicable", "it declares: ")])
        #expect(report.junit("complete") == ["error conform.not-run"])
        let unmatched = try run(demands, "--case", "no-such-*")
        #expect(unmatched.outcome.status == 4, "\(unmatched.outcome.output)")
        #expect(try RedReport(unmatched.folder).junit("complete") == ["error conform.not-run"])
        let few = try run(demands, "--case", "right", "--min", "2")
        #expect(few.outcome.status == 4, "\(few.outcome.output)")
        #expect(
            few.outcome.output.contains(
                ": 1 passed of 1 planned case, at least 2 required (exit 4)"))
        let fewReport = try RedReport(few.folder)
        #expect(fewReport.cases["right"]?.verdict == "pass")
        #expect(fewReport.junit("complete") == ["error conform.not-run"])
        let check = try ConformProgram.run(
            ["check", demands, "--case", "no-such-*"]
                + fewReport.captures.map { "\(few.folder)/\($0)" })
        #expect(check.status == 4, "\(check.output)")
    }

    @Test("After the first failure --fail-fast runs nothing more and lists the other cases")
    func failFast() throws {
        let (outcome, folder) = try run(
            demands, "--case", "right", "--case", "swapped", "--case", "missing", "--case",
            "not-applicable", "--jobs", "1", "--fail-fast")
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("+ 1 skipped + 1 not run;"), "\(outcome.output)")
        let report = try RedReport(folder)
        report.expect([
            .pass("right"),
            .fail("swapped", "sequence"),
            .skipped("missing", "not-run", "an earlier case failed (--fail-fast)"),
            .skipped("not-applicable", "not-applicable"),
        ])
        #expect(report.junit("complete") == ["error conform.not-run"])
    }

    @Test(
        "An interrupted run leaves no process, and its complete reports list the unjudged cases",
        arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func interrupted(signal: Int32, status: Int32) throws {
        let processes = MarkedProcesses()
        let folder = TemporaryFolder.lasting()
        let reports = folder + "/run"
        try """
        name: sleeper
        role: sdl.app
        launch:
          - /bin/bash
          - -c
          - trap '' TERM INT; exec 3<>/dev/tcp/${host}/${port}; sleep 613 & exec sleep 613
        \(processes.environment)
        """.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
        let started = try ConformProgram.start([
            "run", devices, "--device", folder + "/device.yaml", "--jobs", "3", "--reports",
            reports,
        ])
        #expect(processes.wait(seconds: 120) { $0 >= 6 }, "the devices never started")
        // Time for the last device's first packets to be captured.
        poll(nil, 0, 2000)
        kill(started.process, signal)
        let outcome = started.wait()
        #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
        #expect(processes.wait(seconds: 60) { $0 == 0 })
        let report = try RedReport(reports)
        #expect(report.exitCode == Int64(status))
        #expect(report.planned == 29 && report.cases.count == report.planned)
        let left = report.cases.filter { $0.value.code == "not-run" }
        #expect(left.count >= 20)
        for (id, result) in left {
            #expect(result.verdict == "skipped")
            #expect(report.junit(id) == ["skipped"])
        }
        #expect(report.junit("complete") == ["error conform.not-run"])
        #expect(outcome.output.contains("+ \(left.count) not run;"), "\(outcome.output)")
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: reports)
        #expect(!leftovers.contains(".work"))
        try expectReadableCaptures(in: reports + "/captures", atLeast: 3)
    }

    /// Checks that captures can be read, including those of cases that did not end.
    private func expectReadableCaptures(in folder: String, atLeast count: Int) throws {
        let captures = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(captures.count >= count)
        for capture in captures {
            #expect(capture.hasSuffix(".pcapng"))
            let decode = try ConformProgram.run(["decode", "\(folder)/\(capture)"])
            #expect(decode.status == 0, "\(decode.errors)")
            #expect(decode.output.contains("tcp.SYN"), "\(capture): \(decode.output)")
        }
    }

    @Test("A report folder that cannot be created gives exit code 5, before any verdict")
    func unwritableFolder() throws {
        let folder = TemporaryFolder.lasting()
        let file = folder + "/file"
        try "in the way".write(toFile: file, atomically: true, encoding: .utf8)
        let live = try ConformProgram.run([
            "run", demands, "--case", "right", "--reports", file + "/run",
        ])
        let junit = try ConformProgram.run([
            "run", demands, "--case", "right", "--reports", folder + "/run", "--junit",
            file + "/junit.xml",
        ])
        let good = try run(demands, "--case", "right")
        #expect(good.outcome.status == 0, "\(good.outcome.output)")
        let offline = try ConformProgram.run(
            ["check", demands, "--reports", file + "/run"]
                + (try RedReport(good.folder).captures.map { "\(good.folder)/\($0)" }))
        for outcome in [live, junit, offline] {
            #expect(outcome.status == 5, "\(outcome.output)\(outcome.errors)")
            #expect(
                outcome.errors.contains("\(file): cannot create the folder:"),
                "\(outcome.errors)")
            #expect(!outcome.output.contains("conformant"), "\(outcome.output)")
        }
    }

    @Test("A report that cannot be replaced gives exit code 5, but does not hide a failure")
    func unwritableReport() throws {
        for (arguments, status) in [(["--case", "right"], 5), (["--case", "swapped"], 1)] {
            let folder = TemporaryFolder.lasting()
            let blocked = folder + "/run/summary.md"
            try FileManager.default.createDirectory(
                atPath: blocked + "/full", withIntermediateDirectories: true)
            let outcome = try ConformProgram.run(
                ["run", demands, "--reports", folder + "/run"] + arguments)
            #expect(outcome.status == Int32(status), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains(blocked), "\(outcome.errors)")
            #expect(try RedReport(folder + "/run").exitCode == Int64(status))
        }
    }
}
