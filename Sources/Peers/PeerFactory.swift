import Suites
import Wire

/// A kind of peer and what makes one: all that a program needs to play it.
public struct PeerModule: Sendable {
    /// What suites may say of it.
    public let kind: PeerKind
    fileprivate let make:
        @Sendable (PeerDeclaration, [PeerDeclaration]) throws(PeerError) -> any Peer

    /// Makes a module.
    ///
    /// - Parameters:
    ///   - kind: What suites may say of it.
    ///   - make: Makes the peer that a suite declares, with the peers that live on its air; throws
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

/// Makes the peers of cases.
public struct PeerFactory: Sendable {
    private let modules: [PeerModule]

    /// Makes a factory of these kinds of peers.
    public init(_ modules: [PeerModule]) {
        self.modules = modules
    }

    /// The kinds of peers, in their order.
    public var kinds: [PeerKind] { modules.map(\.kind) }

    /// Makes the peer that a suite declares.
    ///
    /// - Parameter inhabitants: The peers that live on its air.
    /// - Throws: `PeerError` for a kind that no module has, or settings that the kind does not take.
    public func make(
        _ declaration: PeerDeclaration, with inhabitants: [PeerDeclaration] = []
    ) throws(PeerError) -> any Peer {
        guard let module = modules.first(where: { $0.kind == declaration.kind }) else {
            throw PeerError(
                .unknownKind,
                "the peer \(declaration.name) is a \"\(declaration.kind)\", which nothing plays",
                advice: Suggestion.advice(
                    for: declaration.kind.name, in: kinds.map(\.name)))
        }
        return try module.make(declaration, inhabitants)
    }
}
