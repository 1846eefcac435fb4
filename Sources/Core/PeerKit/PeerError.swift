import SuiteLanguage
import Wire

/// The error for a request that a peer cannot carry out, with the reason and advice.
public struct PeerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable, Hashable {
        /// The suite names an unknown kind of peer.
        case unknownKind = "unknown-peer-kind"
        /// The kind of peer has no such setting.
        case unknownSetting = "unknown-setting"
        /// The value of a setting is invalid.
        case badSetting = "bad-setting"
        /// The kind of peer has no such action.
        case unknownAction = "unknown-action"
        /// The argument of an action is invalid.
        case badArgument = "bad-argument"
        /// The protocol has no such message, or the peer cannot send it.
        case unknownMessage = "unknown-message"
        /// The message has no such field, or it cannot be replaced.
        case unknownField = "unknown-field"
        /// A field's value cannot be put on the wire.
        case badField = "bad-field"
        /// The device has no connection to the peer.
        case noConnection = "no-connection"
        /// The connection has no session yet.
        case noSession = "no-session"
        /// A socket could not be opened, bound or listened on.
        case cannotListen = "cannot-listen"
        /// A connection to the device could not be attempted.
        case cannotCall = "cannot-call"
        /// A limit was reached before it was decided what to answer.
        case undecided
    }

    /// The kind of error.
    public let code: Code
    /// The error as a phrase.
    public let detail: String
    /// Advice as a phrase; empty if there is none.
    public let advice: String

    /// Creates an error.
    public init(_ code: Code, _ detail: String, advice: String = "") {
        self.code = code
        self.detail = detail
        self.advice = advice
    }

    /// The error in the form `detail; advice [code]`.
    public var description: String {
        "\(detail)\(advice.isEmpty ? "" : "; \(advice)") [\(code.rawValue)]"
    }
}

extension PeerError {
    /// Returns the error for an argument of an action that takes none.
    package static func takesNoArgument(_ action: String, of peer: String) -> PeerError {
        PeerError(
            .badArgument, "\(action) takes no argument", advice: "write `do: \(peer).\(action)`")
    }

    /// Returns the error for an unknown action.
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - kind: The kind of peer.
    ///   - title: The name of the kind in a sentence, such as `a head unit`.
    package static func unknownAction(_ action: String, of kind: PeerKind, _ title: String)
        -> PeerError
    {
        let known = kind.actions.map(\.name)
        return PeerError(
            .unknownAction, "\(title) has no action \"\(action)\"",
            advice: Suggestion.advice(for: action, in: known))
    }
}
