import AccessoryBus
import Wire

/// A device that works over a Bluetooth controller, as a state machine.
public protocol ProfileMachine: Sendable {
    /// Handles an input and returns the actions it leads to.
    ///
    /// Times are those of any clock that all calls share.
    mutating func handle(_ input: ProfileInput, at now: Duration) -> [ProfileAction]
}

/// The connections of an app with profile connections.
public enum ProfileLink: Sendable, Hashable {
    /// To the controller.
    case controller
    /// To the receiver of its reports.
    case reports
    /// To the accessories of the bus.
    case accessories(PhoneSide.Connection)
}

/// The timers of an app with profile connections.
public enum ProfileTimer: Sendable, Hashable {
    /// The timeout of a link that is being made.
    case connection
    /// The timeout of the answer to a request on a link (Core 5.4 Vol 3 Part F 3.3.3).
    case request(UInt16)
    /// The next deadline of the iAP2 link on a BR/EDR link.
    case accessory(UInt16)
    /// Until a mutant writes a characteristic, by its handle, on a link that has ended.
    case write(UInt16, on: UInt16)
}

/// An input of the app; I/O is outside and arrives as inputs.
public enum ProfileInput: Sendable {
    /// The process has started.
    case started
    /// A connection is established.
    case connected(ProfileLink)
    /// A connection cannot be made, has ended or broke, with the reason.
    case lost(ProfileLink, String)
    /// Bytes have been received.
    case received(ProfileLink, [UInt8])
    /// A timer has fired.
    case timerFired(ProfileTimer)
    /// A line has been received on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate
}

/// An action that the app requests.
public enum ProfileAction: Sendable, Hashable {
    /// Connect.
    case connect(ProfileLink)
    /// Send these bytes.
    case send(ProfileLink, [UInt8])
    /// Close a connection after the bytes sent before are out.
    case close(ProfileLink)
    /// Start a timer with the given number of milliseconds.
    case startTimer(ProfileTimer, Int)
    /// Stop a timer.
    case stopTimer(ProfileTimer)
    /// Write a log line about an event.
    case log(Value)
    /// Write an answer on the control channel.
    case answer(Value)
    /// End the process with this code.
    case exit(Int32)
    /// End it as a crashed program.
    case crash
}

/// The methods of the app's control channel.
public enum ProfileControl: String, Sendable, Hashable, CaseIterable {
    case scan, stopScan, retrieve, monitor, stopMonitoring, instantiate, make, activate
    case deactivate, send, state, stop
    case systemConnect = "system.connect"
    case systemDisconnect = "system.disconnect"
}
