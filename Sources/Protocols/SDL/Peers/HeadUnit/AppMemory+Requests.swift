import PeerKit
import Wire

/// The changes that accepted requests make.
extension AppMemory {
    /// Stores the effect of a request that was answered with success.
    ///
    /// - Returns: Whether a Show changed anything; `false` for all other requests.
    mutating func consume(_ function: String, _ parameters: Value) -> Bool {
        switch function {
        case "AddCommand", "AddSubMenu", "DeleteCommand", "DeleteSubMenu":
            changeMenu(function, parameters)
        case "CreateInteractionChoiceSet":
            guard let id = parameters["interactionChoiceSetID"]?.integerValue else { break }
            choiceSets[id] = parameters["choiceSet"]?.arrayValue ?? []
        case "DeleteInteractionChoiceSet":
            choiceSets[parameters["interactionChoiceSetID"]?.integerValue ?? -1] = nil
        case "CreateWindow":
            guard let id = parameters["windowID"]?.integerValue else { break }
            windows[id] = parameters["windowName"]?.stringValue ?? ""
        case "DeleteWindow":
            windows[parameters["windowID"]?.integerValue ?? -1] = nil
        case "PutFile", "DeleteFile", "SetAppIcon":
            changeFiles(function, parameters)
        case "Show":
            let before = shown
            shown = shown.showing(parameters)
            return shown != before
        default:
            changeSubscriptions(function, parameters)
        }
        return false
    }

    private mutating func changeMenu(_ function: String, _ parameters: Value) {
        let command = parameters["cmdID"]?.integerValue
        let menu = parameters["menuID"]?.integerValue
        switch (function, command, menu) {
        case ("AddCommand", let id?, _):
            commands[id] = MenuItem(command: parameters)
        case ("AddSubMenu", _, let id?):
            subMenus[id] = MenuItem(subMenu: parameters)
        case ("DeleteCommand", let id?, _):
            commands[id] = nil
        case ("DeleteSubMenu", _, let id?):
            removeSubMenu(id)
        default:
            break
        }
    }

    private mutating func removeSubMenu(_ id: Int64) {
        subMenus[id] = nil
        commands = commands.filter { $0.value.parent != id }
        for inner in subMenus.filter({ $0.value.parent == id }).keys { removeSubMenu(inner) }
    }

    private mutating func changeFiles(_ function: String, _ parameters: Value) {
        guard let name = parameters["syncFileName"]?.stringValue else { return }
        switch function {
        case "PutFile" where parameters["systemFile"] != true:
            files[name] = File(
                type: parameters["fileType"]?.stringValue ?? "BINARY",
                isPersistent: parameters["persistentFile"] == true)
        case "DeleteFile":
            files[name] = nil
            if icon == name { icon = nil }
        case "SetAppIcon":
            icon = name
        default:
            break
        }
    }

    private mutating func changeSubscriptions(_ function: String, _ parameters: Value) {
        let names = Self.subscriptions(in: function, parameters)
        if function.hasPrefix("Unsubscribe") || parameters["subscribe"] == false {
            subscriptions.subtract(names)
        } else {
            subscriptions.formUnion(names)
        }
    }

    /// Returns the items that a request subscribes to or unsubscribes from; empty for others.
    static func subscriptions(in function: String, _ parameters: Value) -> [String] {
        switch function {
        case "SubscribeButton", "UnsubscribeButton":
            parameters["buttonName"]?.stringValue.map { ["button \($0)"] } ?? []
        case "SubscribeVehicleData", "UnsubscribeVehicleData":
            (parameters.objectValue ?? []).filter { $0.value == true }.map { "vehicle \($0.name)" }
        case "SubscribeWayPoints", "UnsubscribeWayPoints":
            ["way points"]
        case "GetInteriorVehicleData" where parameters["subscribe"] != nil:
            ["module \(parameters["moduleType"]?.stringValue ?? "")"]
        case "GetAppServiceData" where parameters["subscribe"] != nil:
            ["service \(parameters["serviceType"]?.stringValue ?? "")"]
        default:
            []
        }
    }
}

extension AppMemory.MenuItem {
    fileprivate init(command parameters: Value) {
        self.init(
            parent: parameters["menuParams"]?["parentID"]?.integerValue ?? 0,
            name: parameters["menuParams"]?["menuName"]?.stringValue,
            vrCommands: parameters["vrCommands"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            images: parameters.dynamicImages)
    }

    fileprivate init(subMenu parameters: Value) {
        self.init(
            parent: parameters["parentID"]?.integerValue ?? 0,
            name: parameters["menuName"]?.stringValue, images: parameters.dynamicImages)
    }
}

extension Value {
    /// Returns the displayed parameters after another Show: its parameters replace earlier ones.
    fileprivate func showing(_ parameters: Value) -> Value {
        var members = objectValue ?? []
        for member in parameters.objectValue ?? [] {
            // The metadata of a text field stays until it is replaced.
            let value =
                member.name == "metadataTags"
                ? (self["metadataTags"] ?? .object([])).merging(member.value) : member.value
            if let index = members.firstIndex(where: { $0.name == member.name }) {
                members[index].value = value
            } else {
                members.append(.init(member.name, value))
            }
        }
        return .object(members)
    }
}
