import ExternalAccessory

/// The sessions that a setup may have at a time.
enum SessionRole: String, Sendable, Hashable, CaseIterable {
    /// Over the hub's string; brings the index of a dedicated channel.
    case control
    /// Carries the app's SDL session.
    case data
}

/// Something that happens to the setup of a session; time and I/O arrive as these.
enum SetupInput: Sendable {
    // From the app.
    /// The app wants a connection to a head unit.
    case connect
    /// The app sends these bytes.
    case send([UInt8])
    /// The app gives up its connection.
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
    /// No accessory can be known any more, and why.
    case lost(String)
    /// A session that was asked for is open.
    case opened(SessionRole, id: UInt32)
    /// A session that was asked for does not open, and why.
    case refused(SessionRole, String)
    /// Bytes have come in a session.
    case received(SessionRole, [UInt8])
    /// A session has ended without the app's doing, and why.
    case ended(SessionRole, String)
    /// The timer has run out.
    case timerFired
}

/// Something that the setup of a session wants done.
enum SetupAction: Sendable, Hashable {
    /// Ask for a session with the accessory of that id, under a protocol string.
    case open(SessionRole, UInt32, String)
    /// End a session, or give it up; nothing of it is wanted any more.
    case close(SessionRole)
    /// Send these bytes in the data session.
    case send([UInt8])
    /// Start the one timer, anew if it runs already.
    case startTimer(milliseconds: Int)
    /// Forget the timer.
    case stopTimer
    /// Tell the app that its connection stands.
    case connected
    /// Give the app bytes of its connection.
    case deliver([UInt8])
    /// Tell the app that its connection is lost, and why.
    case disconnected(String)
    /// Write a line about what happened.
    case log(LogLine<SetupEvent>)
}

/// What the setup of a session writes into the log.
public enum SetupEvent: String, Sendable, Hashable, CaseIterable {
    case busMalformed
    case accessoryFound, accessoryConnected, accessoryDisconnected, accessoriesLost
    case notificationIgnored
    case attemptingToConnect, noCompatibleAccessory, createSessionRetriesExhausted, setupEnded
    case sessionAsked, sessionOpened, sessionClosed, sessionLost, indexReceived, attemptFailed
}
