import Devices
import Judge
import SuiteLanguage
import Wire

/// Measures what devices hold and whether they come to rest, for `do: device.measure`.
///
/// A measurement is over when the device has come to rest, or when it has had enough processor time
/// to do so. A device that is still at work on what it was sent neither grows nor spins.
struct DeviceMeasurements {
    /// How long a device may run before it counts as one that does not come to rest.
    ///
    /// It is processor time: on a busy machine a device needs longer for the same work.
    private static let patience: Duration = .seconds(2)
    /// After how long it is unknown whether it would have come to rest.
    private static let limit: Duration = .seconds(8)
    /// How long a device that has more descriptors than at first has time to close them.
    private static let closing: Duration = .milliseconds(500)
    /// How often it is looked at.
    private static let interval: Duration = .milliseconds(100)
    /// The part of a processor below which a device is at rest.
    private static let rest = 0.5

    /// The first measurement of a process.
    private struct Baseline {
        let process: Int32
        let usage: ProcessUsage
        /// How many processors it wanted.
        let processor: Double
        /// How many messages had been sent.
        let sent: Int
    }

    /// A measurement that is not over.
    private struct Running {
        let device: String
        let process: Int32
        let first: ProcessUsage
        var last: ProcessUsage
        /// The least use of processors in any interval.
        var processor = Double.infinity
        /// How many messages had been sent when it began.
        let sent: Int
        /// How long it may run.
        let patience: Duration

        var isAtRest: Bool { processor < DeviceMeasurements.rest }
        /// Whether it has run for so long that it should have come to rest.
        var isRestless: Bool { !isAtRest && last.run - first.run >= patience }
        /// Whether it is known if it comes to rest.
        var isDecided: Bool { isAtRest || isRestless }
    }

    /// How many messages steps of the case have sent.
    var sent = 0
    private var accounts: [Int32: ProcessorWait] = [:]
    private var baselines: [String: Baseline] = [:]
    private var running: [Running] = []
    /// The processes that have not come to rest any more after something was sent.
    private var restless: Set<Int32> = []

    /// Time until `advance` has something to do; `nil` if nothing is measured.
    var nextDeadline: Duration? {
        let next = running.map { $0.last.time + Self.interval }.min()
        return next.map { max(.zero, $0 - .now) }
    }

    /// Begins to measure a device.
    ///
    /// - Parameters:
    ///   - device: Its name.
    ///   - process: Its process; `nil` if it has none here.
    /// - Returns: The event if it cannot be measured.
    mutating func begin(_ device: String, process: Int32?) -> DeviceEvent? {
        guard let process, let usage = usage(of: process) else { return Self.unmeasured }
        running.append(
            Running(
                device: device, process: process, first: usage, last: usage, sent: sent,
                patience: restless.contains(process) ? .zero : Self.patience))
        return nil
    }

    /// Returns the measurements that are over.
    mutating func advance() -> [(device: String, event: DeviceEvent)] {
        var ended: [(String, DeviceEvent)] = []
        for index in running.indices.reversed()
        where ContinuousClock.now - running[index].last.time >= Self.interval {
            guard let usage = usage(of: running[index].process) else {
                ended.append((running.remove(at: index).device, Self.unmeasured))
                continue
            }
            running[index].processor = min(
                running[index].processor, usage.processors(since: running[index].last))
            running[index].last = usage
            if isOver(running[index]) {
                let over = running.remove(at: index)
                ended.append((over.device, event(of: over)))
            }
        }
        return ended.reversed()
    }

    private func isOver(_ running: Running) -> Bool {
        let length = running.last.time - running.first.time
        if !running.isAtRest { return running.isRestless || length >= Self.limit }
        guard let baseline = baseline(of: running),
            running.last.descriptors > baseline.usage.descriptors
        else { return true }
        return length >= Self.closing
    }

    /// The first measurement of the same process; `nil` if this is the first.
    private func baseline(of running: Running) -> Baseline? {
        baselines[running.device].flatMap { $0.process == running.process ? $0 : nil }
    }

    private mutating func event(of running: Running) -> DeviceEvent {
        guard running.isDecided else { return Self.unmeasured }
        var fields: [Value.Member] = [
            .init("memory", Self.mebibytes(running.last.memory)),
            .init("descriptors", .integer(Int64(running.last.descriptors))),
            .init("processor", Self.rounded(running.processor)),
        ]
        if let baseline = baseline(of: running) {
            fields += Self.growth(of: running, since: baseline)
            if running.isRestless, baseline.processor < Self.rest {
                restless.insert(running.process)
            }
        } else {
            baselines[running.device] = Baseline(
                process: running.process, usage: running.last, processor: running.processor,
                sent: running.sent)
        }
        return DeviceEvent(name: DeviceEvent.measured, fields: .object(fields))
    }

    private static func growth(of running: Running, since baseline: Baseline) -> [Value.Member] {
        let memory = running.last.memory - baseline.usage.memory
        let descriptors = running.last.descriptors - baseline.usage.descriptors
        let messages = running.sent - baseline.sent
        let growth: [Value.Member] = [
            .init("messages", .integer(Int64(messages))),
            .init("memoryGrowth", mebibytes(memory)),
            .init("descriptorGrowth", .integer(Int64(descriptors))),
            .init("processorGrowth", rounded(running.processor - baseline.processor)),
        ]
        guard messages > 0 else { return growth }
        return growth + [
            .init("memoryPerMessage", mebibytes(memory / Int64(messages))),
            .init("descriptorsPerMessage", rounded(Double(descriptors) / Double(messages))),
        ]
    }

    /// Returns what a process and those that it has begun hold; `nil` if that cannot be read.
    private mutating func usage(of process: Int32) -> ProcessUsage? {
        if accounts[process] == nil { accounts[process] = ProcessorWait(of: [process]) }
        let usage = accounts[process]?.usage()
        // A process that has ended holds nothing.
        return usage?.descriptors == 0 ? nil : usage
    }

    private static let unmeasured = DeviceEvent(name: DeviceEvent.measured)

    private static func mebibytes(_ bytes: Int64) -> Value { rounded(Double(bytes) / 1_048_576) }

    private static func rounded(_ number: Double) -> Value {
        .double((number * 100).rounded() / 100)
    }
}

extension LiveCase {
    /// Whether an action measures a device; a profile may have a control of that name instead.
    func isMeasurement(_ action: Demand.Action) -> Bool {
        action.name == DeviceAction.measure && testCase.isDevice(action.party)
            && profile.controls[action.name] == nil
    }

    /// Begins to measure a device; an event follows when that is over.
    mutating func measure(_ device: String) {
        let process = devices.device(device)?.processIdentifier
        guard let event = measurements.begin(device, process: process) else { return }
        placeLater(event, of: device)
    }
}
