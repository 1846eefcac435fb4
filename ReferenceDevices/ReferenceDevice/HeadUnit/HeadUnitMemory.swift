import SDL
import Wire

/// The data that a head unit keeps of an app after its session: its items and its level.
struct HeadUnitMemory: Sendable, Hashable {
    /// The hash that was last sent to the app for what it has set; `nil` before the first.
    var hashID: String?
    /// The items that it has set, such as `command 7`.
    var items: Set<String> = []
    /// Whether the user had brought it to the foreground.
    var isInFront = false
    /// How often its data was restored.
    var returns = 0

    /// Returns the item that a request adds or removes; `nil` if it changes nothing that is kept.
    static func change(by request: SDL.RPC) -> (item: String, isAdded: Bool)? {
        guard let kind = kinds.first(where: { request.functionName.hasSuffix($0.function) }),
            let number = request.parameters[kind.parameter]?.integerValue
        else { return nil }
        return ("\(kind.function) \(number)", !request.functionName.hasPrefix("Delete"))
    }

    /// The part that outlives the process.
    var kept: Value {
        [
            "hashID": hashID.map(Value.string) ?? .null,
            "items": .array(items.sorted().map(Value.string)),
        ]
    }

    /// Creates the data of an app that is not known yet.
    init() {}

    /// Creates the data of an app from what was stored before a restart.
    init(kept: Value) {
        hashID = kept["hashID"]?.stringValue
        items = Set((kept["items"]?.arrayValue ?? []).compactMap(\.stringValue))
    }

    private static let kinds: [(function: String, parameter: String)] = [
        ("Command", "cmdID"), ("SubMenu", "menuID"),
        ("InteractionChoiceSet", "interactionChoiceSetID"),
    ]
}
