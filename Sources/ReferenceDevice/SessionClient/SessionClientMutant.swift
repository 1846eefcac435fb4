/// The mistakes of the session client.
///
/// Each is a slip that a developer could make at one place; the place is in `SessionRules`.
public enum SessionClientMutant: String, Mutant {
    // How long an attempt waits.
    case firstAttemptDelayed = "first-attempt-delayed"
    case offByOne = "off-by-one"
    case secondAttemptImmediate = "second-attempt-immediate"
    case exponentialDelay = "exponential-delay"
    case constantDelay = "constant-delay"
    case noMaximum = "no-maximum"
    case maximumOfSix = "maximum-of-six"
    case attemptsEarly = "attempts-early"
    case attemptsLate = "attempts-late"
    case jitters = "jitters"
    case waitsFromAttemptStart = "waits-from-attempt-start"
    // When the waits begin anew.
    case neverResets = "never-resets"
    case alwaysResets = "always-resets"
    case resetsAtBoundary = "resets-at-boundary"
    case resetsLate = "resets-late"
    case resetsDuringOutage = "resets-during-outage"
    case resetsAsCoded = "resets-as-coded"
    case resetsAsWritten = "resets-as-written"
    case uncountsSuccess = "uncounts-success"
    case beginsAnewAfterTen = "begins-anew-after-ten"
    case keepsStrategy = "keeps-strategy"
    // How many attempts there are.
    case twoAttemptsAtOnce = "two-attempts-at-once"
    case neverReconnects = "never-reconnects"
    case triesOnce = "tries-once"
    case givesUpEarly = "gives-up-early"
    case goesOnAfterTimeout = "goes-on-after-timeout"
    case ignoresConfiguredTimeout = "ignores-configured-timeout"
    case tellsDefaultTimeout = "tells-default-timeout"
    case givesUpAfterEight = "gives-up-after-eight"
    case givesUpOnHTTPError = "gives-up-on-http-error"
    case countsTimeoutFromOpening = "counts-timeout-from-opening"
    case reconnectsWithoutTimeout = "reconnects-without-timeout"
    // What an attempt asks for, and what it makes of the answer.
    case newSessionInsteadOfResume = "new-session-instead-of-resume"
    case wrongToken = "wrong-token"
    case ignoresSessionID = "ignores-session-id"
    case keepsFirstToken = "keeps-first-token"
    case countsResponse = "counts-response"
    case insistsAfterUnknownSession = "insists-after-unknown-session"
    // The pings.
    case pingsEveryTwoSeconds = "pings-every-two-seconds"
    case pingsEveryFourSeconds = "pings-every-four-seconds"
    case neverPings = "never-pings"
    case pingsOnce = "pings-once"
    case pingsNoMoreAfterReconnect = "pings-no-more-after-reconnect"
    case twoPingTimers = "two-ping-timers"
    case pingsThreeTimes = "pings-three-times"
    case noPingsAfterBackground = "no-pings-after-background"
    case ignoresServerPings = "ignores-server-pings"
    case answersOtherConversation = "answers-other-conversation"
    // What it does when the application becomes active.
    case noSessionOnActive = "no-session-on-active"
    case opensTwoSessions = "opens-two-sessions"
    case opensWithToken = "opens-with-token"
    case opensInBackground = "opens-in-background"
    case noPingOnActive = "no-ping-on-active"
    case newConnectionOnActive = "new-connection-on-active"
    case neverReopens = "never-reopens"
    case reopensWithOldToken = "reopens-with-old-token"
    case takesSilenceForAnswer = "takes-silence-for-answer"
    case takesErrorForAnswer = "takes-error-for-answer"
    case crashesWhenSessionUnknown = "crashes-when-session-unknown"
    // What it does in the background.
    case pingsInBackground = "pings-in-background"
    case reconnectsInBackground = "reconnects-in-background"
    case answersInBackground = "answers-in-background"
    case finishesAttemptsInBackground = "finishes-attempts-in-background"
    case closesInBackground = "closes-in-background"

    /// The session client.
    public static let kind = DeviceKind.sessionClient
}
