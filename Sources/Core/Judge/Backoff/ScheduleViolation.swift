import Results
import SuiteLanguage
import Trace

/// A violation of a schedule by attempts.
struct ScheduleViolation: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// An attempt came too early, by this time.
        case early(Duration)
        /// An attempt came too late, by this time.
        case late(Duration)
        /// The attempt did not come.
        case absent
        /// An attempt came while the connection of the previous one was open.
        case parallel(attempt: Int)
        /// There are more attempts than this number.
        case tooMany(Int)
        /// An attempt came after an outage of the first duration, although the limit is the second.
        case tooLong(Duration, Duration)
        /// There are more attempts within a time than this budget allows.
        case overBudget(BackoffSchedule.Budget)
        /// The waits are not random as they should be.
        case spread(SpreadTest.Fault)
    }

    let kind: Kind
    /// The wait that was not kept, if there is one.
    let interval: ScheduledInterval?
    /// The broken rules that may explain it, likeliest first.
    ///
    /// There is only one if the traffic distinguishes them.
    let rules: [BackoffSchedule.Rule]
    /// Whether no delay can explain that it came early.
    ///
    /// It counts from a refusal by a kernel, which the client cannot have seen before it was in the
    /// traffic.
    var isSurelyEarly = false
    /// By how much the attempts are too close together, if there are too many in a time.
    var shortfall: Duration?
    /// How far the nearest decision about a reset by time was from its limit; `nil` if none was.
    var distanceToReset: Duration?

    init(
        _ kind: Kind, of rules: [BackoffSchedule.Rule], interval: ScheduledInterval? = nil
    ) {
        self.kind = kind
        self.rules = rules
        self.interval = interval
    }

    /// The rules that were broken, as a phrase.
    var broken: String {
        let names = rules.map { "\($0.rawValue) (\($0.sentence))" }
        return names.isEmpty ? "" : "; broken: " + names.joined(separator: " or ")
    }

    /// The kind of reason for a verdict.
    var code: ReasonCode {
        switch kind {
        case .early, .late, .spread: .timing
        case .absent: .sequence
        case .parallel, .tooMany, .tooLong, .overBudget: .unexpected
        }
    }

    /// What is wrong, as a phrase.
    var text: String {
        switch kind {
        case .early(let lead): "\(measured), too early by \(TimeText.length(lead))"
        case .late(let lag): "\(measured), too late by \(TimeText.length(lag))"
        case .absent: "no attempt came for \(name)\(allowance)"
        case .parallel(let attempt):
            "attempt \(attempt) came while the connection of the previous one was open"
        case .tooMany(let count): "an attempt came beyond the \(count) that are allowed"
        case .tooLong(let elapsed, let limit):
            "an attempt came after an outage of \(TimeText.length(elapsed)), "
                + "\(limit.suiteText) are allowed"
        case .overBudget(let budget):
            "an attempt came beyond the \(budget.attempts) that are allowed within "
                + budget.within.suiteText
        case .spread(let fault): fault.text
        }
    }

    private var measured: String {
        let length = interval?.measured.map { TimeText.signed(.seconds($0)) } ?? "nothing"
        return "\(name) took \(length)\(allowance)"
    }

    /// `wait 3`, followed by its number since the last reset if that is different.
    private var name: String {
        guard let interval else { return "a wait" }
        let number = interval.wait == interval.index ? "" : " (\(interval.wait) since the reset)"
        return "wait \(interval.index)\(number)"
    }

    private var allowance: String {
        guard let interval else { return "" }
        let lower = TimeText.signed(.seconds(interval.lower))
        guard let upper = interval.upper else { return ", at least \(lower) is allowed" }
        return ", \(lower) to \(TimeText.length(.seconds(upper))) is allowed"
    }
}

extension SpreadTest.Fault {
    /// What the waits show, as a phrase.
    fileprivate var text: String {
        switch self {
        case .tooClose(let count):
            "the \(count) waits that must be random are closer together than random waits are"
        case .samePart(let count):
            "the \(count) waits that must be random are all about the same part of their bounds"
        case .uneven(let count):
            "the \(count) waits that must be random are not spread evenly over their bounds"
        case .repeated(let count):
            "the client draws the same waits in the same order in \(count) sequences"
        case .ordered(let count):
            "the \(count) waits that must be random go in one direction, within their bounds"
        case .alternating(let count):
            "the \(count) waits that must be random are alternately longer and shorter"
        case .mostlyCap(let count):
            "of the \(count) waits that must be random, too many are as long as the cap"
        }
    }
}
