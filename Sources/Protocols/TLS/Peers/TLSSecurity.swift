import PeerKit
import Wire

/// The authorities of a case, and the TLS of its peers.
///
/// Each case has authorities of its own, whose keys no file contains.
public final class TLSSecurity: ChannelSecurity {
    private let trusted: TLS.Identity
    private let intermediate: TLS.Identity
    private let untrusted: TLS.Identity

    /// Creates the authorities of a case; `nil` if OpenSSL cannot.
    public init?() {
        guard let trusted = TLS.Identity("conform test CA", isAuthority: true),
            let intermediate = TLS.Identity(
                "conform test intermediate", issuer: trusted, isAuthority: true),
            let untrusted = TLS.Identity("conform unknown CA", isAuthority: true)
        else { return nil }
        self.trusted = trusted
        self.intermediate = intermediate
        self.untrusted = untrusted
    }

    /// The certificate of the trusted authority.
    public var authority: [UInt8] { trusted.pem }

    /// A certificate for localhost with its key, for a device that is a server.
    public var identity: [UInt8] {
        TLS.Identity("localhost", names: TLSPeerSettings.Certificate.local, issuer: trusted)?
            .pem(withKey: true) ?? []
    }

    /// Returns the maker of channels of a peer.
    public func channels(
        _ settings: Value, isServer: Bool
    ) throws(PeerError) -> any SecureChannels {
        let later = settings[TLSPeerSettings.later].map {
            settings.removing(FieldPath(components: [.name(TLSPeerSettings.later)]))
                .merging($0)
        }
        let first = try made(settings, isServer: isServer)
        return Channels(
            [first]
                + (try later.map { other throws(PeerError) in
                    [try made(other, isServer: isServer)]
                } ?? []))
    }

    private func made(_ value: Value, isServer: Bool) throws(PeerError) -> Channels.Offer {
        let settings = try TLSPeerSettings(value)
        guard let offer = TLS.Settings(isServer: isServer),
            settings.versions.map(offer.setVersions) ?? true,
            settings.protocols.isEmpty || offer.setProtocols(settings.protocols)
        else { throw PeerError(.badSetting, "OpenSSL refuses the settings of tls") }
        if isServer {
            let certificate = settings.certificate
            let issuer: TLS.Identity? =
                switch certificate.issuer {
                case .trusted: certificate.hasIntermediate ? intermediate : trusted
                case .untrusted: untrusted
                case .itself: nil
                }
            guard
                let identity = TLS.Identity(
                    certificate.commonName, names: certificate.names,
                    validity: certificate.validity, issuer: issuer),
                offer.use(
                    identity, chain: certificate.sendsIntermediate ? [intermediate] : [])
            else {
                throw PeerError(
                    .badSetting, "OpenSSL refuses the names \(certificate.names)",
                    advice: "write DNS:example.com or IP:192.0.2.1")
            }
        }
        return Channels.Offer(settings: settings, offer: offer, isServer: isServer)
    }
}

/// The channels of a peer: the first connection has an offer of its own.
private final class Channels: SecureChannels {
    struct Offer {
        let settings: TLSPeerSettings
        let offer: TLS.Settings
        let isServer: Bool
    }

    private let offers: [Offer]
    private var count = 0

    init(_ offers: [Offer]) { self.offers = offers }

    func next() -> (any SecureChannel)? {
        let offer = offers[min(count, offers.count - 1)]
        count += 1
        return TLS.Endpoint(
            offer.offer, serverName: offer.isServer ? "" : offer.settings.serverName
        )
        .map { Channel($0, offer) }
    }
}

/// One connection, with the faults that the suite demands.
private final class Channel: SecureChannel {
    private let end: TLS.Endpoint
    private let settings: TLSPeerSettings
    private let isServer: Bool
    private(set) var hasFailed = false

    init(_ end: TLS.Endpoint, _ offer: Channels.Offer) {
        self.end = end
        settings = offer.settings
        isServer = offer.isServer
    }

    func begin() -> [UInt8] { isServer ? [] : end.begin() }

    func receive(_ bytes: [UInt8]) -> (plain: [UInt8], output: [UInt8]) {
        if settings.stalls || hasFailed { return ([], []) }
        if let alert = settings.alert {
            hasFailed = true
            // A fatal alert in a record of TLS 1.2 (RFC 8446 5.1 and 6).
            return ([], [21, 3, 3, 0, 2, 2, alert])
        }
        let result = end.receive(bytes)
        hasFailed = end.isOver && !end.isFinished
        return result
    }

    var isWaiting: Bool { end.isWaiting && !hasFailed && !settings.stalls }

    func send(_ plain: [UInt8]) -> [UInt8]? { hasFailed ? nil : end.send(plain) }

    func close() -> [UInt8] { settings.omitsCloseNotify ? [] : end.close() }

    func takeKeys() -> [UInt8] { end.takeKeys() }
}
