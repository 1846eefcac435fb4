import Foundation
import Glibc
import Judge
import Results
import TestSupport
import Testing

@testable import Reporting

@Suite("The committed sample, and its report in a browser")
struct SampleReportTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let folder = root + "/Reports/sample"

    /// The verdict and the reason of each case of the sample.
    private static let outcomes: [String: (verdict: Verdict, code: ReasonCode?)] = [
        "passes": (.pass, nil), "keeps-the-pace-of-reconnections": (.pass, nil),
        "backs-off": (.pass, nil),
        "fails-missing": (.fail, .sequence), "fails-wrong-field": (.fail, .field),
        "fails-swapped": (.fail, .sequence), "fails-never": (.fail, .absence),
        "fails-extra": (.fail, .unexpected), "fails-late": (.fail, .timing),
        "fails-early": (.fail, .timing), "fails-backoff": (.fail, .timing),
        "fails-crash": (.fail, .liveness),
        "is-inconclusive": (.inconclusive, .preamble), "is-known-to-fail": (.known, .field),
        "is-flaky": (.flaky, .absence), "does-not-apply": (.skipped, .notApplicable),
    ]

    private static func isOnPath(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// The option for axe, where `Scripts/third-party` has installed it.
    private static let axe: String = {
        let library = root + "/.third-party/python/lib"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return folders.map { "\(library)/\($0)/site-packages/axe_playwright_python/axe.min.js" }
            .first(where: FileManager.default.fileExists(atPath:)).map { "--axe '\($0)'" } ?? ""
    }()

    private func sample() throws -> StoredRun { try StoredRun(Self.folder) }

    @Test("It has a case for each possible outcome, with evidence for everything that was executed")
    func outcomes() throws {
        let sample = try sample()
        let run = sample.run
        #expect(Set(run.cases.map(\.id)) == Set(Self.outcomes.keys))
        for result in run.cases {
            let outcome = try #require(Self.outcomes[result.id])
            #expect(result.verdict == outcome.verdict, "\(result.id)")
            #expect(result.reason?.code == outcome.code, "\(result.id)")
            let evidence = try sample.evidence.evidence(of: result)
            #expect((evidence == nil) == (result.verdict == .skipped), "\(result.id)")
            let lines = evidence.map { LadderLine.lines(of: result, $0) } ?? []
            let isParted = lines.contains { $0.isDivergence }
            #expect(isParted == (evidence != nil && result.verdict != .pass), "\(result.id)")
        }
    }

    @Test("It contains no paths or names of the machine that created it")
    func scrubbed() throws {
        let files = try #require(FileManager.default.enumerator(atPath: Self.folder))
        for case let name as String in files where !name.hasSuffix(".pcapng") {
            guard let text = try? String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            else { continue }
            for path in ["/home/", "/root/", "/tmp/", "/work/"] {
                #expect(!text.contains(path), "\(name) has a path of a machine: \(path)")
            }
        }
        #expect(try sample().run.header.environment.host == "sample")
    }

    @Test(
        "A reader can open the report, filter, open a case and see ladder, plot, fields and bytes",
        .enabled(
            if: isOnPath("chromedriver") && isOnPath("python3"),
            "needs the Debian packages chromium and chromium-driver"))
    func browser() throws {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let path = scratch.path + "/reports"
        let sample = try sample()
        var run = sample.run
        for index in run.cases.indices {
            run.cases[index].evidence = try sample.evidence.evidence(of: run.cases[index])
        }
        var folder = try ReportFolder(creating: path)
        try folder.begin(run)
        try folder.finish(run)
        let errors = path + "/errors.txt"
        let status = try shell(
            "exec python3 '\(Self.root)/Tests/Browser/report.py' '\(path)' \(Self.axe) 2>'\(errors)'"
        )
        #expect(status == 0, "\((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")")
    }

    /// Runs a command line of the shell to its end, and returns its exit code.
    private func shell(_ line: String) throws -> Int32 {
        let words = ["/bin/sh", "-c", line]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, words[0], nil, nil, &arguments, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128
    }
}
