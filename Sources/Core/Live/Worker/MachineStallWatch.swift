import Devices
import Glibc
import Wire

/// Watches whether the machine lets the harness and the devices run when they have something to do.
///
/// Its findings go into the trace, so that a late device on a busy machine is not mistaken for a
/// device that waits too long.
struct MachineStallWatch {
    /// The shortest delay that is reported; shorter ones are added up.
    private static let threshold: Duration = .milliseconds(2)
    /// How many delays are reported with this threshold; after that it grows.
    private static let countMax = 1000
    /// How many further delays double the shortest one that is reported.
    private static let doublingCount = 32
    /// The shortest time between two queries of the kernel.
    private static let interval: Duration = .milliseconds(2)
    /// By how much later than its deadline the harness may be woken.
    private static let pollSlack: Duration = .milliseconds(3)

    /// The processes of each party, the harness included, and how long they were delayed.
    private var accounts: [String: ProcessorWait] = [:]
    private var lookedAt: ContinuousClock.Instant?
    private var statedCount = 0

    /// Returns which parties have been delayed since the last call, and for how long.
    ///
    /// - Parameters:
    ///   - devices: The devices whose processes run.
    ///   - oversleep: How long after its deadline the harness was woken.
    ///   - isLast: Whether this is the last call.
    mutating func sample(
        at devices: [(name: String, process: Int32)], oversleep: Duration = .zero,
        isLast: Bool = false
    ) -> [DeviceEvent] {
        let now = ContinuousClock.now
        let isLate = oversleep > max(Self.pollSlack, shortest)
        if let lookedAt, now - lookedAt < Self.interval, !isLast, !isLate { return [] }
        lookedAt = now
        var events: [DeviceEvent] = []
        // A device and its companions are one party: what they wait at the same time counts once.
        for (party, members) in Dictionary(grouping: devices, by: \.name).sorted(by: {
            $0.key < $1.key
        }) {
            if let length = growth(of: party, members.map(\.process)) {
                events.append(.stall(of: party, length: length))
            }
        }
        let own = growth(of: DeviceEvent.harness, [getpid()]) ?? .zero
        let length = max(own, isLate ? oversleep : .zero)
        if length > .zero { events.append(.stall(of: DeviceEvent.harness, length: length)) }
        statedCount += events.count
        return events
    }

    /// The shortest delay that is reported now; it grows so that a capture can hold all reports.
    private var shortest: Duration {
        Self.threshold * (1 << min(20, max(0, statedCount - Self.countMax) / Self.doublingCount))
    }

    /// Returns by how much a party's delay has grown since its last report, if by much.
    private mutating func growth(of party: String, _ processes: [Int32]) -> Duration? {
        let shortest = shortest
        if accounts[party] == nil {
            guard var wait = ProcessorWait(of: processes) else { return nil }
            // A device is watched from its launch, the harness from now on.
            if party == DeviceEvent.harness { wait.begin() }
            accounts[party] = wait
        }
        accounts[party]?.watch(processes)
        return accounts[party]?.growth(atLeast: shortest)
    }
}
