import Devices
import Glibc
import Live
import Offline
import Reporting
import Results
import SuiteLanguage
import System
import TCPIP
import Trace
import Wire

/// Options that several subcommands share, and their meaning.
enum CommonOptions {
    static let caseFilter = Option(
        "--case", "PATTERN", "only cases that match (* any characters, ? one)", repeats: true)
    static let tag = Option(
        "--tag", "TAG", "only cases with this tag; '!TAG': without it", repeats: true)
    static let checks = Option(
        "--checks", "REQUIREMENT",
        "only cases that check this requirement (* and ?), or one with this basis in its "
            + "catalogue: document, derived, ours", repeats: true)
    static let jobs = Option(
        "--jobs", "N",
        "how many cases run in parallel (default: as many as the machine can run)")
    static let network = Option(
        "--network", "isolated|host", "a network of its own for each case (default), or the host's")

    static let peer = Option(
        "--peer", "NAME=ADDRESS:PORT",
        "the endpoint of a peer of the suite; for a peer that calls the device, NAME=ADDRESS",
        repeats: true)

    static let selection = [caseFilter, tag, checks]

    /// Returns how many cases run in parallel; `nil` for as many as the machine can run.
    static func jobCount(_ arguments: Arguments) throws(UsageError) -> Int? {
        try arguments.number(jobs.name, minimum: 1)
    }

    /// Returns the network of the cases.
    static func isolation(_ arguments: Arguments) throws(UsageError) -> IsolationRequest {
        let word = arguments.value(network.name) ?? "isolated"
        guard let request = IsolationRequest(rawValue: word) else {
            throw UsageError("\(network.name) takes isolated or host, not \"\(word)\"")
        }
        return request
    }

    /// Returns the loaded suites that the operands name.
    ///
    /// Without operands these are the suites of the run that `--failed` repeats.
    static func suites(
        _ arguments: Arguments, of last: StoredRun? = nil
    ) throws -> [(path: String, suite: Suite)] {
        let named = arguments.operands
        let paths = try SuiteFiles.expand(named.isEmpty ? last?.suiteFiles ?? [] : named)
        var loaded: [(path: String, suite: Suite)] = []
        var diagnostics: [Diagnostic] = []
        for path in paths {
            do throws(InvalidInput) {
                let suite = try SuiteLoader(arguments.protocols).load(
                    path: path, searchPath: arguments.searchPath)
                loaded.append((path, suite))
            } catch {
                diagnostics += error.diagnostics
            }
        }
        diagnostics += loaded.map(\.suite).duplicates
        guard diagnostics.isEmpty else { throw InvalidInput(diagnostics) }
        return loaded
    }

    /// Protocols that are read in addition to those of `conform`.
    static let described = Option(
        "--protocol", "FILE",
        "a file that describes a protocol together with a .ksy file; it is decoded too",
        repeats: true)

    /// Returns the protocols of the program and those that the options name.
    static func known(_ arguments: Arguments) throws -> KnownMessages {
        let loader = SuiteLoader(arguments.protocols)
        return KnownMessages(
            arguments.protocols,
            try arguments.all(described.name).map { try loader.loadProtocol(path: $0) })
    }

    /// Returns the peers' endpoints that are given.
    static func peerEndpoints(
        _ arguments: Arguments
    ) throws(UsageError) -> [String: Endpoint] {
        var endpoints: [String: Endpoint] = [:]
        for text in arguments.all(peer.name) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let endpoint = Self.endpoint(parts[1]) else {
                throw UsageError(
                    "\(peer.name) takes NAME=ADDRESS or NAME=ADDRESS:PORT, not \"\(text)\""
                        + (parts.count == 2 ? "; an address is a number, such as 192.0.2.1" : ""))
            }
            endpoints[parts[0]] = endpoint
        }
        return endpoints
    }

    /// Parses an address with a port, or without one, which means any port.
    static func endpoint(_ text: String) -> Endpoint? {
        if let address = IPAddress(text) {
            return Endpoint(address: address.unmapped, port: 0)
        }
        if let adapter = Endpoint.adapter(named: text) { return adapter }
        guard case .ip(let address, let port)? = Endpoint(text) else { return Endpoint(text) }
        return Endpoint(address: address.unmapped, port: port)
    }

    /// Returns the selection of cases that the options make.
    static func selection(
        _ arguments: Arguments, of last: StoredRun? = nil
    ) -> CaseSelection {
        CaseSelection(
            patterns: arguments.all(caseFilter.name).map(CasePattern.init),
            tags: arguments.all(tag.name),
            requirements: requirements(arguments).map(CasePattern.init),
            bases: arguments.all(checks.name).compactMap(RequirementBasis.Kind.init(rawValue:)),
            only: last?.notPassed)
    }

    /// Returns the patterns of requirements whose cases are selected.
    static func requirements(_ arguments: Arguments) -> [String] {
        arguments.all(checks.name).filter { RequirementBasis.Kind(rawValue: $0) == nil }
    }

    /// Returns the plan that operands and options define.
    static func plan(_ arguments: Arguments) throws -> RunPlan {
        let last = try LastRun.stored(arguments)
        let suites = try suites(arguments, of: last)
        let loaded = suites.map(\.suite)
        let shard = try ShardOption.value(arguments)
        var plan = try RunPlan(
            suites: suites, selection: selection(arguments, of: last),
            shard: shard.number, times: shard.times,
            device: DeviceOption.selected(arguments),
            parameters: ParameterOptions.overrides(
                arguments, suites: loaded, besides: [CarrierParameter.name]),
            timeScale: TimeScaleOption.timeScale(arguments),
            carrier: CarrierParameter.carrier(arguments, suites: loaded),
            seed: SeedOption.seed(arguments),
            hasPerson: RunOptions.hasPerson,
            explores: ExploreOptions.count(arguments), for: ExploreOptions.duration(arguments))
        plan.holdsToProtocol = try StrictOption.words(arguments).contains(StrictOption.protocolWord)
        ParameterOptions.warnOfUnknown(plan)
        try SelectionCheck(suites: plan.suites).check(arguments)
        if let last, plan.entries.isEmpty {
            StandardError.print("conform: nothing of the last run is left to pass (\(last.folder))")
        }
        if arguments.has(DeviceOption.option.name) { warnOfUnknownFeatures(plan) }
        warnOfUnknownRoles(plan, arguments.protocols)
        return plan
    }

    /// Warns of the role of a device profile that looks misspelt, because all cases are skipped.
    private static func warnOfUnknownRoles(_ plan: RunPlan, _ protocols: ProtocolRegistry) {
        let known = Set(protocols.deviceRoles + plan.suites.flatMap(\.roles).map(\.name))
        for role in Set(plan.profiles.values.map(\.role)).subtracting(known).sorted() {
            guard let closest = Suggestion.closest(to: role, in: known.sorted()) else { continue }
            StandardError.print(
                "conform: warning: the device has the role \"\(role)\", which no suite here has; "
                    + "did you mean \"\(closest)\"?")
        }
    }

    /// Warns of features of a device profile that look misspelt, because cases would be skipped.
    private static func warnOfUnknownFeatures(_ plan: RunPlan) {
        let known = Set(plan.suites.flatMap(\.features.keys))
        let declared = Set(plan.profiles.values.flatMap(\.features))
        for feature in declared.subtracting(known).sorted() {
            guard let closest = Suggestion.closest(to: feature, in: known.sorted()) else {
                continue
            }
            StandardError.print(
                "conform: warning: the device declares a feature \"\(feature)\" that no "
                    + "catalogue has; did you mean \"\(closest)\"?")
        }
    }
}

/// The programs of this installation.
enum Executable {
    /// The path of the running program.
    static let conform = ProgramArguments.executablePath

    /// The path of the reference device, in the same folder.
    static let device: String = {
        let folder = conform.lastIndex(of: "/").map { conform[...$0] } ?? ""
        return folder + "conform-device"
    }()
}
