import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Outputs are written completely or not at all")
struct OutputTests {
    private static let suite = "Tests/EndToEndTests/Suites/attack.yaml"
    private let folder = TemporaryFolder.lasting()

    /// Runs a shell line in which `$conform` is the program.
    private func shell(_ line: String) throws -> ConformProgram.Outcome {
        try ConformProgram.Started(
            ["conform=\(ConformProgram.folder)/conform", "/bin/sh", "-c", line],
            in: ConformProgram.root
        ).wait()
    }

    private func stored() throws -> String {
        let run = try ConformProgram.run([
            "run", Self.suite, "--device", "command:/bin/true", "--reports", folder + "/run",
            "--case", "speaks",
        ])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        return folder + "/run"
    }

    @Test("Every command ends with exit code 5 if standard output cannot be written")
    func full() throws {
        for words in ["--version", "lint \(Self.suite)", "list \(Self.suite)", "schema suite"] {
            let run = try shell("$conform \(words) > /dev/full")
            #expect(run.status == 5, "\(words): \(run.errors)")
            #expect(run.errors.contains("standard output cannot be written"), "\(words)")
        }
        let reports = try stored()
        let drawn = try shell("$conform report junit \(reports) -o /dev/full")
        #expect(drawn.status == 5, "\(drawn.errors)")
    }

    @Test("Output to a link, a pipe or a device does not replace it")
    func special() throws {
        let reports = try stored()
        let (file, link, pipe) = (folder + "/file", folder + "/link", folder + "/pipe")
        try "old".write(toFile: file, atomically: false, encoding: .utf8)
        symlink(file, link)
        mkfifo(pipe, 0o600)
        let run = try shell(
            "$conform report junit \(reports) -o \(link) && (cat \(pipe) > \(folder)/copy & "
                + "$conform report junit \(reports) -o \(pipe); wait) && "
                + "$conform report junit \(reports) -o /dev/stdout")
        #expect(run.status == 0, "\(run.errors)")
        let expected = try String(contentsOfFile: reports + "/junit.xml", encoding: .utf8)
        #expect(run.output == expected)
        for path in [file, folder + "/copy"] {
            #expect(try String(contentsOfFile: path, encoding: .utf8) == expected, "\(path)")
        }
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("JUnit of a run on standard output comes once, at the end")
    func once() throws {
        let run = try shell(
            "$conform run \(Self.suite) --device command:/bin/true --quiet --junit /dev/stdout "
                + "--reports \(folder)/run")
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.output.components(separatedBy: "<testsuites").count == 2, "\(run.output)")
    }

    @Test("Beyond the limit on the size of files a report is an error, exit code 5, and no signal")
    func fileSize() throws {
        let reports = TemporaryFolder.lasting() + "/reports"
        let suite = "Suites/registration-language.yaml"
        let capture =
            "GoldenCaptures/reference/registration-language.forgets-hmi-display-language.pcapng"
        for (line, status) in [
            ("report html Reports/sample -o \(reports).html", 5),
            ("report merge Reports/sample --reports \(reports)", 5),
            ("decode \(capture) > \(reports).txt", 5),
            ("run \(suite) --case same-language-changes-nothing --reports \(reports)-live", 3),
        ] as [(String, Int32)] {
            let run = try ConformProgram.Started(
                [
                    "/bin/bash", "-c",
                    "ulimit -f 4; exec \(ConformProgram.folder)/conform \(line)",
                ], in: ConformProgram.root
            ).wait()
            #expect(run.status == status, "\(line) \(run.output)\(run.errors)")
            #expect(
                (run.errors + run.output).contains("File too large"),
                "\(line) \(run.output)\(run.errors)")
        }
    }

    @Test("An endless special file is refused as input")
    func endless() throws {
        for path in ["/dev/zero", "/dev/full"] {
            let run = try shell("$conform lint \(path)")
            #expect(run.status == 2, "\(run.errors)")
            symlink(path, folder + "/results.json")
            let report = try shell("$conform report markdown \(folder)/results.json")
            #expect(report.status == 2, "\(report.errors)")
            unlink(folder + "/results.json")
        }
    }
}

@Suite("The start and the end of a run")
struct SignalTests {
    private static let suite = "Tests/EndToEndTests/Suites/attack.yaml"

    @Test(
        "HUP, QUIT and USR1 end a run as TERM does, with complete reports",
        arguments: [SIGHUP, SIGQUIT, SIGUSR1, SIGTERM])
    func signals(_ number: Int32) throws {
        let folder = TemporaryFolder.lasting() + "/run"
        let processes = MarkedProcesses()
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        try """
        name: sleeper
        role: sdl.app
        launch: [/bin/sleep, "617"]
        \(processes.environment)
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let started = try ConformProgram.start([
            "run", Self.suite, "--device", profile, "--reports", folder,
        ])
        #expect(processes.wait(seconds: 60) { $0 >= 1 })
        kill(started.process, number)
        let run = started.wait()
        #expect(run.status == 143, "\(run.output)\(run.errors)")
        #expect(processes.count == 0)
        #expect(try Results(folder).verdicts.count == 2)
    }

    @Test(
        "The command line is read even without /proc",
        .enabled(if: geteuid() == 0, "only root can take /proc away"))
    func noProc() throws {
        let run = try ConformProgram.Started(
            [
                "unshare", "--mount", "/bin/sh", "-c", "umount -l /proc && exec \"$@\"", "sh",
                "\(ConformProgram.folder)/conform", "lint", Self.suite,
            ], in: ConformProgram.root
        ).wait()
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("0 errors"))
    }

    @Test("conform clean removes what a killed run leaves")
    func clean() throws {
        let place = TemporaryFolder.lasting()
        let (folder, scratch) = (place + "/run", place + "/tmp")
        try FileManager.default.createDirectory(
            atPath: scratch, withIntermediateDirectories: true)
        let processes = MarkedProcesses()
        try """
        name: sleeper
        role: sdl.app
        launch: [/bin/sleep, "619"]
        \(processes.environment)
        """.write(toFile: place + "/device.yaml", atomically: true, encoding: .utf8)
        let started = try ConformProgram.Started(
            [
                "TMPDIR=\(scratch)", "\(ConformProgram.folder)/conform", "run", Self.suite,
                "--device", place + "/device.yaml", "--reports", folder,
            ], in: ConformProgram.root)
        #expect(processes.wait(seconds: 60) { $0 >= 1 })
        kill(started.process, SIGKILL)
        _ = started.wait()
        #expect(processes.wait(seconds: 60) { $0 == 0 })
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch)
        try #require(left.count == 1)
        // A new folder may be about to be locked by its run.
        var times = [timeval(tv_sec: time(nil) - 600, tv_usec: 0), timeval(tv_sec: 0, tv_usec: 0)]
        times[1] = times[0]
        utimes("\(scratch)/\(left[0])", times)
        let clean = try ConformProgram.Started(
            ["TMPDIR=\(scratch)", "\(ConformProgram.folder)/conform", "clean", folder],
            in: ConformProgram.root
        ).wait()
        #expect(clean.status == 0, "\(clean.errors)")
        #expect(clean.output.contains(left[0]), "\(clean.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
        #expect(access(folder + "/results.json", F_OK) == 0)
        let captures = try FileManager.default.contentsOfDirectory(atPath: folder + "/captures")
        #expect(!captures.contains { $0.hasSuffix(".partial") })
    }
}
