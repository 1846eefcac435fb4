import Devices
import Glibc
import TestSupport
import Testing
import Wire

/// Whether this system lets this user create namespaces, according to `unshare`.
private let areNamespacesAllowed: Bool = {
    let command = ["unshare", "--user", "--net", "--mount", "--pid", "--fork", "true"]
    guard let bench = try? TestBench(.command(command, role: "test")) else { return false }
    return bench.runToEnd() == .code(0)
}()

/// Ends the process with the result of a check, because a worker has no test runner any more.
private func report(_ isRight: Bool) -> Never {
    TemporaryFolder.endRun()
    _exit(isRight ? 42 : 1)
}

private func interfaces() -> [String] {
    contents(of: "/proc/self/net/dev").split(separator: "\n").dropFirst(2).compactMap {
        $0.split(separator: ":").first.map { $0.filter { $0 != " " } }
    }
}

private func hasProcess(withArgument text: String) -> Bool {
    guard let proc = opendir("/proc") else { return false }
    defer { closedir(proc) }
    while let entry = readdir(proc) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let process = Int32(name), process != getpid(), isRunning(process) else { continue }
        if contents(of: "/proc/\(process)/cmdline").contains(text) { return true }
    }
    return false
}

@Suite("Isolation of a worker", .serialized)
struct WorkerIsolationTests {
    @Test(
        "A worker gets its own network, mounts and processes",
        .enabled(if: areNamespacesAllowed, "this system does not allow user namespaces"))
    func full() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let isolation = try WorkerIsolation.enter(sharesNetwork: false)
            let hasAll = WorkerIsolation.Part.allCases.allSatisfy {
                isolation.outcomes[$0] == .obtained
            }
            report(
                hasAll && isolation.remarks.isEmpty && isolation.hasOwnNetwork
                    && interfaces() == ["lo"] && getpid() == 2 && getppid() == 1)
        }
    }

    @Test(
        "The loopback interface is up",
        .enabled(if: areNamespacesAllowed, "this system does not allow user namespaces"))
    func loopback() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = try WorkerIsolation.enter(sharesNetwork: false)
            let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(9).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isReachable = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(sender, $0, length) == 0
                }
            }
            report(isReachable)
        }
    }

    @Test(
        "A worker gets its own shared memory, and folders in /dev/shm are still visible",
        .enabled(if: areNamespacesAllowed, "this system does not allow user namespaces"),
        .enabled(if: access("/dev/shm", W_OK) == 0, "this system has no /dev/shm"))
    func sharedMemory() async throws {
        let marks = ["86399.0419", "86399.0420", "86399.0421"].map { "/dev/shm/conform-test-\($0)" }
        let (folder, memory) = (marks[0], marks[1])
        try #require(mkdir(folder, 0o700) == 0 || errno == EEXIST)
        let others = open(memory, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            close(others)
            (marks + [folder + "/report"]).forEach { unlink($0) }
            rmdir(folder)
        }
        await #expect(processExitsWith: .exitCode(42)) {
            _ = try WorkerIsolation.enter(sharesNetwork: false)
            // The same names as outside, because this closure captures nothing.
            let (folder, memory, own) = (
                "/dev/shm/conform-test-86399.0419", "/dev/shm/conform-test-86399.0420",
                "/dev/shm/conform-test-86399.0421"
            )
            let made = open(own, O_RDWR | O_CREAT | O_EXCL, 0o600)
            let report_ = open(folder + "/report", O_RDWR | O_CREAT, 0o600)
            report(access(memory, F_OK) != 0 && made >= 0 && report_ >= 0)
        }
        #expect(access(memory, F_OK) == 0)
        #expect(access(marks[2], F_OK) != 0)
        #expect(access(folder + "/report", F_OK) == 0)
    }

    @Test("A worker goes on without the parts of the isolation that are refused, and says why")
    func refused() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let isolation = try WorkerIsolation.enter(
                sharesNetwork: false, refusing: [.user, .network, .mount, .process])
            report(
                !isolation.hasOwnNetwork
                    && isolation.remarks == [
                        "no user namespace: Operation not permitted (refused on request)",
                        "no network namespace: Operation not permitted (refused on request)",
                        "no mount namespace: Operation not permitted (refused on request)",
                        "no process namespace: Operation not permitted (refused on request)",
                    ])
        }
    }

    @Test("The death of a worker by signal n becomes exit code 128 + n")
    func signalled() async {
        await #expect(processExitsWith: .exitCode(128 + SIGKILL)) {
            _ = try WorkerIsolation.enter(sharesNetwork: true, refusing: [.user, .process])
            kill(getpid(), SIGKILL)
        }
    }

    @Test("Every process that the worker left ends, whatever its session and parent")
    func sweepWithoutProcessNamespace() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = try WorkerIsolation.enter(
                sharesNetwork: true, refusing: [.user, .mount, .process])
            report(leaveProcesses(marker: "86399.0417"))
        }
        #expect(!hasProcess(withArgument: "86399.0417"))
    }

    @Test(
        "Every process of the worker's process namespace ends",
        .enabled(if: areNamespacesAllowed, "this system does not allow user namespaces"))
    func sweepWithProcessNamespace() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = try WorkerIsolation.enter(sharesNetwork: false)
            report(leaveProcesses(marker: "86399.0418"))
        }
        #expect(!hasProcess(withArgument: "86399.0418"))
    }
}

/// Starts orphaned processes in other sessions that ignore TERM; returns whether they run.
private func leaveProcesses(marker: String) -> Bool {
    let script = """
        for i in 1 2 3; do
            env -u CONFORM_PROCESS setsid sh -c 'trap "" TERM; setsid sleep \(marker) & setsid sleep \(marker) & wait' &
        done
        sleep 0.2; echo started; sleep 60
        """
    guard let bench = try? TestBench(script: script) else { return false }
    bench.run { $0.lines() == ["started"] }
    bench.device.stop()
    bench.run { $0.device.isStopped }
    return hasProcess(withArgument: marker)
}
