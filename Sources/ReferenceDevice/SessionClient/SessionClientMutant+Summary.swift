extension SessionClientMutant {
    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .firstAttemptDelayed:
            "Waits one increment before the first attempt, too."
        case .offByOne:
            "Counts the attempts from one, so each waits as long as the next one should."
        case .secondAttemptImmediate:
            "Counts the attempts from one too few, so the second one does not wait either."
        case .exponentialDelay:
            "Doubles the wait after each failed attempt."
        case .constantDelay:
            "Waits one increment before every attempt but the first."
        case .noMaximum:
            "Lets the waits grow without end."
        case .maximumOfSix:
            "Lets the waits grow by one increment more than the maximum."
        case .attemptsEarly:
            "Starts each attempt when 95 % of its wait are over."
        case .attemptsLate:
            "Starts each attempt a quarter of its wait too late."
        case .jitters:
            "Makes each wait shorter or longer by chance, up to 30 %."
        case .waitsFromAttemptStart:
            "Counts a wait from the start of the attempt that failed, not from its failure."
        case .neverResets:
            "Lets the waits go on growing however long a connection stood."
        case .alwaysResets:
            "Begins the waits anew whenever a connection falls."
        case .resetsAtBoundary:
            "Rounds the age of a reconnection to whole seconds, and begins anew at ten."
        case .resetsLate:
            "Begins the waits anew only when a reconnection is half as old again as needed."
        case .resetsOnce:
            "Resets the waits after a long connection once, and not again."
        case .resetsAfterSilence:
            "Resets the waits after an attempt that the server does not answer."
        case .resetsWhenAccepted:
            "Resets the waits after an attempt whose connection the server accepts and ends."
        case .resetsDuringOutage:
            "Begins the waits anew ten seconds after the last reconnection, in an outage too."
        case .resetsAsCoded:
            "Begins the waits anew as the example is coded where the document's rule is asked for."
        case .resetsAsWritten:
            "Begins the waits anew as the document is written where the coded rule is asked for."
        case .uncountsSuccess:
            "Does not count an attempt that succeeds, so that the next wait is as long again."
        case .beginsAnewAfterTen:
            "Begins the waits anew after ten attempts in a row."
        case .keepsStrategy:
            "Lets the waits of a session that was given up go on in the next one."
        case .twoAttemptsAtOnce:
            "Starts two attempts after each wait."
        case .neverReconnects:
            "Gives the session up when its connection falls."
        case .triesOnce:
            "Gives the session up when the first attempt fails."
        case .givesUpEarly:
            "Gives the session up after a third of the reconnection timeout."
        case .goesOnAfterTimeout:
            "Goes on with its attempts after the reconnection timeout."
        case .ignoresConfiguredTimeout:
            "Takes sixty seconds for the reconnection timeout, whatever is configured."
        case .tellsDefaultTimeout:
            "Tells the server a reconnection timeout of sixty seconds, whatever is configured."
        case .givesUpAfterEight:
            "Gives the session up when eight attempts in a row have failed."
        case .givesUpOnHTTPError:
            "Gives the session up when the server answers an attempt with a status of HTTP."
        case .countsTimeoutFromOpening:
            "Counts the reconnection timeout from the opening of the session."
        case .countsTimeoutFromFirstFall:
            "Counts the reconnection timeout of each outage from the first fall of the session."
        case .reconnectsWithoutTimeout:
            "Reconnects although the reconnection timeout is nothing."
        case .newSessionInsteadOfResume:
            "Opens a new session where it should resume the one that it has."
        case .wrongToken:
            "Sends a token that is not its session's when it reconnects."
        case .ignoresSessionID:
            "Takes any session for its own that it is told to be resumed."
        case .keepsFirstToken:
            "Goes on with its first token when the server has given it another."
        case .countsResponse:
            "Counts the response to its connection as a message of the session."
        case .insistsAfterUnknownSession:
            "Goes on trying to resume a session that the server does not know."
        case .pingsEveryTwoSeconds:
            "Pings in two thirds of the period."
        case .pingsEveryFourSeconds:
            "Pings in four thirds of the period."
        case .neverPings:
            "Never pings by the clock."
        case .pingsOnce:
            "Sets a ping timer that does not repeat."
        case .pingsNoMoreAfterReconnect:
            "Stops its ping timer when the connection falls and does not set it again."
        case .pingsNoMoreAfterSecondReconnect:
            "Stops its ping timer when the connection falls for the second time."
        case .twoPingTimers:
            "Sets another ping timer when the session is resumed, and keeps the old one."
        case .pingsThreeTimes:
            "Pings three times in the life of a session."
        case .noPingsAfterBackground:
            "Does not set its ping timer again when the application comes back."
        case .validatesOnce:
            "Validates its session when the application comes back for the first time only."
        case .ignoresServerPings:
            "Does not answer the server's pings."
        case .ignoresServerPingsAfterReconnect:
            "Does not answer the server's pings in a session that was resumed."
        case .answersOtherConversation:
            "Answers the server's pings with the number of the next conversation."
        case .noSessionOnActive:
            "Opens no session when the application becomes active without one."
        case .opensTwoSessions:
            "Opens two sessions when the application becomes active without one."
        case .opensWithToken:
            "Sends a token with the wish for a new session."
        case .opensInBackground:
            "Opens a session although the application is not active yet."
        case .noPingOnActive:
            "Takes the session for valid without a ping when the application becomes active."
        case .newConnectionOnActive:
            "Opens a new session when the application becomes active, although it has a valid one."
        case .neverReopens:
            "Leaves a lost session lost when the application becomes active."
        case .reopensOnce:
            "Opens a new session when the first one is lost, and leaves the second one lost."
        case .reopensWithOldToken:
            "Asks for the lost session again when the application becomes active."
        case .takesSilenceForAnswer:
            "Takes the session for valid when nothing answers its ping."
        case .takesErrorForAnswer:
            "Takes the session for valid when its ping is refused."
        case .crashesWhenSessionUnknown:
            "Crashes when the server does not resume the session."
        case .pingsInBackground:
            "Goes on pinging in the background."
        case .reconnectsInBackground:
            "Reconnects in the background."
        case .answersInBackground:
            "Answers the server's pings in the background."
        case .finishesAttemptsInBackground:
            "Makes the attempt in the background whose wait began before."
        case .closesInBackground:
            "Closes its session when the application goes into the background."
        }
    }
}
