import Foundation
import Glibc
import TestSupport
import Testing

/// The user who runs `conform`, and what the system allows.
struct Conditions: CustomTestStringConvertible {
    let isRoot: Bool
    let hasNamespaces: Bool

    var testDescription: String {
        (isRoot ? "root" : "an ordinary user") + (hasNamespaces ? "" : ", without namespaces")
    }

    /// The conditions that the user of the test run can try.
    ///
    /// An ordinary user cannot become root, nor capture without namespaces.
    static let all: [Conditions] =
        geteuid() == 0
        ? [true, false].flatMap { namespaces in
            [true, false].map { Conditions(isRoot: $0, hasNamespaces: namespaces) }
        } : [Conditions(isRoot: false, hasNamespaces: true)]

    /// An ordinary user that the system does not otherwise use.
    static let user: uid_t = 64_321

    /// The words before a command that create the conditions.
    var prefix: [String] {
        let refusal = hasNamespaces ? [] : ["CONFORM_REFUSE=user,network,mount,process"]
        guard geteuid() == 0, !isRoot else { return refusal }
        // Without namespaces an ordinary user needs the right to capture.
        let right = hasNamespaces ? [] : ["--inh-caps=+net_raw", "--ambient-caps=+net_raw"]
        return refusal + [
            "setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups",
        ] + right
    }
}

/// A run of a hostile device.
struct AttackedRun {
    static let suite = "Tests/EndToEndTests/Suites/attack.yaml"
    private static let script = "\(ConformProgram.root)/Tests/EndToEndTests/Suites/attack.sh"

    let folder = TemporaryFolder.lasting()
    let processes = MarkedProcesses()
    var reports: String { folder + "/home/reports" }
    var secret: String { folder + "/home/secret" }
    /// An empty folder of the user.
    var victim: String { folder + "/home/victim" }
    private(set) var outcome: ConformProgram.Outcome

    init(
        _ attack: String, under conditions: Conditions, _ words: [String] = [],
        profile more: String = ""
    ) throws {
        let profile = folder + "/device.yaml"
        outcome = ConformProgram.Outcome(status: -1, output: "", errors: "")
        try FileManager.default.createDirectory(
            atPath: folder + "/home/victim", withIntermediateDirectories: true)
        try "precious".write(toFile: secret, atomically: false, encoding: .utf8)
        chmod(secret, 0o600)
        try """
        name: attacker
        role: sdl.app
        launch:
          - /bin/sh
          - \(Self.script)
          - \(attack)
          - reports=\(reports)
          - secret=\(secret)
          - ${host}
          - ${port}
        stop: {signal: TERM, grace: 200ms}
        \(processes.environment)
        \(more)
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        if !conditions.isRoot, geteuid() == 0 {
            for path in [folder + "/home", victim, secret] {
                chown(path, Conditions.user, Conditions.user)
            }
        }
        outcome = try ConformProgram.Started(
            ["HOME=\(folder)/home"] + conditions.prefix
                + ConformProgram.command(
                    [
                        "run", Self.suite, "--device", profile, "--reports", reports, "--jobs", "2",
                    ] + words), in: ConformProgram.root
        ).wait()
    }

    var text: String { outcome.output + outcome.errors }
    var secretText: String { (try? String(contentsOfFile: secret, encoding: .utf8)) ?? "" }

    /// The output of the devices.
    var log: String {
        let logs = ["speaks", "speaks-too"].map { "\(reports)/logs/attack.\($0).log" }
        return logs.map { (try? String(contentsOfFile: $0, encoding: .utf8)) ?? "" }.joined()
    }

    /// Checks that no case passes and no process is left.
    ///
    /// A device that keeps the machine busy is not judged.
    func expectHonest(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect([1, 3].contains(outcome.status), "\(text)", sourceLocation: sourceLocation)
        let verdicts = try Results(reports).verdicts
        #expect(
            Set(verdicts.keys) == ["speaks", "speaks-too"]
                && verdicts.values.allSatisfy { ["fail", "error", "inconclusive"].contains($0) },
            "\(verdicts) \(text)", sourceLocation: sourceLocation)
        #expect(processes.count == 0, sourceLocation: sourceLocation)
    }
}

@Suite("A device cannot falsify a verdict")
struct AttackTests {
    @Test(
        "A daemon that overwrites everything it can reach forges no verdict",
        arguments: Conditions.all)
    func forger(_ conditions: Conditions) throws {
        let run = try AttackedRun("forger", under: conditions)
        try run.expectHonest()
        if conditions.hasNamespaces || conditions.isRoot {
            // The daemon reaches nothing at all, so that the verdict is correct.
            #expect(run.outcome.status == 1, "\(run.text)")
            #expect(run.secretText == "precious")
        }
    }

    @Test("Daemons end with their case", arguments: Conditions.all)
    func daemon(_ conditions: Conditions) throws {
        let run = try AttackedRun("daemon", under: conditions)
        try run.expectHonest()
        #expect(run.outcome.status == 1, "\(run.text)")
    }

    @Test("No file is written through a link that a device has planted", arguments: Conditions.all)
    func planter(_ conditions: Conditions) throws {
        let run = try AttackedRun("planter", under: conditions)
        try run.expectHonest()
        #expect(run.secretText == "precious")
    }

    @Test("Folders that a device replaces by links redirect no write", arguments: Conditions.all)
    func redirector(_ conditions: Conditions) throws {
        let run = try AttackedRun("redirector", under: conditions)
        let names = try FileManager.default.contentsOfDirectory(atPath: run.victim)
        // The device itself moves files and makes links in it, if it has the right to do that.
        let written = names.filter { name in
            var status = stat()
            let isLink =
                lstat("\(run.victim)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            return !name.hasSuffix(".moved") && !isLink
        }
        #expect(written.isEmpty, "\(names) \(run.text)")
        #expect(run.processes.count == 0)
        #expect(!run.text.contains("\nconformant"), "\(run.text)")
        guard conditions.hasNamespaces || conditions.isRoot else {
            // Its user may move the folders, so that the reports cannot be completed.
            #expect([1, 3, 5].contains(run.outcome.status), "\(run.text)")
            return
        }
        try run.expectHonest()
        #expect(run.outcome.status == 1, "\(run.text)")
    }

    @Test(
        "A device neither sees nor changes files of the user, the reports or its neighbours",
        arguments: Conditions.all)
    func neighbour(_ conditions: Conditions) throws {
        let run = try AttackedRun("neighbour", under: conditions)
        try run.expectHonest()
        #expect(!run.log.contains("OPENED "), "\(run.log)")
        guard conditions.hasNamespaces || conditions.isRoot else {
            let remark = "the device sees and may change all files of its user"
            let report = try String(contentsOfFile: run.reports + "/results.json", encoding: .utf8)
            #expect(report.contains(remark))
            return
        }
        #expect(run.log.contains("SECRET \n"), "\(run.log)")
        #expect(!run.log.contains("CHANGED "), "\(run.log)")
        if conditions.hasNamespaces { #expect(!run.log.contains("SEEN "), "\(run.log)") }
    }

    @Test(
        "A device that kills what it can of the harness gets no verdict",
        arguments: Conditions.all)
    func killer(_ conditions: Conditions) throws {
        let run = try AttackedRun("killer", under: conditions)
        guard conditions.hasNamespaces || conditions.isRoot else {
            // The device may kill conform itself, as the user could.
            #expect([1, 3, 128 + SIGKILL].contains(run.outcome.status), "\(run.text)")
            #expect(!run.text.contains("\nconformant"))
            #expect(run.processes.wait(seconds: 20) { $0 == 0 })
            return
        }
        try run.expectHonest()
    }

    @Test(
        "A device that forbids the harness to write gets an error that names the limit",
        arguments: Conditions.all.filter { !$0.isRoot && $0.hasNamespaces })
    func limiter(_ conditions: Conditions) throws {
        let run = try AttackedRun("limiter", under: conditions)
        try run.expectHonest()
        #expect(run.outcome.status == 3, "\(run.text)")
        #expect(try Set(Results(run.reports).verdicts.values) == ["error"])
        #expect(run.text.contains("changed the limit RLIMIT_FSIZE of the process"), "\(run.text)")
    }

    @Test(
        "A device that floods fills neither the disk nor the time of a run",
        arguments: Conditions.all)
    func flooder(_ conditions: Conditions) throws {
        let run = try AttackedRun(
            "flooder", under: conditions, profile: "limits: {capture: 1MiB}")
        try run.expectHonest()
        let verdicts = try Results(run.reports).verdicts
        // What the device sent before the limit may have failed it already.
        #expect(verdicts.values.contains("inconclusive"), "\(run.text)")
        let report = try String(contentsOfFile: run.reports + "/results.json", encoding: .utf8)
        #expect(report.contains("the capture was ended at its limit of 1048576 bytes"))
        var status = stat()
        #expect(stat(run.reports + "/captures/attack.speaks.pcapng", &status) == 0)
        #expect(status.st_size < 8 << 20, "\(status.st_size) bytes")
    }

    @Test(
        "The console says which namespaces are missing",
        arguments: Conditions.all.filter { !$0.hasNamespaces })
    func missingNamespaces(_ conditions: Conditions) throws {
        let run = try AttackedRun("daemon", under: conditions)
        let line = run.outcome.output.split(separator: "\n").first { $0.contains("isolation: ") }
        for name in ["user", "network", "mount", "process"] {
            #expect(line?.contains("no \(name) namespace: ") == true, "\(run.text)")
        }
        #expect(line?.contains("isolation: none") == true, "\(run.text)")
    }
}

@Suite("A device cannot send commands")
struct PromptTests {
    @Test(
        "The output of a device controls neither a terminal nor a CI engine",
        arguments: Conditions.all)
    func writer(_ conditions: Conditions) throws {
        let run = try AttackedRun("writer", under: conditions, ["--verbose"])
        try run.expectHonest()
        #expect(!run.outcome.output.contains("\u{1B}"))
        let lines = run.text.split(whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " || $0 == "\t" } }
        #expect(lines.allSatisfy { !$0.hasPrefix("::") && !$0.contains("##[") }, "\(run.text)")
        #expect(!run.text.contains("##vso["))
        for name in ["results.json", "junit.xml", "index.html"] {
            let bytes = try Data(contentsOf: URL(filePath: "\(run.reports)/\(name)"))
            #expect(String(validating: bytes, as: UTF8.self) != nil, "\(name)")
        }
        let page = try String(contentsOfFile: run.reports + "/index.html", encoding: .utf8)
        #expect(!page.contains("<script>alert"))
    }
}
