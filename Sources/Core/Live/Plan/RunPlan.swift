import Devices
import Judge
import Offline
import Results
import SuiteLanguage
import Wire

/// What a run will do: every case of the suites, and the reason why if it will be skipped.
///
/// It is decided before anything runs.
public struct RunPlan: Sendable {
    /// One case of the plan.
    public struct Entry: Sendable {
        /// The suite's file.
        public let path: String
        /// The suite that it belongs to.
        public let suite: Suite
        /// The case.
        public let testCase: TestCase
        /// Why it is not run; `nil` if it is.
        public let skipReason: Reason?
    }

    /// The suites, in the order given.
    public let suites: [Suite]
    /// The cases, in file order.
    public let entries: [Entry]
    /// Which part of a larger plan this is, together with that plan; `nil` for a whole plan.
    public let shard: RunShard?
    /// The device.
    public let device: DeviceSelection
    /// The device's profile for each role that the suites are for.
    public let profiles: [String: DeviceProfile]
    /// Values of parameters from the command line.
    public let parameters: ParameterOverrides
    /// How many times faster than its specification the device runs.
    public let timeScale: TimeScale
    /// What carries the sessions of accessories; `nil` leaves it to the suites.
    public let carrier: AccessoryCarrier?
    /// Whether each message of the device must follow its specification, whatever the suites say.
    public var holdsToProtocol = false
    /// How long the cases are likely to take.
    let times: CaseTimes
    /// The seed of all random draws.
    ///
    /// With `nil`, link impairment uses its fixed seed, and devices choose their own.
    public let seed: UInt64?
    /// How long drawn runs are begun; `nil` to execute all of them.
    public let exploringTime: Duration?

    /// Plans the wanted cases of the suites for a device.
    ///
    /// Suites with parameters are loaded again with the values of the device and of `parameters`.
    ///
    /// - Parameters:
    ///   - shard: Which part of the wanted cases to plan; `nil` for all of them.
    ///   - count: How many runs of each exploration to draw; `nil` for as many as it says itself.
    ///   - time: How long drawn runs are begun, as many as there are until then; `nil` for no limit.
    ///   - times: How long cases take, so that all parts take about as long; `nil` to divide them
    ///     by their names alone.
    /// - Throws: `InvalidInput` if the device's profile cannot be used, or a suite with its values.
    public init(
        suites: [(path: String, suite: Suite)], selection: CaseSelection,
        shard: ShardNumber? = nil, times: CaseTimes? = nil, device: DeviceSelection,
        parameters: ParameterOverrides = ParameterOverrides(), timeScale: TimeScale = .real,
        carrier: AccessoryCarrier? = nil, seed: UInt64? = nil, hasPerson: Bool = true,
        explores count: Int? = nil, for time: Duration? = nil
    ) throws(InvalidInput) {
        var profiles: [String: DeviceProfile] = [:]
        var entries: [Entry] = []
        var loaded: [Suite] = []
        // A folder may hold suites for several roles; for a single suite a missing device is an
        // error.
        let roles = Set(suites.map(\.suite.deviceRole)).filter(device.canPlay)
        let count = count ?? time.map { Self.runCount(in: $0, suites.map(\.suite)) }
        for (path, bare) in suites {
            let known = profiles[bare.deviceRole]
            guard roles.isEmpty || roles.contains(bare.deviceRole) else {
                loaded.append(bare)
                let reason = Reason(
                    .notApplicable, "there is no reference device for \(bare.deviceRole)")
                entries += bare.cases.filter { selection.selects($0, of: bare) }.map {
                    Entry(path: path, suite: bare, testCase: $0, skipReason: reason)
                }
                continue
            }
            let profile =
                if let known {
                    known
                } else {
                    try device.profile(
                        role: bare.deviceRole,
                        among: bare.protocols.deviceRoles + suites.map(\.suite.deviceRole))
                }
            profiles[bare.deviceRole] = profile
            let suite = try parameters.suite(bare, at: path, given: profile.parameterValues)
                .drawing(seed: seed ?? 0, count: count, further: selection.drawnIDs(of: bare)) {
                    $0.deviceActions.allSatisfy(profile.offers)
                }
            loaded.append(suite)
            for testCase in suite.cases where selection.selects(testCase, of: suite) {
                let reason =
                    Self.skipReason(
                        testCase, of: suite, device: profile, timeScale: timeScale,
                        hasPerson: hasPerson)
                    ?? testCase.reasonAgainst(carrier)
                // One run of an exploration that does not apply says so for all.
                if time != nil, reason != nil, (testCase.drawn?.name.number ?? 1) > 1 { continue }
                entries.append(
                    Entry(path: path, suite: suite, testCase: testCase, skipReason: reason))
            }
        }
        self.suites = loaded
        self.parameters = parameters
        self.timeScale = timeScale
        self.carrier = carrier
        self.seed = seed
        exploringTime = time
        // How many runs there is time for is known to each shard alone.
        let common = time == nil ? entries : entries.filter { $0.testCase.drawn == nil }
        self.shard = shard.map { shard in
            RunShard(index: shard.index, total: shard.total, plan: common.map { PlannedCase($0) })
        }
        self.entries = shard.map { Self.part($0, of: entries, by: times) } ?? entries
        self.times = times ?? CaseTimes()
        self.device = device
        self.profiles = profiles
    }

    /// Why no case can run, if a device's program is missing; `nil` if none is known to be missing.
    public var launchFault: String? {
        let roles = Set(entries.filter { $0.skipReason == nil }.map(\.suite.deviceRole))
        for role in roles.sorted() {
            guard let profile = profiles[role], let fault = profile.launchFault else { continue }
            return "the device \(profile.name) cannot be started: \(fault)"
        }
        return nil
    }

    /// The places of entries that begin in another order when drawn runs are begun for some time:
    /// the cases of the suites, then the runs of all explorations by their numbers.
    static func numbered(_ entries: [Entry], _ places: [Int]) -> [Int] {
        func number(_ place: Int) -> Int { entries[place].testCase.drawn?.name.number ?? 0 }
        let order = places.enumerated().sorted {
            (number($0.element), $0.offset) < (number($1.element), $1.offset)
        }
        return order.map(\.element)
    }

    /// More runs of each exploration than can be executed in a time.
    private static func runCount(in time: Duration, _ suites: [Suite]) -> Int {
        let explorations = max(1, suites.reduce(0) { $0 + $1.explorations.count })
        let runs = time / leastTimeOfRun * Double(JobPace.mostCases) / Double(explorations)
        return Int(min(max(1, runs.rounded(.up)), Double(runCountMax)))
    }

    /// A time that no run with its device is shorter than.
    private static let leastTimeOfRun: Duration = .seconds(2)
    /// The most runs of each exploration that are drawn for a time.
    private static let runCountMax = 10_000

    /// The entries of one part.
    private static func part(
        _ shard: ShardNumber, of entries: [Entry], by times: CaseTimes?
    ) -> [Entry] {
        guard let times else {
            return entries.filter { shard.holds(PlannedCase($0).reference) }
        }
        let parts = times.parts(of: entries, total: shard.total)
        return zip(entries, parts).filter { $1 == shard.index - 1 }.map(\.0)
    }

    private static func skipReason(
        _ testCase: TestCase, of suite: Suite, device: DeviceProfile, timeScale: TimeScale,
        hasPerson: Bool
    ) -> Reason? {
        if device.role != suite.deviceRole {
            return Reason(
                .notApplicable,
                "the suite is for \(suite.deviceRole), the device \(device.name) is \(device.role)")
        }
        if let reason = testCase.missingParameterReason ?? testCase.reasonAgainstPackets() {
            return reason
        }
        if testCase.isQuietToTheEnd {
            return Reason(
                .notApplicable,
                "with quiet: end it is for captures whose end is known: conform check")
        }
        if let needs = testCase.needs, !needs.isSatisfied(by: device.features) {
            let missing = needs.names.subtracting(device.features).sorted()
            let why =
                missing.isEmpty
                ? "it declares: \(needs.names.sorted().joined(separator: ", "))"
                : "it does not declare: \(missing.joined(separator: ", ")); what it has is in its "
                    + "profile, features: [\(missing.joined(separator: ", "))]"
            return Reason(
                .notApplicable,
                "the device does not have what the case needs (\(needs.suiteText)); \(why)")
        }
        if !device.takesConfiguration, testCase.configuresDevice {
            return Reason(
                .notApplicable,
                "the case configures the device (given.device), and the device takes no "
                    + "configuration (configuration: none)")
        }
        if let reason = testCase.reasonAgainst(attached: device) { return reason }
        let controls = testCase.deviceActions
        if let missing = controls.first(where: { !device.offers($0) }) {
            return Reason(.notApplicable, "control \(missing) not offered by the device")
        }
        if let reason = testCase.reasonAgainstPerson(device, isThere: hasPerson) { return reason }
        if !device.canRun(at: timeScale) {
            return Reason(
                .notApplicable,
                "the device's clock cannot be scaled (timeScale: \(device.timeScaling.rawValue)); "
                    + "run it without --time-scale")
        }
        return nil
    }
}

extension TestCase {
    /// What its steps do to devices, as the names of actions and controls.
    var deviceActions: [String] {
        (preamble + steps).plain.compactMap { step in
            guard case .perform(let action) = step.verb, isDevice(action.party) else { return nil }
            return action.name
        }
    }

    /// Returns why the case cannot be run on an attached device.
    ///
    /// `nil` if it can, or if the device is launched.
    fileprivate func reasonAgainst(attached device: DeviceProfile) -> Reason? {
        guard device.attachment != nil else { return nil }
        let isAttached = "\(device.name) is attached, not launched"
        if deviceNames.count > 1 {
            return Reason(
                .notApplicable, "the case has \(deviceNames.count) devices; \(isAttached)")
        }
        if let action = deviceActions.first(where: {
            !device.offers($0) && DeviceAction.named($0) != nil
        }) {
            return Reason(
                .notApplicable,
                "device.\(action) is for a device that conform launches, or takes a control "
                    + "\"\(action)\"; \(isAttached)")
        }
        let events = [DeviceEvent.exited, DeviceEvent.started]
        let awaited = (preamble + steps).plain.compactMap { step in
            if case .expect(let name) = step.verb { name } else { nil }
        }
        guard let event = awaited.first(where: events.contains) else { return nil }
        return Reason(
            .notApplicable, "the case awaits \(event), which cannot be observed; \(isAttached)")
    }

    /// Whether it configures a device.
    fileprivate var configuresDevice: Bool {
        ([deviceConfiguration] + devices.map(\.configuration)).contains {
            $0.objectValue?.isEmpty == false
        }
    }

    /// Returns why the case cannot be run on a carrier; `nil` if it can.
    fileprivate func reasonAgainst(_ carrier: AccessoryCarrier?) -> Reason? {
        guard carrier == .iap2, let phone = phones.first else { return nil }
        return Reason(
            .notApplicable,
            "\(phone.name) opens its sessions with the device on the accessory bus; "
                + "run the case without --parameter carrier=iap2")
    }
}

extension DeviceProfile {
    /// Its parameters by name.
    var parameterValues: [String: Value] {
        Dictionary(
            (parameters.objectValue ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}
