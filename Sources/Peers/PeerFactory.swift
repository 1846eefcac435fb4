import Suites

/// Every kind of peer that can be played: the one list that a new peer is added to.
public enum PeerFactory {
    /// Makes the peer that a suite declares.
    ///
    /// - Parameter inhabitants: The peers that live behind it.
    /// - Throws: `PeerError` for a kind that there is not, or settings that the kind does not take.
    public static func make(
        _ declaration: PeerDeclaration, with inhabitants: [PeerDeclaration] = []
    ) throws(PeerError) -> any Peer {
        switch declaration.kind {
        case HeadUnitPeer.kind:
            return try HeadUnitPeer(declaration)
        case BluetoothControllerPeer.kind:
            return try BluetoothControllerPeer(declaration, inhabitants: inhabitants)
        case WebSocketPeer.kind, PeerKind.webSocketClient.name:
            return try WebSocketPeer(declaration)
        case _ where ScriptedPeer.plays(declaration.kind):
            return try ScriptedPeer(declaration)
        case ProcessPeer.kind: return ProcessPeer(declaration)
        case AdapterPeer.kind: return AdapterPeer(declaration)
        case SessionServerPeer.kind:
            return try SessionServerPeer(declaration)
        case AccessoryPeer.kind:
            let accessories = try AccessoryPeer(declaration)
            return accessories.settings.carrier == .iap2
                ? IAP2AccessoryPeer(accessories) : accessories
        case AppPeer.kind:
            return try AppPeer(declaration)
        default:
            throw PeerError(
                .unknownKind,
                "the peer \(declaration.name) is a \"\(declaration.kind)\", which there is not",
                advice: Suggestion.advice(
                    for: declaration.kind, in: PeerKind.all.map(\.name)))
        }
    }
}
