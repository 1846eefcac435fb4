import Wire

/// The protection of one connection of a peer: it turns plain bytes into what is sent, and back.
///
/// It does no I/O.
public protocol SecureChannel: AnyObject {
    /// Whether it has failed before it was established; nothing more can be sent.
    var hasFailed: Bool { get }
    /// Returns what the side that connects sends first.
    func begin() -> [UInt8]
    /// Takes received bytes; returns what they contain, and what must be sent in answer.
    func receive(_ bytes: [UInt8]) -> (plain: [UInt8], output: [UInt8])
    /// Whether plain bytes wait until it is established.
    var isWaiting: Bool { get }
    /// Returns what must be sent to send plain bytes; they may wait until it is established.
    ///
    /// `nil` if it can no longer send.
    func send(_ plain: [UInt8]) -> [UInt8]?
    /// Returns what must be sent before the connection is closed.
    func close() -> [UInt8]
    /// Returns the secrets since the last call, as lines of a key log.
    func takeKeys() -> [UInt8]
}

/// What protects the connections of the peers of a case.
public protocol ChannelSecurity: AnyObject {
    /// The certificates that devices are to trust, as PEM.
    var authority: [UInt8] { get }
    /// A certificate of that authority with its key, for a device that is a server, as PEM.
    var identity: [UInt8] { get }
    /// Whether a message ends what its sender sends on a protected connection.
    func endsConnection(_ message: any DissectedMessage) -> Bool
    /// Returns the maker of channels of a peer.
    ///
    /// - Parameters:
    ///   - settings: The setting `tls` of the peer.
    ///   - isServer: Whether the device connects to the peer.
    /// - Throws: `PeerError` with code `badSetting`.
    func channels(
        _ settings: Value, isServer: Bool
    ) throws(PeerError) -> any SecureChannels
}

/// A maker of channels: one for each connection of a peer.
public protocol SecureChannels: AnyObject {
    /// Returns the channel of the next connection; `nil` if none can be made.
    func next() -> (any SecureChannel)?
}
