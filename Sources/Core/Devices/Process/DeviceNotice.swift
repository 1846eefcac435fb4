import Wire

/// The source of a line of a device's log.
public enum DeviceStream: String, Sendable, Hashable {
    /// The device's standard output.
    case stdout
    /// The device's standard error.
    case stderr
    /// Both outputs of a command that carries out a control.
    case control
}

/// A notice of something that a device did.
public enum DeviceNotice: Sendable, Hashable {
    /// It printed a line; the text has no line end.
    case output(DeviceStream, String)
    /// It is ready.
    case ready
    /// It was not ready in time.
    case notReady(DeviceError)
    /// It answered a control, or the control's command has ended.
    case controlAnswered(id: Int64, result: Result<Value, DeviceError>)
    /// A person has confirmed that a control was carried out; with the names of both.
    case confirmed(control: String, by: String)
    /// Its process has ended, after everything that it had printed was reported.
    case exited(DeviceExit)
    /// Like `exited`, but the end was requested.
    case endedAsPlanned(DeviceExit)
    /// It was launched again.
    case launchedAgain
}
