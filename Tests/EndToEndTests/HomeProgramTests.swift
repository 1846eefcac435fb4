import Foundation
import TestSupport
import Testing
import Wire

/// Devices whose programs are in the user's home, of which devices see only parts.
@Suite("Programs in the home")
struct HomeProgramTests {
    private struct Ending {
        let status: Int32
        let output: String
        let verdict: String
        let summary: String
    }

    /// Runs a device that `PATH` finds in `home/.manager/shims`.
    ///
    /// A version manager would put a wrapper there of the program in
    /// `home/.manager/versions/1/bin`.
    private func run(wrapper: String) throws -> Ending {
        let folder = TemporaryFolder.lasting()
        let manager = folder + "/home/.manager"
        for path in ["\(manager)/shims", "\(manager)/versions/1/bin", folder + "/project"] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        let device = """
            #!/bin/bash
            exec {socket}<>"/dev/tcp/$1/$2"; printf '\\x10\\x07\\x01\\0\\0\\0\\0\\0' >&$socket
            sleep 30
            """
        let files = [
            ("\(manager)/shims/interpret", "#!/bin/sh\n" + wrapper),
            ("\(manager)/versions/1/bin/interpret", device),
            (folder + "/project/suite.yaml", Self.suite),
            (
                folder + "/project/device.yaml",
                "name: app\nrole: sdl.app\nlaunch: [interpret, \"${host}\", \"${port}\"]\n"
            ),
        ]
        for (path, text) in files {
            let draft = folder + "/draft"
            try text.write(toFile: draft, atomically: true, encoding: .utf8)
            // Children that other tests start meanwhile would keep a program that this process
            // writes open, so that it cannot be executed.
            _ = try ConformProgram.Started(
                ["install", "-m", "755", draft, path], in: folder
            ).wait()
        }
        let outcome = try ConformProgram.Started(
            [
                "HOME=\(folder)/home", "PATH=\(manager)/shims:/usr/bin:/bin",
            ]
                + ConformProgram.command([
                    "run", "suite.yaml", "--device", "device.yaml", "--reports", "run",
                ]), in: folder + "/project"
        ).wait()
        let json = try Data(contentsOf: URL(filePath: folder + "/project/run/results.json"))
        let result = try Value(json: [UInt8](json).span.bytes)["cases"]?.arrayValue?.first
        return Ending(
            status: outcome.status, output: outcome.output + outcome.errors,
            verdict: result?["verdict"]?.stringValue ?? "none",
            summary: result?["reason"]?["summary"]?.stringValue ?? "")
    }

    private static let suite = """
        conform: 1
        suite: home
        requirements: [\(ConformProgram.root)/Suites/requirements/change-registration.yaml]
        device: {role: sdl.app}
        peers: {hu: {is: sdl.head-unit}}
        cases:
          - id: opens
            checks: [CRM-1]
            unexpected: allow
            quiet: 0ms
            steps: [{expect: sdl.StartService, within: 30s}]
        """

    @Test("A device sees the files that are installed with a program of the search path")
    func isShown() throws {
        let ending = try run(wrapper: "exec \"${0%/*}/../versions/1/bin/interpret\" \"$@\"\n")
        #expect(ending.verdict == "pass" && ending.status == 0, "\(ending.output)")
    }

    @Test("A program that could not be executed is an error, not a failure of the device")
    func isNoFailure() throws {
        let ending = try run(wrapper: "exec \"${0%/*}/../nothing/here\" \"$@\"\n")
        #expect(ending.verdict == "error" && ending.status == 3, "\(ending.output)")
        #expect(ending.summary.contains("app was not executed: it ended with exit code 127"))
        #expect(ending.summary.contains(", and printed \""))
        #expect(ending.summary.contains("files: {read: [FOLDER]}"))
    }
}
