import Wire

/// Data of the screen manager: set by the developer, held by the head unit, or waiting.
///
/// The names of the document's keys are those of `SDLResumptionManager` (SDL-0183).
public struct ManagersData: Sendable, Hashable {
    /// The template data; a field without a value is left unchanged.
    public var screen: [ScreenField: ScreenValue] = [:]
    /// The soft buttons; left unchanged if `nil`.
    public var softButtonObjects: [SoftButtonObject]?
    /// The menu; left unchanged if `nil`.
    public var menu: [MenuCell]?
    /// The voice commands; left unchanged if `nil`.
    public var voiceCommands: [VoiceCommand]?
    /// The choices that can be offered without delay; left unchanged if `nil`.
    public var preloadedChoices: [ChoiceCell]?

    /// Creates data that changes nothing.
    public init() {}

    /// The keys of a document in addition to the fields of the template.
    enum Key: String, CaseIterable {
        case softButtonObjects, menu, voiceCommands, preloadedChoices
    }

    /// Whether the data changes nothing.
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

    /// Returns the data without one kind of data.
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

    /// Returns the part of the data that other data does not change.
    func untouched(by other: ManagersData) -> ManagersData {
        var rest = self
        rest.screen = screen.filter { other.screen[$0.key] == nil }
        if other.softButtonObjects != nil { rest.softButtonObjects = nil }
        if other.menu != nil { rest.menu = nil }
        if other.voiceCommands != nil { rest.voiceCommands = nil }
        if other.preloadedChoices != nil { rest.preloadedChoices = nil }
        return rest
    }

    /// Applies the changes of other data.
    mutating func apply(_ other: ManagersData) {
        screen.merge(other.screen) { _, new in new }
        softButtonObjects = other.softButtonObjects ?? softButtonObjects
        menu = other.menu ?? menu
        voiceCommands = other.voiceCommands ?? voiceCommands
        preloadedChoices = other.preloadedChoices ?? preloadedChoices
    }
}

/// The actions of the developer's delegate when it is notified of data to resume.
///
/// SDL-0183 calls the method `dataDidResumeWithResumptionManager:`.
public struct ResumptionDelegate: Sendable, Hashable {
    /// Requests that it sends at once.
    public var send = Handler(requests: [])
    /// Paths into the waiting data; the values become the lines of one Alert.
    public var inspect: [FieldPath] = []
    /// The data that is set in the resumed session; `nil` for the configured data.
    public var set: ManagersData?

    /// Creates a delegate that does nothing.
    public init() {}

    /// The delegate in the form of the configuration document.
    var value: Value {
        var members = [
            Value.Member("send", send.value),
            Value.Member("inspect", .array(inspect.map { .string($0.description) })),
        ]
        if let set { members.append(Value.Member("set", set.value(.configuration))) }
        return .object(members)
    }
}
