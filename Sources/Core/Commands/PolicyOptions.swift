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
    private static let updateKnown = Option(
        "--update-known", nil, "rewrite the list after the run for what has failed and passed")
    private static let repetitions = Option(
        "--repeat", "N", "run each case N times and report the failure rate; the worst run counts")
    private static let untilFailure = Option(
        "--until-failure", nil,
        "run each case until it does not pass, at most --repeat times"
            + " (default: \(AttemptPolicy.untilFailureMaximum))")
    private static let retries = Option(
        "--retries", "N",
        "run a case that fails or is inconclusive again, up to N times; if it then passes: flaky")

    private static let lateRetries = Option(
        "--late-retries", "N",
        "run a case that the machine was too busy to judge again, up to N times (default: "
            + "\(AttemptPolicy.lateRetriesDefault))")

    static let all = [known, updateKnown, repetitions, untilFailure, retries, lateRetries]

    /// The options that write or read data about a single device.
    static let ofOneDevice = [updateKnown, LastRun.option]

    /// How long a new entry of the list is valid.
    private static let newEntryLife: Duration = .seconds(30 * 24 * 60 * 60)

    /// Returns how often each case is executed.
    static func attempts(_ arguments: Arguments) throws(UsageError) -> AttemptPolicy {
        let count = try arguments.number(repetitions.name, minimum: 1)
        let retryCount = try arguments.number(retries.name, minimum: 0)
        if let retryCount {
            guard count == nil, !arguments.has(untilFailure.name) else {
                throw UsageError(
                    "\(retries.name) hides what \(repetitions.name) and \(untilFailure.name) "
                        + "measure; give one or the other")
            }
            return retryCount == 0 ? .once : .retried(retryCount)
        }
        if arguments.has(untilFailure.name) {
            return .untilFailure(atMost: count ?? AttemptPolicy.untilFailureMaximum)
        }
        return count.map(AttemptPolicy.repeated) ?? .once
    }

    /// Returns how many executions of a case may be replaced.
    ///
    /// They are replaced if the machine was too busy to judge them.
    static func lateRetries(_ arguments: Arguments) throws(UsageError) -> Int {
        try arguments.number(lateRetries.name, minimum: 0)
            ?? AttemptPolicy.lateRetriesDefault
    }

    /// Returns the list of known failures, compared with the suites; `nil` without a list.
    static func known(
        _ arguments: Arguments, suites: [Suite]
    ) throws -> KnownFailurePolicy? {
        let updates = arguments.has(updateKnown.name)
        guard let path = arguments.value(known.name) else {
            guard !updates else {
                throw UsageError("\(updateKnown.name) needs \(known.name) FILE")
            }
            return nil
        }
        let filters = [
            CommonOptions.caseFilter, CommonOptions.tag, CommonOptions.checks, LastRun.option,
            ShardOption.option,
        ].filter { arguments.has($0.name) }
        if updates, let filter = filters.first {
            throw UsageError(
                "\(updateKnown.name) needs a whole run, and \(filter.name) narrows it; "
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
        guard arguments.has(updateKnown.name), let policy else { return [] }
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
