import ExternalAccessory

/// The sessions that a setup may have at a time.
enum SessionRole: String, Sendable, Hashable, CaseIterable {
    /// Over the hub's string; delivers the index of a dedicated channel.
    case control
    /// Carries the app's SDL session.
    case data
}

/// An input of the session setup; time and I/O arrive as inputs.
enum SetupInput: Sendable {
    // From the app.
    /// The app wants a connection to a head unit.
    case connect
    /// The app sends these bytes.
    case send([UInt8])
    /// The app closes its connection.
    case close
    /// Another app on the phone is about to open a session.
    case otherAppStarts

    // From the phone's system.
    /// All accessories that are connected already are known.
    case ready([ExternalAccessory.Accessory])
    /// A connect notification.
    case accessoryConnected(ExternalAccessory.Accessory)
    /// A disconnect notification.
    case accessoryDisconnected(ExternalAccessory.Accessory)
    /// Accessories can no longer be discovered, with the reason.
    case lost(String)
    /// A requested session is open.
    case opened(SessionRole, id: UInt32)
    /// A requested session does not open, with the reason.
    case refused(SessionRole, String)
    /// Bytes have been received in a session.
    case received(SessionRole, [UInt8])
    /// A session has ended, not at the app's request; with the reason.
    case ended(SessionRole, String)
    /// The timer has fired.
    case timerFired
}

/// An action that the session setup requests.
enum SetupAction: Sendable, Hashable {
    /// Request a session with the accessory of that id, under a protocol string.
    case open(SessionRole, UInt32, String)
    /// End a session, or abandon it; later events of it are ignored.
    case close(SessionRole)
    /// Send these bytes in the data session.
    case send([UInt8])
    /// Start the only timer, or restart it if it is running.
    case startTimer(milliseconds: Int)
    /// Stop the timer.
    case stopTimer
    /// Notify the app that its connection is established.
    case connected
    /// Deliver bytes of its connection to the app.
    case deliver([UInt8])
    /// Notify the app that its connection is lost, with the reason.
    case disconnected(String)
    /// Write a log line about an event.
    case log(LogLine<SetupEvent>)
}

/// The events that the session setup logs.
public enum SetupEvent: String, Sendable, Hashable, CaseIterable {
    case busMalformed
    case accessoryFound, accessoryConnected, accessoryDisconnected, accessoriesLost
    case notificationIgnored
    case attemptingToConnect, noCompatibleAccessory, createSessionRetriesExhausted, setupEnded
    case sessionAsked, sessionOpened, sessionClosed, sessionLost, indexReceived, attemptFailed
}
