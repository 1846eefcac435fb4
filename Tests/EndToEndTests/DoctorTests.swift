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

    /// What a machine refuses, and what doctor says of it.
    struct Machine: CustomTestStringConvertible {
        let testDescription: String
        let prefix: [String]
        let words: [String]
        /// Whether cases can be judged there.
        let isFine: Bool
    }

    private static let ordinary = ["setpriv", "--reuid=64321", "--regid=64321", "--clear-groups"]
    private static let filtered = [
        "/usr/bin/python3", "\(ConformProgram.root)/Tests/EndToEndTests/Suites/seccomp.py",
    ]
    private static let withoutCapture = ["setpriv", "--bounding-set=-net_raw"]
    private static let machines = [
        Machine(
            testDescription: "root", prefix: [],
            words: ["ok      a network", "ok      capture of"],
            isFine: true),
        Machine(
            testDescription: "an ordinary user", prefix: ordinary,
            words: ["ok      a network", "ok      capture of", "lacking capture on the host's"],
            isFine: true),
        Machine(
            testDescription: "root in a container", prefix: filtered,
            words: [
                "lacking a network", "--security-opt seccomp=unconfined", "the host's loopback",
                "ok      capture of",
            ], isFine: true),
        Machine(
            testDescription: "root in a container without CAP_NET_RAW",
            prefix: withoutCapture + filtered,
            words: ["lacking a network", "missing capture of", "--cap-add NET_RAW"], isFine: false),
        Machine(
            testDescription: "an ordinary user in a container", prefix: ordinary + filtered,
            words: ["lacking a network", "missing capture of", "no_new_privs"], isFine: false),
        Machine(
            testDescription: "an ordinary user without namespaces",
            prefix: ordinary + ["env", "CONFORM_REFUSE=user,network,mount,process"],
            words: ["lacking a network", "missing capture of", "sudo setcap cap_net_raw+ep"],
            isFine: false),
        Machine(
            testDescription: "a user who may have no further process",
            prefix: ordinary + ["prlimit", "--nproc=1"],
            words: ["missing a process for each case", "ulimit -u"], isFine: false),
    ]

    @Test(
        "doctor lists what is there and what is missing on every machine, and advises",
        .enabled(if: obstacle == nil, "\(obstacle ?? "")"), arguments: machines)
    func everyMachine(_ machine: Machine) throws {
        let doctor = try ConformProgram.Started(
            machine.prefix + ["\(ConformProgram.folder)/conform", "doctor"], in: "/"
        ).wait()
        #expect(doctor.errors.isEmpty, "\(doctor.errors)")
        for words in machine.words { #expect(doctor.output.contains(words), "\(doctor.output)") }
        #expect(doctor.status == (machine.isFine ? 0 : 3), "\(doctor.output)")
        #expect(doctor.output.contains("reference device"))
    }

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
