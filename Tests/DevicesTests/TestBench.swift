import Devices
import Glibc
import System
import TestSupport
import Wire

extension TemporaryFolder {
    /// Writes a file and returns its path.
    func write(_ name: String, _ text: String, mode: mode_t = 0o644) -> String {
        let file = "\(path)/\(name)"
        let number = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        defer { close(number) }
        let bytes = Array(text.utf8)
        _ = Glibc.write(number, bytes, bytes.count)
        return file
    }
}

/// Returns the text of a file; empty if it cannot be read.
func contents(of path: String) -> String {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return "" }
    defer { close(number) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = read(number, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

/// A device that is a shell script, driven until something happens.
final class TestBench {
    let folder = TemporaryFolder()
    let device: DeviceProcess
    private(set) var notices: [DeviceNotice] = []

    var logText: String { contents(of: folder.path + "/log") }

    init(_ profile: DeviceProfile, configuration: Value = .object([])) throws(DeviceError) {
        device = try DeviceProcess(
            profile: profile,
            variables: ["host": "127.0.0.1", "port": "12345", "hu.port": "12345"],
            configuration: configuration, home: folder.path + "/home",
            log: try? HeldFile(folder.path + "/log"))
    }

    convenience init(
        script: String, configuration: Value = .object([]),
        change: (inout DeviceProfile) -> Void = { _ in }
    ) throws(DeviceError) {
        var profile = DeviceProfile.command(["/bin/sh", "-c", script], role: "test")
        change(&profile)
        try self.init(profile, configuration: configuration)
    }

    /// The lines of a stream so far.
    func lines(_ stream: DeviceStream = .stdout) -> [String] {
        notices.compactMap { notice in
            guard case .output(stream, let line) = notice else { return nil }
            return line
        }
    }

    /// How the device ended; `nil` if that has not been reported.
    var exit: DeviceExit? {
        notices.compactMap { if case .exited(let exit) = $0 { exit } else { nil } }.first
    }

    /// Drives the device until the condition holds; returns `false` if it does not in time.
    @discardableResult
    func run(
        within limit: Duration = .seconds(10), until condition: (TestBench) -> Bool
    ) -> Bool {
        let end = ContinuousClock.now + limit
        while !condition(self) {
            let left = end - .now
            guard left > .zero else { return false }
            let pause = min(left, device.nextDeadline ?? left) / .milliseconds(1)
            var ready = device.pollDescriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&ready, nfds_t(ready.count), Int32(pause.rounded(.up)))
            for descriptor in ready where descriptor.revents != 0 {
                notices += device.handle(descriptor.fd)
            }
            notices += device.advance()
        }
        return true
    }

    /// Drives the device until it has ended.
    @discardableResult
    func runToEnd() -> DeviceExit? {
        run { $0.exit != nil }
        return exit
    }

    /// Records notices that did not come from a descriptor.
    func record(_ more: [DeviceNotice]) { notices += more }
}

/// Whether a process runs; a zombie does not.
func isRunning(_ process: Int32) -> Bool {
    let stat = contents(of: "/proc/\(process)/stat")
    guard let end = stat.lastIndex(of: ")") else { return false }
    return !stat[end...].dropFirst(2).hasPrefix("Z")
}

/// Whether the process is gone within a second.
func isGone(_ process: Int32) -> Bool {
    for _ in 0..<100 {
        if !isRunning(process) { return true }
        usleep(10_000)
    }
    return false
}
