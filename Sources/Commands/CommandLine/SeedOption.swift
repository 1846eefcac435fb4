/// The option that says what all that is drawn begins from.
enum SeedOption {
    static let option = Option(
        "--seed", "S",
        "other faults of chance on lines (0, the default, to 18446744073709551615); also told to the "
            + "device as CONFORM_SEED")

    /// The seed that the option asks for; `nil` without it.
    static func seed(_ arguments: Arguments) throws(UsageError) -> UInt64? {
        guard let text = arguments.value(option.name) else { return nil }
        guard let seed = UInt64(text) else {
            throw UsageError(
                "\(option.name) takes a whole number from 0 to \(UInt64.max), not \"\(text)\"")
        }
        return seed
    }
}
