import Suites
import Wire

/// Something that a peer was asked to do and cannot: what, why, and what to do instead.
public struct PeerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Code: String, Sendable, Hashable {
        /// The suite names a kind of peer that there is not.
        case unknownKind = "unknown-peer-kind"
        /// The kind of peer has no such setting.
        case unknownSetting = "unknown-setting"
        /// A setting's value is not one that it takes.
        case badSetting = "bad-setting"
        /// The kind of peer has no such action.
        case unknownAction = "unknown-action"
        /// An action's argument is not what it takes.
        case badArgument = "bad-argument"
        /// The protocol has no such message, or the peer cannot send it.
        case unknownMessage = "unknown-message"
        /// The message has no such field, or it cannot be replaced.
        case unknownField = "unknown-field"
        /// A field's value cannot be put on the wire.
        case badField = "bad-field"
        /// The device holds no connection to the peer.
        case noConnection = "no-connection"
        /// The connection has no session yet.
        case noSession = "no-session"
        /// A socket could not be opened, bound or listened on.
        case cannotListen = "cannot-listen"
        /// A connection to the device could not be attempted.
        case cannotCall = "cannot-call"
    }

    /// What kind of fault it is.
    public let code: Code
    /// What is wrong, as a phrase.
    public let detail: String
    /// What to do about it, as a phrase; empty if there is nothing to say.
    public let advice: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String, advice: String = "") {
        self.code = code
        self.detail = detail
        self.advice = advice
    }

    /// `detail; advice [code]`.
    public var description: String {
        "\(detail)\(advice.isEmpty ? "" : "; \(advice)") [\(code.rawValue)]"
    }
}

extension PeerError {
    /// An action has got an argument and takes none.
    static func takesNoArgument(_ action: String, of peer: String) -> PeerError {
        PeerError(
            .badArgument, "\(action) takes no argument", advice: "write `do: \(peer).\(action)`")
    }

    /// There is no such action.
    ///
    /// - Parameters:
    ///   - action: Its name.
    ///   - kind: The kind of peer.
    ///   - title: What the kind is called in a sentence, such as `a head unit`.
    static func unknownAction(_ action: String, of kind: PeerKind, _ title: String) -> PeerError {
        let known = kind.actions.map(\.name)
        return PeerError(
            .unknownAction, "\(title) has no action \"\(action)\"",
            advice: Suggestion.advice(for: action, in: known))
    }
}
