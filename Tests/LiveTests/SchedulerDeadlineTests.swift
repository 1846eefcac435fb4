import Judge
import SuiteLanguage
import TestBench
import Testing

@testable import Live

@Suite("The deadline of a worker")
struct SchedulerDeadlineTests {
    @Test("A hung worker is ended at its own deadline while others go on")
    func hungWorker() throws {
        let bench = try WorkBench()
        let end = bench.folder + "/end"
        // The patient worker waits until the hung one has been dealt with.
        let program = try bench.program(
            """
            case $(cat <&3) in
            *hung*) cat; exit 1 ;;
            *) while [ ! -e \(end) ]; do sleep 0.02; done; exit 3 ;;
            esac
            """)
        let scheduler = try Scheduler(launcher: ScriptLauncher(program), pace: JobPace(fixed: 2))
        var results: [(index: Int, text: String)] = []
        _ = try scheduler.run([
            bench.job(named: "patient", beyond: .seconds(30)),
            bench.job(named: "hung", beyond: .milliseconds(300)),
        ]) { event in
            guard case .finished(let index, let result) = event else { return true }
            results.append((index, result.reason?.summary ?? ""))
            try FileSystem.write([], to: end)
            return true
        }
        #expect(results.map(\.index) == [1, 0])
        #expect(results.first?.text.contains("did not end in time") == true)
        #expect(results.last?.text.contains("exit code 3") == true)
    }
}

extension WorkBench {
    /// Returns the job under another name, with a worker that is ended after `limit`.
    ///
    /// The grace of its device compensates for the case's own time and the scheduler's.
    fileprivate func job(named name: String, beyond limit: Duration) throws -> Scheduler.Job {
        try job(named: name, stopGrace: limit - testCase.timeout - .seconds(15))
    }
}
