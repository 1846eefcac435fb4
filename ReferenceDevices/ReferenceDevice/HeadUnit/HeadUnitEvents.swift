import Wire

/// A connection of a head unit, by the number that the loop assigned.
public typealias HeadUnitLink = Int

/// An input of the head unit; I/O happens outside and arrives as inputs.
public enum HeadUnitInput: Sendable {
    /// The socket listens.
    case listening
    /// A phone has connected.
    case accepted(HeadUnitLink)
    /// A phone has sent bytes.
    case received(HeadUnitLink, [UInt8])
    /// A phone has ended a connection, or it broke, with the reason.
    case disconnected(HeadUnitLink, String)
    /// A line has been received on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// An action that the head unit requests.
public enum HeadUnitAction: Sendable, Hashable {
    /// Send these bytes.
    case send(HeadUnitLink, [UInt8])
    /// Close the connection after the bytes sent before are out.
    case close(HeadUnitLink)
    /// Write a log line about an event.
    case log(LogLine<HeadUnitEvent>)
    /// Write an answer on the control channel.
    case answer(Value)
    /// Store what the head unit is created with after a restart.
    case keep(Value)
    /// End the process with this code.
    case exit(Int32)
    /// Do something to the process that only a mutant does.
    case harm(Harm)
}

/// The events in a head unit's log.
public enum HeadUnitEvent: String, Sendable, Hashable, CaseIterable {
    case listening, accepted, disconnected, unrecognised, malformed
    case phoneAsked, sessionOpened, sessionRefused, sessionEnded, indexTold, dataIgnored
    case serviceStarted, serviceRefused, serviceEnded, notKept
    case registered, registrationRefused, unregistered, requestAnswered, activated, languageChanged
    case exited
}

/// The methods of a head unit's control channel.
public enum HeadUnitControl: String, Sendable, Hashable, CaseIterable {
    case stop, state, activate, language
}
