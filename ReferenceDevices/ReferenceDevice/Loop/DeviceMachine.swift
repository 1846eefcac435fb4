import Wire

/// A device as a state machine: inputs in, actions out; it has no clock and does no I/O.
public protocol DeviceMachine: Sendable {
    /// The identifiers of its connections.
    associatedtype Link: Sendable, Hashable
    /// Its timers.
    associatedtype Timer: Sendable, Hashable

    /// Handles an input and returns the actions it leads to, in order.
    ///
    /// Times are nanoseconds of any clock that all calls share.
    mutating func handle(
        _ input: DeviceInput<Link, Timer>, at now: Int64
    ) -> [DeviceAction<Link, Timer>]
}

/// An input of a device.
public enum DeviceInput<Link: Sendable & Hashable, Timer: Sendable & Hashable>: Sendable {
    /// The process has been set up.
    case started
    /// A peer has connected.
    case accepted(Link)
    /// A requested connection is established.
    case connected(Link)
    /// A requested connection cannot be made, with the reason.
    case connectFailed(Link, String)
    /// The peer has sent bytes.
    case received(Link, [UInt8])
    /// The peer has ended a connection, or it broke, with the reason.
    case disconnected(Link, String)
    /// A timer that was started has fired.
    case timerFired(Timer)
    /// A line has been received on the control channel.
    case controlLine(String)
    /// The system asks the process to end.
    case terminate

    /// The connection that it is about; `nil` if it is about none.
    var link: Link? {
        switch self {
        case .accepted(let link), .connected(let link), .connectFailed(let link, _),
            .received(let link, _), .disconnected(let link, _):
            link
        case .started, .timerFired, .controlLine, .terminate: nil
        }
    }
}

/// An action that a device requests.
public enum DeviceAction<Link: Sendable & Hashable, Timer: Sendable & Hashable>: Sendable,
    Hashable
{
    /// Open a connection.
    case connect(Link)
    /// Send these bytes.
    case send(Link, [UInt8])
    /// Close a connection after the bytes sent before are out.
    case close(Link)
    /// Start a timer that fires at that time, or restart it if it is running.
    case startTimer(Timer, at: Int64)
    /// Stop a timer.
    case stopTimer(Timer)
    /// Suspend connections and timers, as the system does with an application in the background.
    case suspend
    /// Resume after `suspend`: input that arrived in the meantime comes first, then the timers.
    case resume
    /// Write a log line about an event.
    case log(Value)
    /// Write an answer on the control channel.
    case answer(Value)
    /// Store what the device is created with after a restart.
    case keep(Value)
    /// End the process with this code.
    case exit(Int32)
    /// Do something to the process that only a mutant does.
    case harm(Harm)
}
