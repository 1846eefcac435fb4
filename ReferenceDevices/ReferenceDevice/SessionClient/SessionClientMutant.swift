/// The mistakes of the session client.
///
/// Each is a slip that a developer could make in one place of `SessionRules`.
public enum SessionClientMutant: String, DeviceMutant {
    // How long an attempt waits.
    case firstAttemptDelayed = "BOR-1 BOR-2: Waits one increment before the first attempt as well."
    case offByOne = """
        BOR-2 BOR-1: Counts the attempts from one, so that each waits as long as the next one \
        should.
        """
    case secondAttemptImmediate = """
        BOR-2: Starts its count of attempts one too low, so that the second one does not wait \
        either.
        """
    case exponentialDelay = "BOR-2: Doubles the wait after each failed attempt."
    case constantDelay = "BOR-2: Waits one increment before every attempt but the first."
    case noMaximum = "BOR-3 BOR-2: Lets the waits grow without limit."
    case maximumOfSix = "BOR-3 BOR-2: Lets the waits grow by one increment more than the maximum."
    case attemptsEarly = "BOR-5 BOR-2: Starts each attempt after 95 % of its wait."
    case attemptsLate = "BOR-5 BOR-2: Starts each attempt a quarter of its wait too late."
    case jitters = "BOR-5 BOR-2: Makes each wait randomly shorter or longer, by up to 30 %."
    case waitsFromAttemptStart =
        "BOR-4: Counts a wait from the start of the attempt that failed, not from its failure."
    // When the waits are reset.
    case neverResets = "BOR-7 BOR-7c: Lets the waits keep growing however long a connection lasted."
    case alwaysResets = "BOR-7 BOR-7c: Resets the waits whenever a connection is lost."
    case resetsAtBoundary =
        "BOR-7: Rounds the age of a reconnection to whole seconds, and resets the waits at ten."
    case resetsLate =
        "BOR-7: Resets the waits only when a reconnection is 1.5 times as old as needed."
    case resetsOnce = "BOR-7 BOR-7c: Resets the waits after a long connection only once."
    case resetsAfterSilence =
        "BOR-8 BOR-2: Resets the waits after an attempt that the server does not answer."
    case resetsWhenAccepted = """
        BOR-8 BOR-2: Resets the waits after an attempt whose connection the server accepts and \
        ends.
        """
    case resetsDuringOutage = """
        BOR-8 BOR-7: Resets the waits ten seconds after the last reconnection, even during an \
        outage.
        """
    case resetsAsCoded = """
        BOR-7 BOR-8: Resets the waits by the coded rule of the example although the written rule \
        is set.
        """
    case resetsAsWritten = """
        BOR-7c: Resets the waits by the written rule of the document although the coded rule is \
        set.
        """
    case uncountsSuccess = """
        BOR-7 BOR-7c: Does not count an attempt that succeeds, so that the next wait is just as \
        long.
        """
    case beginsAnewAfterTen = "BOR-8 BOR-2: Resets the waits after ten attempts in a row."
    case keepsStrategy = "BOR-1: Continues the waits of an abandoned session in the next one."
    // How many attempts there are.
    case twoAttemptsAtOnce = "BOR-6: Starts two attempts after each wait."
    case neverReconnects = "BOR-1 BOR-9: Abandons the session when its connection is lost."
    case triesOnce = "BOR-10: Abandons the session when the first attempt fails."
    case givesUpEarly = "BOR-10: Abandons the session after a third of the reconnection timeout."
    case goesOnAfterTimeout = "BOR-10: Continues its attempts after the reconnection timeout."
    case ignoresConfiguredTimeout =
        "BOR-10: Uses a reconnection timeout of sixty seconds, whatever is configured."
    case tellsDefaultTimeout =
        "BOR-10: Sends the server a reconnection timeout of sixty seconds, whatever is configured."
    case givesUpAfterEight =
        "BOR-10: Abandons the session when eight attempts in a row have failed."
    case givesUpOnHTTPError =
        "BOR-10: Abandons the session when the server answers an attempt with an HTTP status."
    case countsTimeoutFromOpening =
        "BOR-10: Counts the reconnection timeout from the opening of the session."
    case countsTimeoutFromFirstFall =
        "BOR-10: Counts the reconnection timeout from the first connection loss of the session."
    case reconnectsWithoutTimeout = "BOR-10: Reconnects although the reconnection timeout is zero."
    // What an attempt requests, and how it handles the answer.
    case newSessionInsteadOfResume = "BOR-9: Opens a new session when it should resume its own."
    case wrongToken = "BOR-9: Sends a token of another session when it reconnects."
    case ignoresSessionID = "BOR-9: Treats any session that the server resumes as its own."
    case keepsFirstToken = "BOR-9: Keeps its first token when the server has sent it another."
    case countsResponse =
        "BOR-9: Counts the response to its connection as a message of the session."
    case insistsAfterUnknownSession =
        "BOR-14: Keeps trying to resume a session that the server does not know."
    // The pings.
    case pingsEveryTwoSeconds = "BOR-11: Pings after two thirds of the period."
    case pingsEveryFourSeconds = "BOR-11: Pings after four thirds of the period."
    case neverPings = "BOR-11: Never pings periodically."
    case pingsOnce = "BOR-11: Sets a ping timer that does not repeat."
    case pingsNoMoreAfterReconnect =
        "BOR-11: Stops its ping timer when the connection is lost and does not start it again."
    case pingsNoMoreAfterSecondReconnect =
        "BOR-11: Stops its ping timer when the connection is lost for the second time."
    case twoPingTimers =
        "BOR-11: Starts another ping timer when the session is resumed, and keeps the old one."
    case pingsThreeTimes = "BOR-11: Pings only three times in a session."
    case noPingsAfterBackground =
        "BOR-11: Does not start its ping timer again when the application becomes active again."
    case validatesOnce = """
        BOR-13: Validates its session only the first time that the application becomes active \
        again.
        """
    case ignoresServerPings = "BOR-11: Does not answer the server's pings."
    case ignoresServerPingsAfterReconnect =
        "BOR-11: Does not answer the server's pings in a session that was resumed."
    case answersOtherConversation =
        "BOR-11: Answers the server's pings with the number of the next conversation."
    // What it does when the application becomes active.
    case noSessionOnActive =
        "BOR-12: Opens no session when the application becomes active without one."
    case opensTwoSessions =
        "BOR-12: Opens two sessions when the application becomes active without one."
    case opensWithToken = "BOR-12: Sends a token with the request for a new session."
    case opensInBackground =
        "BOR-12 BOR-15: Opens a session although the application is not active yet."
    case noPingOnActive =
        "BOR-13: Treats the session as valid without a ping when the application becomes active."
    case newConnectionOnActive = """
        BOR-13: Opens a new session when the application becomes active, although it has a valid \
        one.
        """
    case neverReopens =
        "BOR-14 BOR-12: Does not replace a lost session when the application becomes active."
    case reopensOnce = """
        BOR-14 BOR-12: Opens a new session when the first one is lost, but not when the second one \
        is.
        """
    case reopensWithOldToken =
        "BOR-14 BOR-12: Requests the lost session again when the application becomes active."
    case takesSilenceForAnswer =
        "BOR-14: Treats the session as valid when its ping is not answered."
    case takesErrorForAnswer = "BOR-14: Treats the session as valid when its ping is refused."
    case crashesWhenSessionUnknown = "BOR-14: Crashes when the server does not resume the session."
    // What it does in the background.
    case pingsInBackground = "BOR-15: Keeps pinging in the background."
    case reconnectsInBackground = "BOR-15: Reconnects in the background."
    case answersInBackground = "BOR-15: Answers the server's pings in the background."
    case finishesAttemptsInBackground =
        "BOR-15: Makes an attempt in the background if its wait began before."
    case closesInBackground =
        "BOR-15 BOR-13: Closes its session when the application goes into the background."

    // How it authenticates the server of a TLS connection.
    case noName = "STLS-1: Does not compare the name of the server."
    case noNameAgain = "STLS-1: Does not compare the name of the server when it reconnects."
    case noNameAfterRefusal =
        "STLS-1: Does not compare the name of the server after a failed handshake."
    case commonName = "STLS-1: Compares the common name if there is no other name."
    case commonNameAgain = "STLS-1: Compares the common name, too, when it reconnects."
    case noTime = "STLS-2: Does not check when a certificate is valid."
    case noTimeAgain = "STLS-2: Does not check when a certificate is valid when it reconnects."
    case noTimeAfterRefusal =
        "STLS-2: Does not check when a certificate is valid after a failed handshake."
    case noVerification = "STLS-3 STLS-1 STLS-2 STLS-4: Accepts every certificate."
    case noVerificationAgain =
        "STLS-3 STLS-1 STLS-2 STLS-4: Accepts every certificate when it reconnects."
    case noVerificationAfterRefusal =
        "STLS-3 STLS-1 STLS-2 STLS-4: Accepts every certificate after a failed handshake."
    case selfSigned = "STLS-3: Accepts a certificate that has signed itself."
    case selfSignedAgain =
        "STLS-3: Accepts a certificate that has signed itself when it reconnects."
    case selfSignedAfterRefusal =
        "STLS-3: Accepts a certificate that has signed itself after a failed handshake."
    case anyIssuer = "STLS-3: Accepts a certificate whose issuer it does not know."
    case anyIssuerAgain =
        "STLS-3: Accepts a certificate whose issuer it does not know when it reconnects."
    case anyIssuerAfterRefusal =
        "STLS-3: Accepts a certificate whose issuer it does not know after a failed handshake."
    case anyUsage = "STLS-4: Accepts a certificate that is not for servers."
    case anyUsageAgain = "STLS-4: Accepts a certificate that is not for servers when it reconnects."
    case anyUsageAfterRefusal =
        "STLS-4: Accepts a certificate that is not for servers after a failed handshake."
    case oldVersions = "STLS-5: Negotiates TLS 1.0 and 1.1."
    case oldVersionsAgain = "STLS-5: Negotiates TLS 1.0 and 1.1 when it reconnects."
    case noProtectionAgain = "STLS-6: Reconnects without TLS."
    case noProtectionAfterRefusal =
        "STLS-6: Connects without TLS after a failed handshake."
    case resetsAfterRefusal = "STLS-7: Resets the waits after a failed handshake."
    case givesUpAfterRefusal = "STLS-7: Abandons the session after a failed handshake."
    case waitsForHandshake = "STLS-7: Waits for the end of a handshake for any time."
    case noCloseNotify = "STLS-8: Ends a connection without close_notify."

    /// The session client.
    public static let kind = DeviceKind.sessionClient

    /// The requirements whose situation cannot arise because of the mistake.
    ///
    /// A case about them cannot reach its point.
    public var masks: [String] {
        switch self {
        // Without an open session nothing else can be observed.
        case .noSessionOnActive: (1...15).map { "BOR-\($0)" } + ["BOR-7c"]
        case .neverReconnects, .triesOnce:
            ["BOR-1", "BOR-3", "BOR-4", "BOR-5", "BOR-6", "BOR-7", "BOR-7c", "BOR-8", "BOR-9"]
        // It loses a session that it did not intend to keep.
        case .opensTwoSessions, .crashesWhenSessionUnknown: ["BOR-9"]
        // When a connection is lost, the attempt that made it is long past, so there is no wait.
        case .waitsFromAttemptStart: ["BOR-2", "BOR-5", "BOR-7", "BOR-7c"]
        // A refused session is neither retried nor pinged.
        case .wrongToken: ["BOR-2", "BOR-7", "BOR-7c", "BOR-8", "BOR-10", "BOR-11"]
        default: []
        }
    }
}
