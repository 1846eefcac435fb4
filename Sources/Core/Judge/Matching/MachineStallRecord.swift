import Trace
import Wire

/// The delays of devices or harness by the machine, as the trace shows them.
struct MachineStallRecord: Sendable {
    /// One delay.
    struct Stall: Sendable {
        /// The device, or the harness.
        let party: String
        /// When it was found.
        let time: Timestamp
        /// How long it was.
        let length: Duration
    }

    /// Delays in the order of the trace.
    private(set) var all: [Stall] = []

    /// Records a message if it is a delay; returns whether it is.
    mutating func record(_ message: TraceMessage) -> Bool {
        guard let stall = (message.content as? DeviceEvent)?.stall else { return false }
        all.append(Stall(party: stall.party, time: message.time, length: stall.length))
        return true
    }

    /// Returns how long devices and harness were delayed in total from one moment to another.
    func heldUp(from start: Timestamp, to end: Timestamp) -> Duration {
        all.filter { $0.time >= start && $0.time <= end }.reduce(.zero) { $0 + $1.length }
    }

    /// Returns how long parties were delayed between two moments.
    ///
    /// A delay begins before it is found.
    func heldUp(
        within start: Timestamp, _ end: Timestamp, devicesOnly: Bool = false
    ) -> Duration {
        all.filter { !devicesOnly || $0.party != DeviceEvent.harness }
            .reduce(.zero) { sum, stall in
                let overlap = min(stall.time, end) - max(stall.time - stall.length, start)
                return sum + max(overlap, .zero)
            }
    }

    /// Returns the longest delay from one moment to another, of any party or of the harness alone.
    func longest(from start: Timestamp, to end: Timestamp, harnessOnly: Bool) -> Stall? {
        all.filter {
            $0.time >= start && $0.time <= end
                && (!harnessOnly || $0.party == DeviceEvent.harness)
        }.max { $0.length < $1.length }
    }
}
