import BuiltInProtocols
import Glibc
import Judge
import SuiteLanguage
import TestBench
import Testing

@testable import Live

@Suite("A case's result comes from its own worker or not at all")
struct SchedulerTests {
    @Test("The result that a worker leaves is taken")
    func resultIsTaken() throws {
        let bench = try WorkBench()
        try FileSystem.write(try bench.pass(), to: bench.folder + "/pass.json")
        let program = try bench.program(
            "cat \(bench.folder)/pass.json > \(WorkBench.mailbox)")
        #expect(try bench.results(of: program).map(\.verdict) == [.pass])
        #expect(FileSystem.names(in: bench.folder + "/.work").isEmpty)
    }

    @Test("A pass that an earlier run left in the same place is not taken")
    func staleResult() throws {
        let bench = try WorkBench()
        let scratch = try bench.job().task.scratch
        try FileSystem.makeFolder(scratch)
        try FileSystem.write(try bench.pass(), to: scratch + "/result.json")
        try FileSystem.write([1, 2, 3], to: bench.capture)
        #expect(try bench.results(of: bench.program("exit 0")).map(\.verdict) == [.error])
        #expect(access(bench.capture, F_OK) != 0, "an old capture passes for a new one")
    }

    @Test(
        "Half a result, another case's result, and a worker that is killed or fails are errors",
        arguments: ["half", "other", "killed", "failed"])
    func brokenResult(_ kind: String) throws {
        let bench = try WorkBench()
        let (pass, other) = (bench.folder + "/pass.json", bench.folder + "/other.json")
        try FileSystem.write(try bench.pass(), to: pass)
        try FileSystem.write(try bench.pass(id: "another"), to: other)
        let result = WorkBench.mailbox
        let scripts = [
            "half": "head -c 100 \(pass) > \(result)", "other": "cat \(other) > \(result)",
            "killed": "cat \(pass) > \(result); kill -9 $$",
            "failed": "cat \(pass) > \(result); echo no luck >&2; exit 3",
        ]
        let results = try bench.results(of: bench.program(scripts[kind] ?? ""))
        #expect(results.map(\.verdict) == [.error])
        #expect(results[0].reason?.summary.contains("without a result") == true)
    }

    @Test("A worker that cannot be started makes its case an error, and the run goes on")
    func noWorker() throws {
        let bench = try WorkBench()
        let results = try bench.results(of: bench.folder + "/no-such-program")
        #expect(results.map(\.verdict) == [.error])
    }

    @Test("The partial capture of a case without a result is kept under the capture's name")
    func partialCaptureIsKept() throws {
        let bench = try WorkBench()
        let capture = bench.capture
        _ = try bench.results(of: bench.program("echo packets > \(capture).partial; exit 1"))
        #expect(FileSystem.read(capture).map { String(decoding: $0, as: UTF8.self) } == "packets\n")
        #expect(access(capture + ".partial", F_OK) != 0)
    }

    @Test("When the listener stops the schedule, the workers have ended before it returns")
    func workersEndFirst() throws {
        let bench = try WorkBench()
        let other = bench.folder + "/ended"
        // Stands in for a guard: it ends after the end of its lifeline.
        let program = try bench.program("cat; sleep 0.3; echo > \(other)")
        let scheduler = try Scheduler(launcher: ScriptLauncher(program), pace: JobPace(fixed: 2))
        let outcome = try scheduler.run([bench.job(), bench.job()]) { event in
            if case .started(1) = event { return false }
            return true
        }
        #expect(outcome == .stopped)
        #expect(access(other, F_OK) == 0, "the first worker was still at work")
    }
}

@Suite("A report folder belongs to one run")
struct FolderClaimTests {
    @Test("A second run in the same folder is refused until the first has ended")
    func exclusive() throws {
        let bench = try WorkBench()
        do {
            let first = try FolderClaim(bench.folder)
            #expect(throws: InvalidInput.self) { try FolderClaim(bench.folder) }
            withExtendedLifetime(first) {}
        }
        #expect(throws: Never.self) { try FolderClaim(bench.folder) }
    }

    @Test("Runs that begin in the same second get folders of their own")
    func freshFolders() throws {
        let bench = try WorkBench()
        let folders = (0..<5).map { _ in RunSession.freshFolder(in: bench.folder + "/Reports") }
        #expect(Set(folders).count == 5)
    }
}

@Suite("A case is judged as it was planned")
struct FingerprintTests {
    @Test("A change of a case changes the fingerprint, reading it again does not")
    func change() throws {
        let bench = try WorkBench()
        let before = try bench.job().task.fingerprint
        func reread() throws -> String {
            try SuiteLoader(.builtIn).load(path: bench.suitePath, searchPath: []).fingerprint
        }
        #expect(try reread() == before)
        let text = String(decoding: FileSystem.read(bench.suitePath) ?? [], as: UTF8.self)
        let changed = text.replacing("quiet: 1s", with: "quiet: 1ms")
        try FileSystem.write(Array(changed.utf8), to: bench.suitePath)
        #expect(try reread() != before)
    }
}
