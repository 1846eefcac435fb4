import PeerKit
import Wire

/// A head unit's data of one app: the current data, and the data that a resumption restores.
///
/// It follows sdl_core: commands, sub menus, choice sets, subscriptions and windows outlive the
/// session, and so do persistent files; the displayed content does not.
struct AppMemory: Sendable, Hashable {
    /// The key by which an app is identified.
    struct Key: Sendable, Hashable {
        /// The identifier that the app gives itself.
        let appID: String
        /// The vehicle; each vehicle keeps its own data.
        let vehicle: String
    }

    /// A command or a sub menu.
    struct MenuItem: Sendable, Hashable {
        /// The sub menu that contains it; 0 for the main menu.
        var parent: Int64
        /// The text on the screen; `nil` for a command that is only spoken.
        var name: String?
        /// The voice commands.
        var vrCommands: [String] = []
        /// The names of files that it shows as images.
        var images: [String] = []
    }

    /// A file that the app has uploaded.
    struct File: Sendable, Hashable {
        var type: String
        var isPersistent: Bool
    }

    /// The commands by `cmdID`.
    var commands: [Int64: MenuItem] = [:]
    /// The sub menus by `menuID`.
    var subMenus: [Int64: MenuItem] = [:]
    /// The choices by `interactionChoiceSetID`.
    var choiceSets: [Int64: [Value]] = [:]
    /// The subscriptions, to buttons, vehicle data and others, such as `button OK`.
    var subscriptions: Set<String> = []
    /// The window names by `windowID`.
    var windows: [Int64: String] = [:]
    /// The files by name.
    var files: [String: File] = [:]
    /// The file that SetAppIcon named.
    var icon: String?
    /// The parameters of every Show so far, merged: the templates of all windows.
    var shown: Value = .object([])
    /// The hash with which this data can be resumed; `nil` if the app was given none.
    var hashID: String?

    /// Returns the data after the end of a session; `keepingShown` keeps the displayed content.
    func afterSession(keepingShown: Bool) -> AppMemory {
        var kept = self
        if !keepingShown { kept.shown = .object([]) }
        kept.files = files.filter(\.value.isPersistent)
        return kept
    }

    /// Returns the data after a new start of the app: only persistent files remain.
    func afterNewStart() -> AppMemory {
        var kept = AppMemory()
        kept.files = files.filter(\.value.isPersistent)
        kept.icon = icon.flatMap { kept.files[$0] == nil ? nil : $0 }
        return kept
    }

    /// The files that commands, sub menus and choices show as images.
    var imagesOfItems: Set<String> {
        Set(commands.values.flatMap(\.images) + subMenus.values.flatMap(\.images))
            .union(choiceSets.values.joined().flatMap(\.dynamicImages))
    }

    /// The `cmdID` of the first command, which is the lowest one.
    var firstCommand: Int64? { commands.keys.min() }

    /// The id of the first soft button that is shown.
    var firstSoftButton: Int64? {
        shown["softButtons"]?.arrayValue?.first?["softButtonID"]?.integerValue
    }

    /// Returns the id of the first choice of a choice set.
    func firstChoice(of set: Int64?) -> Int64? {
        set.flatMap { choiceSets[$0] }?.first?["choiceID"]?.integerValue
    }
}

extension Value {
    /// The names of uploaded images anywhere in these parameters.
    var dynamicImages: [String] {
        switch self {
        case .object(let members):
            if self["imageType"] == "DYNAMIC", let name = self["value"]?.stringValue {
                return [name]
            }
            return members.flatMap(\.value.dynamicImages)
        case .array(let elements):
            return elements.flatMap(\.dynamicImages)
        default:
            return []
        }
    }
}
