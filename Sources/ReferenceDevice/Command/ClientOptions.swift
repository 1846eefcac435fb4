import Sockets

/// The options of a device that connects to a peer, or that peers connect to.
public struct ClientOptions<Mistake: DeviceMutant>: Sendable, Hashable {
    /// Where the peer listens, or the device itself.
    public var address: NumericAddress
    /// The configuration file; the defaults hold if `nil`.
    public var configuration: String?
    /// The mistake to be made; none if `nil`.
    public var mutant: Mistake?
    /// Milliseconds after which it does nothing any more, to try how a test finds that out; never
    /// if `nil`.
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
    /// The mutant of that name; the error names all.
    init(named name: String) throws(UsageError) {
        guard let mutant = Self(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown mutant \"\(name)\"; the mutants are \(names)")
        }
        self = mutant
    }
}
