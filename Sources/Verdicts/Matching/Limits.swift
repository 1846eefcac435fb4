/// The constants of judging; verdicts are the same on every machine because these are.
enum Limits {
    /// How long a step is watched after its deadline, only to tell "came late" from "never came".
    static let grace: Duration = .seconds(1)
    /// How long messages are collected after a failure, for the picture of what followed.
    static let aftermath: Duration = .milliseconds(200)
    /// How many messages are collected after a failure.
    static let aftermathMessageCountMax = 3
    /// How many ignored messages the picture shows; all of them are counted.
    static let ignoredRowCountMax = 50
    /// How many ways through a case are followed side by side; with more the case is an error.
    static let threadCountMax = 1024
    /// How long after bytes that do not decode others may come that belong to them.
    ///
    /// A sender that lost a segment sends it again after 200 ms or later (RFC 6298 has Linux wait at
    /// least so long); what a program sends of its own accord later is something else.
    static let burst: Duration = .milliseconds(250)
    /// How long nothing must have come of a message that has begun for it to be none: a sender that
    /// lost a segment sends it again within that time, even twice (RFC 6298 2 and 5.5).
    static let rest: Duration = .seconds(2)
    /// How long after the closing window the rest of a message is waited for at most.
    static let restMax: Duration = .seconds(5)
    /// The smallest step of the clock; a deadline has passed once the time is later than it.
    static let tick: Duration = .nanoseconds(1)
}
