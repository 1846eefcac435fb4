import Devices
import Glibc
import Live
import Offline
import Processes
import Reporting
import Results
import SuiteLanguage
import TCPIP
import Trace

/// Options that several subcommands share, and their meaning.
enum CommonOptions {
    static let searchPath = Option(
        "--include", "DIR", "a folder that is searched for included files", repeats: true)
    static let caseFilter = Option(
        "--case", "PATTERN", "only cases that match (* any characters, ? one)", repeats: true)
    static let tag = Option(
        "--tag", "TAG", "only cases with this tag; '!TAG': without it", repeats: true)
    static let checks = Option(
        "--checks", "REQUIREMENT", "only cases that check this requirement (* and ?)",
        repeats: true)
    static let source = Option(
        "--source", "document|derived|ours",
        "only cases for requirements with this basis in their catalogue", repeats: true)
    static let profile = Option(
        "--device", "FILE",
        "the device profile of your device; reference: the reference device; conform run makes "
            + "one report of several devices", repeats: true)
    /// The word for the reference device in place of a profile.
    static let referenceDevice = "reference"
    static let deviceCommand = Option(
        "--device-command", "CMD",
        "a command that starts your device; ${host} ${port} ${config}")
    static let feature = Option(
        "--feature", "NAME", "a feature that the device of --device-command has", repeats: true)
    static let mutant = Option(
        "--mutant", "NAME", "a named mutant of the reference device instead of the reference")
    static let strictProtocol = Option(
        "--strict-protocol", nil,
        "a message of the device that breaks its protocol's specification breaks any case")
    static let jobs = Option(
        "--jobs", "N",
        "how many cases run in parallel (default: as many as the machine can run)")
    static let network = Option(
        "--network", "isolated|host", "a network of its own for each case (default), or the host's")

    static let peer = Option(
        "--peer", "NAME=ADDRESS:PORT",
        "the endpoint of a peer of the suite; for a peer that calls the device, NAME=ADDRESS",
        repeats: true)

    static let selection = [
        caseFilter, tag, checks, source, searchPath, ParameterOptions.parameter,
    ]
    static let device = [profile, deviceCommand, mutant]

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
                    path: path, searchPath: arguments.all(searchPath.name))
                loaded.append((path, suite))
            } catch {
                diagnostics += error.diagnostics
            }
        }
        diagnostics += loaded.map(\.suite).duplicates
        guard diagnostics.isEmpty else { throw InvalidInput(diagnostics) }
        return loaded
    }

    /// Returns the device that the options choose; by default the reference device.
    static func selectedDevice(_ arguments: Arguments) throws -> DeviceSelection {
        guard arguments.all(profile.name).count <= 1 else {
            throw UsageError("only conform run takes several devices; give \(profile.name) once")
        }
        let given = device.filter { arguments.has($0.name) }
        guard given.count <= 1 else {
            throw UsageError(
                "\(given.map(\.name).joined(separator: " and ")) exclude each other; give one")
        }
        if arguments.has(feature.name), !arguments.has(deviceCommand.name) {
            throw UsageError(
                "\(feature.name) goes with \(deviceCommand.name); a profile has its own")
        }
        if let path = arguments.value(profile.name), path != referenceDevice {
            return .profile(path: path)
        }
        if let command = arguments.value(deviceCommand.name) {
            let words = try CommandWords.split(command)
            guard !words.isEmpty else { throw UsageError("\(deviceCommand.name) names no program") }
            return .command(words, features: arguments.all(feature.name))
        }
        let name = arguments.value(mutant.name)
        if let name {
            let names = try Mutant.list(executable: Executable.device).map(\.name)
            guard names.contains(name) else { throw UsageError.unknownMutant(name, among: names) }
        }
        return .reference(executable: Executable.device, mutant: name)
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
                    "\(peer.name) takes NAME=ADDRESS or NAME=ADDRESS:PORT, not \"\(text)\"")
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
    ) throws(UsageError) -> CaseSelection {
        let bases = try arguments.all(source.name).map { word throws(UsageError) in
            guard let basis = RequirementBasis.Kind(rawValue: word) else {
                throw UsageError(
                    "\(source.name) takes document, derived or ours, not \"\(word)\"")
            }
            return basis
        }
        return CaseSelection(
            patterns: arguments.all(caseFilter.name).map(CasePattern.init),
            tags: arguments.all(tag.name),
            requirements: arguments.all(checks.name).map(CasePattern.init), bases: bases,
            only: last?.notPassed)
    }

    /// Returns the plan that operands and options define.
    static func plan(_ arguments: Arguments) throws -> RunPlan {
        let last = try LastRun.stored(arguments)
        let suites = try suites(arguments, of: last)
        var plan = try RunPlan(
            suites: suites, selection: selection(arguments, of: last),
            shard: ShardOption.shard(arguments), times: ShardOption.times(arguments),
            device: selectedDevice(arguments),
            parameters: ParameterOptions.overrides(arguments, suites: suites.map(\.suite)),
            timeScale: TimeScaleOption.timeScale(arguments),
            carrier: CarrierOption.carrier(arguments), seed: SeedOption.seed(arguments),
            hasPerson: RunOptions.hasPerson(arguments),
            explores: ExploreOptions.count(arguments), for: ExploreOptions.duration(arguments))
        plan.holdsToProtocol = arguments.has(strictProtocol.name)
        ParameterOptions.warnOfUnknown(plan)
        try SelectionCheck(suites: plan.suites).check(arguments)
        if let last, plan.entries.isEmpty {
            StandardError.print("conform: nothing of the last run is left to pass (\(last.folder))")
        }
        if arguments.has(profile.name) || arguments.has(feature.name) {
            warnOfUnknownFeatures(plan)
        }
        return plan
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
