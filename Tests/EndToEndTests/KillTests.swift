import Foundation
import Glibc
import Protocols
import Testing

@Suite("What is left when conform is killed")
struct KillTests {
    @Test(
        "kill -9 of conform leaves no process of a case, and whole reports that list what did not run"
    )
    func killedRunLeavesNothing() throws {
        let reports = ConformProgram.temporaryFolder() + "/run"
        let processes = MarkedProcesses()
        let profile = ConformProgram.temporaryFolder() + "/device.yaml"
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
        #expect(processes.wait(seconds: 20) { $0 >= 6 }, "the devices never started")
        kill(started.process, SIGKILL)
        _ = started.wait()
        #expect(processes.wait(seconds: 10) { $0 == 0 })
        let results = try Value(
            json: [UInt8](Data(contentsOf: URL(filePath: reports + "/results.json"))).span.bytes)
        let cases = results["cases"]?.arrayValue ?? []
        let planned = results["run"]?["planned"]?.arrayValue ?? []
        #expect(!planned.isEmpty && cases.count == planned.count)
        #expect(cases.allSatisfy { $0["reason"]?["code"]?.stringValue == "not-run" })
        let page = try String(contentsOfFile: reports + "/index.html", encoding: .utf8)
        #expect(page.hasSuffix("</html>\n") && page.contains("The run is not finished"))
    }
}
