import Foundation
import Judge
import Results
import SuiteLanguage
import System
import TestBench
import Testing

@testable import Live

@Suite("A saved capture that was changed")
struct TamperedCaptureTests {
    /// The result of a case that passed live, with the given bytes as its saved capture.
    private func result(of saved: [UInt8]?) throws -> CaseResult {
        let bench = try WorkBench()
        let session = try RunSession(
            plan: RunPlan(
                suites: [(path: bench.suitePath, suite: bench.suite)], selection: .init(),
                device: .command(["none"])),
            options: RunSession.Options(
                executable: "", folder: bench.folder + "/run", command: ["conform"]))
        let job = try session.job(0, attempt: 1)
        let reports = try HeldFolder(job.task.reports)
        if let saved { try reports.place(job.task.capture).replace(with: saved) }
        let live = CaseResult(
            suite: job.suite.id, id: job.testCase.id, title: "", position: job.testCase.position,
            verdict: .pass)
        return try WorkerCase(job.task, of: job.suite, reports: reports).judged(
            LiveReport(result: live, digest: [UInt8](repeating: 7, count: 32)))
    }

    @Test("A changed capture is an error that names tampering, whatever is in its place")
    func tampering() throws {
        let empty: [UInt8] = [
            0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0,
        ]
        let all: [[UInt8]?] = [
            nil, [], Array("#!/bin/sh\n".utf8), empty, empty + [1], [0x0A, 0x0D, 0x0D, 0x0A],
        ]
        for saved in all {
            let result = try result(of: saved)
            #expect(result.verdict == .error, "\(String(describing: saved))")
            let summary = try #require(result.reason?.summary)
            #expect(summary.contains("(tampering); the live verdict was pass"), "\(summary)")
        }
    }
}
