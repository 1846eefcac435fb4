import SuiteLanguage

/// The option that makes a device run faster than specified.
enum TimeScaleOption {
    static let option = Option(
        "--time-scale", "X",
        "run the device X times faster (1 to 100) and divide all times by X; certify with 1")

    /// Returns the time scale that the option sets; 1 without it.
    static func timeScale(_ arguments: Arguments) throws(UsageError) -> TimeScale {
        guard let text = arguments.value(option.name) else { return .real }
        guard let scale = TimeScale(text: text) else {
            throw UsageError("\(option.name) \"\(text)\" is not possible; \(TimeScale.advice)")
        }
        return scale
    }
}
