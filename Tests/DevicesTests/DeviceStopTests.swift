import Devices
import Glibc
import Testing

@Suite("The end of a device")
struct DeviceStopTests {
    @Test("The stop signal ends a device that handles it")
    func orderly() throws {
        let bench = try TestBench(script: "trap 'echo bye; exit 5' TERM; echo up; sleep 60 & wait")
        #expect(bench.run { $0.lines() == ["up"] })
        bench.device.stop()
        #expect(bench.run { $0.device.isStopped })
        #expect(bench.exit == .code(5))
        #expect(bench.lines() == ["up", "bye"])
    }

    @Test("The profile may name another signal")
    func otherSignal() throws {
        let bench = try TestBench(
            script: "trap '' TERM; trap 'exit 6' INT; echo up; sleep 60 & wait"
        ) {
            $0.stop.signal = SIGINT
        }
        #expect(bench.run { $0.lines() == ["up"] })
        bench.device.stop()
        #expect(bench.run { $0.device.isStopped })
        #expect(bench.exit == .code(6))
    }

    @Test("SIGKILL ends a device that ignores the signal, after the grace")
    func ignored() throws {
        let bench = try TestBench(
            script: "trap '' TERM; echo up; while :; do sleep 1; done"
        ) { $0.stop.grace = .milliseconds(200) }
        #expect(bench.run { $0.lines() == ["up"] })
        let start = ContinuousClock.now
        bench.device.stop()
        #expect(bench.device.nextDeadline.map { $0 <= .milliseconds(200) } == true)
        #expect(bench.run { $0.device.isStopped })
        let duration = ContinuousClock.now - start
        #expect(bench.exit == .signal(SIGKILL))
        #expect(duration >= .milliseconds(200) && duration < .seconds(2))
        #expect(bench.logText.contains("conform: stopping: SIGTERM"))
    }

    @Test("Grandchildren end too, also those in other process groups that ignore the signal")
    func grandchildren() throws {
        // timeout(1) creates its own process group.
        let script = """
            timeout 60 sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &
            wait
            """
        let bench = try TestBench(script: script)
        #expect(bench.run { $0.lines().count == 1 })
        let grandchild = try #require(bench.lines().first.flatMap { Int32($0) })
        #expect(getpgid(grandchild) != bench.device.processIdentifier)
        #expect(isRunning(grandchild))
        bench.device.stop()
        #expect(bench.run { $0.device.isStopped })
        #expect(isGone(grandchild))
    }

    @Test("The children of a device that ended by itself end too")
    func leftBehind() throws {
        let bench = try TestBench(script: "sleep 60 & echo $!")
        #expect(bench.runToEnd() == .code(0))
        let child = try #require(bench.lines().first.flatMap { Int32($0) })
        #expect(isRunning(child))
        bench.device.stop()
        #expect(bench.device.isStopped)
        #expect(isGone(child))
    }

    /// Starts a process in a session of its own whose parent ends at once.
    private static let daemon = "(setsid sh -c 'echo $$; exec sleep 60 >&- 2>&-' &)"

    @Test(
        "A process that has left the session of the device ends with it", arguments: [true, false])
    func daemon(staysWithIt: Bool) throws {
        let bench = try TestBench(script: Self.daemon + (staysWithIt ? "; sleep 60" : ""))
        #expect(bench.run { $0.lines().count == 1 && ($0.device.exit != nil || staysWithIt) })
        let daemon = try #require(bench.lines().first.flatMap { Int32($0) })
        #expect(isRunning(daemon) && getsid(daemon) == daemon)
        #expect(bench.device.hasRemains == !staysWithIt)
        bench.device.stop()
        #expect(bench.run { $0.device.isStopped })
        #expect(isGone(daemon))
    }

    @Test("A process of another device of the same folder stays")
    func otherDevice() throws {
        let bench = try TestBench(script: Self.daemon)
        #expect(bench.run { $0.lines().count == 1 })
        let daemon = try #require(bench.lines().first.flatMap { Int32($0) })
        var profile = DeviceProfile.command(["/bin/true"], role: "test")
        profile.name = "companion"
        var other: DeviceProcess? = try DeviceProcess(
            profile: profile, variables: [:], configuration: .object([]),
            home: bench.folder.path + "/home", log: nil)
        other?.stop()
        other = nil
        #expect(isRunning(daemon))
        bench.device.stop()
        #expect(isGone(daemon))
    }

    @Test("A device ends when the last reference to it goes")
    func release() throws {
        var bench: TestBench? = try TestBench(script: "trap '' TERM; echo up; sleep 60 & wait")
        bench?.run { $0.lines() == ["up"] }
        let process = try #require(bench?.device.processIdentifier)
        #expect(isRunning(process))
        bench = nil
        #expect(isGone(process))
    }

    @Test("The end does not wait for output that a grandchild keeps open")
    func heldOutput() throws {
        let bench = try TestBench(script: "sleep 60 & exit 0")
        let start = ContinuousClock.now
        #expect(bench.runToEnd() == .code(0))
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
