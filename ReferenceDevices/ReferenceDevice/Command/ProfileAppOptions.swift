import System

/// The options of `conform-device profile-app`.
public struct ProfileAppOptions: Sendable, Hashable {
    /// The options of every device that connects to a peer.
    public var client: ClientOptions<ProfileAppMutant>
    /// The address to which it reports what no packet shows; `nil` for none.
    public var reports: NumericAddress?

    /// The address at which accessories listen on the accessory bus; `nil` for none.
    public var accessories: NumericAddress?
    /// The habits of real apps that it imitates.
    public var habits: Set<ProfileAppHabit>

    private enum Place: String, CaseIterable {
        case report = "--report"
        case bus = "--bus"
    }

    /// Parses the arguments that follow the kind of device.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments
        reports = try ProfileAppOptions.address(.report, in: &rest)
        accessories = try ProfileAppOptions.address(.bus, in: &rest)
        habits = try HabitOption.consume(from: &rest)
        client = try ClientOptions(arguments: rest)
    }

    private static func address(
        _ place: Place, in rest: inout [String]
    ) throws(UsageError) -> NumericAddress? {
        guard let text = try OptionValues<Place>.consume(place, from: &rest) else { return nil }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0,
            let address = NumericAddress(
                host: String(text[..<colon].filter { $0 != "[" && $0 != "]" }), port: port)
        else { throw UsageError("\(place.rawValue) \"\(text)\" is not ADDRESS:PORT") }
        return address
    }
}
