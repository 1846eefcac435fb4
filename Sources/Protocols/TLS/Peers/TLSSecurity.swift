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
        guard let trusted = TLS.Identity("conform test CA", usage: .authority),
            let intermediate = TLS.Identity(
                "conform test intermediate", issuer: trusted, usage: .authority),
            let untrusted = TLS.Identity("conform unknown CA", usage: .authority)
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

    /// Whether a message is close_notify.
    public func endsConnection(_ message: any DissectedMessage) -> Bool {
        guard let message = message as? TLS.Message else { return false }
        return message.name == "tls.Alert" && message.bytes.last == 0
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
        guard isServer || !settings.beginsPlain else {
            throw PeerError(.badSetting, "only a server has `starttls`")
        }
        guard let offer = TLS.Settings(isServer: isServer),
            try setVersions(of: offer, settings),
            settings.protocols.isEmpty || offer.setProtocols(settings.protocols)
        else { throw PeerError(.badSetting, "OpenSSL refuses the settings of tls") }
        if isServer {
            if settings.resumes == false, !offer.refuseResumption() { throw Self.noMemory }
            if let demand = settings.clientCertificate,
                !offer.ask(for: trusted, isRequired: demand == .require)
            {
                throw Self.noMemory
            }
        } else if settings.resumes == true {
            offer.resume()
        }
        if isServer || settings.hasCertificate {
            let (identity, chain) = try made(settings.certificate)
            guard offer.use(identity, chain: chain) else { throw Self.noMemory }
        }
        return Channels.Offer(settings: settings, offer: offer, isServer: isServer)
    }

    private static let noMemory = PeerError(.badSetting, "OpenSSL refuses the settings of tls")

    /// Limits versions and cipher suites; a suite has a meaning in some versions only.
    private func setVersions(
        of offer: TLS.Settings, _ settings: TLSPeerSettings
    ) throws(PeerError) -> Bool {
        guard !settings.suites.isEmpty else {
            return settings.versions.map(offer.setVersions) ?? true
        }
        var (before13, of13): ([String], [String]) = ([], [])
        for name in settings.suites {
            guard let own = TLS.ownName(ofSuite: name) else {
                throw PeerError(
                    .badSetting, "OpenSSL does not have the cipher suite \"\(name)\"",
                    advice: "write its registered name, such as TLS_AES_128_GCM_SHA256")
            }
            if name.contains("_WITH_") { before13.append(own) } else { of13.append(own) }
        }
        let versions =
            settings.versions
            ?? (before13.isEmpty ? 0x0304 : 0x0301)...(of13.isEmpty ? 0x0303 : 0x0304)
        return offer.setVersions(versions)
            && offer.setSuites(
                before13: before13.isEmpty ? "ALL" : before13.joined(separator: ":"),
                of13: of13.joined(separator: ":"))
    }

    /// Creates a certificate with those that lead to its issuer.
    private func made(
        _ certificate: TLSPeerSettings.Certificate
    ) throws(PeerError) -> (TLS.Identity, chain: [TLS.Identity]) {
        var issuer: TLS.Identity? =
            switch certificate.issuer {
            case .trusted: trusted
            case .untrusted: untrusted
            case .itself: nil
            }
        var chain: [TLS.Identity] = []
        switch certificate.intermediate {
        case .none: break
        case .sent: (issuer, chain) = (intermediate, [intermediate])
        case .missing: issuer = intermediate
        case .unauthorised:
            guard let owner = TLS.Identity("owner.example", issuer: trusted) else {
                throw Self.noMemory
            }
            (issuer, chain) = (owner, [owner])
        }
        guard
            let identity = TLS.Identity(
                certificate.commonName, names: certificate.names,
                validity: certificate.validity, issuer: issuer, usage: certificate.usage,
                isRSA: certificate.isRSA)
        else {
            throw PeerError(
                .badSetting, "OpenSSL refuses the names \(certificate.names)",
                advice: "write DNS:example.com or IP:192.0.2.1")
        }
        return (identity, chain)
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
    /// Whether TLS has not begun.
    private var isPlain: Bool

    init(_ end: TLS.Endpoint, _ offer: Channels.Offer) {
        self.end = end
        settings = offer.settings
        isServer = offer.isServer
        isPlain = offer.settings.beginsPlain
    }

    func begin() -> [UInt8] { isServer ? [] : end.begin() }

    func receive(_ bytes: [UInt8]) -> (plain: [UInt8], output: [UInt8]) {
        if isPlain, TLS.recognises(bytes.span.bytes) == false { return (bytes, []) }
        isPlain = false
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

    func send(_ plain: [UInt8]) -> [UInt8]? {
        if isPlain { return plain }
        return hasFailed ? nil : end.send(plain)
    }

    func close() -> [UInt8] { settings.omitsCloseNotify || isPlain ? [] : end.close() }

    func takeKeys() -> [UInt8] { end.takeKeys() }
}
