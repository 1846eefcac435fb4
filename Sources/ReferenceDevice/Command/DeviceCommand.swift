import Protocols

/// What `conform-device` is asked to do on its command line.
public enum DeviceCommand: Sendable {
    /// Be an SDL app.
    case sdlApp(AppOptions)
    /// Print the list of mutants.
    case mutants
    /// Print how the command is used.
    case help
    /// Print the version.
    case version

    /// The options of `conform-device sdl-app`.
    public struct AppOptions: Sendable, Hashable {
        /// Where the head unit listens.
        public var address: NumericAddress
        /// The configuration file; the defaults hold if `nil`.
        public var configuration: String?
        /// The mistake to be made; none if `nil`.
        public var mutant: Mutant?
        /// Milliseconds after which it does nothing any more, to try how a test finds that out;
        /// never if `nil`.
        public var hangAfter: Int?
    }

    /// The command that makes the device an SDL app.
    private static let sdlAppName = "sdl-app"

    /// The version of the device, as `--version` prints it.
    public static let versionText = "conform-device 0.1.0"

    /// How the command is used, as `--help` prints it.
    public static let usage = """
        Usage: conform-device sdl-app --host ADDRESS --port PORT [--config FILE] [--mutant NAME]
                                      [--hang-after MILLISECONDS]
               conform-device mutants [sdl-app]
               conform-device --help | --version

        The reference device of conform: a golden implementation of an SDL app, and its mutants.

          --host ADDRESS  numeric address of the head unit, or localhost
          --port PORT     TCP port of the head unit
          --config FILE   configuration as one JSON object; a key that is absent keeps its
                          default
          --mutant NAME   make one mistake on purpose; "conform-device mutants" lists them
          --hang-after MILLISECONDS
                          do nothing any more from then on, not even end when asked to

        While it runs, standard input takes JSON-RPC 2.0 requests, one a line: \
        \(ControlRequest.Method.allCases.map(\.rawValue).joined(separator: ", ")).
        Standard output has one JSON object a line: events, and answers to requests.

        Exit codes: 0 stopped or done, 1 no connection or no service, 2 bad usage or
        configuration, 3 registration refused.
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
        case "--version":
            self = .version
        case "mutants":
            guard rest.isEmpty || rest == [DeviceCommand.sdlAppName] else {
                throw UsageError("unknown kind of device \"\(rest.joined(separator: " "))\"")
            }
            self = .mutants
        case DeviceCommand.sdlAppName:
            self = .sdlApp(try AppOptions(arguments: rest))
        default:
            throw UsageError("unknown command \"\(first)\"")
        }
    }

    /// All mutants as one JSON document.
    public static var mutantsDocument: Value { .array(Mutant.allCases.map(\.value)) }
}

/// A command line that cannot be understood.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String

    init(_ problem: String) {
        description = "\(problem); see conform-device --help"
    }
}

extension DeviceCommand.AppOptions {
    private enum Option: String, CaseIterable {
        case host = "--host"
        case port = "--port"
        case config = "--config"
        case mutant = "--mutant"
        case hangAfter = "--hang-after"
    }

    init(arguments: [String]) throws(UsageError) {
        let values = try DeviceCommand.AppOptions.values(arguments)
        guard let host = values[.host] else { throw UsageError("--host is missing") }
        guard let portText = values[.port] else { throw UsageError("--port is missing") }
        guard let port = UInt16(portText), port > 0 else {
            throw UsageError("--port \"\(portText)\" is not a number from 1 to 65535")
        }
        guard let address = NumericAddress(host: host, port: port) else {
            throw UsageError("--host \"\(host)\" is not a numeric address")
        }
        self.address = address
        configuration = values[.config]
        mutant = try values[.mutant].map(DeviceCommand.AppOptions.mutant)
        guard let delay = values[.hangAfter] else { return }
        guard let milliseconds = Int(delay), (0...86_400_000).contains(milliseconds) else {
            throw UsageError("--hang-after \"\(delay)\" is not a number of milliseconds")
        }
        hangAfter = milliseconds
    }

    /// The options' values; `--name value` and `--name=value` are the same.
    private static func values(_ arguments: [String]) throws(UsageError) -> [Option: String] {
        var values: [Option: String] = [:]
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
        return values
    }

    private static func mutant(_ name: String) throws(UsageError) -> Mutant {
        if let mutant = Mutant(rawValue: name) { return mutant }
        let names = Mutant.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("unknown mutant \"\(name)\"; the mutants are \(names)")
    }
}
