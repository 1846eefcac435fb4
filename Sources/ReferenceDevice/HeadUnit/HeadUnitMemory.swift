import SDL
import Wire

/// What a head unit keeps of an app after its session: what the app has set, and its level.
struct HeadUnitMemory: Sendable, Hashable {
    /// The hash that the app was told last for what it has set; `nil` before the first.
    var hashID: String?
    /// What it has set: `command 7`.
    var items: Set<String> = []
    /// Whether the user had brought it to the front.
    var isInFront = false
    /// How often it was brought back.
    var returns = 0

    /// What a request adds or takes away; `nil` if it changes nothing that is kept.
    static func change(by request: SDL.RPC) -> (item: String, isAdded: Bool)? {
        guard let kind = kinds.first(where: { request.functionName.hasSuffix($0.function) }),
            let number = request.parameters[kind.parameter]?.integerValue
        else { return nil }
        return ("\(kind.function) \(number)", !request.functionName.hasPrefix("Delete"))
    }

    /// What of it outlives the process.
    var kept: Value {
        [
            "hashID": hashID.map(Value.string) ?? .null,
            "items": .array(items.sorted().map(Value.string)),
        ]
    }

    /// Makes what is kept of an app that nothing is known of.
    init() {}

    /// Makes what an earlier life has kept of an app.
    init(kept: Value) {
        hashID = kept["hashID"]?.stringValue
        items = Set((kept["items"]?.arrayValue ?? []).compactMap(\.stringValue))
    }

    private static let kinds: [(function: String, parameter: String)] = [
        ("Command", "cmdID"), ("SubMenu", "menuID"),
        ("InteractionChoiceSet", "interactionChoiceSetID"),
    ]
}
