/// The constants of judging; they make verdicts the same on every machine.
enum Limits {
    /// How long a step is watched after its deadline, only to tell "came late" from "never came".
    static let grace: Duration = .seconds(1)
    /// How much longer a step is watched, at most, because the machine delayed a party meanwhile.
    static let heldUpMax: Duration = .seconds(20)
    /// How long messages are recorded after a failure, to show what followed.
    static let aftermath: Duration = .milliseconds(200)
    /// How many messages are recorded after a failure.
    static let aftermathMessageCountMax = 3
    /// How many ignored messages a report shows; all of them are counted.
    static let ignoredRowCountMax = 50
    /// How many messages of peers beyond the case are kept.
    static let extraCountMax = 64
    /// How many threads of a case are followed in parallel; with more the case is an error.
    static let threadCountMax = 1024
    /// The longest gap between bytes that do not decode and further bytes that belong to them.
    ///
    /// A sender that lost a segment sends it again after 200 ms or later (RFC 6298 has Linux wait
    /// at least that long). Bytes that a program sends of its own accord later are something else.
    static let burst: Duration = .milliseconds(250)
    /// The time without further bytes after which a begun message is given up.
    ///
    /// A sender that lost a segment sends it again within that time, even twice (RFC 6298 2 and
    /// 5.5).
    static let rest: Duration = .seconds(2)
    /// How long after the closing window the rest of a message is awaited at most.
    static let restMax: Duration = .seconds(5)
    /// The smallest step of the clock; a deadline has passed once the time is later than it.
    static let tick: Duration = .nanoseconds(1)
}
