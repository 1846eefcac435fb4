/// The back-off of the example.
///
/// The first attempt is immediate. Each further one waits longer by an increment, up to a maximum.
/// Times are nanoseconds of the device's clock.
struct BackOffReconnectionStrategy: Sendable {
    /// The result of a request to reconnect.
    struct Wait: Sendable, Hashable {
        /// The number of the attempt since the waits were last reset, from 1.
        var attempt: Int
        /// The wait before it.
        var delay: Int64
        /// The time since the last request; `nil` for the first.
        var elapsed: Int64?
    }

    private let strategy: SessionConfiguration.Strategy
    private let rules: SessionRules
    /// The number of requests since the waits were last reset.
    private(set) var requests = 0
    /// How often the waits have been reset.
    private var resets = 0
    /// The time of the session's last request to reconnect.
    private var lastWish: Int64?
    /// The time of the last successful attempt.
    private var lastSuccess: Int64?

    init(_ strategy: SessionConfiguration.Strategy, rules: SessionRules) {
        self.strategy = strategy
        self.rules = rules
    }

    /// Records a successful attempt.
    mutating func succeeded(at now: Int64) {
        lastSuccess = now
        if !rules.countsSuccess { requests = max(0, requests - 1) }
    }

    /// Records a failed attempt.
    mutating func failed(_ failure: SessionLink.Failure) {
        if rules.resetsWaits(after: failure) { requests = 0 }
    }

    /// Handles a request of the session to reconnect.
    ///
    /// - Parameters:
    ///   - now: The time at which the failure was noticed.
    ///   - isFall: Whether an established connection was lost, rather than an attempt failed.
    mutating func nextWait(at now: Int64, isConnectionLoss: Bool) -> Wait {
        let elapsed = lastWish.map { now - $0 }
        if resetsWaits(at: now, isConnectionLoss: isConnectionLoss, elapsed: elapsed) {
            if rules.resetsWaits(afterResets: resets) { requests = 0 }
            resets += 1
        } else if rules.resetsWaits(afterRequests: requests) {
            requests = 0
        }
        lastWish = now
        requests += 1
        let delay = rules.delay(
            afterRequests: requests - 1, increment: strategy.increment.nanoseconds,
            maximum: strategy.maximum.nanoseconds)
        return Wait(attempt: requests, delay: delay, elapsed: elapsed)
    }

    private mutating func resetsWaits(at now: Int64, isConnectionLoss: Bool, elapsed: Int64?)
        -> Bool
    {
        if let answer = rules.resets(isConnectionLoss: isConnectionLoss) { return answer }
        switch rules.resetRule(strategy.rule) {
        case .written:
            guard let success = lastSuccess, isConnectionLoss || rules.resetsDuringOutage,
                rules.isLonger(now - success, than: strategy.resetAfter.nanoseconds)
            else { return false }
            if !isConnectionLoss { lastSuccess = now }
            return true
        case .coded:
            let coming = min(
                Int64(requests) * strategy.increment.nanoseconds, strategy.maximum.nanoseconds)
            return elapsed.map { $0 > 2 * coming } ?? false
        }
    }
}

extension Int {
    /// Milliseconds in nanoseconds.
    var nanoseconds: Int64 { Int64(self) * 1_000_000 }
}
