import Wire

/// What a head unit knows of one app's data: what is there now, and what a resumption brings back.
///
/// As sdl_core keeps it: commands, sub menus, choice sets, global properties, subscriptions and
/// windows outlive the session, and so do persistent files; what is shown does not.
struct AppMemory: Sendable, Hashable {
    /// Under what an app is known.
    struct Key: Sendable, Hashable {
        /// The app's own name for itself.
        let appID: String
        /// The vehicle; another one remembers other apps.
        let vehicle: String
    }

    /// A command, or a sub menu.
    struct MenuItem: Sendable, Hashable {
        /// The sub menu that it is in; 0 for the main menu.
        var parent: Int64
        /// What the user reads; `nil` for a command that is only spoken.
        var name: String?
        /// What the user says.
        var vrCommands: [String] = []
        /// Names of files that it shows.
        var images: [String] = []
    }

    /// A file that the app has put.
    struct File: Sendable, Hashable {
        var type: String
        var isPersistent: Bool
    }

    /// By `cmdID`.
    var commands: [Int64: MenuItem] = [:]
    /// By `menuID`.
    var subMenus: [Int64: MenuItem] = [:]
    /// The choices by `interactionChoiceSetID`.
    var choiceSets: [Int64: [Value]] = [:]
    /// What SetGlobalProperties has set.
    var globalProperties: Value = .object([])
    /// Buttons, vehicle data and whatever else is subscribed to: `button OK`.
    var subscriptions: Set<String> = []
    /// Names by `windowID`.
    var windows: [Int64: String] = [:]
    /// Files by name.
    var files: [String: File] = [:]
    /// The file that SetAppIcon named.
    var icon: String?
    /// The parameters of every Show so far, merged: the templates of all windows.
    var shown: Value = .object([])
    /// The hash under which this can be had again; `nil` if the app was told none.
    var hashID: String?

    /// What the end of a session leaves; what is shown only if a hash stands for it too.
    func afterSession(keepingShown: Bool) -> AppMemory {
        var kept = self
        if !keepingShown { kept.shown = .object([]) }
        kept.files = files.filter(\.value.isPersistent)
        return kept
    }

    /// What is left when everything but the files goes: a new start of the app.
    func afterNewStart() -> AppMemory {
        var kept = AppMemory()
        kept.files = files.filter(\.value.isPersistent)
        kept.icon = icon.flatMap { kept.files[$0] == nil ? nil : $0 }
        return kept
    }

    /// The files that commands, sub menus and choices show.
    var imagesOfItems: Set<String> {
        Set(commands.values.flatMap(\.images) + subMenus.values.flatMap(\.images))
            .union(choiceSets.values.joined().flatMap(\.dynamicImages))
    }

    /// The parameters that tell of the first command: the one with the lowest `cmdID`.
    var firstCommand: Int64? { commands.keys.min() }

    /// The first soft button that is shown.
    var firstSoftButton: Int64? {
        shown["softButtons"]?.arrayValue?.first?["softButtonID"]?.integerValue
    }

    /// The first choice of a choice set.
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
