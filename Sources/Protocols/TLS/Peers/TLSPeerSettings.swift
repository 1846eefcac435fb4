import PeerKit
import Wire

/// The setting `tls` of a peer, as a suite writes it; see `PeerDeclaration.tlsField`.
struct TLSPeerSettings {
    /// The certificate of a server, or of a client that has one.
    struct Certificate {
        enum Issuer: String {
            case trusted
            case untrusted
            case itself = "self"
        }

        var commonName = "localhost"
        var names = local
        var issuer = Issuer.trusted
        /// In seconds from now.
        var validity: ClosedRange<Int64> = -day...day
        /// What stands between it and its issuer.
        var intermediate = Intermediate.none
        var usage = TLS.Identity.Usage.both
        var isRSA = false

        enum Intermediate: String {
            case none
            /// An intermediate authority, whose certificate is sent.
            case sent
            /// An intermediate authority, whose certificate is not sent.
            case missing
            /// The owner of a valid certificate, who is not an authority; it is sent.
            case unauthorised
        }

        /// The names of the machine itself.
        static let local = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
        private static let day: Int64 = 86_400

        init(_ value: Value?) throws(PeerError) {
            if let names = value?["names"]?.arrayValue {
                self.names = names.compactMap(\.stringValue)
                let first = self.names.first { $0.hasPrefix("DNS:") }?.dropFirst(4)
                // A common name has at most 64 characters (RFC 5280 appendix A.1).
                commonName = first.flatMap { $0.utf8.count <= 64 ? String($0) : nil } ?? "conform"
            }
            if let name = value?["common_name"]?.stringValue { commonName = name }
            issuer = try read(value?["issuer"], "issuer") ?? issuer
            intermediate = try read(value?["intermediate"], "intermediate") ?? intermediate
            usage = try read(value?["usage"], "usage") ?? usage
            isRSA = value?["key"] == "rsa"
            switch value?["validity"]?.stringValue {
            case "expired": validity = -2 * Self.day...(-Self.day)
            case "future": validity = Self.day...2 * Self.day
            default: break
            }
        }
    }

    /// How a server asks for the certificate of a client.
    enum ClientCertificate: String {
        case request
        case require
    }

    /// The name of the setting with what holds from the second connection on.
    static let later = "later"

    let certificate: Certificate
    /// Whether a client has it.
    let hasCertificate: Bool
    /// `nil` if a server asks for none.
    let clientCertificate: ClientCertificate?
    /// Whether sessions are resumed.
    let resumes: Bool?
    let versions: ClosedRange<UInt16>?
    let suites: [String]
    let protocols: [String]
    let serverName: String
    /// The number of the alert with which a ClientHello is answered.
    let alert: UInt8?
    /// Whether it never answers.
    let stalls: Bool
    let omitsCloseNotify: Bool
    /// Whether the connection begins without TLS, until the device sends a ClientHello.
    let beginsPlain: Bool

    init(_ value: Value) throws(PeerError) {
        certificate = try Certificate(value["certificate"])
        hasCertificate = value["certificate"] != nil
        clientCertificate = try read(value["client_certificate"], "client_certificate")
        resumes = value["resume"]?.boolValue
        suites = (value["suites"]?.arrayValue ?? []).compactMap(\.stringValue)
        let numbers = (value["versions"]?.arrayValue ?? []).compactMap { version -> UInt16? in
            let text = version.stringValue ?? version.numberValue.map { "\($0)" } ?? ""
            return ["1.0", "1.1", "1.2", "1.3"].firstIndex(of: text).map { 0x0301 + UInt16($0) }
        }
        versions = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
        protocols = (value["alpn"]?.arrayValue ?? []).compactMap(\.stringValue)
        serverName = value["server_name"]?.stringValue ?? ""
        stalls = value["stall"] == true
        omitsCloseNotify = value["close_notify"] == false
        beginsPlain = value["starttls"] == true
        guard let word = value["alert"]?.stringValue else {
            alert = nil
            return
        }
        guard let number = TLS.alertNumber(word) else {
            throw PeerError(.badSetting, "TLS has no alert \"\(word)\"")
        }
        alert = number
    }
}

/// Reads a word of a setting; `nil` if it is not there.
private func read<Word: RawRepresentable<String>>(
    _ value: Value?, _ name: String
) throws(PeerError) -> Word? {
    guard let text = value?.stringValue else { return nil }
    guard let word = Word(rawValue: text) else {
        throw PeerError(.badSetting, "\"\(text)\" is not a value of `\(name)`")
    }
    return word
}
