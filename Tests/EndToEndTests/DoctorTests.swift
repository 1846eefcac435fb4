import Foundation
import Glibc
import TestSupport
import Testing

@Suite("conform doctor")
struct DoctorTests {
    private static let obstacle: String? = {
        if geteuid() != 0 { return "only root grants capabilities" }
        let missing = ["setcap", "setpriv"].filter { Bench.find($0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) not installed"
    }()

    @Test(
        "The command that doctor names lets an ordinary user capture for --network host",
        .enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func grant() throws {
        let folder = TemporaryFolder.lasting()
        for path in [TemporaryFolder.ofRun, folder] { chmod(path, 0o755) }
        for name in ["conform", "conform-device"] {
            // By a program: a process that is started meanwhile must not hold the copy open for
            // writing.
            let copied = try ConformProgram.Started(
                ["cp", "\(ConformProgram.folder)/\(name)", folder], in: "/"
            ).wait()
            #expect(copied.status == 0, "\(copied.errors)")
            chmod("\(folder)/\(name)", 0o755)
        }
        func doctor() throws -> String {
            try ConformProgram.Started(
                [
                    "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
                    "\(folder)/conform", "doctor",
                ], in: "/"
            ).wait().output
        }
        let before = try doctor()
        #expect(before.contains("lacking capture on the host's interfaces"), "\(before)")
        let start = try #require(before.range(of: "sudo setcap "))
        let end = try #require(before.range(of: " grants it"))
        let command = before[start.lowerBound..<end.lowerBound].dropFirst("sudo ".count)
        #expect(command == "setcap cap_net_raw+ep \(folder)/conform")
        let granted = try ConformProgram.Started(["sh", "-c", String(command)], in: "/").wait()
        #expect(granted.status == 0, "\(granted.errors)")
        let after = try doctor()
        #expect(after.contains("ok      capture on the host's interfaces"), "\(after)")
    }
}
