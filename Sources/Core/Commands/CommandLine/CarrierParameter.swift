import SuiteLanguage

/// The carrier of the sessions between apps and accessories, a parameter that each suite has.
enum CarrierParameter {
    /// Its name.
    static let name = "carrier"

    /// Returns the given carrier; `nil` without one, which leaves it to the suites.
    ///
    /// A parameter of this name that a suite declares is the suite's own.
    static func carrier(
        _ arguments: Arguments, suites: [Suite]
    ) throws(UsageError) -> AccessoryCarrier? {
        guard !suites.flatMap(\.parameters).contains(where: { $0.name == name }),
            let value = try ParameterOptions.values(arguments)[name]
        else { return nil }
        guard let carrier = value.stringValue.flatMap(AccessoryCarrier.init(rawValue:)) else {
            let words = AccessoryCarrier.allCases.map(\.rawValue).joined(separator: " or ")
            throw UsageError(
                "\(ParameterOptions.parameter.name) \(name) takes \(words), "
                    + "not \(value.jsonText())")
        }
        return carrier
    }
}
