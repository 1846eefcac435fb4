import Wire

/// A request of the manager in the form of the RPC specification.
struct StepRequest: Sendable, Hashable {
    let function: String
    let parameters: Value
    var bulk: [UInt8] = []

    /// - Parameter sendsChecksum: Whether the head unit supports `PutFile.crc` (since RPC 5.0).
    init(_ step: ScreenManager.Step, sendsChecksum: Bool) {
        switch step {
        case .show(let show): self.init("Show", show.parameters)
        case .listFiles: self.init("ListFiles", [])
        case .putFile(let artwork): self.init(uploading: artwork, sendsChecksum)
        case .deleteCell(let cell) where cell.isSubMenu:
            self.init("DeleteSubMenu", [("menuID", .integer(Int64(cell.id)))])
        case .deleteCell(let cell):
            self.init("DeleteCommand", [("cmdID", .integer(Int64(cell.id)))])
        case .addCell(let cell, let place): self.init(adding: cell, at: place)
        case .deleteVoiceCommand(let command):
            self.init("DeleteCommand", [("cmdID", .integer(Int64(command.id)))])
        case .addVoiceCommand(let command):
            self.init(
                "AddCommand",
                [
                    ("cmdID", .integer(Int64(command.id))),
                    ("vrCommands", .array(command.voiceCommands.map(Value.string))),
                ])
        case .createChoice(let choice): self.init(creating: choice)
        case .performInteraction(let ids):
            self.init(
                "PerformInteraction",
                [
                    ("initialText", "Choose"), ("interactionMode", "MANUAL_ONLY"),
                    ("interactionChoiceSetIDList", .array(ids.map { .integer(Int64($0)) })),
                ])
        }
    }

    private init(_ function: String, _ parameters: [(String, Value?)]) {
        self.function = function
        self.parameters = .object(
            parameters.compactMap { name, value in value.map { Value.Member(name, $0) } })
    }

    private init(uploading artwork: Artwork, _ sendsChecksum: Bool) {
        let contents = artwork.contents
        self.init(
            "PutFile",
            [
                ("syncFileName", .string(artwork.name)), ("fileType", .string(artwork.fileType)),
                ("persistentFile", .bool(artwork.isPersistent)), ("offset", 0),
                ("length", .integer(Int64(contents.count))),
                ("crc", sendsChecksum ? .integer(Int64(CRC32.of(contents))) : nil),
            ])
        bulk = contents
    }

    private init(adding cell: MenuCell, at place: MenuPlace) {
        let id = Value.integer(Int64(cell.id))
        let position = Value.integer(Int64(place.position))
        let parent = place.parent == 0 ? nil : Value.integer(Int64(place.parent))
        guard !cell.isSubMenu else {
            self.init(
                "AddSubMenu",
                [
                    ("menuID", id), ("position", position), ("menuName", .string(cell.title)),
                    ("menuIcon", cell.icon?.image), ("parentID", parent),
                ])
            return
        }
        let place = StepRequest(
            "", [("parentID", parent), ("position", position), ("menuName", .string(cell.title))])
        self.init(
            "AddCommand",
            [
                ("cmdID", id), ("menuParams", place.parameters),
                ("vrCommands", cell.voiceCommands.map { .array($0.map(Value.string)) }),
                ("cmdIcon", cell.icon?.image),
            ])
    }

    private init(creating choice: ChoiceCell) {
        let own = StepRequest(
            "",
            [
                ("choiceID", .integer(Int64(choice.id))), ("menuName", .string(choice.text)),
                ("vrCommands", choice.voiceCommands.map { .array($0.map(Value.string)) }),
                ("image", choice.artwork?.image),
                ("secondaryText", choice.secondaryText.map(Value.string)),
                ("tertiaryText", choice.tertiaryText.map(Value.string)),
                ("secondaryImage", choice.secondaryArtwork?.image),
            ])
        self.init(
            "CreateInteractionChoiceSet",
            [
                ("interactionChoiceSetID", .integer(Int64(choice.id))),
                ("choiceSet", [own.parameters]),
            ])
    }
}

extension ScreenManager.Show {
    /// The parameters of Show: only what has changed.
    fileprivate var parameters: [(String, Value?)] {
        let own = ScreenField.allCases.compactMap { field in
            fields[field].map { (field, $0.parameter(of: field)) }
        }
        let tags = own.filter { $0.0.kind == .metadataTypes }
            .map { Value.Member($0.0.parameter, $0.1) }
        return own.filter { $0.0.kind != .metadataTypes }.map { ($0.0.parameter, $0.1) }
            + [
                ("metadataTags", tags.isEmpty ? nil : .object(tags)),
                ("softButtons", softButtons.map { .array($0.map(\.parameter)) }),
            ]
    }
}

extension SoftButtonObject {
    /// The button in its current state as `SoftButton` of the RPC specification.
    fileprivate var parameter: Value {
        let image = current?.artwork?.image
        let text = current?.text ?? (image == nil ? name : nil)
        let type = image == nil ? "TEXT" : text == nil ? "IMAGE" : "BOTH"
        var members = [Value.Member("type", .string(type))]
        if let text { members.append(Value.Member("text", .string(text))) }
        if let image { members.append(Value.Member("image", image)) }
        members.append(Value.Member("softButtonID", .integer(Int64(id))))
        members.append(Value.Member("systemAction", "DEFAULT_ACTION"))
        return .object(members)
    }
}

/// The checksum of PutFile: CRC-32 as in ISO 3309.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        let table = table
        var value = ~UInt32(0)
        for byte in bytes { value = value >> 8 ^ table[Int((value ^ UInt32(byte)) & 0xFF)] }
        return ~value
    }
}
