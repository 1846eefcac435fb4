import SuiteLanguage

/// The option that says what else fails a run or a case.
enum StrictOption {
    private static let flaky = "flaky"
    /// The word for violations of a protocol.
    static let protocolWord = "protocol"
    private static let meaningOfProtocol =
        "\(protocolWord): a message of the device that breaks its protocol's specification fails any case"

    /// The option of runs.
    static let ofRun = Option(
        "--strict", "\(flaky)|\(protocolWord)",
        "flaky: a flaky case fails the run; \(meaningOfProtocol)", repeats: true)
    /// The option of checks, which execute nothing again.
    static let ofCheck = Option("--strict", protocolWord, meaningOfProtocol)

    /// Returns the given words.
    static func words(
        _ arguments: Arguments, of option: Option = ofRun
    ) throws(UsageError) -> Set<String> {
        let known = (option.value ?? "").split(separator: "|").map(String.init)
        let given = arguments.all(option.name)
        if let other = given.first(where: { !known.contains($0) }) {
            throw UsageError(
                "\(option.name) takes \(known.joined(separator: " or ")), not \"\(other)\"")
        }
        return Set(given)
    }

    /// Returns whether a flaky case fails the run.
    static func refusesFlaky(_ arguments: Arguments) throws(UsageError) -> Bool {
        try words(arguments).contains(flaky)
    }
}
