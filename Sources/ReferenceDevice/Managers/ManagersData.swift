import Wire

/// Data of the screen manager: what the developer sets, what the head unit holds, or what waits.
///
/// The names of the document's keys are those of `SDLResumptionManager` (SDL-0183).
public struct ManagersData: Sendable, Hashable {
    /// The template data; a field that is not a key is not touched.
    public var screen: [ScreenField: ScreenValue] = [:]
    /// The soft buttons; not touched if `nil`.
    public var softButtonObjects: [SoftButtonObject]?
    /// The menu; not touched if `nil`.
    public var menu: [MenuCell]?
    /// The voice commands; not touched if `nil`.
    public var voiceCommands: [VoiceCommand]?
    /// The choices that can be offered without delay; not touched if `nil`.
    public var preloadedChoices: [ChoiceCell]?

    /// Makes data that touches nothing.
    public init() {}

    /// The keys of a document beside the fields of the template.
    enum Key: String, CaseIterable {
        case softButtonObjects, menu, voiceCommands, preloadedChoices
    }

    /// Whether nothing is touched.
    var isEmpty: Bool { self == ManagersData() }

    /// The data as a document.
    func value(_ form: DocumentForm) -> Value {
        var members = ScreenField.allCases.compactMap { field in
            screen[field].map { Value.Member(field.rawValue, $0.value(form)) }
        }
        for key in Key.allCases {
            if let list = value(of: key, form) { members.append(Value.Member(key.rawValue, list)) }
        }
        return .object(members)
    }

    private func value(of key: Key, _ form: DocumentForm) -> Value? {
        switch key {
        case .softButtonObjects: softButtonObjects.map { .array($0.map { $0.value(form) }) }
        case .menu: menu.map { .array($0.map { $0.value(form) }) }
        case .voiceCommands: voiceCommands.map { .array($0.map { $0.value(form) }) }
        case .preloadedChoices: preloadedChoices.map { .array($0.map { $0.value(form) }) }
        }
    }

    /// The data without one kind of it.
    func without(_ kind: DataKind) -> ManagersData {
        var rest = self
        switch kind {
        case .softButtons: rest.softButtonObjects = nil
        case .menu: rest.menu = nil
        case .voiceCommands: rest.voiceCommands = nil
        case .choices: rest.preloadedChoices = nil
        case .textFields, .mediaTrack, .graphics, .alignment, .metadataTypes:
            rest.screen = screen.filter { $0.key.kind != kind }
        }
        return rest
    }

    /// The data that other data does not touch.
    func untouched(by other: ManagersData) -> ManagersData {
        var rest = self
        rest.screen = screen.filter { other.screen[$0.key] == nil }
        if other.softButtonObjects != nil { rest.softButtonObjects = nil }
        if other.menu != nil { rest.menu = nil }
        if other.voiceCommands != nil { rest.voiceCommands = nil }
        if other.preloadedChoices != nil { rest.preloadedChoices = nil }
        return rest
    }

    /// Takes over what other data touches.
    mutating func apply(_ other: ManagersData) {
        screen.merge(other.screen) { _, new in new }
        softButtonObjects = other.softButtonObjects ?? softButtonObjects
        menu = other.menu ?? menu
        voiceCommands = other.voiceCommands ?? voiceCommands
        preloadedChoices = other.preloadedChoices ?? preloadedChoices
    }
}

/// What the developer's delegate does when it is told that data waits (SDL-0183,
/// `dataDidResumeWithResumptionManager:`).
public struct ResumptionDelegate: Sendable, Hashable {
    /// Requests that it sends at once.
    public var send = Handler([])
    /// Where it looks into the waiting data; what it finds goes into the lines of one Alert.
    public var inspect: [FieldPath] = []
    /// What is set in the resumed session in place of the configured data; the configured data if
    /// `nil`.
    public var set: ManagersData?

    /// Makes a delegate that does nothing.
    public init() {}

    /// The delegate as the configuration document writes it.
    var value: Value {
        var members = [
            Value.Member("send", send.value),
            Value.Member("inspect", .array(inspect.map { .string($0.description) })),
        ]
        if let set { members.append(Value.Member("set", set.value(.configuration))) }
        return .object(members)
    }
}
