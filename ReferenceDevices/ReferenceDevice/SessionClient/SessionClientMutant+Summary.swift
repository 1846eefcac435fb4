extension SessionClientMutant {
    /// What it does wrong, in one sentence.
    public var summary: String {
        switch self {
        case .firstAttemptDelayed:
            "Waits one increment before the first attempt as well."
        case .offByOne:
            "Counts the attempts from one, so that each waits as long as the next one should."
        case .secondAttemptImmediate:
            "Starts its count of attempts one too low, so that the second one does not wait either."
        case .exponentialDelay:
            "Doubles the wait after each failed attempt."
        case .constantDelay:
            "Waits one increment before every attempt but the first."
        case .noMaximum:
            "Lets the waits grow without limit."
        case .maximumOfSix:
            "Lets the waits grow by one increment more than the maximum."
        case .attemptsEarly:
            "Starts each attempt after 95 % of its wait."
        case .attemptsLate:
            "Starts each attempt a quarter of its wait too late."
        case .jitters:
            "Makes each wait randomly shorter or longer, by up to 30 %."
        case .waitsFromAttemptStart:
            "Counts a wait from the start of the attempt that failed, not from its failure."
        case .neverResets:
            "Lets the waits keep growing however long a connection lasted."
        case .alwaysResets:
            "Resets the waits whenever a connection is lost."
        case .resetsAtBoundary:
            "Rounds the age of a reconnection to whole seconds, and resets the waits at ten."
        case .resetsLate:
            "Resets the waits only when a reconnection is 1.5 times as old as needed."
        case .resetsOnce:
            "Resets the waits after a long connection only once."
        case .resetsAfterSilence:
            "Resets the waits after an attempt that the server does not answer."
        case .resetsWhenAccepted:
            "Resets the waits after an attempt whose connection the server accepts and ends."
        case .resetsDuringOutage:
            "Resets the waits ten seconds after the last reconnection, even during an outage."
        case .resetsAsCoded:
            "Resets the waits by the coded rule of the example although the written rule is set."
        case .resetsAsWritten:
            "Resets the waits by the written rule of the document although the coded rule is set."
        case .uncountsSuccess:
            "Does not count an attempt that succeeds, so that the next wait is just as long."
        case .beginsAnewAfterTen:
            "Resets the waits after ten attempts in a row."
        case .keepsStrategy:
            "Continues the waits of an abandoned session in the next one."
        case .twoAttemptsAtOnce:
            "Starts two attempts after each wait."
        case .neverReconnects:
            "Abandons the session when its connection is lost."
        case .triesOnce:
            "Abandons the session when the first attempt fails."
        case .givesUpEarly:
            "Abandons the session after a third of the reconnection timeout."
        case .goesOnAfterTimeout:
            "Continues its attempts after the reconnection timeout."
        case .ignoresConfiguredTimeout:
            "Uses a reconnection timeout of sixty seconds, whatever is configured."
        case .tellsDefaultTimeout:
            "Sends the server a reconnection timeout of sixty seconds, whatever is configured."
        case .givesUpAfterEight:
            "Abandons the session when eight attempts in a row have failed."
        case .givesUpOnHTTPError:
            "Abandons the session when the server answers an attempt with an HTTP status."
        case .countsTimeoutFromOpening:
            "Counts the reconnection timeout from the opening of the session."
        case .countsTimeoutFromFirstFall:
            "Counts the reconnection timeout from the first connection loss of the session."
        case .reconnectsWithoutTimeout:
            "Reconnects although the reconnection timeout is zero."
        case .newSessionInsteadOfResume:
            "Opens a new session when it should resume its own."
        case .wrongToken:
            "Sends a token of another session when it reconnects."
        case .ignoresSessionID:
            "Treats any session that the server resumes as its own."
        case .keepsFirstToken:
            "Keeps its first token when the server has sent it another."
        case .countsResponse:
            "Counts the response to its connection as a message of the session."
        case .insistsAfterUnknownSession:
            "Keeps trying to resume a session that the server does not know."
        case .pingsEveryTwoSeconds:
            "Pings after two thirds of the period."
        case .pingsEveryFourSeconds:
            "Pings after four thirds of the period."
        case .neverPings:
            "Never pings periodically."
        case .pingsOnce:
            "Sets a ping timer that does not repeat."
        case .pingsNoMoreAfterReconnect:
            "Stops its ping timer when the connection is lost and does not start it again."
        case .pingsNoMoreAfterSecondReconnect:
            "Stops its ping timer when the connection is lost for the second time."
        case .twoPingTimers:
            "Starts another ping timer when the session is resumed, and keeps the old one."
        case .pingsThreeTimes:
            "Pings only three times in a session."
        case .noPingsAfterBackground:
            "Does not start its ping timer again when the application becomes active again."
        case .validatesOnce:
            "Validates its session only the first time that the application becomes active again."
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
            "Sends a token with the request for a new session."
        case .opensInBackground:
            "Opens a session although the application is not active yet."
        case .noPingOnActive:
            "Treats the session as valid without a ping when the application becomes active."
        case .newConnectionOnActive:
            "Opens a new session when the application becomes active, although it has a valid one."
        case .neverReopens:
            "Does not replace a lost session when the application becomes active."
        case .reopensOnce:
            "Opens a new session when the first one is lost, but not when the second one is."
        case .reopensWithOldToken:
            "Requests the lost session again when the application becomes active."
        case .takesSilenceForAnswer:
            "Treats the session as valid when its ping is not answered."
        case .takesErrorForAnswer:
            "Treats the session as valid when its ping is refused."
        case .crashesWhenSessionUnknown:
            "Crashes when the server does not resume the session."
        case .pingsInBackground:
            "Keeps pinging in the background."
        case .reconnectsInBackground:
            "Reconnects in the background."
        case .answersInBackground:
            "Answers the server's pings in the background."
        case .finishesAttemptsInBackground:
            "Makes an attempt in the background if its wait began before."
        case .closesInBackground:
            "Closes its session when the application goes into the background."
        }
    }
}
