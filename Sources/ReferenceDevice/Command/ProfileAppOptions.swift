import Sockets

/// The options of `conform-device profile-app`.
public struct ProfileAppOptions: Sendable, Hashable {
    /// What every device that connects to a peer can be told.
    public var client: ClientOptions<ProfileAppMutant>
    /// Where it reports what no packet shows; nowhere if `nil`.
    public var reports: NumericAddress?

    private enum ReportOption: String, CaseIterable {
        case report = "--report"
    }

    /// Parses the arguments that follow the kind of device.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments
        let place = try OptionValues<ReportOption>.take(.report, from: &rest)
        reports = try place.map(ProfileAppOptions.address)
        client = try ClientOptions(arguments: rest)
    }

    private static func address(_ text: String) throws(UsageError) -> NumericAddress {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0,
            let address = NumericAddress(
                host: String(text[..<colon].filter { $0 != "[" && $0 != "]" }), port: port)
        else { throw UsageError("--report \"\(text)\" is not ADDRESS:PORT") }
        return address
    }
}
