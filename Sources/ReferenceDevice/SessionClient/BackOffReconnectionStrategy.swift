/// The back-off of the example: the first attempt is immediate, each further one waits longer by
/// an increment, up to a maximum.
///
/// Times are nanoseconds of the device's clock.
struct BackOffReconnectionStrategy: Sendable {
    /// What comes of the wish to reconnect.
    struct Wait: Sendable, Hashable {
        /// The number of the attempt since the waits last started over, from 1.
        var attempt: Int
        /// How long to wait before it.
        var delay: Int64
        /// The time since the last wish; `nil` for the first.
        var elapsed: Int64?
    }

    private let strategy: SessionConfiguration.Strategy
    private let rules: SessionRules
    /// How many wishes there were since the waits last started over.
    private(set) var wishes = 0
    /// How often they have started over.
    private var resets = 0
    /// When the session wished to reconnect last.
    private var lastWish: Int64?
    /// When an attempt succeeded last.
    private var lastSuccess: Int64?

    init(_ strategy: SessionConfiguration.Strategy, rules: SessionRules) {
        self.strategy = strategy
        self.rules = rules
    }

    /// An attempt has succeeded.
    mutating func succeeded(at now: Int64) {
        lastSuccess = now
        if !rules.countsSuccess { wishes = max(0, wishes - 1) }
    }

    /// An attempt has failed.
    mutating func failed(_ failure: SessionLink.Failure) {
        if rules.beginsAnew(after: failure) { wishes = 0 }
    }

    /// The session wishes to reconnect.
    ///
    /// - Parameters:
    ///   - now: When the failure was noticed.
    ///   - isFall: Whether it is a connection that stood that failed, not an attempt.
    mutating func wish(at now: Int64, isFall: Bool) -> Wait {
        let elapsed = lastWish.map { now - $0 }
        if beginsAnew(at: now, isFall: isFall, elapsed: elapsed) {
            if rules.beginsAnew(afterResets: resets) { wishes = 0 }
            resets += 1
        } else if rules.beginsAnew(afterWishes: wishes) {
            wishes = 0
        }
        lastWish = now
        wishes += 1
        let delay = rules.delay(
            afterWishes: wishes - 1, increment: strategy.increment.nanoseconds,
            maximum: strategy.maximum.nanoseconds)
        return Wait(attempt: wishes, delay: delay, elapsed: elapsed)
    }

    private mutating func beginsAnew(at now: Int64, isFall: Bool, elapsed: Int64?) -> Bool {
        if let answer = rules.resets(isFall: isFall) { return answer }
        switch rules.resetRule(strategy.rule) {
        case .written:
            guard let success = lastSuccess, isFall || rules.resetsDuringOutage,
                rules.isLonger(now - success, than: strategy.resetAfter.nanoseconds)
            else { return false }
            if !isFall { lastSuccess = now }
            return true
        case .coded:
            let coming = min(
                Int64(wishes) * strategy.increment.nanoseconds, strategy.maximum.nanoseconds)
            return elapsed.map { $0 > 2 * coming } ?? false
        }
    }
}

extension Int {
    /// Milliseconds in nanoseconds.
    var nanoseconds: Int64 { Int64(self) * 1_000_000 }
}
