import SDL
import Wire

/// Something that happens to the app; time and I/O are outside and arrive as these.
public enum LifecycleInput: Sendable {
    /// The process has been set up.
    case started
    /// Head units can be reached as soon as there is one; that there is none is no failure.
    case reachable
    /// The connection that was asked for stands.
    case connected
    /// The connection that was asked for cannot be made, and why.
    case connectFailed(String)
    /// The head unit has sent a message.
    case received(SDL.Message)
    /// The head unit has ended the connection, or it broke, and why.
    case disconnected(String)
    /// A timer that was started has run out.
    case timerFired(LifecycleTimer)
    /// An archive that was asked for has been read, or looked for.
    case archiveRead(ArchiveReading)
    /// A line has come on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// Something that the life cycle wants done.
public enum LifecycleAction: Sendable, Hashable {
    /// Open a connection to the head unit.
    case connect
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection after what was sent.
    case close
    /// Start a timer, anew if it runs already.
    case startTimer(LifecycleTimer, milliseconds: Int)
    /// Forget a timer.
    case stopTimer(LifecycleTimer)
    /// Write a line about what happened.
    case log(LogLine<LifecycleEvent>)
    /// Write an answer on the control channel.
    case answer(Value)
    /// Read the archive of that key; what came of it is an input.
    case readArchive(ArchiveKey)
    /// Write an archive in place of the one of that key.
    case storeArchive(ArchiveKey, [UInt8])
    /// Remove the archive of that key.
    case removeArchive(ArchiveKey)
    /// Start another app of this configuration beside this one.
    case startApp(Value)
    /// End the process with this code.
    case exit(Int32)
    /// End the process as a crash does.
    case crash
}

/// The timers of the life cycle.
public enum LifecycleTimer: String, Sendable, Hashable, CaseIterable {
    /// Until a refused connection is tried again.
    case connectAgain
    /// Until connecting is given up.
    case connectDeadline
    /// Until a lost connection is made again.
    case reconnect
    /// Until a registration response is late for a mutant that does not wait.
    case response
    /// Until an answer is no longer waited for on the way out.
    case stop
}

/// What the log of an SDL app tells.
public enum LifecycleEvent: String, Sendable, Hashable, CaseIterable {
    case started, connecting, connected, connectRefused, connectFailed
    case serviceStarted, serviceRefused
    case registrationSent, registered, registrationRefused, ready
    case languagesEqual, languageUnknown, languageMismatch, languageNotSupported
    case delegateNotImplemented, delegateAsked, delegateReturnedNothing
    case changeRegistrationSent, changeRegistrationAccepted, changeRegistrationRefused
    case hmiStatus, showSent, background, foreground, configurationSet
    case archiveRead, archiveNone, archiveUnusable
    case archiveStored, archiveRemoved, archiveFailed
    case hashChanged, hashAccepted, hashRefused, dataDidResume
    case managersSet, fileUploaded, itemRefused, handlerCalled, handlerMissing
    case unregisteredByHeadUnit, serviceEndedByHeadUnit, malformed
    case otherAppStarted, otherAppFailed
    case disconnected, reconnecting, reconnectsExhausted, stopping, exited
}
