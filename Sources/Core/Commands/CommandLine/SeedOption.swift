/// The option that sets the seed of all random draws.
enum SeedOption {
    static let option = Option(
        "--seed", "S",
        "the seed of random faults on links (0, the default, to 18446744073709551615); also given to "
            + "the device as CONFORM_SEED")

    /// Returns the seed that the option sets; `nil` without it.
    static func seed(_ arguments: Arguments) throws(UsageError) -> UInt64? {
        guard let text = arguments.value(option.name) else { return nil }
        guard let seed = UInt64(text) else {
            throw UsageError(
                "\(option.name) takes a whole number from 0 to \(UInt64.max), not \"\(text)\"")
        }
        return seed
    }
}
