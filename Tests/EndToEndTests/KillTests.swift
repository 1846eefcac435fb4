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
        let marker = "conform-kill-\(UUID().uuidString)"
        let profile = ConformProgram.temporaryFolder() + "/device.yaml"
        try """
        name: sleeper
        role: sdl.app
        launch: [/bin/sh, -c, "trap '' TERM; sleep 611 & exec sleep 611"]
        env: {CONFORM_TEST_MARKER: \(marker)}
        features: [sdl.change-registration, sdl.reconnect, sdl.show-on-full]
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let started = try ConformProgram.start([
            "run", "Suites/registration-language.yaml", "--device", profile, "--jobs", "3",
            "--reports", reports,
        ])
        #expect(
            waitUntil(seconds: 20) { processes(with: marker) >= 6 }, "the devices never started")
        kill(started.process, SIGKILL)
        _ = started.wait()
        #expect(waitUntil(seconds: 10) { processes(with: marker) == 0 })
        let results = try Value(
            json: [UInt8](Data(contentsOf: URL(filePath: reports + "/results.json"))).span.bytes)
        let cases = results["cases"]?.arrayValue ?? []
        let planned = results["run"]?["planned"]?.arrayValue ?? []
        #expect(!planned.isEmpty && cases.count == planned.count)
        #expect(cases.allSatisfy { $0["reason"]?["code"]?.stringValue == "not-run" })
    }

    /// How many processes carry the marker in their environment.
    private func processes(with marker: String) -> Int {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.filter { Int($0) != nil }.count { process in
            FileManager.default.contents(atPath: "/proc/\(process)/environ")
                .map { String(decoding: $0, as: UTF8.self).contains(marker) } ?? false
        }
    }

    /// Looks again and again until the condition holds; `false` if it does not in that time.
    private func waitUntil(seconds: Double, _ condition: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        while Date() < limit {
            if condition() { return true }
            poll(nil, 0, 50)
        }
        return false
    }
}
