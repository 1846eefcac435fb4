import Wire

/// How a device's process ended.
public enum DeviceExit: Sendable, Hashable, CustomStringConvertible {
    /// It ended by itself with an exit code.
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)

    /// `exit code 3` or `signal 11 (SIGSEGV)`.
    public var description: String {
        switch self {
        case .code(let code): "exit code \(code)"
        case .signal(let number):
            "signal \(number)" + (SignalName.name(of: number).map { " (\($0))" } ?? "")
        }
    }

    /// The fields of the `device.exited` event: `code` or `signal`.
    public var fields: Value {
        switch self {
        case .code(let code): ["code": .integer(Int64(code))]
        case .signal(let number): ["signal": .integer(Int64(number))]
        }
    }
}
