import Diffusion
import Wire

/// The decisions of a session client; mutants differ from the correct client only here.
struct SessionRules: Sendable {
    /// The mistake to make; `nil` for none.
    let mutant: SessionClientMutant?
    private var random: SplitMix64

    /// - Parameter seed: The seed of the jitter, for the mutant that has one.
    init(mutant: SessionClientMutant?, seed: UInt64) {
        self.mutant = mutant
        random = SplitMix64(state: seed)
    }

    // MARK: How long an attempt waits

    /// Returns the wait before an attempt, after the given number of requests since the last reset.
    func delay(afterRequests requests: Int, increment: Int64, maximum: Int64) -> Int64 {
        let count = Int64(clamping: requests)
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

    /// Returns the time of an attempt with the given wait.
    mutating func attemptTime(_ delay: Int64, noticed now: Int64, lastAttempt: Int64?) -> Int64 {
        switch mutant {
        case .attemptsEarly: return now + delay / 100 * 95
        case .attemptsLate: return now + delay / 100 * 125
        case .jitters: return now + delay / 100 * Int64.random(in: 70...130, using: &random)
        case .waitsFromAttemptStart: return max(now, (lastAttempt ?? now) + delay)
        default: return now + delay
        }
    }

    // MARK: When the waits are reset

    /// Whether the waits are reset, whatever the time; `nil` if the time decides.
    func resets(isConnectionLoss: Bool) -> Bool? {
        switch mutant {
        case .neverResets: false
        case .alwaysResets: isConnectionLoss
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

    /// Whether a reconnection is older than the limit.
    func isLonger(_ age: Int64, than limit: Int64) -> Bool {
        switch mutant {
        case .resetsAtBoundary: (age + 500_000_000) / 1_000_000_000 * 1_000_000_000 >= limit
        case .resetsLate: age > limit / 2 * 3
        default: age > limit
        }
    }

    var resetsDuringOutage: Bool { mutant == .resetsDuringOutage }

    /// Whether the waits are reset after the given number of requests, for no other reason.
    func resetsWaits(afterRequests requests: Int) -> Bool {
        mutant == .beginsAnewAfterTen && requests >= 10
    }

    /// Whether the waits are reset after the given number of earlier resets.
    func resetsWaits(afterResets resets: Int) -> Bool { mutant != .resetsOnce || resets == 0 }

    /// Whether such a failure of an attempt resets the waits.
    func resetsWaits(after failure: SessionLink.Failure) -> Bool {
        switch mutant {
        case .resetsAfterSilence: failure == .unanswered
        case .resetsWhenAccepted: failure == .ended
        case .resetsAfterRefusal: failure == .unprotected
        default: false
        }
    }

    /// Whether a request counts if its attempt succeeds.
    var countsSuccess: Bool { mutant != .uncountsSuccess }
    /// Whether the waits of a new session continue those of the previous one.
    var keepsStrategy: Bool { mutant == .keepsStrategy }

    // MARK: How many attempts there are

    var attemptsAtOnce: Int { mutant == .twoAttemptsAtOnce ? 2 : 1 }

    /// Whether the client tries to resume a session, after the given number of requests.
    func reconnects(afterLoss isConnectionLoss: Bool, requests: Int) -> Bool {
        switch mutant {
        case .neverReconnects: false
        case .triesOnce: isConnectionLoss
        case .givesUpAfterEight: requests < 8
        default: true
        }
    }

    /// Whether the client tries to resume a session after such a failure of an attempt.
    func reconnects(after failure: SessionLink.Failure) -> Bool {
        mutant != .givesUpAfterRefusal || failure != .unprotected
    }

    /// Whether the connection timeout limits the handshake of TLS.
    var limitsHandshake: Bool { mutant != .waitsForHandshake }

    /// Whether the client tries to resume a session at all, with that reconnection timeout.
    func reconnects(within timeout: Int) -> Bool {
        timeout > 0 || mutant == .reconnectsWithoutTimeout
    }

    /// Returns the time from which the reconnection timeout counts.
    func timeoutStart(opened: Int64, firstLoss: Int64, lost: Int64) -> Int64 {
        switch mutant {
        case .countsTimeoutFromOpening: opened
        case .countsTimeoutFromFirstFall: firstLoss
        default: lost
        }
    }

    /// Whether an HTTP status in answer to an attempt ends the session.
    var isHTTPErrorFinal: Bool { mutant == .givesUpOnHTTPError }

    /// Returns how long the client tries to resume a session, in milliseconds; `nil` for no limit.
    func reconnectionTimeout(_ configured: Int) -> Int? {
        switch mutant {
        case .givesUpEarly: configured / 3
        case .goesOnAfterTimeout: nil
        case .ignoresConfiguredTimeout, .reconnectsWithoutTimeout:
            SessionConfiguration().reconnectionTimeout
        default: configured
        }
    }

    /// Returns the reconnection timeout that is sent to the server.
    func toldReconnectionTimeout(_ configured: Int) -> Int {
        mutant == .tellsDefaultTimeout ? SessionConfiguration().reconnectionTimeout : configured
    }

    // MARK: What an attempt requests, and how it handles the answer

    /// Returns the token that an attempt carries; `nil` for none.
    func token(_ token: [UInt8], isReconnect: Bool) -> [UInt8]? {
        switch mutant {
        case .newSessionInsteadOfResume: return nil
        case .wrongToken where isReconnect:
            return token.dropLast() + [token.last == UInt8(ascii: "A") ? 0x42 : 0x41]
        default: return isReconnect ? token : nil
        }
    }

    /// Returns the token in the request for a new session; `nil` for none.
    func openingToken(lost: [UInt8]?) -> [UInt8]? {
        switch mutant {
        case .opensWithToken: lost ?? Array(repeating: UInt8(ascii: "A"), count: 24)
        case .reopensWithOldToken: lost
        default: nil
        }
    }

    var looksAtSessionID: Bool { mutant != .ignoresSessionID }
    /// Whether the session adopts the token of a resumption.
    var takesNewToken: Bool { mutant != .keepsFirstToken }
    /// Whether the response to a connection counts as a message of the session.
    var countsResponse: Bool { mutant == .countsResponse }

    /// Whether an answer to an attempt ends the session.
    func isFinal(_ code: Diffusion.ResponseCode?) -> Bool {
        switch mutant {
        case .insistsAfterUnknownSession: false
        default: code != .serverInitialising
        }
    }

    var acceptsNewSession: Bool { mutant == .newSessionInsteadOfResume }
    var crashesOnRefusal: Bool { mutant == .crashesWhenSessionUnknown }

    // MARK: Pings

    /// Returns the period of the pings after the given number of resumptions; `nil` for no pings.
    func pingPeriod(_ period: Int64, resumptions: Int) -> Int64? {
        switch mutant {
        case .twoPingTimers where resumptions > 0: period / 2
        case .pingsEveryTwoSeconds: period / 3 * 2
        case .pingsEveryFourSeconds: period / 3 * 4
        case .neverPings: nil
        default: period
        }
    }

    /// Whether the ping timer is started again after the given number of pings.
    func repeatsPings(after count: UInt64) -> Bool {
        switch mutant {
        case .pingsOnce: false
        case .pingsThreeTimes: count < 3
        default: true
        }
    }

    /// Whether the pings end with the connection after the given number of resumptions.
    func stopsPingsOnFall(resumptions: Int) -> Bool {
        mutant == .pingsNoMoreAfterReconnect
            || mutant == .pingsNoMoreAfterSecondReconnect && resumptions > 0
    }
    var pingsAfterBackground: Bool { mutant != .noPingsAfterBackground }

    /// Whether the client validates its session after the given number of earlier validations.
    func validates(after count: Int) -> Bool { mutant != .validatesOnce || count == 0 }

    /// Returns the conversation with which a ping of the server is answered; `nil` for no answer.
    ///
    /// - Parameter resumptions: How often the session was resumed.
    func answer(toServerPing conversation: UInt64, resumptions: Int) -> UInt64? {
        switch mutant {
        case .ignoresServerPings: nil
        case .ignoresServerPingsAfterReconnect where resumptions > 0: nil
        case .answersOtherConversation: conversation &+ 1
        default: conversation
        }
    }

    // MARK: The application

    /// Returns the number of sessions to open when the application becomes active without one.
    ///
    /// - Parameters:
    ///   - lost: Whether the new session replaces a lost one.
    ///   - losses: The number of sessions that were lost.
    func sessionsToOpen(lost: Bool, losses: Int) -> Int {
        switch mutant {
        case .noSessionOnActive: 0
        case .reopensOnce: losses > 1 ? 0 : 1
        case .neverReopens: lost ? 0 : 1
        case .opensTwoSessions: 2
        default: 1
        }
    }

    /// Whether a second connection that a mutant opens requests a session too.
    var opensTwins: Bool { mutant == .opensTwoSessions }
    var opensInBackground: Bool { mutant == .opensInBackground }
    /// Whether a session is valid although its ping is not answered or is refused.
    func isValid(withoutAnswer isSilent: Bool) -> Bool {
        mutant == (isSilent ? .takesSilenceForAnswer : .takesErrorForAnswer)
    }

    var pingsWhenActive: Bool { mutant != .noPingOnActive }
    var replacesSessionWhenActive: Bool { mutant == .newConnectionOnActive }

    /// Whether the system suspends the application in the background.
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
    /// Whether an attempt that is due in the background is made there.
    var attemptsInBackground: Bool {
        reconnectsInBackground || mutant == .finishesAttemptsInBackground
    }
    var answersInBackground: Bool { mutant == .answersInBackground }
    var closesInBackground: Bool { mutant == .closesInBackground }
}
