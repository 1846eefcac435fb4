import Wire

/// Something that a manager sends as a whole and the head unit knows by a number.
protocol ManagedItem: Sendable, Hashable {
    /// The number under which the head unit knows the item; 0 before it is sent.
    var id: Int { get set }
    /// What happens when the item is activated.
    var handler: Handler? { get set }
    /// What must be equal for two items to be the same one: everything but number and handler.
    var signature: Value { get }
}

extension ManagedItem {
    /// Number and handler as a document of that form has them.
    fileprivate func ending(_ form: DocumentForm) -> [Value.Member] {
        switch form {
        case .configuration: handler.map { [Value.Member("handler", $0.value)] } ?? []
        case .archive: [Value.Member("id", .integer(Int64(id)))]
        }
    }
}

/// Members of a document, of which absent ones are left out.
private func members(_ pairs: [(String, Value?)]) -> [Value.Member] {
    pairs.compactMap { name, value in value.map { Value.Member(name, $0) } }
}

extension [String] {
    fileprivate var value: Value { .array(map(Value.string)) }
}

/// A cell of the app's menu (`SDLMenuCell`).
public struct MenuCell: ManagedItem {
    var id = 0
    /// What the cell says.
    public var title: String
    /// The image beside the title.
    public var icon: Artwork?
    /// The words that select the cell by voice.
    public var voiceCommands: [String]?
    /// The cells below; `nil` for a cell that is a command.
    public var subCells: [MenuCell]?
    /// What happens when the cell is chosen.
    public var handler: Handler?

    /// Makes a command.
    public init(_ title: String) { self.title = title }

    /// Whether the cell opens a menu of its own.
    var isSubMenu: Bool { subCells != nil }

    /// The cells below count for themselves.
    var signature: Value {
        .object(own(.archive) + [Value.Member("isSubMenu", .bool(isSubMenu))])
    }

    /// The signature with those of the cells below.
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

    /// The cell as a document writes it.
    func value(_ form: DocumentForm) -> Value {
        let below = subCells.map { Value.array($0.map { $0.value(form) }) }
        return .object(own(form) + members([("subCells", below)]) + ending(form))
    }
}

/// Words that the user can say at any time (`SDLVoiceCommand`).
public struct VoiceCommand: ManagedItem {
    var id = 0
    /// The words, each of which means the same.
    public var voiceCommands: [String]
    /// What happens when they are said.
    public var handler: Handler?

    /// Makes a command of these words.
    public init(_ voiceCommands: [String]) { self.voiceCommands = voiceCommands }

    var signature: Value { ["voiceCommands": voiceCommands.value] }

    /// The command as a document writes it.
    func value(_ form: DocumentForm) -> Value {
        .object([Value.Member("voiceCommands", voiceCommands.value)] + ending(form))
    }
}

/// A choice that can be offered to the user (`SDLChoiceCell`).
public struct ChoiceCell: ManagedItem {
    var id = 0
    /// What the choice says.
    public var text: String
    /// The second line.
    public var secondaryText: String?
    /// The third line.
    public var tertiaryText: String?
    /// The words that select the choice by voice.
    public var voiceCommands: [String]?
    /// The image beside the text.
    public var artwork: Artwork?
    /// The second image.
    public var secondaryArtwork: Artwork?
    /// What happens when it is chosen.
    public var handler: Handler?

    /// Makes a choice without images.
    public init(_ text: String) { self.text = text }

    /// Cells are the same by texts, image names and voice commands (SDL-0183, `preloadedChoices`).
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

    /// The choice as a document writes it.
    func value(_ form: DocumentForm) -> Value { .object(own(form) + ending(form)) }
}

/// A soft button with its states (`SDLSoftButtonObject`).
public struct SoftButtonObject: ManagedItem {
    /// One look of a soft button (`SDLSoftButtonState`).
    public struct State: Sendable, Hashable {
        /// What the developer calls the state.
        public var name: String
        /// What the button says; nothing for a button that is an image alone.
        public var text: String?
        /// The image on the button.
        public var artwork: Artwork?

        /// Makes a state.
        public init(_ name: String, text: String? = nil, artwork: Artwork? = nil) {
            self.name = name
            self.text = text
            self.artwork = artwork
        }

        fileprivate func value(_ form: DocumentForm) -> Value {
            .object(
                members([
                    ("name", .string(name)), ("text", text.map(Value.string)),
                    ("artwork", artwork?.value(form)),
                ]))
        }
    }

    var id = 0
    /// What the developer calls the button.
    public var name: String
    /// Its states, at least one.
    public var states: [State]
    /// The name of the state that is shown.
    public var state: String
    /// What happens when it is pressed.
    public var handler: Handler?

    /// Makes a button; the first state is shown unless told otherwise.
    public init(_ name: String, states: [State], state: String? = nil) {
        self.name = name
        self.states = states
        self.state = state ?? states.first?.name ?? ""
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

    /// The button as a document writes it.
    func value(_ form: DocumentForm) -> Value { .object(own(form) + ending(form)) }
}
