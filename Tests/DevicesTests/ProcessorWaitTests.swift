import Foundation
import Glibc
import Testing

@testable import Devices

/// The kernel's account of the time that processes waited for a processor.
@Suite(
    .serialized,
    .enabled(
        if: ProcessorWait(of: [getpid()]) != nil, "the kernel does not count waits for a processor")
)
struct ProcessorWaitTests {
    @Test("What the threads of a party wait for one another is not the machine's doing")
    func ownThreads() throws {
        let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do while :; do :; done & done; wait"
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        child.arguments = ["-c", "ulimit -t 20; \(script)"]
        try child.run()
        let leader = child.processIdentifier
        // Foundation makes each child the leader of a process group.
        defer { kill(-leader, SIGKILL) }
        var wait = try #require(ProcessorWait(of: [leader]))
        Thread.sleep(forTimeInterval: 0.3)
        wait.begin()
        let total = Self.total(of: &wait, for: .seconds(2))
        // Twelve loops wait for some 20 s in sum, each of them for more than 1.5 s.
        #expect(total < .milliseconds(1_500))
    }

    @Test("The waits of threads at the same time count once, and not in sum")
    func severalThreads() throws {
        let script = """
            import threading, time
            for i in range(30):
                threading.Thread(target=lambda: [time.sleep(.005) for _ in range(600)]).start()
            """
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        child.arguments = ["-c", script]
        try child.run()
        defer { Self.end(child) }
        var wait = try #require(ProcessorWait(of: [child.processIdentifier]))
        let start = ContinuousClock.now
        let total = Self.total(of: &wait, for: .seconds(2))
        #expect(total < ContinuousClock.now - start)
    }

    @Test("What a process waits until its child executes a program is not the machine's doing")
    func ownChild() throws {
        // The child waits for somebody who writes into the pipe, and its parent for the child.
        let script = """
            import os, sys, tempfile
            pipe = tempfile.mkdtemp() + "/pipe"
            os.mkfifo(pipe)
            print("ready", flush=True)
            os.posix_spawn("/bin/true", ["true"], {},
                           file_actions=[(os.POSIX_SPAWN_OPEN, 0, pipe, os.O_RDONLY, 0)])
            """
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        child.arguments = ["-c", script]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let leader = child.processIdentifier
        defer { kill(-leader, SIGKILL) }
        #expect(output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)))
        let limit = ContinuousClock.now + .seconds(20)
        func state() throws -> String {
            try String(contentsOfFile: "/proc/\(leader)/stat", encoding: .utf8)
        }
        while try !state().contains(") D "), .now < limit { usleep(10_000) }
        var wait = try #require(ProcessorWait(of: [leader]))
        wait.begin()
        let total = Self.total(of: &wait, for: .seconds(1))
        #expect(try state().contains(") D "))
        #expect(total < .milliseconds(500))
    }

    /// Returns the sum of the reports in a time.
    private static func total(of wait: inout ProcessorWait, for time: Duration) -> Duration {
        let end = ContinuousClock.now + time
        var total = Duration.zero
        while ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.02)
            total += wait.growth(atLeast: .milliseconds(2)) ?? .zero
        }
        return total
    }

    @Test("A process that loops wants a processor, and one that sleeps wants none")
    func usage() throws {
        func child(_ script: String) throws -> Process {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/sh")
            child.arguments = ["-c", "ulimit -t 20; exec 7</dev/null 8</dev/null; \(script)"]
            try child.run()
            return child
        }
        func usage(_ wait: inout ProcessorWait) throws -> ProcessUsage {
            let usage = wait.usage()
            return try #require(usage)
        }
        let loop = try child("while :; do :; done")
        defer { Self.end(loop) }
        let sleeper = try child("exec sleep 20")
        defer { Self.end(sleeper) }
        var first = try #require(ProcessorWait(of: [loop.processIdentifier]))
        var second = try #require(ProcessorWait(of: [sleeper.processIdentifier]))
        let (since, silent) = (try usage(&first), try usage(&second))
        #expect(since.memory > 0 && silent.memory > 0)
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.02)
            let now = try usage(&first)
            guard now.wanted - since.wanted > .milliseconds(200) else { continue }
            #expect(now.processors(since: since) > 0.5)
            let held = try usage(&second)
            #expect(held.processors(since: silent) < 0.4)
            #expect(held.descriptors >= 5)
            return
        }
        Issue.record("the loop did not run")
    }

    @Test("A helper in a session of its own is its party's, by the mark", arguments: [false, true])
    func helper(isMarked: Bool) throws {
        let script = """
            import os, time
            reading, writing = os.pipe()
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    held = [open("/dev/null") for _ in range(100)]
                    os.write(writing, b"x")
                    time.sleep(20)
                os._exit(0)
            os.wait()
            os.read(reading, 1)
            print("ready", flush=True)
            time.sleep(20)
            """
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        child.arguments = ["-c", script]
        let mark = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        child.environment = isMarked ? [DeviceHome.markVariable: mark] : [:]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        defer { Self.end(child) }
        #expect(output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)))
        var wait = try #require(ProcessorWait(of: [child.processIdentifier]))
        let found = wait.usage()
        let usage = try #require(found)
        #expect((usage.descriptors > 100) == isMarked)
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
        var wait = try #require(ProcessorWait(of: [children[0].processIdentifier]))
        let total = Self.total(of: &wait, for: .seconds(1))
        #expect(total > .milliseconds(200))
    }

    /// Ends a child with SIGKILL, because it has inherited that all other signals are blocked.
    private static func end(_ child: Process) {
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
    }

    @Test("A process that does not exist has no wait")
    func gone() throws {
        var wait = try #require(ProcessorWait(of: [Int32.max]))
        let growth = wait.growth(atLeast: .milliseconds(2))
        #expect(growth == nil)
    }
}
