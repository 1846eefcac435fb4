extension SessionClientMutant {
    /// The requirements that it breaks, by their numbers in the catalogue.
    ///
    /// The one that it was written for comes first.
    public var requirements: [String] {
        switch self {
        case .firstAttemptDelayed: ["BOR-1", "BOR-2"]
        case .offByOne: ["BOR-2", "BOR-1"]
        case .secondAttemptImmediate, .exponentialDelay, .constantDelay: ["BOR-2"]
        case .noMaximum, .maximumOfSix: ["BOR-3", "BOR-2"]
        case .attemptsEarly, .attemptsLate, .jitters: ["BOR-5", "BOR-2"]
        case .waitsFromAttemptStart: ["BOR-4"]
        case .neverResets, .alwaysResets: ["BOR-7", "BOR-7c"]
        case .resetsAtBoundary, .resetsLate: ["BOR-7"]
        case .resetsOnce: ["BOR-7", "BOR-7c"]
        case .resetsDuringOutage: ["BOR-8", "BOR-7"]
        case .resetsAfterSilence, .resetsWhenAccepted: ["BOR-8", "BOR-2"]
        case .resetsAsCoded: ["BOR-7", "BOR-8"]
        case .resetsAsWritten: ["BOR-7c"]
        case .twoAttemptsAtOnce: ["BOR-6"]
        case .neverReconnects: ["BOR-1", "BOR-9"]
        case .uncountsSuccess: ["BOR-7", "BOR-7c"]
        case .beginsAnewAfterTen: ["BOR-8", "BOR-2"]
        case .keepsStrategy: ["BOR-1"]
        case .triesOnce, .givesUpEarly, .givesUpAfterEight, .givesUpOnHTTPError,
            .countsTimeoutFromOpening, .countsTimeoutFromFirstFall, .reconnectsWithoutTimeout,
            .goesOnAfterTimeout,
            .ignoresConfiguredTimeout, .tellsDefaultTimeout:
            ["BOR-10"]
        case .newSessionInsteadOfResume, .wrongToken, .ignoresSessionID, .keepsFirstToken,
            .countsResponse:
            ["BOR-9"]
        case .insistsAfterUnknownSession: ["BOR-14"]
        case .pingsEveryTwoSeconds, .pingsEveryFourSeconds, .neverPings, .pingsOnce,
            .pingsNoMoreAfterReconnect, .twoPingTimers, .pingsThreeTimes, .noPingsAfterBackground,
            .pingsNoMoreAfterSecondReconnect, .ignoresServerPings,
            .ignoresServerPingsAfterReconnect, .answersOtherConversation:
            ["BOR-11"]
        case .noSessionOnActive, .opensTwoSessions, .opensWithToken: ["BOR-12"]
        case .opensInBackground: ["BOR-12", "BOR-15"]
        case .noPingOnActive, .newConnectionOnActive, .validatesOnce: ["BOR-13"]
        case .neverReopens, .reopensOnce, .reopensWithOldToken: ["BOR-14", "BOR-12"]
        case .takesSilenceForAnswer, .takesErrorForAnswer, .crashesWhenSessionUnknown: ["BOR-14"]
        case .pingsInBackground, .reconnectsInBackground, .answersInBackground,
            .finishesAttemptsInBackground:
            ["BOR-15"]
        case .closesInBackground: ["BOR-15", "BOR-13"]
        }
    }

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
