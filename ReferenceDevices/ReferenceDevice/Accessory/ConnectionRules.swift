import ExternalAccessory

/// The decisions of the iOS proxy about sessions with accessories.
///
/// They follow document 000, "iOS Proxy" and its code. Each decision is in one place, together with
/// the mistakes that mutants make there.
struct ConnectionRules: Sendable, Hashable {
    typealias Accessory = ExternalAccessory.Accessory

    /// Pause between a failed attempt and the next, in milliseconds.
    ///
    /// It is long enough that a notification of an accessory's end arrives before the next attempt.
    static let retryPause = 50

    let mutant: SDLAppMutant?
    let settings: AccessoryUse
    /// Whether an attempt over multisession has failed.
    private var hasFailedOverMultisession = false
    /// The route of the first attempt.
    private var firstRoute: Route?

    init(mutant: SDLAppMutant?, settings: AccessoryUse) {
        self.mutant = mutant
        self.settings = settings
    }

    /// Records a failed attempt.
    mutating func recordFailure(of choice: Choice?) {
        if case .direct(ExternalAccessory.multisessionString)? = choice?.route {
            hasFailedOverMultisession = true
        }
    }

    /// Records an attempt.
    mutating func record(_ choice: Choice) { firstRoute = firstRoute ?? choice.route }

    /// How a data session is opened.
    enum Route: Sendable, Hashable {
        /// Directly, over this string.
        case direct(String)
        /// Over the dedicated channel that a control session over this string names.
        case hub(String)
        /// Over multisession, after a control session.
        ///
        /// The control session is closed as soon as it is open, or after the index has been
        /// received.
        case detour(awaitsIndex: Bool)
    }

    /// The accessory of an attempt, and the route to it.
    struct Choice: Sendable, Hashable {
        let accessory: Accessory
        let route: Route
    }

    // MARK: 1. Whether an attempt is made (MSP-9)

    /// Whether another attempt is allowed after the given number of counted attempts.
    func allowsAttempt(after count: Int) -> Bool {
        let limit = settings.createSessionRetries
        return switch mutant {
        case .retriesOnceTooOften: count <= limit
        case .retriesOnceTooSeldom: count < max(1, limit - 1)
        case .triesAtLeastOnce: count < max(1, limit)
        case .triesSevenTimes: count < min(limit, 7)
        case .neverStopsRetrying: true
        default: count < limit
        }
    }

    /// Whether an attempt counts when it begins, rather than once a session is open.
    var countsBeforeAttempt: Bool { mutant != .countsOpenedSessions }

    /// Whether the index of a channel resets the counter.
    var indexResetsCounter: Bool { mutant == .indexResetsCounter }

    /// Whether a data session that opens resets the counter.
    var openedSessionResetsCounter: Bool { mutant == .openedSessionResetsCounter }

    // MARK: 2. Which string of an accessory (MSP-1, MSP-2, MSP-4, MSP-5)

    /// The kinds of strings, best first.
    private enum Kind: CaseIterable {
        case multisession, control, legacy

        var string: String {
            switch self {
            case .multisession: ExternalAccessory.multisessionString
            case .control: ExternalAccessory.controlString
            case .legacy: ExternalAccessory.legacyString
            }
        }
    }

    private func order(isNotified: Bool) -> [Kind] {
        switch mutant {
        case .prefersControl: [.control, .multisession, .legacy]
        case .prefersControlWhenNotified where isNotified: [.control, .multisession, .legacy]
        case .prefersLegacy: [.legacy, .multisession, .control]
        case .legacyBeforeControl: [.multisession, .legacy, .control]
        case .skipsMultisession: [.control, .legacy]
        case .skipsLegacy: [.multisession, .control]
        default: Kind.allCases
        }
    }

    /// Whether the phone's system lets apps use a kind of string.
    private func isUsable(_ kind: Kind) -> Bool {
        kind != .multisession || passesGate
    }

    private var passesGate: Bool {
        let version = settings.systemVersion
        return switch mutant {
        case .ignoresVersion: true
        case .comparesVersionsAsText:
            version.description >= SystemVersion.firstWithMultisession.description
        case .multisessionFromEight: version.major >= 8
        case .multisessionAboveNine: version > .firstWithMultisession
        default: version >= .firstWithMultisession
        }
    }

    /// The best kind that an accessory declares and the system lets apps use.
    private func bestKind(of accessory: Accessory, isNotified: Bool = false) -> Kind? {
        if mutant == .stopsBelowNine, !passesGate,
            accessory.protocols.contains(Kind.multisession.string)
        {
            return nil
        }
        if mutant == .picksByDeclaration {
            return accessory.protocols.lazy
                .compactMap { string in Kind.allCases.first { $0.string == string } }
                .first(where: isUsable)
        }
        if mutant == .fallsToHub, hasFailedOverMultisession,
            accessory.protocols.contains(Kind.control.string)
        {
            return .control
        }
        return order(isNotified: isNotified).first { isUsable($0) && declares(accessory, $0) }
    }

    private func declares(_ accessory: Accessory, _ kind: Kind) -> Bool {
        accessory.protocols.contains { string in
            switch mutant {
            case .matchesByPrefix where kind == .multisession: string.hasPrefix(kind.string)
            case .matchesWithoutCase where kind == .multisession:
                string.lowercased() == kind.string
            case .matchesTrimmed where kind == .multisession:
                string.split(whereSeparator: \.isWhitespace).joined() == kind.string
            case .matchesLastPart where kind == .multisession: string.hasSuffix(".multisession")
            default: string == kind.string
            }
        }
    }

    // MARK: 3. Which accessory (MSP-6, MSP-7, MSP-8)

    /// Returns the session to be tried; `nil` if nothing is compatible.
    ///
    /// - Parameters:
    ///   - notified: The accessory of the connect notification that the setup is about; `nil` for
    ///     a setup, or an attempt, without one.
    ///   - connected: All that are connected, oldest first.
    func choice(notified: Accessory?, among connected: [Accessory]) -> Choice? {
        if let notified, mutant != .ignoresNotified {
            if mutant == .takesBetterStringElsewhere {
                return search([notified] + connected.filter { $0.id != notified.id })
            }
            if let kind = bestKind(of: notified, isNotified: true) {
                return choice(kind, of: notified)
            }
            if mutant == .triesNotifiedOnly { return nil }
        }
        return search(connected)
    }

    /// Searches by string first, by accessory second.
    private func search(_ connected: [Accessory]) -> Choice? {
        let candidates =
            mutant == .searchesFirstAccessoryOnly ? connected.prefix(1) : connected[...]
        if mutant == .searchesAccessoryFirst || mutant == .picksByDeclaration {
            for accessory in candidates {
                if let kind = bestKind(of: accessory) { return choice(kind, of: accessory) }
            }
            return nothingCompatible(connected)
        }
        for kind in order(isNotified: false) {
            if let accessory = candidates.first(where: { bestKind(of: $0) == kind }) {
                return choice(kind, of: accessory)
            }
        }
        return nothingCompatible(connected)
    }

    private func nothingCompatible(_ connected: [Accessory]) -> Choice? {
        guard let first = connected.first else { return nil }
        switch mutant {
        case .opensUndeclaredLegacy:
            return Choice(accessory: first, route: .direct(Kind.legacy.string))
        case .opensForeignString:
            return first.protocols.first.map { Choice(accessory: first, route: .direct($0)) }
        default: return nil
        }
    }

    // MARK: 4. How the session is opened (MSP-1, MSP-3, MSP-4, MSP-11)

    private func choice(_ kind: Kind, of accessory: Accessory) -> Choice {
        let own = route(kind, of: accessory)
        return Choice(
            accessory: accessory,
            route: mutant == .remembersString ? firstRoute ?? own : own)
    }

    private func route(_ kind: Kind, of accessory: Accessory) -> Route {
        let hasHub = accessory.protocols.contains(ExternalAccessory.controlString)
        switch (kind, mutant) {
        case (.multisession, .controlBeforeMultisession) where hasHub:
            return .detour(awaitsIndex: false)
        case (.multisession, .hubRoundTrip) where hasHub:
            return .detour(awaitsIndex: true)
        case (.control, .skipsHub): return .direct(ExternalAccessory.dedicatedString(1))
        case (.legacy, .hubOnLegacy): return .hub(kind.string)
        case (.multisession, _), (.legacy, _): return .direct(kind.string)
        case (.control, _): return .hub(kind.string)
        }
    }

    // MARK: 5. What an index leads to (MSP-3, MSP-14)

    /// What the app does with the byte that it has received in a control session.
    enum Answer: Sendable, Hashable {
        /// Opens the data session over this string.
        case open(String)
        /// Treats the attempt as failed, with the reason.
        case fail(String)
        /// Waits for another byte.
        case wait
    }

    func answer(
        toIndex byte: UInt8, of accessory: Accessory, among connected: [Accessory]
    ) -> Answer {
        let index = index(of: byte)
        let requested = string(forIndex: index)
        let isInRange = ExternalAccessory.dedicatedIndices.contains(index)
        let declaring = mutant == .opensChannelOfAnother ? connected : [accessory]
        let isDeclared = declaring.contains {
            $0.protocols.contains(ExternalAccessory.dedicatedString(index))
        }
        if isInRange && isDeclared { return .open(requested) }
        switch mutant {
        case .opensUndeclaredChannel where isInRange: return .open(requested)
        case .opensIndexZero where index == 0 && isDeclared: return .open(requested)
        case .opensIndexAboveRange where index > 29 && isDeclared: return .open(requested)
        case .waitsForAnotherIndex: return .wait
        case .legacyAfterBadIndex
        where accessory.protocols.contains(ExternalAccessory.legacyString):
            return .open(ExternalAccessory.legacyString)
        default:
            return .fail(
                isInRange
                    ? "the accessory does not declare \(ExternalAccessory.dedicatedString(index))"
                    : "the index \(index) is out of range")
        }
    }

    /// Returns the byte that is the index: the first of those received.
    func index(of bytes: [UInt8]) -> UInt8? {
        guard mutant == .readsIndexOfTwoBytes, bytes.count > 1, bytes[0] == 0 else {
            return bytes.first
        }
        return bytes[1]
    }

    private func index(of byte: UInt8) -> UInt8 {
        switch mutant {
        case .masksIndex: byte & 0x1F
        case .readsIndexAsDigit where (0x30...0x39).contains(byte): byte - 0x30
        default: byte
        }
    }

    private func string(forIndex index: UInt8) -> String {
        switch mutant {
        case .opensNextChannel: ExternalAccessory.dedicatedString(index &+ 1)
        case .opensPreviousChannel: ExternalAccessory.dedicatedString(index &- 1)
        case .writesIndexInHex: "com.smartdevicelink.prot" + String(index, radix: 16)
        case .dataOverControlString: ExternalAccessory.controlString
        default: ExternalAccessory.dedicatedString(index)
        }
    }

    /// When the control session is closed.
    enum ControlEnding: Sendable, Hashable {
        case beforeData, afterData, never
    }

    /// When the control session is closed after it has delivered an index.
    var controlEnding: ControlEnding {
        switch mutant {
        case .closesControlLate: .afterData
        case .keepsControlSession: .never
        default: .beforeData
        }
    }

    // MARK: 6. What a failure leads to (MSP-9, MSP-14)

    /// The ways in which an attempt can fail.
    enum Failure: Sendable, Hashable {
        /// The accessory side does not open a session.
        case refused
        /// It neither opens nor refuses one.
        case silent
        /// The data session ends.
        case dropped
        /// The control session ends without an index.
        case controlEnded
        /// The control session delivers no index in time.
        case noIndex
        /// It delivers an index that names no channel of the accessory.
        case badIndex
    }

    /// Whether a failed attempt closes the sessions that it has requested.
    func closesSessions(after failure: Failure) -> Bool {
        !(failure == .silent && mutant == .leavesSilentSessionOpen)
    }

    /// Whether a failed attempt is followed by another.
    func retries(after failure: Failure) -> Bool {
        switch (failure, mutant) {
        case (.refused, .givesUpWhenRefused), (.dropped, .givesUpWhenDropped),
            (.controlEnded, .givesUpWhenControlEnds), (.badIndex, .givesUpOnBadIndex):
            false
        default: true
        }
    }

    /// Timeout for an index, in milliseconds; `nil` for none.
    var indexTimeout: Int? { mutant == .waitsForIndexForever ? nil : settings.controlTimeout }

    /// Timeout for a session to open, in milliseconds; `nil` for none.
    var openTimeout: Int? { mutant == .waitsForSessionForever ? nil : settings.sessionTimeout }

    // MARK: 7. What the end of a setup leads to (MSP-8, MSP-9)

    /// The ways in which a setup ends without a session.
    enum Ending: Sendable, Hashable {
        case nothingCompatible, exhausted
    }

    /// Whether a connect notification may begin another setup after this ending.
    func endsSetup(_ ending: Ending) -> Bool {
        switch (ending, mutant) {
        case (.nothingCompatible, .deafAfterNothing), (.exhausted, .deafAfterExhaustion): false
        default: true
        }
    }

    /// Milliseconds after which a setup with no attempts left restarts by itself; `nil` for never.
    var restartPause: Int? {
        switch mutant {
        case .restartsByItself: 300
        case .restartsLate: 3000
        default: nil
        }
    }

    /// Whether a disconnected accessory begins a setup.
    var departureBeginsSetup: Bool { mutant == .departureBeginsSetup }

    /// Whether a connect notification resets the counter.
    var notificationResetsCounter: Bool { mutant != .keepsCounter }

    // MARK: 8. What another app's session does (MSP-10)

    /// Whether a disconnected accessory is removed from the search.
    var forgetsGone: Bool { mutant != .searchesGoneAccessories }

    /// Whether the app ends its session when another accessory is connected.
    var yieldsToNewcomer: Bool { mutant == .yieldsToNewcomer }

    /// Whether the app ends its session when another app opens one.
    var yieldsToOtherApp: Bool { mutant == .yieldsToOtherApp }
}
