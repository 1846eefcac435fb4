import Diffusion
import Wire

/// The decisions of a session client; the only place where a mutant differs from the faithful one.
struct SessionRules: Sendable {
    /// The mistake that is made; none if `nil`.
    let mutant: SessionClientMutant?
    private var random: SplitMix64

    /// - Parameter seed: What the jitter of the mutant that has one begins with.
    init(mutant: SessionClientMutant?, seed: UInt64) {
        self.mutant = mutant
        random = SplitMix64(state: seed)
    }

    // MARK: How long an attempt waits

    /// The wait before an attempt, after so many wishes since the waits began anew.
    func delay(afterWishes wishes: Int, increment: Int64, maximum: Int64) -> Int64 {
        let count = Int64(clamping: wishes)
        switch mutant {
        case .firstAttemptDelayed: return min(max(count, 1) * increment, maximum)
        case .offByOne: return min((count + 1) * increment, maximum)
        case .secondAttemptImmediate: return min(max(count - 1, 0) * increment, maximum)
        case .exponentialDelay:
            return count == 0 ? 0 : min(increment << min(count - 1, 16), maximum)
        case .constantDelay: return min(count, 1) * increment
        case .noMaximum: return count * increment
        case .maximumOfSix: return min(count * increment, maximum + increment)
        default: return min(count * increment, maximum)
        }
    }

    /// When the attempt starts for which a wait was found.
    mutating func attemptTime(_ delay: Int64, noticed now: Int64, lastAttempt: Int64?) -> Int64 {
        switch mutant {
        case .attemptsEarly: return now + delay / 100 * 95
        case .attemptsLate: return now + delay / 100 * 125
        case .jitters: return now + delay / 100 * Int64.random(in: 70...130, using: &random)
        case .waitsFromAttemptStart: return max(now, (lastAttempt ?? now) + delay)
        default: return now + delay
        }
    }

    // MARK: When the waits begin anew

    /// Whether they do, whatever the time; `nil` if the time decides.
    func resets(isFall: Bool) -> Bool? {
        switch mutant {
        case .neverResets: false
        case .alwaysResets: isFall
        default: nil
        }
    }

    func resetRule(_ rule: SessionConfiguration.ResetRule) -> SessionConfiguration.ResetRule {
        switch mutant {
        case .resetsAsCoded: .coded
        case .resetsAsWritten: .written
        default: rule
        }
    }

    /// Whether a reconnection is older than it has to be.
    func isLonger(_ age: Int64, than limit: Int64) -> Bool {
        switch mutant {
        case .resetsAtBoundary: (age + 500_000_000) / 1_000_000_000 * 1_000_000_000 >= limit
        case .resetsLate: age > limit / 2 * 3
        default: age > limit
        }
    }

    var resetsDuringOutage: Bool { mutant == .resetsDuringOutage }

    /// Whether the waits begin anew after so many wishes, without any other reason.
    func beginsAnew(afterWishes wishes: Int) -> Bool {
        mutant == .beginsAnewAfterTen && wishes >= 10
    }

    /// Whether waits that have started over so often before do so.
    func beginsAnew(afterResets resets: Int) -> Bool { mutant != .resetsOnce || resets == 0 }

    /// Whether they do because an attempt failed so.
    func beginsAnew(after failure: SessionLink.Failure) -> Bool {
        switch mutant {
        case .resetsAfterSilence: failure == .unanswered
        case .resetsWhenAccepted: failure == .ended
        default: false
        }
    }

    /// Whether a wish counts whose attempt succeeds.
    var countsSuccess: Bool { mutant != .uncountsSuccess }
    /// Whether the waits of a new session go on from those of the one before.
    var keepsStrategy: Bool { mutant == .keepsStrategy }

    // MARK: How many attempts there are

    var attemptsAtOnce: Int { mutant == .twoAttemptsAtOnce ? 2 : 1 }

    /// Whether a session whose connection has failed is tried to resume, after so many wishes.
    func reconnects(afterFall isFall: Bool, wishes: Int) -> Bool {
        switch mutant {
        case .neverReconnects: false
        case .triesOnce: isFall
        case .givesUpAfterEight: wishes < 8
        default: true
        }
    }

    /// Whether a session is tried to resume at all, with that reconnection timeout.
    func reconnects(within timeout: Int) -> Bool {
        timeout > 0 || mutant == .reconnectsWithoutTimeout
    }

    /// From when on the reconnection timeout counts.
    func timeoutStart(opened: Int64, firstFall: Int64, fall: Int64) -> Int64 {
        switch mutant {
        case .countsTimeoutFromOpening: opened
        case .countsTimeoutFromFirstFall: firstFall
        default: fall
        }
    }

    /// Whether a status of HTTP in answer to an attempt leaves nothing to be tried.
    var isHTTPErrorFinal: Bool { mutant == .givesUpOnHTTPError }

    /// How long a session is tried to resume, in milliseconds; `nil` for ever.
    func reconnectionTimeout(_ configured: Int) -> Int? {
        switch mutant {
        case .givesUpEarly: configured / 3
        case .goesOnAfterTimeout: nil
        case .ignoresConfiguredTimeout, .reconnectsWithoutTimeout:
            SessionConfiguration().reconnectionTimeout
        default: configured
        }
    }

    /// The reconnection timeout that the server is told.
    func toldReconnectionTimeout(_ configured: Int) -> Int {
        mutant == .tellsDefaultTimeout ? SessionConfiguration().reconnectionTimeout : configured
    }

    // MARK: What an attempt asks for, and what it makes of the answer

    /// The token that an attempt carries; `nil` for none.
    func token(_ token: [UInt8], isReconnect: Bool) -> [UInt8]? {
        switch mutant {
        case .newSessionInsteadOfResume: return nil
        case .wrongToken where isReconnect:
            return token.dropLast() + [token.last == UInt8(ascii: "A") ? 0x42 : 0x41]
        default: return isReconnect ? token : nil
        }
    }

    /// The token in the wish for a new session; `nil` for none.
    func openingToken(lost: [UInt8]?) -> [UInt8]? {
        switch mutant {
        case .opensWithToken: lost ?? Array(repeating: UInt8(ascii: "A"), count: 24)
        case .reopensWithOldToken: lost
        default: nil
        }
    }

    var looksAtSessionID: Bool { mutant != .ignoresSessionID }
    /// Whether the token of a resumption is the session's from then on.
    var takesNewToken: Bool { mutant != .keepsFirstToken }
    /// Whether the response to a connection counts as a message of the session.
    var countsResponse: Bool { mutant == .countsResponse }

    /// Whether an answer to an attempt leaves nothing to be tried.
    func isFinal(_ code: Diffusion.ResponseCode?) -> Bool {
        switch mutant {
        case .insistsAfterUnknownSession: false
        default: code != .serverInitialising
        }
    }

    var acceptsNewSession: Bool { mutant == .newSessionInsteadOfResume }
    var crashesOnRefusal: Bool { mutant == .crashesWhenSessionUnknown }

    // MARK: Pings

    /// The time from ping to ping in a session that was resumed so often; `nil` for none.
    func pingPeriod(_ period: Int64, resumptions: Int) -> Int64? {
        switch mutant {
        case .twoPingTimers where resumptions > 0: period / 2
        case .pingsEveryTwoSeconds: period / 3 * 2
        case .pingsEveryFourSeconds: period / 3 * 4
        case .neverPings: nil
        default: period
        }
    }

    /// Whether the ping timer is set again after so many pings.
    func repeatsPings(after count: UInt64) -> Bool {
        switch mutant {
        case .pingsOnce: false
        case .pingsThreeTimes: count < 3
        default: true
        }
    }

    /// Whether they end with the connection of a session that was resumed so often.
    func stopsPingsOnFall(resumptions: Int) -> Bool {
        mutant == .pingsNoMoreAfterReconnect
            || mutant == .pingsNoMoreAfterSecondReconnect && resumptions > 0
    }
    var pingsAfterBackground: Bool { mutant != .noPingsAfterBackground }

    /// Whether it validates its session, which it has done so many times.
    func validates(after count: Int) -> Bool { mutant != .validatesOnce || count == 0 }

    /// The conversation in which a ping of the server is answered, in a session that was resumed so
    /// often; `nil` for no answer.
    func answer(toServerPing conversation: UInt64, resumptions: Int) -> UInt64? {
        switch mutant {
        case .ignoresServerPings: nil
        case .ignoresServerPingsAfterReconnect where resumptions > 0: nil
        case .answersOtherConversation: conversation &+ 1
        default: conversation
        }
    }

    // MARK: The application

    /// How many sessions are opened when the application becomes active without one, and that many
    /// were lost.
    func sessionsToOpen(lost: Bool, losses: Int) -> Int {
        switch mutant {
        case .noSessionOnActive: 0
        case .reopensOnce: losses > 1 ? 0 : 1
        case .neverReopens: lost ? 0 : 1
        case .opensTwoSessions: 2
        default: 1
        }
    }

    /// Whether a second connection that a mutant opens asks for a session too.
    var opensTwins: Bool { mutant == .opensTwoSessions }
    var opensInBackground: Bool { mutant == .opensInBackground }
    /// Whether a session is valid whose ping is not answered, or refused.
    func isValid(withoutAnswer isSilent: Bool) -> Bool {
        mutant == (isSilent ? .takesSilenceForAnswer : .takesErrorForAnswer)
    }

    var pingsWhenActive: Bool { mutant != .noPingOnActive }
    var replacesSessionWhenActive: Bool { mutant == .newConnectionOnActive }

    /// Whether the system lets the application rest in the background.
    var restsInBackground: Bool {
        switch mutant {
        case .pingsInBackground, .reconnectsInBackground, .answersInBackground,
            .finishesAttemptsInBackground:
            false
        default: true
        }
    }

    var pingsInBackground: Bool { mutant == .pingsInBackground }
    var reconnectsInBackground: Bool { mutant == .reconnectsInBackground }
    /// Whether an attempt whose time comes in the background is made there.
    var attemptsInBackground: Bool {
        reconnectsInBackground || mutant == .finishesAttemptsInBackground
    }
    var answersInBackground: Bool { mutant == .answersInBackground }
    var closesInBackground: Bool { mutant == .closesInBackground }
}
