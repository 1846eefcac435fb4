import Wire

/// What `conform-device` is asked to do on its command line.
public enum DeviceCommand: Sendable {
    /// Be an SDL app.
    case sdlApp(SDLAppOptions)
    /// Be a session client.
    case sessionClient(ClientOptions<SessionClientMutant>)
    /// Be an SDL head unit.
    case headUnit(ClientOptions<HeadUnitMutant>)
    /// Be an app with profile connections.
    case profileApp(ProfileAppOptions)
    /// Be a GATT peripheral.
    case profilePeripheral(ClientOptions<PeripheralMutant>)
    /// Print the list of mutants, of one kind of device or of all.
    case mutants(DeviceKind?)
    /// Print how the command is used.
    case help
    /// Print the version.
    case version

    /// The version of the device, as `--version` prints it.
    public static let versionText = "conform-device 0.2.0"

    /// How the command is used, as `--help` prints it.
    public static let usage = """
        Usage: conform-device KIND --host ADDRESS --port PORT [--config FILE] [--mutant NAME]
                              [--hang-after MILLISECONDS]
               conform-device mutants [KIND]
               conform-device --help | --version

        The reference device of conform: golden implementations, and their mutants.

          --host ADDRESS  numeric address of the peer, or localhost; of a device that listens,
                          its own
          --port PORT     TCP port of the peer, or its own
          --config FILE   configuration as one JSON object; a key that is absent keeps its
                          default
          --habit NAMES   habits of real libraries and apps that conform, with commas between them
                          sdl-app: \(SDLAppHabit.allCases.map(\.rawValue).joined(separator: ", "))
                          profile-app:
                          \(ProfileAppHabit.allCases.map(\.rawValue).joined(separator: ", "))
          --mutant NAME   make one mistake on purpose; "conform-device mutants" lists them
          --hang-after MILLISECONDS
                          do nothing any more from then on, not even end when asked to

        While it runs, standard input takes JSON-RPC 2.0 requests, one a line, each a control of
        its kind. Standard output has one JSON object a line: events, and answers to requests.
        The environment variable \(ClockRate.variable), a decimal number from 1 up, makes it live
        so many times faster.

        Kinds of devices; of each, 0 means stopped or done, and 2 bad usage or configuration:

        \(DeviceKind.allCases.map { "  \($0.rawValue)  \($0.summary)" }.joined(separator: "\n"))
        """

    /// Parses the arguments that follow the program's name.
    public init(arguments: [String]) throws(UsageError) {
        guard let first = arguments.first else { throw UsageError("no command given") }
        let rest = Array(arguments.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help
            return
        }
        switch first {
        case "--version": self = .version
        case "mutants": self = .mutants(try DeviceCommand.kind(rest))
        default:
            guard let kind = DeviceKind(rawValue: first) else {
                throw UsageError("unknown command \"\(first)\"")
            }
            self = try DeviceCommand.device(kind, rest)
        }
    }

    private static func device(
        _ kind: DeviceKind, _ arguments: [String]
    ) throws(UsageError) -> DeviceCommand {
        switch kind {
        case .sdlApp: .sdlApp(try SDLAppOptions(arguments: arguments))
        case .sessionClient: .sessionClient(try ClientOptions(arguments: arguments))
        case .headUnit: .headUnit(try ClientOptions(arguments: arguments))
        case .profileApp: .profileApp(try ProfileAppOptions(arguments: arguments))
        case .profilePeripheral:
            .profilePeripheral(try ClientOptions(arguments: arguments))
        }
    }

    /// The kind that `mutants` is asked for; `nil` for all.
    private static func kind(_ arguments: [String]) throws(UsageError) -> DeviceKind? {
        guard let name = arguments.first else { return nil }
        guard arguments.count == 1, let kind = DeviceKind(rawValue: name) else {
            let names = DeviceKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "unknown kind of device \"\(arguments.joined(separator: " "))\"; the kinds are "
                    + names)
        }
        return kind
    }

    /// The mutants of one kind of device, or of all, as one JSON document.
    public static func mutantsDocument(_ kind: DeviceKind?) -> Value {
        .array((kind.map { [$0] } ?? DeviceKind.allCases).flatMap(\.mutants))
    }
}
