import Wire

/// Where a line of a device's log comes from.
public enum DeviceStream: String, Sendable, Hashable {
    /// The device's standard output.
    case stdout
    /// The device's standard error.
    case stderr
    /// Both outputs of a command that carries out a control.
    case control
}

/// Something that a device did.
public enum DeviceNotice: Sendable, Hashable {
    /// It printed a line; the line has no end.
    case output(DeviceStream, String)
    /// It is ready.
    case ready
    /// It was not ready in time.
    case notReady(DeviceError)
    /// It answered a control, or the control's command has ended.
    case controlAnswered(id: Int64, result: Result<Value, DeviceError>)
    /// A person has confirmed that the control of that name is carried out; who it was.
    case confirmed(control: String, by: String)
    /// Its process has ended. All that it had printed until then has been told.
    case exited(DeviceExit)
    /// Its process has ended because that was asked for; otherwise as `exited`.
    case endedAsPlanned(DeviceExit)
    /// It was launched again.
    case launchedAgain
}
