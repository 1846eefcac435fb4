import Wire

extension ScreenManager {
    /// One request of the manager.
    enum Step: Sendable, Hashable {
        case show(Show)
        case listFiles
        case putFile(Artwork)
        case deleteCell(MenuCell)
        case addCell(MenuCell, MenuPlace)
        case deleteVoiceCommand(VoiceCommand)
        case addVoiceCommand(VoiceCommand)
        case createChoice(ChoiceCell)
        /// Numbers of choice sets.
        case performInteraction([Int])
    }

    /// A partial update of the template.
    struct Show: Sendable, Hashable {
        var fields: [ScreenField: ScreenValue] = [:]
        var softButtons: [SoftButtonObject]?
    }

    /// The app's files on the head unit.
    struct Files: Sendable {
        /// Names from ListFiles, and names of files uploaded in this session.
        var available: Set<String> = []
        /// Whether ListFiles was answered in this session.
        var isListed = false
        /// Names of files that the head unit has refused.
        var failed: Set<String> = []

        /// Whether the image must be uploaded before it can be used.
        func lacks(_ artwork: Artwork) -> Bool {
            !artwork.isStatic && !available.contains(artwork.name)
        }
    }

    /// An item that the head unit has refused.
    struct RefusedItem: Sendable, Hashable {
        let kind: DataKind
        let signature: Value
        let field: ScreenField?
        let parent: Int

        init(
            _ kind: DataKind, _ signature: Value, field: ScreenField? = nil, parent: Int = 0
        ) {
            self.kind = kind
            self.signature = signature
            self.field = field
            self.parent = parent
        }

        /// Whether the developer sets it again.
        func isTouched(by data: ManagersData) -> Bool {
            switch kind {
            case .softButtons: data.softButtonObjects != nil
            case .menu: data.menu != nil
            case .voiceCommands: data.voiceCommands != nil
            case .choices: data.preloadedChoices != nil
            case .textFields, .mediaTrack, .graphics, .alignment, .metadataTypes:
                field.map { data.screen[$0] != nil } ?? false
            }
        }
    }

    /// The last numbers assigned, so that none is assigned twice in a session.
    struct Numbers: Sendable {
        /// The number before the first one of a voice command; numbers of menu cells are lower.
        static let voiceCommandBase = 1_900_000_000

        var command: Int
        var voiceCommand: Int
        var softButton: Int
        var choice: Int

        init(_ held: ManagersData) {
            command = (held.menu ?? []).numbers.max() ?? 0
            voiceCommand = (held.voiceCommands ?? []).map(\.id).max() ?? Numbers.voiceCommandBase
            softButton = (held.softButtonObjects ?? []).map(\.id).max() ?? 0
            choice = (held.preloadedChoices ?? []).map(\.id).max() ?? 0
        }

        mutating func next(_ counter: WritableKeyPath<Numbers, Int>) -> Int {
            self[keyPath: counter] += 1
            return self[keyPath: counter]
        }
    }

    /// The numbers that the head unit has from an earlier session.
    struct ResumedNumbers: Sendable {
        let commands: Set<Int>
        let softButtons: Set<Int>

        init(_ held: ManagersData) {
            commands = Set((held.menu ?? []).numbers + (held.voiceCommands ?? []).map(\.id))
            softButtons = Set((held.softButtonObjects ?? []).map(\.id))
        }
    }
}

extension [SoftButtonObject] {
    /// The signature of all buttons: they are one array of Show and compared as a whole.
    var signature: Value { .array(map(\.signature)) }
}
