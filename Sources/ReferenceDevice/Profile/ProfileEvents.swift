import AccessoryBus
import Wire

/// A device that works over a Bluetooth controller, as a state machine.
public protocol ProfileMachine: Sendable {
    /// Takes what has happened and returns what is to be done; times are those of any clock that all
    /// calls share.
    mutating func handle(_ input: ProfileInput, at now: Duration) -> [ProfileAction]
}

/// The connections of an app with profile connections.
public enum ProfileLink: Sendable, Hashable {
    /// To the controller.
    case controller
    /// To whoever takes its reports.
    case reports
    /// To the accessories of the bus.
    case accessories(PhoneSide.Connection)
}

/// What an app with profile connections waits for.
public enum ProfileTimer: Sendable, Hashable {
    /// A link that is to come about.
    case connection
    /// The answer to a request on a link (Core 5.4 Vol 3 Part F 3.3.3).
    case request(UInt16)
    /// What the iAP2 link on a BR/EDR link waits for.
    case accessory(UInt16)
}

/// Something that happens to the app; I/O is outside and arrives as these.
public enum ProfileInput: Sendable {
    /// The process runs.
    case started
    /// A connection stands.
    case connected(ProfileLink)
    /// A connection cannot be made, has ended or broke, and why.
    case lost(ProfileLink, String)
    /// Bytes have come.
    case received(ProfileLink, [UInt8])
    /// A timer has run out.
    case timerFired(ProfileTimer)
    /// A line has come on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// Something that the app wants done.
public enum ProfileAction: Sendable, Hashable {
    /// Connect.
    case connect(ProfileLink)
    /// Send these bytes.
    case send(ProfileLink, [UInt8])
    /// Close a connection after what was sent.
    case close(ProfileLink)
    /// Start a timer, of so many milliseconds.
    case startTimer(ProfileTimer, Int)
    /// Stop a timer.
    case stopTimer(ProfileTimer)
    /// Write a line about what happened.
    case log(Value)
    /// Write an answer on the control channel.
    case answer(Value)
    /// End the process with this code.
    case exit(Int32)
    /// End it as a program that broke.
    case crash
}

/// What the app can be asked on its control channel.
public enum ProfileControl: String, Sendable, Hashable, CaseIterable {
    case scan, stopScan, retrieve, monitor, stopMonitoring, instantiate, make, activate
    case deactivate, send, state, stop
    case systemConnect = "system.connect"
    case systemDisconnect = "system.disconnect"
}
