/// The carrier of a byte stream.
///
/// A protocol that carries streams declares its carrier in its own folder. A protocol that may be
/// found in such streams lists the carrier in its `StreamProtocol`.
public struct StreamCarrier: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Creates a carrier; equal names are equal carriers.
    public init(_ name: String) {
        self.name = name
    }

    /// A TCP connection.
    public static let tcp = StreamCarrier("tcp")
    /// The binary messages of a WebSocket connection, one after the other.
    public static let webSocket = StreamCarrier("websocket")
    /// A session of the External Accessory framework, whatever carries it.
    public static let externalAccessory = StreamCarrier("external accessory")
    /// A channel of Bluetooth's serial port emulation.
    public static let rfcomm = StreamCarrier("rfcomm")

    /// The name.
    public var description: String { name }
}

/// The protocols that are looked for in streams, and in streams within streams.
public struct DissectionStack: Sendable {
    /// The maximum depth of streams within streams that is examined; real ones have three.
    public static let depthMax = 8

    /// All protocols, in the order in which they are tried.
    public let protocols: [StreamProtocol]
    /// The number of streams around the present one.
    public let depth: Int
    /// What decrypts streams that are encrypted.
    public let secrets: DecryptionSecrets

    /// Creates the stack of a stream that is not within another.
    ///
    /// - Parameters:
    ///   - protocols: All protocols, in the order in which they are tried.
    ///   - secrets: What decrypts streams that are encrypted.
    public init(_ protocols: [StreamProtocol], secrets: DecryptionSecrets = DecryptionSecrets()) {
        self.init(protocols, depth: 0, secrets)
    }

    private init(_ protocols: [StreamProtocol], depth: Int, _ secrets: DecryptionSecrets) {
        self.protocols = protocols
        self.depth = depth
        self.secrets = secrets
    }

    /// The stack of a stream within the present one.
    public var inner: DissectionStack {
        DissectionStack(protocols, depth: depth + 1, secrets)
    }

    /// Returns the protocols that may be found in streams of a carrier.
    public func candidates(in carrier: StreamCarrier) -> [StreamProtocol] {
        guard depth < Self.depthMax else { return [] }
        return protocols.filter { $0.carriers.contains(carrier) }
    }
}

/// What the first bytes of a stream show of its protocol.
public enum Recognition: Sendable {
    case match(StreamProtocol)
    /// There are too few bytes to decide.
    case undecided
    /// The stream belongs to none of the candidates.
    case none

    /// Determines the candidate to which the first bytes of one direction belong.
    ///
    /// The first candidate that is certain wins.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes.
    ///   - candidates: The protocols, in the order in which they are tried.
    ///   - known: The number of bytes that were too few to decide in an earlier attempt.
    public init(of bytes: RawSpan, among candidates: [StreamProtocol], behind known: Int = 0) {
        var isUndecided = false
        for candidate in candidates {
            switch candidate.recognises(bytes, behind: known) {
            case true?:
                self = .match(candidate)
                return
            case nil: isUndecided = true
            case false?: break
            }
        }
        self = isUndecided ? .undecided : .none
    }
}
