import Foundation
import Glibc
import Testing
import Wire

@testable import Devices
@testable import Live

/// What a device holds, and whether it comes to rest.
@Suite(
    .enabled(
        if: ProcessorWait(of: [getpid()]) != nil, "the kernel does not count waits for a processor")
)
struct DeviceMeasurementsTests {
    private static func child(_ script: String) throws -> Process {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sh")
        child.arguments = ["-c", "ulimit -t 20; \(script)"]
        try child.run()
        return child
    }

    private static func end(_ child: Process) {
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
    }

    /// Returns the fields of the measurement that is begun now.
    private static func fields(
        _ measurements: inout DeviceMeasurements, _ process: Int32?
    ) throws -> Value {
        if let event = measurements.begin("device", process: process) { return event.fields }
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let pause = try #require(measurements.nextDeadline)
            Thread.sleep(forTimeInterval: pause / .seconds(1))
            if let over = measurements.advance().first { return over.event.fields }
        }
        Issue.record("the measurement is not over")
        return .null
    }

    @Test("A device that sleeps does not grow, and each message counts from the first measurement")
    func rest() throws {
        let child = try Self.child("exec sleep 40")
        defer { Self.end(child) }
        var measurements = DeviceMeasurements()
        measurements.sent = 3
        let first = try Self.fields(&measurements, child.processIdentifier)
        #expect(first["messages"] == nil && first["memoryGrowth"] == nil)
        #expect((first["processor"]?.numberValue ?? 9) < 0.5)
        measurements.sent += 4
        let second = try Self.fields(&measurements, child.processIdentifier)
        #expect(second["messages"] == 4 && second["descriptorGrowth"] == 0)
        #expect(abs(second["memoryPerMessage"]?.numberValue ?? 9) < 1)
    }

    @Test("A device that begins to loop does not come to rest")
    func loop() throws {
        let child = try Self.child("while :; do :; done")
        defer { Self.end(child) }
        kill(child.processIdentifier, SIGSTOP)
        var measurements = DeviceMeasurements()
        let first = try Self.fields(&measurements, child.processIdentifier)
        kill(child.processIdentifier, SIGCONT)
        measurements.sent += 1
        let second = try Self.fields(&measurements, child.processIdentifier)
        // A machine that lets it run for less than two seconds of eight decides nothing.
        guard first != .object([]), second != .object([]) else { return }
        #expect((second["processorGrowth"]?.numberValue ?? 0) > 0.3)
    }

    @Test("What has ended, or is elsewhere, has no fields")
    func nothing() throws {
        var measurements = DeviceMeasurements()
        #expect(try Self.fields(&measurements, nil) == .object([]))
        let child = try Self.child("exit 0")
        child.waitUntilExit()
        #expect(try Self.fields(&measurements, child.processIdentifier) == .object([]))
    }
}
