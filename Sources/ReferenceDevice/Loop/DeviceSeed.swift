import Glibc

/// What all that a device draws begins from.
public enum DeviceSeed {
    /// The environment variable that gives it.
    public static let variable = "CONFORM_SEED"

    /// The seed that the environment asks for; another one each time if it does not.
    public static func ofEnvironment() throws(UsageError) -> UInt64 {
        guard let value = getenv(variable) else { return .random(in: .min ... .max) }
        let text = String(cString: value)
        guard let seed = UInt64(text) else {
            throw UsageError(
                "\(variable) \"\(text)\" is not a whole number from 0 to \(UInt64.max)")
        }
        return seed
    }
}
