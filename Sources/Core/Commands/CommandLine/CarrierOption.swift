import SuiteLanguage

/// The option that sets the carrier of the sessions between apps and accessories.
enum CarrierOption {
    private static let words = AccessoryCarrier.allCases.map(\.rawValue).joined(separator: "|")

    static let option = Option(
        "--carrier", words,
        "what carries the sessions of accessories; also given to the device as CONFORM_CARRIER")

    /// Returns the carrier that the option sets; `nil` without it, which leaves it to the suite.
    static func carrier(_ arguments: Arguments) throws(UsageError) -> AccessoryCarrier? {
        guard let text = arguments.value(option.name) else { return nil }
        guard let carrier = AccessoryCarrier(rawValue: text) else {
            throw UsageError("\(option.name) takes \(words), not \"\(text)\"")
        }
        return carrier
    }
}
