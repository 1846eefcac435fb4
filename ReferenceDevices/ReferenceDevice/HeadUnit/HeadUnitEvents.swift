import Wire

/// A connection of a head unit, by the number that the loop assigned.
public typealias HeadUnitLink = Int

/// The events in a head unit's log.
public enum HeadUnitEvent: String, Sendable, Hashable, CaseIterable {
    case listening, accepted, disconnected, unrecognised, malformed
    case phoneAsked, sessionOpened, sessionRefused, sessionEnded, indexTold, dataIgnored
    case serviceStarted, serviceRefused, serviceEnded
    case registered, registrationRefused, unregistered, requestAnswered, activated, languageChanged
    case exited
}

/// The methods of a head unit's control channel.
public enum HeadUnitControl: String, Sendable, Hashable, CaseIterable {
    case stop, state, activate, language
}
