import Wire

/// One piece of text that a head unit speaks, as in the RPC specification's `TTSChunk`.
public struct TTSChunk: Sendable, Hashable {
    /// What is spoken.
    public var text: String
    /// The notation of `text`, such as `TEXT` or `SAPI_PHONEMES`.
    public var type: String = "TEXT"

    /// The chunk as an RPC parameter.
    public var value: Value { ["text": .string(text), "type": .string(type)] }
}

/// The changes that a delegate requests for a language.
///
/// SDL-0054 calls them `SDLLifecycleConfigurationUpdate`.
///
/// A member that is `nil` is not applied.
public struct LifecycleUpdate: Sendable, Hashable {
    /// The app's name.
    public var appName: String?
    /// The name for small displays.
    public var shortAppName: String?
    /// The spoken name.
    public var ttsName: [TTSChunk]?
    /// The words that select the app by voice.
    public var voiceRecognitionCommandNames: [String]?

    /// The update in the form of the configuration document.
    public var value: Value {
        .object([
            Value.Member("appName", .text(appName)),
            Value.Member("shortAppName", .text(shortAppName)),
            Value.Member("ttsName", .list(ttsName?.map(\.value))),
            Value.Member(
                "voiceRecognitionCommandNames",
                .list(voiceRecognitionCommandNames?.map(Value.string))),
        ])
    }
}

/// The app's answers about languages (SDL-0054, `manager:willUpdateLifecycleToLanguage:`).
public enum LifecycleDelegate: Sendable, Hashable {
    /// The optional method is not implemented.
    case notImplemented
    /// The method is implemented; a language that is not a key gets no update.
    case implemented([String: LifecycleUpdate])

    /// Whether the delegate implements the method.
    public var isImplemented: Bool { self != .notImplemented }

    /// Returns the delegate's update for a language; `nil` for no update.
    public func update(to language: String) -> LifecycleUpdate? {
        switch self {
        case .notImplemented: nil
        case .implemented(let updates): updates[language]
        }
    }

    /// The delegate in the form of the configuration document.
    public var value: Value {
        switch self {
        case .notImplemented:
            return ["willUpdateLifecycle": "absent"]
        case .implemented(let updates):
            let members = updates.sorted { $0.key < $1.key }
                .map { Value.Member($0.key, $0.value.value) }
            return ["willUpdateLifecycle": .object(members)]
        }
    }
}

extension Value {
    /// Returns the text, or null if it is `nil`.
    static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

    /// Returns the elements, or null if they are `nil`.
    static func list(_ elements: [Value]?) -> Value { elements.map(Value.array) ?? .null }
}
