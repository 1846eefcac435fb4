import Wire

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
