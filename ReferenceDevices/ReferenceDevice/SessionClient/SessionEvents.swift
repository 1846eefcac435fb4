import Wire

/// An input of a session client; time and I/O are outside and arrive as inputs.
public enum SessionInput: Sendable {
    /// The process has been set up.
    case started
    /// The connection of that number is established.
    case connected(Int)
    /// The connection of that number cannot be made, with the reason.
    case connectFailed(Int, String)
    /// The server has sent bytes on the connection of that number.
    case received(Int, [UInt8])
    /// The server has ended the connection of that number, or it broke, with the reason.
    case disconnected(Int, String)
    /// A timer that was started has fired.
    case timerFired(SessionTimer)
    /// A line has been received on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// An action that a session client requests.
public enum SessionAction: Sendable, Hashable {
    /// Open a connection to the server under that number.
    case connect(Int)
    /// Send these bytes on the connection of that number.
    case send(Int, [UInt8])
    /// Close the connection of that number after the bytes sent before are out.
    case close(Int)
    /// Start a timer that fires at that time, or restart it if it is running.
    case startTimer(SessionTimer, at: Int64)
    /// Stop a timer.
    case stopTimer(SessionTimer)
    /// Suspend connections and timers, as the system does with an application in the background.
    case suspend
    /// Resume after `suspend`: input that arrived in the meantime comes first, then the timers.
    case resume
    /// Write a log line about an event.
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
    /// Until an attempt counts as failed.
    case connectionTimeout
    /// Until a session without a connection is abandoned.
    case reconnectionTimeout
    /// Until the next ping.
    case ping
    /// Until the ping that validates the session counts as failed.
    case pingTimeout
    /// Until the application is active again, right after it was resumed.
    case becomeActive
}

/// The events in the log of a session client.
public enum SessionEvent: String, Sendable, Hashable, CaseIterable {
    case started, applicationActive, applicationInBackground
    case noSession, sessionLost, sessionOpened, sessionResumed, sessionFailed, sessionClosed
    case sessionStateChange, pingTimerSet, pingSuccessful, pingFailed
    case connectionLost, elapsedSinceLastAttempt, sessionWishesToReconnect, attemptStarting
    case attemptFailed, messageIgnored, stopping, exited
}

/// The states of a session, by their names in the example's log.
public enum SessionState: String, Sendable, Hashable, CaseIterable {
    case connecting = "Connecting"
    case connectedActive = "Connected Active"
    case failing = "Failing"
    case recoveringReconnect = "Recovering Reconnect"
    case closedByClient = "Closed By Client"
    case closedByServer = "Closed By Server"
    case closedFailed = "Closed Failed"
}
