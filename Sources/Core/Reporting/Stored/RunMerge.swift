import Results
import System

/// The merge of several runs into one: the shards of a plan, and reruns with their history.
///
/// The newest verdict of each case counts; older ones are kept as its executions. Planned cases
/// that no run judged stay in the merged plan, so that the audit reports them as missing.
public struct RunMerge: Sendable {
    /// The merged run, which has ended.
    public private(set) var run: RunResult
    /// The captures, logs and evidence to copy, from a path relative to the working directory to a
    /// path relative to the folder of the merged run.
    public private(set) var copies: [(from: String, to: String)] = []
    /// Remarks on missing shards, a sentence each.
    public private(set) var remarks: [String] = []

    /// Merges runs.
    ///
    /// - Parameters:
    ///   - runs: At least one, in any order.
    ///   - folder: The folder of the merged run, relative to the working directory.
    ///   - command: The command line, word by word.
    /// - Throws: `MergeError` if the runs do not have the same device, time scale, parameters, files
    ///   and division of the plan.
    public init(
        _ runs: [StoredRun], folder: String, command: [String]
    ) throws(MergeError) {
        let ordered = Self.apart(runs).enumerated().sorted {
            ($0.element.run.header.started.time, $0.offset)
                < ($1.element.run.header.started.time, $1.offset)
        }.map(\.element)
        guard let first = ordered.first, let last = ordered.last else {
            throw MergeError(
                description: "there is nothing to merge; give report folders or results files")
        }
        let missing = try Self.check(ordered)
        var header = first.run.header
        header.version = last.run.header.version
        header.id = String(folder.split(separator: "/").last ?? "merged")
        header.folder = folder
        header.command = command
        header.minimum = ordered.map(\.run.header.minimum).max() ?? 1
        header.strict = ordered.contains { $0.run.header.strict }
        header.environment = Self.environment(ordered)
        header.suites = Self.suites(ordered)
        header.planned = Self.plan(ordered)
        header.knownFindings = ordered.compactMap(\.run.header.knownFindings).last
        header.shard = nil
        header.digests = Self.digests(ordered)
        header.job = last.run.header.job
        run = RunResult(header: header)
        remarks = missing.map { "shard \($0) is missing: its cases have no result" }
        mergeCases(ordered)
        run.end(seconds: ordered.reduce(0) { $0 + $1.run.seconds })
    }

    // MARK: compatibility of the runs

    /// Checks that runs can be merged.
    ///
    /// - Returns: The shards without a run, such as `2/5`.
    /// - Throws: `MergeError` if the runs do not have the same device, time scale, parameters, files
    ///   and division of the plan.
    @discardableResult
    public static func check(_ runs: [StoredRun]) throws(MergeError) -> [String] {
        try checkDevice(runs)
        try checkTimeScale(runs)
        try checkParameters(runs)
        try checkDigests(runs)
        return try missingShards(runs)
    }

    private static func checkDevice(_ runs: [StoredRun]) throws(MergeError) {
        guard let first = runs.first else { return }
        for other in runs where other.run.header.device != first.run.header.device {
            throw MergeError(
                description:
                    "\(other.file) is about \(other.run.header.device.label), \(first.file) about "
                    + "\(first.run.header.device.label); merge runs of one device, "
                    + "and compare different ones with conform report compare")
        }
    }

    /// Checks that the runs depend on the same files, because verdicts of different suites, devices
    /// or versions of `conform` do not belong to one run.
    private static func checkDigests(_ runs: [StoredRun]) throws(MergeError) {
        guard let first = runs.first else { return }
        for other in runs.dropFirst() {
            // A rerun of some suites lists only their files.
            let differences = DigestComparison.differences(first.run.header, other.run.header)
                .filter { !$0.contains(" only in the ") }
            guard let difference = differences.first else { continue }
            throw MergeError(
                description:
                    "\(first.file) and \(other.file) depend on different files: \(difference); "
                    + "merge runs of the same files, and compare others with "
                    + "conform report compare")
        }
        for stored in runs {
            for capture in stored.storedCaptures where capture.isChanged {
                throw MergeError(
                    description:
                        "\(capture.path) is not the capture that \(stored.file) was judged on: its "
                        + "digest differs; conform report verify \(stored.folder) shows more")
            }
        }
    }

    private static func checkTimeScale(_ runs: [StoredRun]) throws(MergeError) {
        guard let first = runs.first else { return }
        for other in runs where other.run.header.timeScale != first.run.header.timeScale {
            let scales = [other, first].map { $0.run.header.timeScale ?? .real }
            throw MergeError(
                description: "\(other.file) was made at time scale \(scales[0]), \(first.file) at "
                    + "\(scales[1]); merge runs of one time scale")
        }
    }

    private static func checkParameters(_ runs: [StoredRun]) throws(MergeError) {
        var known: [String: (value: String, file: String)] = [:]
        for stored in runs {
            for parameter in stored.run.header.parameters ?? [] {
                let name = "\(parameter.suite)/\(parameter.name)"
                let first = known[name] ?? (parameter.value, stored.file)
                guard first.value == parameter.value else {
                    throw MergeError(
                        description:
                            "\(stored.file) was judged with \(parameter.name) = \(parameter.value) in "
                            + "suite \(parameter.suite), \(first.file) with \(first.value); merge "
                            + "runs with the same parameters, and compare others with "
                            + "conform report compare")
                }
                known[name] = first
            }
        }
    }

    /// Returns the shards without a run, such as `2/5`.
    private static func missingShards(_ runs: [StoredRun]) throws(MergeError) -> [String] {
        let parts = runs.compactMap { stored in
            stored.run.header.shard.map { (file: stored.file, shard: $0) }
        }
        guard let first = parts.first else { return [] }
        let plan = Set(first.shard.plan.map(\.reference))
        for part in parts.dropFirst() {
            guard part.shard.total == first.shard.total else {
                throw MergeError(
                    description:
                        "\(part.file) is shard \(part.shard.label), \(first.file) is shard "
                        + "\(first.shard.label): they belong to different divisions of a plan")
            }
            let other = Set(part.shard.plan.map(\.reference))
            if let odd = plan.symmetricDifference(other).map(\.description).min() {
                throw MergeError(
                    description:
                        "shard \(part.shard.label) (\(part.file)) and shard \(first.shard.label) "
                        + "(\(first.file)) divide different plans: only one of them has \(odd); "
                        + "run all shards with the same suites and options")
            }
        }
        // A run of the whole plan replaces the missing shards.
        let whole = runs.contains { stored in
            stored.run.header.shard == nil
                && plan.isSubset(of: stored.run.header.planned.map(\.reference))
        }
        guard !whole else { return [] }
        let present = Set(parts.map(\.shard.index))
        return (1...first.shard.total).filter { !present.contains($0) }
            .map { "\($0)/\(first.shard.total)" }
    }

    // MARK: the header

    private static func environment(_ runs: [StoredRun]) -> RunEnvironment {
        let all = runs.map(\.run.header.environment)
        var merged = all[0]
        func listed(_ texts: [String]) -> String {
            texts.reduce(into: [String]()) { unique, text in
                if !unique.contains(text) { unique.append(text) }
            }.joined(separator: ", ")
        }
        merged.host = listed(all.map(\.host))
        merged.system = listed(all.map(\.system))
        merged.kernel = listed(all.map(\.kernel))
        merged.isolation = listed(all.map(\.isolation))
        merged.cores = all.map(\.cores).max() ?? merged.cores
        return merged
    }

    /// Returns the digests of all runs, each once; `nil` if a run has none.
    private static func digests(_ runs: [StoredRun]) -> [RunDigest]? {
        var seen: Set<RunDigest> = []
        var digests: [RunDigest] = []
        for stored in runs {
            guard let own = stored.run.header.digests else { return nil }
            digests += own.filter { seen.insert($0).inserted }
        }
        return digests
    }

    /// Returns every suite once, as in its newest run.
    private static func suites(_ runs: [StoredRun]) -> [SuiteSummary] {
        var suites: [SuiteSummary] = []
        for suite in runs.flatMap(\.run.header.suites) {
            if let place = suites.firstIndex(where: { $0.id == suite.id }) {
                suites[place] = suite
            } else {
                suites.append(suite)
            }
        }
        return suites
    }

    /// Returns every case of a plan or of a divided plan once, as in its newest run.
    private static func plan(_ runs: [StoredRun]) -> [PlannedCase] {
        let whole = runs.flatMap { stored in
            (stored.run.header.shard?.plan ?? []) + stored.run.header.planned
        }
        var places: [CaseReference: Int] = [:]
        var plan: [PlannedCase] = []
        for planned in whole {
            if let place = places[planned.reference] {
                plan[place] = planned
            } else {
                places[planned.reference] = plan.count
                plan.append(planned)
            }
        }
        return plan
    }

    // MARK: the cases

    private mutating func mergeCases(_ runs: [StoredRun]) {
        var found: [CaseReference: [Found]] = [:]
        var order: [CaseReference] = []
        for stored in runs {
            for result in stored.run.cases {
                let reference = CaseReference(result)
                if found[reference] == nil { order.append(reference) }
                found[reference, default: []].append(Found(result: result, stored: stored))
            }
        }
        let planned = run.header.planned.map(\.reference)
        let known = Set(planned)
        for reference in planned + order.filter({ !known.contains($0) }) {
            guard let all = found[reference] else { continue }
            append(all, of: reference)
        }
    }

    /// One result of one run.
    private struct Found {
        var result: CaseResult
        let stored: StoredRun

        var isJudged: Bool { result.reason?.code != .notRun && result.verdict != .none }

        /// The executions of the result.
        var executions: [Execution] { result.executions ?? [Execution(result)] }
    }

    private mutating func append(_ all: [Found], of reference: CaseReference) {
        let isRepeated = Dictionary(grouping: all, by: \.stored.file).contains {
            $0.value.count > 1
        }
        guard !isRepeated else {
            // More than one result in one run contradicts its plan. The contradiction must stay.
            run.cases += all.map(\.result)
            return
        }
        let judged = all.filter(\.isJudged)
        guard let newest = judged.last ?? all.last else { return }
        var result = newest.result
        var files = FileNames(reference: reference)
        var executions: [Execution] = []
        for found in judged.isEmpty ? [newest] : judged {
            for execution in found.executions {
                var execution = execution
                let isLast = found.stored.file == newest.stored.file
                execution.capture = files.place(
                    execution.capture, of: found.stored, isMain: isLast, isLog: false)
                execution.log = files.place(
                    execution.log, of: found.stored, isMain: isLast, isLog: true)
                executions.append(execution)
            }
        }
        result.capture = files.place(result.capture, of: newest.stored, isMain: true, isLog: false)
        result.log = files.place(result.log, of: newest.stored, isMain: true, isLog: true)
        if judged.count > 1 {
            let verdicts = judged.map(\.result.verdict.rawValue).joined(separator: ", then ")
            result.remarks.append("the verdict of the latest of \(judged.count) runs: \(verdicts)")
        }
        result.executions = executions.count > 1 ? executions : newest.result.executions
        if let shrunk = result.shrunk {
            var own = FileNames(reference: CaseReference(suite: result.suite, id: shrunk.id))
            result.shrunk?.execution.capture = own.place(
                shrunk.execution.capture, of: newest.stored, isMain: true, isLog: false)
            result.shrunk?.execution.log = own.place(
                shrunk.execution.log, of: newest.stored, isMain: true, isLog: true)
            copies += own.copies.filter { copy in !copies.contains { $0.to == copy.to } }
        }
        copies += files.copies
        // A reference to missing evidence is kept, so that the page of the case reports it.
        if let source = newest.stored.evidence.path(of: result), FileInput.isThere(source) {
            result.evidenceFile = reference.evidencePath
            copies.append((source, reference.evidencePath))
        }
        run.cases.append(result)
    }
}

/// The reason why runs cannot be merged, as a sentence.
public struct MergeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public let description: String
}

/// The paths of the captures and logs of one case in the folder of a merged run.
private struct FileNames {
    let reference: CaseReference
    private(set) var copies: [(from: String, to: String)] = []
    private var places: [String: String] = [:]

    init(reference: CaseReference) {
        self.reference = reference
    }

    /// Returns the path of a file relative to the merged folder; `nil` if there is no file to copy.
    ///
    /// The first file of the newest run gets the name of the case, the others names of attempts.
    mutating func place(
        _ path: String?, of stored: StoredRun, isMain: Bool, isLog: Bool
    ) -> String? {
        guard let path, let source = stored.path(of: path) else { return nil }
        if let place = places[source] { return place }
        guard FileInput.isThere(source), !FilePath.isFolder(source) else { return nil }
        let own = isLog ? reference.logPath : reference.capturePath
        var place = own
        var attempt = 2
        while (!isMain && place == own) || places.values.contains(place) {
            place =
                isLog
                ? reference.logPath(attempt: attempt) : reference.capturePath(attempt: attempt)
            attempt += 1
        }
        places[source] = place
        copies.append((source, place))
        return place
    }
}
