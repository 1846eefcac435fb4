import Glibc

/// The seed of all random numbers of a device.
public enum DeviceSeed {
    /// The environment variable that contains it.
    public static let variable = "CONFORM_SEED"

    /// Returns the seed that the environment specifies; a random one if it specifies none.
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
