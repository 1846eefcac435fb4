import Wire

/// One piece of text that a head unit speaks, as in the RPC specification's `TTSChunk`.
public struct TTSChunk: Sendable, Hashable {
    /// What is spoken.
    public var text: String
    /// How `text` is written: `TEXT`, `SAPI_PHONEMES` and the like.
    public var type: String

    /// Makes a chunk; plain text unless told otherwise.
    public init(_ text: String, type: String = "TEXT") {
        self.text = text
        self.type = type
    }

    /// The chunk as an RPC parameter.
    public var value: Value { ["text": .string(text), "type": .string(type)] }
}

/// What a delegate wants changed for a language (SDL-0054, `SDLLifecycleConfigurationUpdate`).
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

    /// The update as the configuration document writes it.
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

/// What the app answers when it is asked about a language (SDL-0054,
/// `manager:willUpdateLifecycleToLanguage:`).
public enum LifecycleDelegate: Sendable, Hashable {
    /// The optional method is not implemented.
    case notImplemented
    /// The method is implemented; a language that is not a key gets no update.
    case implemented([String: LifecycleUpdate])

    /// Whether the delegate can be asked.
    public var isImplemented: Bool { self != .notImplemented }

    /// What the delegate returns for a language; `nil` for no update.
    public func update(to language: String) -> LifecycleUpdate? {
        switch self {
        case .notImplemented: nil
        case .implemented(let updates): updates[language]
        }
    }

    /// The delegate as the configuration document writes it.
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
    /// The text, or null where there is none.
    static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

    /// The elements, or null where there are none.
    static func list(_ elements: [Value]?) -> Value { elements.map(Value.array) ?? .null }
}
