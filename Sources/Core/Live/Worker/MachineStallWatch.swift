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

    private struct Account {
        var wait: ProcessorWait
        var stated: Duration
    }

    private var accounts: [Int32: Account] = [:]
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
        for (party, process) in devices {
            if let length = growth(of: process) { events.append(.stall(of: party, length: length)) }
        }
        let own = growth(of: getpid()) ?? .zero
        let length = max(own, isLate ? oversleep : .zero)
        if length > .zero { events.append(.stall(of: DeviceEvent.harness, length: length)) }
        statedCount += events.count
        return events
    }

    /// The shortest delay that is reported now; it grows so that a capture can hold all reports.
    private var shortest: Duration {
        Self.threshold * (1 << min(20, max(0, statedCount - Self.countMax) / Self.doublingCount))
    }

    /// Returns by how much a process's waiting time has grown since its last report, if by much.
    private mutating func growth(of process: Int32) -> Duration? {
        guard var account = accounts[process] else {
            guard var wait = ProcessorWait(of: process) else { return nil }
            let total = wait.total()
            // A device is watched from its launch, the harness from now on.
            let isOwn = process == getpid()
            guard !isOwn, total >= shortest else {
                accounts[process] = Account(wait: wait, stated: isOwn ? total : .zero)
                return nil
            }
            accounts[process] = Account(wait: wait, stated: total)
            return total
        }
        let total = account.wait.total()
        let growth = total - account.stated
        // When a thread ends, its part of the sum disappears.
        if growth < .zero || growth >= shortest { account.stated = total }
        accounts[process] = account
        return growth >= shortest ? growth : nil
    }
}
