import Foundation
import Glibc
import Testing

@testable import Devices

/// The kernel's account of the time that processes waited for a processor.
@Suite(
    .enabled(
        if: ProcessorWait(of: getpid()) != nil, "the kernel does not count waits for a processor")
)
struct ProcessorWaitTests {
    @Test("The wait of threads that share too few processors is measured")
    func busy() throws {
        var wait = try #require(ProcessorWait(of: getpid()))
        let before = wait.total()
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let (finished, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<count {
            Thread.detachNewThread {
                let end = ContinuousClock.now + .milliseconds(200)
                while ContinuousClock.now < end {}
                finished.signal()
                // The account of a thread is lost when it ends.
                leave.wait()
            }
        }
        for _ in 0..<count { finished.wait() }
        let growth = wait.total() - before
        for _ in 0..<count { leave.signal() }
        // Each runs for a quarter of the time at most.
        #expect(growth > .milliseconds(100))
    }

    @Test("An unfinished wait is measured before it ends")
    func unfinished() throws {
        // On one processor with others that spin at a higher priority, it hardly ever runs.
        let script = "ulimit -t 60; renice -n 19 -p $$ > /dev/null; while :; do :; done"
        let children = try (0..<6).map { index in
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
            child.arguments =
                [
                    "-c", "0", "/bin/sh", "-c",
                    index == 0 ? script : "ulimit -t 60; while :; do :; done",
                ]
            try child.run()
            return child
        }
        defer { children.forEach(Self.end) }
        var wait = try #require(ProcessorWait(of: children[0].processIdentifier))
        let end = ContinuousClock.now + .seconds(1)
        var total = wait.total()
        while ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.02)
            total = max(total, wait.total())
        }
        #expect(total > .milliseconds(600))
    }

    @Test("The processes of a session are found by their leader")
    func session() throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sleep")
        child.arguments = ["5"]
        try child.run()
        defer { Self.end(child) }
        let members = ProcessorWait.session(of: getsid(0))
        #expect(members.contains(getpid()))
        #expect(members.contains(child.processIdentifier))
        #expect(!members.contains(getppid()) || getsid(getppid()) == getsid(0))
    }

    /// Ends a child with SIGKILL, because it has inherited that all other signals are blocked.
    private static func end(_ child: Process) {
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
    }

    @Test("A process that does not exist has no wait")
    func gone() throws {
        var wait = try #require(ProcessorWait(of: Int32.max))
        let total = wait.total()
        #expect(total == .zero)
    }
}
