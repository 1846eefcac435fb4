import Live
import Offline
import Results
import SuiteLanguage
import Trace
import Wire

/// The options of runs for repetition and for known failures.
enum PolicyOptions {
    static let known = Option(
        "--known", "FILE", "the list of known failures: they do not fail the run")
    /// The option of runs, which may rewrite the list.
    static let knownOfRun = Option(
        known.name, "[update=]FILE",
        "\(known.summary); update=FILE: rewrite it after the run for what has failed and passed")
    private static let update = "update="
    static let failFast = Option(
        "--fail-fast", nil,
        "stop at the first failure; with --repeat run each case until it does not pass")
    static let repetitions = Option(
        "--repeat", "N", "run each case N times and report the failure rate; the worst run counts")
    static let retries = Option(
        "--retries", "N",
        "run a case that fails or is inconclusive again, up to N times; if it then passes: flaky")

    /// Throws if options do not go with several devices.
    static func checkSeveralDevices(_ arguments: Arguments) throws(UsageError) {
        let name =
            isUpdatingKnown(arguments)
            ? "\(known.name) \(update)FILE"
            : arguments.has(LastRun.option.name) ? LastRun.option.name : nil
        if let name {
            throw UsageError("\(name) goes with one device; run each by itself")
        }
    }

    /// How long a new entry of the list is valid.
    private static let newEntryLife: Duration = .seconds(30 * 24 * 60 * 60)

    /// Returns how often each case is executed.
    static func attempts(_ arguments: Arguments) throws(UsageError) -> AttemptPolicy {
        let count = try arguments.number(repetitions.name, minimum: 1)
        let retryCount = try arguments.number(retries.name, minimum: 0)
        if let retryCount {
            guard count == nil else {
                throw UsageError(
                    "\(retries.name) hides what \(repetitions.name) measures; "
                        + "give one or the other")
            }
            return retryCount == 0 ? .once : .retried(retryCount)
        }
        guard let count else { return .once }
        return arguments.has(failFast.name) ? .untilFailure(atMost: count) : .repeated(count)
    }

    /// Returns whether the list of known failures is rewritten after the run.
    private static func isUpdatingKnown(_ arguments: Arguments) -> Bool {
        arguments.value(known.name)?.hasPrefix(update) == true
    }

    /// Returns the path of the list of known failures; `nil` without a list.
    static func knownPath(_ arguments: Arguments) -> String? {
        arguments.value(known.name).map {
            isUpdatingKnown(arguments) ? String($0.dropFirst(update.count)) : $0
        }
    }

    /// Sets the list if the command line names none, or only says that it is to be rewritten.
    static func complete(_ arguments: inout Arguments, withKnown path: String) {
        switch arguments.value(known.name) {
        case nil: arguments.set(known, to: [path])
        case update: arguments.set(known, to: [update + path])
        default: break
        }
    }

    /// Returns the list of known failures, compared with the suites; `nil` without a list.
    static func known(
        _ arguments: Arguments, suites: [Suite]
    ) throws -> KnownFailurePolicy? {
        let updates = isUpdatingKnown(arguments)
        guard let path = knownPath(arguments) else { return nil }
        guard !path.isEmpty else {
            throw UsageError("\(known.name) \(update) needs a list: \(known.name) \(update)FILE")
        }
        let filters = [
            CommonOptions.caseFilter, CommonOptions.tag, CommonOptions.checks, LastRun.option,
            ShardOption.option,
        ].filter { arguments.has($0.name) }
        if updates, let filter = filters.first {
            throw UsageError(
                "\(known.name) \(update)FILE needs a whole run, and \(filter.name) narrows it; "
                    + "leave one of them out")
        }
        let list =
            updates
            ? try KnownFailures.loadIfPresent(path: path) : try KnownFailures.load(path: path)
        return KnownFailurePolicy(list, suites: suites, today: CalendarDate(WallClock.now))
    }

    /// Rewrites the list if that was requested; returns lines that report what was done.
    static func update(
        _ arguments: Arguments, _ policy: KnownFailurePolicy?, after run: RunResult
    ) throws -> [String] {
        guard isUpdatingKnown(arguments), let policy else { return [] }
        let file = policy.list.file
        guard run.audit.notRun == 0, run.audit.isConsistent else {
            return ["known failures: \(file) is left as it is, because the run is not whole"]
        }
        let update = KnownFailureUpdate(
            policy, results: run.casesInPlanOrder,
            expires: CalendarDate(WallClock.now + newEntryLife))
        let keepsComments = try update.write(to: file)
        let unlistable = update.unlistable.map {
            "known failures: \($0) cannot be listed, because no requirement of it failed"
        }
        return [
            "known failures: \(file) rewritten: \(update.kept.count) kept, "
                + "\(update.removed.count) removed, \(update.added.count) added"
                + (keepsComments ? "" : "; its comments are lost")
        ] + unlistable
    }
}
