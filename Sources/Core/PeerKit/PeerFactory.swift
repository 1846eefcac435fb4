import SuiteLanguage
import Wire

/// A kind of peer with its factory function: all that a program needs to play it.
public struct PeerModule: Sendable {
    /// The description of the kind for suites.
    public let kind: PeerKind
    fileprivate let make:
        @Sendable (PeerDeclaration, [PeerDeclaration]) throws(PeerError) -> any Peer

    /// Creates a module.
    ///
    /// - Parameters:
    ///   - kind: The description of the kind for suites.
    ///   - make: Creates the peer that a suite declares, with the peers on its air; throws
    ///     `PeerError` for settings that the kind does not take.
    public init(
        _ kind: PeerKind,
        make:
            @escaping @Sendable (PeerDeclaration, [PeerDeclaration]) throws(PeerError) -> any Peer
    ) {
        self.kind = kind
        self.make = make
    }
}

/// A factory for the peers of cases.
public struct PeerFactory: Sendable {
    private let modules: [PeerModule]
    /// Creates what protects the connections of the peers of a case; `nil` if it cannot.
    public let security: @Sendable () -> (any ChannelSecurity)?

    /// Creates a factory of the given kinds of peers.
    ///
    /// - Parameters:
    ///   - modules: The kinds of peers.
    ///   - security: Creates what protects the connections of the peers of a case.
    public init(
        _ modules: [PeerModule],
        security: @escaping @Sendable () -> (any ChannelSecurity)? = { nil }
    ) {
        self.modules = modules
        self.security = security
    }

    /// The kinds of peers, in order.
    public var kinds: [PeerKind] { modules.map(\.kind) }

    /// Creates the peer that a suite declares.
    ///
    /// - Parameter inhabitants: The peers on its air.
    /// - Throws: `PeerError` for a kind without a module, or settings that the kind does not take.
    public func make(
        _ declaration: PeerDeclaration, with inhabitants: [PeerDeclaration] = []
    ) throws(PeerError) -> any Peer {
        guard let module = modules.first(where: { $0.kind == declaration.kind }) else {
            throw PeerError(
                .unknownKind,
                "the peer \(declaration.name) is a \"\(declaration.kind)\", which no module plays",
                advice: Suggestion.advice(
                    for: declaration.kind.name, in: kinds.map(\.name)))
        }
        return try module.make(declaration, inhabitants)
    }
}
