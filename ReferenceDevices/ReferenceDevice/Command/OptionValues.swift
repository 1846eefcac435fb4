/// The values of a command's options, each given once as `--name value` or `--name=value`.
struct OptionValues<Option>
where Option: RawRepresentable & CaseIterable & Hashable, Option.RawValue == String {
    private var values: [Option: String] = [:]

    /// Parses arguments that must all be options with values.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = Option(rawValue: String(parts.first ?? "")) else {
                throw UsageError("unknown argument \"\(argument)\"")
            }
            guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
                throw UsageError("\(option.rawValue) needs a value")
            }
            guard values.updateValue(value, forKey: option) == nil else {
                throw UsageError("\(option.rawValue) is given twice")
            }
        }
    }

    /// Removes an option and its value from arguments that may hold other options as well.
    ///
    /// Returns `nil` if the option is absent.
    static func consume(_ option: Option, from arguments: inout [String]) throws(UsageError)
        -> String?
    {
        let name = option.rawValue
        guard
            let start = arguments.firstIndex(where: { $0 == name || $0.hasPrefix("\(name)=") })
        else { return nil }
        let end = arguments.index(after: arguments[start] == name ? start + 1 : start)
        let own = arguments[start..<min(end, arguments.endIndex)]
        let values = try OptionValues(Array(own))
        arguments.removeSubrange(own.indices)
        if try consume(option, from: &arguments) != nil {
            throw UsageError("\(name) is given twice")
        }
        return values[option]
    }

    /// The value of an option; `nil` if it is absent.
    subscript(option: Option) -> String? { values[option] }

    /// Returns the value of a mandatory option.
    func required(_ option: Option) throws(UsageError) -> String {
        guard let value = values[option] else { throw UsageError("\(option.rawValue) is missing") }
        return value
    }

    /// Returns the value of an option as a whole number; `nil` if it is absent.
    ///
    /// - Parameter what: What the option counts, such as `a number of milliseconds`.
    func number(
        _ option: Option, in range: ClosedRange<Int>, _ what: String
    ) throws(UsageError) -> Int? {
        guard let text = values[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("\(option.rawValue) \"\(text)\" is not \(what)")
        }
        return number
    }
}
