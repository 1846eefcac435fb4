import Sockets

/// The options of `conform-device profile-app`.
public struct ProfileAppOptions: Sendable, Hashable {
    /// What every device that connects to a peer can be told.
    public var client: ClientOptions<ProfileAppMutant>
    /// Where it reports what no packet shows; nowhere if `nil`.
    public var reports: NumericAddress?

    /// Where accessories listen on the accessory bus; nowhere if `nil`.
    public var accessories: NumericAddress?
    /// Habits of real apps that it takes on.
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
        habits = try HabitOption.take(from: &rest)
        client = try ClientOptions(arguments: rest)
    }

    private static func address(
        _ place: Place, in rest: inout [String]
    ) throws(UsageError) -> NumericAddress? {
        guard let text = try OptionValues<Place>.take(place, from: &rest) else { return nil }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0,
            let address = NumericAddress(
                host: String(text[..<colon].filter { $0 != "[" && $0 != "]" }), port: port)
        else { throw UsageError("\(place.rawValue) \"\(text)\" is not ADDRESS:PORT") }
        return address
    }
}
