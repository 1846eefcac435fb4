import Testing
import Wire

@testable import Live

struct StallWatchTests {
    @Test("a harness that is woken late is told, one that is woken in time is not")
    func oversleep() {
        var watch = StallWatch()
        _ = watch.look(at: [], oversleep: .zero)
        let late = watch.look(at: [], oversleep: .milliseconds(40))
        #expect(late.map(\.name) == [DeviceEvent.stalled])
        #expect(late.first?.stall?.party == DeviceEvent.harness)
        #expect((late.first?.stall?.length ?? .zero) >= .milliseconds(40))
        let others = watch.look(at: [], oversleep: .milliseconds(1), isLast: true)
        // What the machine did to this test in the meantime is no oversleeping.
        #expect(others.allSatisfy { ($0.stall?.length ?? .zero) != .milliseconds(1) })
    }

    @Test("a device that has no process is not waited for")
    func noProcess() {
        var watch = StallWatch()
        for _ in 0..<3 {
            let events = watch.look(at: [(name: "device", process: .max)], isLast: true)
            #expect(events.allSatisfy { $0.stall?.party == DeviceEvent.harness })
        }
    }
}
