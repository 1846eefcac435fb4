import Testing
import Wire

@testable import Live

struct MachineStallWatchTests {
    @Test("A harness that is woken late is reported, one that is woken in time is not")
    func oversleep() {
        var watch = MachineStallWatch()
        _ = watch.sample(at: [], oversleep: .zero)
        let late = watch.sample(at: [], oversleep: .milliseconds(40))
        #expect(late.map(\.name) == [DeviceEvent.stalled])
        #expect(late.first?.stall?.party == DeviceEvent.harness)
        #expect((late.first?.stall?.length ?? .zero) >= .milliseconds(40))
        let others = watch.sample(at: [], oversleep: .milliseconds(1), isLast: true)
        // A stall of this test itself in the meantime is not this oversleeping.
        #expect(others.allSatisfy { ($0.stall?.length ?? .zero) != .milliseconds(1) })
    }

    @Test("A device without a process has no stalls")
    func noProcess() {
        var watch = MachineStallWatch()
        for _ in 0..<3 {
            let events = watch.sample(at: [(name: "device", process: .max)], isLast: true)
            #expect(events.allSatisfy { $0.stall?.party == DeviceEvent.harness })
        }
    }
}
