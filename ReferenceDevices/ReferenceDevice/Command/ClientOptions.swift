import System

/// The options of a device that connects to a peer, or to which peers connect.
public struct ClientOptions<Mistake: DeviceMutant>: Sendable, Hashable {
    /// The address at which the peer, or the device itself, listens.
    public var address: NumericAddress
    /// The configuration file; `nil` for the defaults.
    public var configuration: String?
    /// The mistake to make; `nil` for none.
    public var mutant: Mistake?
    /// Milliseconds after which the device hangs; `nil` for never.
    ///
    /// It serves to try out how a test detects a hanging device.
    public var hangAfter: Int?

    private enum Option: String, CaseIterable {
        case host = "--host"
        case port = "--port"
        case config = "--config"
        case mutant = "--mutant"
        case hangAfter = "--hang-after"
    }

    /// Parses the arguments that follow the kind of device.
    init(arguments: [String]) throws(UsageError) {
        let values = try OptionValues<Option>(arguments)
        let host = try values.required(.host)
        let portText = try values.required(.port)
        guard let port = UInt16(portText), port > 0 else {
            throw UsageError("--port \"\(portText)\" is not a number from 1 to 65535")
        }
        guard let address = NumericAddress(host: host, port: port) else {
            throw UsageError("--host \"\(host)\" is not a numeric address")
        }
        self.address = address
        configuration = values[.config]
        mutant = try values[.mutant].map(Mistake.init(named:))
        hangAfter = try values.number(
            .hangAfter, in: 0...86_400_000, "a number of milliseconds")
    }
}

extension DeviceMutant {
    /// Returns the mutant of that name; the error lists all names.
    init(named name: String) throws(UsageError) {
        guard let mutant = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw UsageError("unknown mutant \"\(name)\"; the mutants are \(names)")
        }
        self = mutant
    }
}
