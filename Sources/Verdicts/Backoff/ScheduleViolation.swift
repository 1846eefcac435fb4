import Results
import Suites
import Trace

/// How attempts break a schedule.
struct ScheduleViolation: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// An attempt came before its time, by that much.
        case early(Duration)
        /// An attempt came behind its time, by that much.
        case late(Duration)
        /// The attempt did not come.
        case absent
        /// An attempt came while the connection of the one before stood.
        case parallel(attempt: Int)
        /// There are more attempts than that.
        case tooMany(Int)
        /// An attempt came though the outage had lasted that long, longer than clients try.
        case tooLong(Duration, Duration)
        /// There are more attempts in a time than that.
        case overBudget(BackoffSchedule.Budget)
        /// The waits are not drawn by chance as they should be.
        case spread(SpreadTest.Fault)
    }

    let kind: Kind
    /// The wait that was not kept, if it is one.
    let interval: ScheduledInterval?
    /// The rules whose breach explains what was seen, the likeliest first; one where the wire
    /// tells them apart.
    let rules: [BackoffSchedule.Rule]
    /// Whether no delay can explain that it came early: it counts from a refusal by a kernel, which
    /// the client cannot have seen before it was on the wire.
    var isSurelyEarly = false

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

    /// The kind of reason that it is.
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
        case .early(let lead): "\(measured), too early by \(TimeText.seconds(lead))"
        case .late(let lag): "\(measured), too late by \(TimeText.seconds(lag))"
        case .absent: "no attempt came for \(name)\(allowance)"
        case .parallel(let attempt):
            "attempt \(attempt) came while the connection of the one before stood"
        case .tooMany(let count): "an attempt came beyond the \(count) that are allowed"
        case .tooLong(let elapsed, let limit):
            "an attempt came after an outage of \(TimeText.seconds(elapsed)), "
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

    /// `wait 3`, and its number since the last reset if that is another.
    private var name: String {
        guard let interval else { return "a wait" }
        let number = interval.wait == interval.index ? "" : " (\(interval.wait) since the reset)"
        return "wait \(interval.index)\(number)"
    }

    private var allowance: String {
        guard let interval else { return "" }
        let lower = TimeText.signed(.seconds(interval.lower))
        guard let upper = interval.upper else { return ", at least \(lower) is allowed" }
        return ", \(lower) to \(TimeText.seconds(.seconds(upper))) is allowed"
    }
}

extension SpreadTest.Fault {
    /// What the waits show, as a phrase.
    fileprivate var text: String {
        switch self {
        case .tooClose(let count):
            "the \(count) waits that chance should draw lie closer together than chance puts them"
        case .samePart(let count):
            "the \(count) waits that chance should draw are all about the same part of their bounds"
        case .uneven(let count):
            "the \(count) waits that chance should draw are not spread evenly over their bounds"
        case .repeated(let count):
            "\(count) lives of the client draw the same waits in the same order"
        case .ordered(let count):
            "the \(count) waits that chance should draw go in one direction, within their bounds"
        case .alternating(let count):
            "the \(count) waits that chance should draw are longer and shorter by turns"
        case .mostlyCap(let count):
            "of the \(count) waits that chance should draw too many are as long as the cap"
        }
    }
}
