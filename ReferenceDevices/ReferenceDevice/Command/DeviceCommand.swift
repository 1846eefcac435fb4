import Wire

/// The command that `conform-device` is given on its command line.
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
    /// Print the usage.
    case help
    /// Print the version.
    case version

    /// The version of the device, as `--version` prints it.
    public static let versionText = "conform-device 0.2.0"

    /// The usage text that `--help` prints.
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
          --habit NAMES   habits of real libraries and apps that conform, separated by commas
                          sdl-app: \(SDLAppHabit.allCases.map(\.rawValue).joined(separator: ", "))
                          profile-app:
                          \(ProfileAppHabit.allCases.map(\.rawValue).joined(separator: ", "))
          --mutant NAME   make one mistake on purpose; "conform-device mutants" lists them
          --hang-after MILLISECONDS
                          stop doing anything after this time, even when asked to end

        While it runs, standard input takes JSON-RPC 2.0 requests, one per line, each a control of
        its kind. Standard output has one JSON object per line: events, and answers to requests.
        The environment variable \(ClockRate.variable), a decimal number from 1 up, makes it live
        that many times faster.

        Kinds of devices; for each, exit code 0 is stopped or done, 2 is bad usage or configuration:

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

    /// Returns the kind of device that `mutants` lists; `nil` for all.
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
