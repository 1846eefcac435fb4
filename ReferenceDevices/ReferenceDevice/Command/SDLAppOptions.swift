/// The options of `conform-device sdl-app`.
public struct SDLAppOptions: Sendable, Hashable {
    /// The options of every device that connects to a peer.
    public var client: ClientOptions<SDLAppMutant>
    /// How the app reaches head units; `nil` for the transport of its configuration.
    public var transport: AppTransport?
    /// The habits of real libraries that it imitates.
    public var habits: Set<SDLAppHabit>

    /// Parses the arguments that follow the kind of device.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments
        let name = try OptionValues<TransportOption>.consume(.transport, from: &rest)
        transport = try name.map(SDLAppOptions.transport)
        habits = try HabitOption.consume(from: &rest)
        client = try ClientOptions(arguments: rest)
    }

    private enum TransportOption: String, CaseIterable {
        case transport = "--transport"
    }

    private static func transport(named name: String) throws(UsageError) -> AppTransport {
        guard let transport = AppTransport(rawValue: name) else {
            let names = AppTransport.allCases.map(\.rawValue).joined(separator: " or ")
            throw UsageError("--transport \"\(name)\" is not \(names)")
        }
        return transport
    }
}
