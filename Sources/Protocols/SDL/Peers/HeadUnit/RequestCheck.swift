import PeerKit
import SDL
import Wire

/// A head unit's check of a request against the app's data (sdl_core, `commands/`).
struct RequestCheck {
    /// An error in a request, or a warning about it.
    struct Objection: Hashable {
        let resultCode: String
        let info: String
        /// Whether the request is carried out anyway.
        var isWarning = false
    }

    private let memory: AppMemory
    private let parameters: Value

    /// Returns the head unit's objection to a request of a registered app; `nil` if there is none.
    static func objection(
        to request: SDL.RPC, of memory: AppMemory
    ) -> Objection? {
        if let violation = request.parameterViolations.first {
            return Objection(resultCode: "INVALID_DATA", info: violation.text)
        }
        return corruption(of: request)
            ?? RequestCheck(memory: memory, parameters: request.parameters)
            .objection(to: request.functionName)
    }

    /// Returns the objection to a file, or a part of one, whose checksum is wrong.
    ///
    /// PutFile.crc is the checksum of the data in the same request (RPC specification, PutFile).
    private static func corruption(of request: SDL.RPC) -> Objection? {
        guard request.functionName == "PutFile",
            let stated = request.parameters["crc"]?.integerValue
        else { return nil }
        let actual = FileChecksum.of(request.bulk)
        guard stated != Int64(actual) else { return nil }
        return Objection(
            resultCode: "CORRUPTED_DATA",
            info: "the crc is \(stated), that of the \(request.bulk.count) bytes is \(actual)")
    }

    private func objection(to function: String) -> Objection? {
        let refusal: Objection? =
            switch function {
            case "AddCommand": addCommand()
            case "AddSubMenu": addSubMenu()
            case "DeleteCommand": unknown(memory.commands.keys.contains, "cmdID")
            case "DeleteSubMenu": unknown(memory.subMenus.keys.contains, "menuID")
            case "CreateInteractionChoiceSet": createChoiceSet()
            case "DeleteInteractionChoiceSet":
                unknown(memory.choiceSets.keys.contains, "interactionChoiceSetID")
            case "PerformInteraction": performInteraction()
            case "DeleteFile", "SetAppIcon": file()
            case "SubscribeButton", "UnsubscribeButton", "SubscribeWayPoints",
                "UnsubscribeWayPoints":
                subscription(function)
            default: nil
            }
        return refusal ?? missingImage(function)
    }

    // MARK: - Menu

    private func addCommand() -> Objection? {
        let menu = parameters["menuParams"]
        let spoken = parameters["vrCommands"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if menu == nil, spoken.isEmpty {
            return Objection(
                resultCode: "INVALID_DATA", info: "neither menuParams nor vrCommands are there")
        }
        if let id = parameters["cmdID"]?.integerValue, memory.commands[id] != nil {
            return Objection(resultCode: "INVALID_ID", info: "the cmdID \(id) is in use")
        }
        if let menu {
            let parent = menu["parentID"]?.integerValue ?? 0
            if let objection = unknownParent(parent)
                ?? nameInUse(
                    menu["menuName"]?.stringValue, in: parent, memory.commands)
            {
                return objection
            }
        }
        let known = Set(memory.commands.values.flatMap(\.vrCommands).map { $0.lowercased() })
        return spoken.first { known.contains($0.lowercased()) }.map {
            Objection(resultCode: "DUPLICATE_NAME", info: "the VR command \"\($0)\" is in use")
        }
    }

    private func addSubMenu() -> Objection? {
        if let id = parameters["menuID"]?.integerValue, memory.subMenus[id] != nil {
            return Objection(resultCode: "INVALID_ID", info: "the menuID \(id) is in use")
        }
        let parent = parameters["parentID"]?.integerValue ?? 0
        return unknownParent(parent)
            ?? nameInUse(parameters["menuName"]?.stringValue, in: parent, memory.subMenus)
    }

    private func unknownParent(_ parent: Int64) -> Objection? {
        parent == 0 || memory.subMenus[parent] != nil
            ? nil : Objection(resultCode: "INVALID_ID", info: "there is no sub menu \(parent)")
    }

    private func nameInUse(
        _ name: String?, in parent: Int64, _ items: [Int64: AppMemory.MenuItem]
    ) -> Objection? {
        guard let name, items.values.contains(where: { $0.parent == parent && $0.name == name })
        else { return nil }
        return Objection(resultCode: "DUPLICATE_NAME", info: "the name \"\(name)\" is in use")
    }

    // MARK: - Choices

    private func createChoiceSet() -> Objection? {
        if let id = parameters["interactionChoiceSetID"]?.integerValue,
            memory.choiceSets[id] != nil
        {
            return Objection(
                resultCode: "INVALID_ID", info: "the interactionChoiceSetID \(id) is in use")
        }
        let choices = parameters["choiceSet"]?.arrayValue ?? []
        if Self.repeated(choices.compactMap { $0["choiceID"]?.integerValue }) {
            return Objection(resultCode: "INVALID_ID", info: "a choiceID stands twice")
        }
        let spoken = choices.flatMap {
            $0["vrCommands"]?.arrayValue?.compactMap(\.stringValue) ?? []
        }
        let names = choices.compactMap { $0["menuName"]?.stringValue }
        guard Self.repeated(names) || Self.repeated(spoken.map { $0.lowercased() }) else {
            return nil
        }
        return Objection(
            resultCode: "DUPLICATE_NAME", info: "a menuName or VR command stands twice")
    }

    private func performInteraction() -> Objection? {
        let sets = parameters["interactionChoiceSetIDList"]?.arrayValue ?? []
        return sets.compactMap(\.integerValue).first { memory.choiceSets[$0] == nil }.map {
            Objection(resultCode: "INVALID_ID", info: "there is no choice set \($0)")
        }
    }

    private static func repeated(_ values: [some Hashable]) -> Bool {
        Set(values).count < values.count
    }

    // MARK: - Files, images, subscriptions

    private func file() -> Objection? {
        guard let name = parameters["syncFileName"]?.stringValue, memory.files[name] == nil else {
            return nil
        }
        return Objection(resultCode: "INVALID_DATA", info: "there is no file \"\(name)\"")
    }

    private func missingImage(_ function: String) -> Objection? {
        guard let name = parameters.dynamicImages.first(where: { memory.files[$0] == nil }) else {
            return nil
        }
        return Objection(
            resultCode: "WARNINGS", info: "the image \"\(name)\" has not been put", isWarning: true)
    }

    private func subscription(_ function: String) -> Objection? {
        let names = AppMemory.subscriptions(in: function, parameters)
        let isWanted = function.hasPrefix("Subscribe")
        guard let name = names.first, memory.subscriptions.contains(name) == isWanted else {
            return nil
        }
        return Objection(
            resultCode: "IGNORED",
            info: isWanted ? "\(name) is subscribed to already" : "\(name) is not subscribed to")
    }

    private func unknown(_ isKnown: (Int64) -> Bool, _ name: String) -> Objection? {
        guard let id = parameters[name]?.integerValue, !isKnown(id) else { return nil }
        return Objection(resultCode: "INVALID_ID", info: "there is no \(name) \(id)")
    }
}
