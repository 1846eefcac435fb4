import PeerKit
import Wire

/// The setting `tls` of a peer, as a suite writes it; see `PeerDeclaration.tlsField`.
struct TLSPeerSettings {
    /// The certificate of a server.
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
        /// Whether an intermediate authority has signed it.
        var hasIntermediate = false
        /// Whether the certificate of that authority is sent.
        var sendsIntermediate = false

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
            if let word = value?["issuer"]?.stringValue {
                guard let issuer = Issuer(rawValue: word) else {
                    throw PeerError(.badSetting, "\"\(word)\" is not an issuer")
                }
                self.issuer = issuer
            }
            switch value?["validity"]?.stringValue {
            case "expired": validity = -2 * Self.day...(-Self.day)
            case "future": validity = Self.day...2 * Self.day
            default: break
            }
            switch value?["intermediate"]?.stringValue {
            case "sent": (hasIntermediate, sendsIntermediate) = (true, true)
            case "missing": hasIntermediate = true
            default: break
            }
        }
    }

    /// The name of the setting with what holds from the second connection on.
    static let later = "later"

    let certificate: Certificate
    let versions: ClosedRange<UInt16>?
    let protocols: [String]
    let serverName: String
    /// The number of the alert with which a ClientHello is answered.
    let alert: UInt8?
    /// Whether it never answers.
    let stalls: Bool
    let omitsCloseNotify: Bool

    init(_ value: Value) throws(PeerError) {
        certificate = try Certificate(value["certificate"])
        let numbers = (value["versions"]?.arrayValue ?? []).compactMap { version -> UInt16? in
            let text = version.stringValue ?? version.numberValue.map { "\($0)" } ?? ""
            return ["1.0", "1.1", "1.2", "1.3"].firstIndex(of: text).map { 0x0301 + UInt16($0) }
        }
        versions = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
        protocols = (value["alpn"]?.arrayValue ?? []).compactMap(\.stringValue)
        serverName = value["server_name"]?.stringValue ?? ""
        stalls = value["stall"] == true
        omitsCloseNotify = value["close_notify"] == false
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
