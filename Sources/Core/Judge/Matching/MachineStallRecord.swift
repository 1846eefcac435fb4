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
    /// The sum of the lengths up to each delay, itself included.
    private var sums: [Duration] = []

    /// Records a message if it is a delay; returns whether it is.
    mutating func record(_ message: TraceMessage) -> Bool {
        guard let stall = (message.content as? DeviceEvent)?.stall else { return false }
        all.append(Stall(party: stall.party, time: message.time, length: stall.length))
        sums.append((sums.last ?? .zero) + stall.length)
        return true
    }

    /// Returns how long devices and harness were delayed in total from one moment to another.
    func heldUp(from start: Timestamp, to end: Timestamp) -> Duration {
        guard !all.isEmpty else { return .zero }
        let (first, last) = (place(of: start, includes: false), place(of: end, includes: true))
        guard last > first else { return .zero }
        return sums[last - 1] - (first > 0 ? sums[first - 1] : .zero)
    }

    /// Returns how many delays come before a moment; they are in the order of time.
    private func place(of time: Timestamp, includes: Bool) -> Int {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            let isBefore = includes ? all[middle].time <= time : all[middle].time < time
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
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

    /// Returns how long the harness alone was delayed from one moment to another.
    func harnessHeldUp(from start: Timestamp, to end: Timestamp) -> Duration {
        all.filter { $0.party == DeviceEvent.harness && $0.time >= start && $0.time <= end }
            .reduce(.zero) { $0 + $1.length }
    }

    /// Returns the longest delay from one moment to another, of any party or of the harness alone.
    func longest(from start: Timestamp, to end: Timestamp, harnessOnly: Bool) -> Stall? {
        all.filter {
            $0.time >= start && $0.time <= end
                && (!harnessOnly || $0.party == DeviceEvent.harness)
        }.max { $0.length < $1.length }
    }
}
