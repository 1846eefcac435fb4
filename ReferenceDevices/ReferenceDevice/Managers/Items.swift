import Wire

/// An item that a manager sends as a whole and that has a number on the head unit.
protocol ManagedItem: Sendable, Hashable {
    /// The item's number on the head unit; 0 before it is sent.
    var id: Int { get set }
    /// The handler for the item's activation.
    var handler: Handler? { get set }
    /// The properties that identify an item: everything but number and handler.
    var signature: Value { get }
}

extension ManagedItem {
    /// Returns number or handler as a document of that form contains them.
    fileprivate func ending(_ form: DocumentForm) -> [Value.Member] {
        switch form {
        case .configuration: handler.map { [Value.Member("handler", $0.value)] } ?? []
        case .archive: [Value.Member("id", .integer(Int64(id)))]
        }
    }
}

/// Returns members of a document, without those that are `nil`.
private func members(_ pairs: [(String, Value?)]) -> [Value.Member] {
    pairs.compactMap { name, value in value.map { Value.Member(name, $0) } }
}

extension [String] {
    fileprivate var value: Value { .array(map(Value.string)) }
}

/// A cell of the app's menu (`SDLMenuCell`).
public struct MenuCell: ManagedItem {
    var id = 0
    /// The text of the cell.
    public var title: String
    /// The image next to the title.
    public var icon: Artwork?
    /// The words that select the cell by voice.
    public var voiceCommands: [String]?
    /// The cells below; `nil` for a cell that is a command.
    public var subCells: [MenuCell]?
    /// The handler for the choice of the cell.
    public var handler: Handler?

    /// Whether the cell opens a menu of its own.
    var isSubMenu: Bool { subCells != nil }

    /// The signature, without the cells below, which have their own.
    var signature: Value {
        .object(own(.archive) + [Value.Member("isSubMenu", .bool(isSubMenu))])
    }

    /// The signature together with those of the cells below.
    var deepSignature: Value {
        [
            "cell": signature,
            "below": .array((subCells ?? []).map(\.deepSignature)),
        ]
    }

    private func own(_ form: DocumentForm) -> [Value.Member] {
        members([
            ("title", .string(title)), ("icon", icon?.value(form)),
            ("voiceCommands", voiceCommands?.value),
        ])
    }

    /// Returns the cell in the form of a document.
    func value(_ form: DocumentForm) -> Value {
        let below = subCells.map { Value.array($0.map { $0.value(form) }) }
        return .object(own(form) + members([("subCells", below)]) + ending(form))
    }
}

/// Words that the user can say at any time (`SDLVoiceCommand`).
public struct VoiceCommand: ManagedItem {
    var id = 0
    /// The words, all with the same meaning.
    public var voiceCommands: [String]
    /// The handler for the spoken words.
    public var handler: Handler?

    var signature: Value { ["voiceCommands": voiceCommands.value] }

    /// Returns the command in the form of a document.
    func value(_ form: DocumentForm) -> Value {
        .object([Value.Member("voiceCommands", voiceCommands.value)] + ending(form))
    }
}

/// A choice that can be offered to the user (`SDLChoiceCell`).
public struct ChoiceCell: ManagedItem {
    var id = 0
    /// The text of the choice.
    public var text: String
    /// The second line.
    public var secondaryText: String?
    /// The third line.
    public var tertiaryText: String?
    /// The words that select the choice by voice.
    public var voiceCommands: [String]?
    /// The image next to the text.
    public var artwork: Artwork?
    /// The second image.
    public var secondaryArtwork: Artwork?
    /// The handler for the choice of the cell.
    public var handler: Handler?

    /// The signature: texts, image names and voice commands (SDL-0183, `preloadedChoices`).
    var signature: Value { .object(own(.archive)) }

    private func own(_ form: DocumentForm) -> [Value.Member] {
        members([
            ("text", .string(text)), ("secondaryText", secondaryText.map(Value.string)),
            ("tertiaryText", tertiaryText.map(Value.string)),
            ("voiceCommands", voiceCommands?.value),
            ("artwork", artwork?.value(form)),
            ("secondaryArtwork", secondaryArtwork?.value(form)),
        ])
    }

    /// Returns the choice in the form of a document.
    func value(_ form: DocumentForm) -> Value { .object(own(form) + ending(form)) }
}

/// A soft button with its states (`SDLSoftButtonObject`).
public struct SoftButtonObject: ManagedItem {
    /// One appearance of a soft button (`SDLSoftButtonState`).
    public struct State: Sendable, Hashable {
        /// The developer's name for the state.
        public var name: String
        /// The text of the button; `nil` for a button with only an image.
        public var text: String?
        /// The image on the button.
        public var artwork: Artwork?

        fileprivate func value(_ form: DocumentForm) -> Value {
            .object(
                members([
                    ("name", .string(name)), ("text", text.map(Value.string)),
                    ("artwork", artwork?.value(form)),
                ]))
        }
    }

    var id = 0
    /// The developer's name for the button.
    public var name: String
    /// Its states, at least one.
    public var states: [State]
    /// The name of the state that is shown.
    public var state: String
    /// The handler for a press of the button.
    public var handler: Handler?

    /// Creates a button; the first state is shown by default.
    public init(_ name: String, states: [State]) {
        self.name = name
        self.states = states
        state = states.first?.name ?? ""
    }

    /// The state that is shown.
    var current: State? { states.first { $0.name == state } }

    var signature: Value { .object(own(.archive)) }

    private func own(_ form: DocumentForm) -> [Value.Member] {
        [
            Value.Member("name", .string(name)), Value.Member("state", .string(state)),
            Value.Member("states", .array(states.map { $0.value(form) })),
        ]
    }

    /// Returns the button in the form of a document.
    func value(_ form: DocumentForm) -> Value { .object(own(form) + ending(form)) }
}
