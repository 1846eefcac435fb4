import COpenSSL
import Glibc

/// How the session client authenticates the server of its TLS connections; mutants differ here.
public final class SessionTrust {
    private let authorities: String
    private let mutant: SessionClientMutant?
    private var connections = 0
    private var latest: TLSClient?
    /// Whether a handshake has failed.
    private var hasFailed = false

    private init(_ authorities: String, _ mutant: SessionClientMutant?) {
        self.authorities = authorities
        self.mutant = mutant
    }

    /// Returns the trust in the authorities that `CONFORM_CA` names; `nil` without TLS.
    ///
    /// - Throws: `UsageError` if the file has no certificates, so that it would go without TLS.
    public static func ofEnvironment(
        mutant: SessionClientMutant?
    ) throws(UsageError) -> SessionTrust? {
        guard let value = getenv("CONFORM_CA") else { return nil }
        let trust = SessionTrust(String(cString: value), mutant)
        guard TLSClient(trust.trust) != nil else {
            throw UsageError("CONFORM_CA \"\(trust.authorities)\" has no certificates")
        }
        return trust
    }

    /// Returns the TLS of the next connection; `nil` if a mutant goes without.
    public func next() -> TLSClient? {
        hasFailed = hasFailed || latest?.isFinished == false
        connections += 1
        latest = protects ? TLSClient(trust) : nil
        return latest
    }

    /// Whether it connects again.
    private var isAgain: Bool { connections > 1 }

    private var protects: Bool {
        switch mutant {
        case .noProtectionAgain: !isAgain
        case .noProtectionAfterRefusal: !hasFailed
        default: true
        }
    }

    private var trust: TLSClient.Trust {
        var trust = TLSClient.Trust(authorities: authorities, name: "localhost")
        trust.leniencies = leniencies
        trust.acceptsOldVersions = mutant == .oldVersions || mutant == .oldVersionsAgain && isAgain
        trust.endsProperly = mutant != .noCloseNotify
        return trust
    }

    private var leniencies: Int32 {
        switch mutant {
        case .noName: CONFORM_TLS_ANY_NAME
        case .noNameAgain where isAgain: CONFORM_TLS_ANY_NAME
        case .noNameAfterRefusal where hasFailed: CONFORM_TLS_ANY_NAME
        case .commonName: CONFORM_TLS_COMMON_NAME
        case .commonNameAgain where isAgain: CONFORM_TLS_COMMON_NAME
        case .noTime: CONFORM_TLS_ANY_TIME
        case .noTimeAgain where isAgain: CONFORM_TLS_ANY_TIME
        case .noTimeAfterRefusal where hasFailed: CONFORM_TLS_ANY_TIME
        case .selfSigned: CONFORM_TLS_SELF_SIGNED
        case .selfSignedAgain where isAgain: CONFORM_TLS_SELF_SIGNED
        case .selfSignedAfterRefusal where hasFailed: CONFORM_TLS_SELF_SIGNED
        case .anyIssuer: CONFORM_TLS_ANY_ISSUER
        case .anyIssuerAgain where isAgain: CONFORM_TLS_ANY_ISSUER
        case .anyIssuerAfterRefusal where hasFailed: CONFORM_TLS_ANY_ISSUER
        case .anyUsage: CONFORM_TLS_ANY_USAGE
        case .anyUsageAgain where isAgain: CONFORM_TLS_ANY_USAGE
        case .anyUsageAfterRefusal where hasFailed: CONFORM_TLS_ANY_USAGE
        case .noVerification: Self.everything
        case .noVerificationAgain where isAgain: Self.everything
        case .noVerificationAfterRefusal where hasFailed: Self.everything
        default: 0
        }
    }

    private static let everything =
        CONFORM_TLS_ANY_NAME | CONFORM_TLS_ANY_TIME | CONFORM_TLS_ANY_USAGE
        | CONFORM_TLS_SELF_SIGNED | CONFORM_TLS_ANY_ISSUER
}
