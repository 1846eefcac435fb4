import Wire

/// Something that happens to a session client; time and I/O are outside and arrive as these.
public enum SessionInput: Sendable {
    /// The process has been set up.
    case started
    /// The connection of that number stands.
    case connected(Int)
    /// The connection of that number cannot be made, and why.
    case connectFailed(Int, String)
    /// The server has sent bytes on the connection of that number.
    case received(Int, [UInt8])
    /// The server has ended the connection of that number, or it broke, and why.
    case disconnected(Int, String)
    /// A timer that was started has run out.
    case timerFired(SessionTimer)
    /// A line has come on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// Something that a session client wants done.
public enum SessionAction: Sendable, Hashable {
    /// Open a connection to the server under that number.
    case connect(Int)
    /// Send these bytes on the connection of that number.
    case send(Int, [UInt8])
    /// Close the connection of that number after what was sent.
    case close(Int)
    /// Start a timer that runs out at that time, anew if it runs already.
    case startTimer(SessionTimer, at: Int64)
    /// Forget a timer.
    case stopTimer(SessionTimer)
    /// Let connections and timers rest, as the system does with an application in the background.
    case suspend
    /// Go on after `suspend`: first come what connections have brought meanwhile, then the timers.
    case resume
    /// Write a line about what happened.
    case log(LogLine<SessionEvent>)
    /// Write an answer on the control channel.
    case answer(Value)
    /// End the process with this code.
    case exit(Int32)
    /// End the process as a crash does.
    case crash
}

/// The timers of a session client.
public enum SessionTimer: String, Sendable, Hashable, CaseIterable {
    /// Until the next attempt to reconnect.
    case attempt
    /// Until an attempt has failed.
    case connectionTimeout
    /// Until a session that has lost its connection is given up.
    case reconnectionTimeout
    /// Until the next ping.
    case ping
    /// Until the ping that validates the session has failed.
    case pingTimeout
    /// Until the application is active again, right after it was resumed.
    case becomeActive
}

/// What the log of a session client tells.
public enum SessionEvent: String, Sendable, Hashable, CaseIterable {
    case started, applicationActive, applicationInBackground
    case noSession, sessionLost, sessionOpened, sessionResumed, sessionFailed, sessionClosed
    case sessionStateChange, pingTimerSet, pingSuccessful, pingFailed
    case connectionLost, elapsedSinceLastAttempt, sessionWishesToReconnect, attemptStarting
    case attemptFailed, messageIgnored, stopping, exited
}

/// The states of a session, by the names that the example's log has for them.
public enum SessionState: String, Sendable, Hashable, CaseIterable {
    case connecting = "Connecting"
    case connectedActive = "Connected Active"
    case failing = "Failing"
    case recoveringReconnect = "Recovering Reconnect"
    case closedByClient = "Closed By Client"
    case closedByServer = "Closed By Server"
    case closedFailed = "Closed Failed"
}
