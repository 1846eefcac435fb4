import Foundation
import FoundationXML
import Glibc
import TestSupport
import Testing
import Wire

@Suite("The state after conform is killed")
struct KillTests {
    @Test(
        "kill -9 of conform leaves no process, and complete reports that list the unrun cases"
    )
    func killedRunLeavesNothing() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let processes = MarkedProcesses()
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        try """
        name: sleeper
        role: sdl.app
        launch: [/bin/sh, -c, "trap '' TERM; sleep 611 & exec sleep 611"]
        \(processes.environment)
        features: [sdl.change-registration, sdl.reconnect, sdl.show-on-full]
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let started = try ConformProgram.start([
            "run", "Suites/registration-language.yaml", "--device", profile, "--jobs", "3",
            "--reports", reports,
        ])
        #expect(processes.wait(seconds: 120) { $0 >= 6 }, "the devices never started")
        Glibc.kill(started.process, SIGKILL)
        _ = started.wait()
        #expect(processes.wait(seconds: 60) { $0 == 0 })
        let results = try Value(
            json: [UInt8](Data(contentsOf: URL(filePath: reports + "/results.json"))).span.bytes)
        let cases = results["cases"]?.arrayValue ?? []
        let planned = results["run"]?["planned"]?.arrayValue ?? []
        #expect(!planned.isEmpty && cases.count == planned.count)
        #expect(cases.allSatisfy { $0["reason"]?["code"]?.stringValue == "not-run" })
        let page = try String(contentsOfFile: reports + "/index.html", encoding: .utf8)
        #expect(page.hasSuffix("</html>\n") && page.contains("The run is not finished"))
    }

    /// Returns the process that starts the workers of a run, the first child of `conform`.
    ///
    /// Returns `nil` if it does not run. Its open files are visible only to root.
    private func server(of conform: pid_t) -> pid_t? {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.sorted().first { process in
            func read(_ name: String) -> String? {
                FileManager.default.contents(atPath: "/proc/\(process)/\(name)")
                    .map { String(decoding: $0, as: UTF8.self) }
            }
            return read("status")?.contains("PPid:\t\(conform)\n") == true
                && read("cmdline")?.contains("\0worker\0") == true
        }
    }

    @Test("A killed worker server is started again, and no case is lost")
    func killedServer() throws {
        let started = try ConformProgram.start([
            "run", "Suites/registration-language.yaml", "--jobs", "2", "--case", "*language=*",
            "--reports", TemporaryFolder.lasting() + "/run",
        ])
        let limit = ContinuousClock.now + .seconds(60)
        var server: pid_t?
        while server == nil, ContinuousClock.now < limit {
            usleep(5000)
            server = self.server(of: started.process)
        }
        Glibc.kill(try #require(server), SIGKILL)
        let ended = started.wait()
        #expect(ended.status == 0, "\(ended.output)")
    }

    /// Ends a run after the given number of its cases has ended.
    private func kill(_ started: ConformProgram.Started, after cases: Int) {
        let limit = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < limit {
            let ended = started.output.split(separator: "\n").filter { $0.contains(" s  ") }
            if ended.count >= cases { break }
            usleep(2000)
        }
        Glibc.kill(started.process, SIGKILL)
        _ = started.wait()
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    @Test("Whenever conform is killed, every report on the disk is complete", arguments: 0..<6)
    func everyReportIsWhole(moment: Int) throws {
        let folder = TemporaryFolder.lasting()
        let reports = folder + "/run"
        let started = try ConformProgram.start([
            "run", "Suites/registration-language.yaml", "--reports", reports, "--jobs", "4",
            "--junit", folder + "/copy.xml", "--annotations",
            "gitlab=\(folder)/quality.json",
        ])
        kill(started, after: moment * 2)
        guard access(reports + "/results.json", R_OK) == 0 else {
            // Killed before anything could be written: only allowed before the first case.
            try #require(moment == 0)
            return
        }
        let report = try RedReport(reports)
        #expect(report.cases.count == report.planned)
        for line in try String(contentsOfFile: reports + "/journal.jsonl", encoding: .utf8)
            .split(separator: "\n")
        {
            // The last line may be cut off.
            guard let record = try? Value(json: String(line)) else { continue }
            guard let file = record["caseEnded"]?["evidenceFile"]?.stringValue else { continue }
            let content = try bytes("\(reports)/\(file)")
            let evidence = try Value(json: content.span.bytes)
            #expect(evidence["id"] == record["caseEnded"]?["id"])
            #expect(evidence["evidence"]?["messages"]?.arrayValue?.isEmpty == false)
        }
        let copy = try XMLDocument(contentsOf: URL(filePath: folder + "/copy.xml"))
        #expect(copy.rootElement()?.name == "testsuites")
        let quality = try bytes(folder + "/quality.json")
        #expect(try Value(json: quality.span.bytes).typeName == "array")
        let summary = String(decoding: try bytes(reports + "/summary.md"), as: UTF8.self)
        #expect(summary.hasPrefix("# conform: unfinished: "))
        let redrawn = try ConformProgram.run(["report", "markdown", reports])
        #expect(redrawn.status == 0, "\(redrawn.errors)")
        #expect(redrawn.output.contains("unfinished: "))
    }
}
