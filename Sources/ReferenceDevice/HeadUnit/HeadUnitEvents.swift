import Wire

/// A connection of a head unit, by the number that the loop gave it.
public typealias HeadUnitLink = Int

/// Something that happens to the head unit; I/O is outside and arrives as these.
public enum HeadUnitInput: Sendable {
    /// The socket listens.
    case listening
    /// A phone has connected.
    case accepted(HeadUnitLink)
    /// A phone has sent bytes.
    case received(HeadUnitLink, [UInt8])
    /// A phone has ended a connection, or it broke, and why.
    case disconnected(HeadUnitLink, String)
    /// A line has come on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// Something that the head unit wants done.
public enum HeadUnitAction: Sendable, Hashable {
    /// Send these bytes.
    case send(HeadUnitLink, [UInt8])
    /// Close the connection after what was sent.
    case close(HeadUnitLink)
    /// Write a line about what happened.
    case log(LogLine<HeadUnitEvent>)
    /// Write an answer on the control channel.
    case answer(Value)
    /// Keep what a later life of the head unit is made with.
    case keep(Value)
    /// End the process with this code.
    case exit(Int32)
}

/// What a head unit's log tells.
public enum HeadUnitEvent: String, Sendable, Hashable, CaseIterable {
    case listening, accepted, disconnected, unrecognised, malformed
    case phoneAsked, sessionOpened, sessionRefused, sessionEnded, indexTold, dataIgnored
    case serviceStarted, serviceRefused, serviceEnded, notKept
    case registered, registrationRefused, unregistered, requestAnswered, activated, languageChanged
    case exited
}

/// What a head unit can be asked on its control channel.
public enum HeadUnitControl: String, Sendable, Hashable, CaseIterable {
    case stop, state, activate, language
}
