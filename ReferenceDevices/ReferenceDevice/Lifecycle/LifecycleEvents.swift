import SDL
import Wire

/// An input of the app; time and I/O are outside and arrive as inputs.
public enum LifecycleInput: Sendable {
    /// The process has been set up.
    case started
    /// Head units can be reached as soon as there is one; finding none is no failure.
    case reachable
    /// The requested connection is established.
    case connected
    /// The requested connection cannot be made, with the reason.
    case connectFailed(String)
    /// The head unit has sent a message.
    case received(SDL.Message)
    /// The head unit has ended the connection, or it broke, with the reason.
    case disconnected(String)
    /// A timer that was started has fired.
    case timerFired(LifecycleTimer)
    /// The requested archive has been read or was not found.
    case archiveRead(ArchiveReading)
    /// A line has been received on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// An action that the life cycle requests.
public enum LifecycleAction: Sendable, Hashable {
    /// Open a connection to the head unit.
    case connect
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection after the bytes sent before are out.
    case close
    /// Start a timer, or restart it if it is running.
    case startTimer(LifecycleTimer, milliseconds: Int)
    /// Stop a timer.
    case stopTimer(LifecycleTimer)
    /// Write a log line about an event.
    case log(LogLine<LifecycleEvent>)
    /// Write an answer on the control channel.
    case answer(Value)
    /// Read the archive of that key; the result is an input.
    case readArchive(ArchiveKey)
    /// Write an archive, replacing the one of that key.
    case storeArchive(ArchiveKey, [UInt8])
    /// Remove the archive of that key.
    case removeArchive(ArchiveKey)
    /// Start another app with this configuration alongside this one.
    case startApp(Value)
    /// End the process with this code.
    case exit(Int32)
    /// End the process as a crash does.
    case crash
    /// Do something to the process that only a mutant does.
    case harm(Harm)
}

/// The timers of the life cycle.
public enum LifecycleTimer: String, Sendable, Hashable, CaseIterable {
    /// Until a refused connection is tried again.
    case connectAgain
    /// Until connecting is abandoned.
    case connectDeadline
    /// Until a lost connection is made again.
    case reconnect
    /// Until a mutant that does not wait gives up on the registration response.
    case response
    /// Until a mutant that the head unit has unregistered goes on.
    case goesOn
    /// Until a shutdown answer is no longer waited for.
    case stop
}

/// The events in the log of an SDL app.
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
