import Devices
import Glibc
import Offline
import Results
import SuiteLanguage
import System
import Trace

extension RunHeader {
    /// The header of a run that is about to begin.
    init(plan: RunPlan, options: RunSession.Options) {
        let mutant: String? =
            if case .reference(_, let mutant) = plan.device { mutant } else { nil }
        self.init(
            version: ConformVersion.current,
            id: String(options.folder.split(separator: "/").last ?? "run"),
            folder: options.folder, started: Moment(WallClock.now), command: options.command,
            seed: plan.seed ?? 0, minimum: options.minimum, strict: options.strict,
            device: RunDevice(plan.deviceProfiles, mutant: mutant),
            environment: .current(
                isolation: WorkerIsolation.probe(
                    sharesNetwork: options.network == .host, refusing: Worker.refusedForTrial
                ).statement),
            suites: plan.suites.map { SuiteSummary($0) },
            planned: plan.entries.map { PlannedCase($0) },
            knownFindings: options.known?.findings, shard: plan.shard,
            job: RunJob(in: FilePath.current) { name in
                getenv(name).map { String(cString: $0) }
            })
        let parameters = plan.suites.flatMap { suite in
            plan.parameters.origins(
                of: suite, given: plan.profiles[suite.deviceRole]?.parameterValues ?? [:],
                source: .device)
        }
        if !parameters.isEmpty { self.parameters = parameters }
        timeScale = plan.timeScale.unlessReal
        if options.recordsDigests {
            digests = plan.digests(known: options.known?.list.file)
        }
    }
}

extension WorkerIsolation {
    /// What separates each case from the machine and from other cases, and what is missing.
    var statement: String {
        let names: [(part: Part, name: String)] = [
            (.user, "user"), (.network, "network"), (.mount, "mount"), (.process, "PID"),
        ]
        let had = names.filter { outcomes[$0.part] == .obtained }.map(\.name)
        let list = [had.dropLast().joined(separator: ", "), had.last ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " and ")
        let namespaces =
            had.isEmpty
            ? "none"
            : "\(list) namespace\(had.count > 1 ? "s" : "")"
                + " for each case"
        let network = outcomes[.network] == .notWanted ? ["the host's network"] : []
        return (network + [namespaces] + remarks).joined(separator: "; ")
    }
}

extension RunPlan {
    /// The devices that its suites need, in the order of the suites.
    fileprivate var deviceProfiles: [DeviceProfile] {
        var roles: Set<String> = []
        return suites.filter { roles.insert($0.deviceRole).inserted }
            .compactMap { profiles[$0.deviceRole] }
    }
}

extension RunDevice {
    /// Describes a run's devices: usually one, and one for each role of the reference.
    fileprivate init(_ profiles: [DeviceProfile], mutant: String?) {
        func joined(_ texts: [String]) -> String {
            var known: Set<String> = []
            return texts.filter { known.insert($0).inserted }.joined(separator: ", ")
        }
        self.init(
            name: profiles.isEmpty ? "none" : joined(profiles.map(\.name)),
            version: joined(profiles.map(\.version)), role: joined(profiles.map(\.role)),
            mutant: mutant)
    }
}

extension PlannedCase {
    /// The planned case of a plan's entry.
    public init(_ entry: RunPlan.Entry) {
        self.init(suite: entry.suite, testCase: entry.testCase)
    }
}
