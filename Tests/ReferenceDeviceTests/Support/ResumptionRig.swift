import SDL
import Wire

@testable import conform_device

/// An app with data for its managers and a head unit that keeps it, over several lives of the app.
///
/// The head unit answers each request at once, sends a new hash after each change, and keeps a
/// record of its commands.
struct ResumptionRig {
    var rig: AppRig
    let mutant: SDLAppMutant?
    /// The model name of the head unit.
    var model = "Bench"
    /// The last hash that the head unit has sent.
    private(set) var hash: String?
    private var hashCount = 0
    /// Whether requests that change something are followed by OnHashChange.
    var tellsHashes = true
    /// Functions that the head unit refuses.
    var refuses: Set<String> = []
    /// The number of messages that have been handled.
    private var answered = 0
    /// The index of the first message of the current session.
    private var sessionStart = 0

    init(_ data: ManagersData?, mutant: SDLAppMutant? = nil, delegate: ResumptionDelegate? = nil) {
        self.mutant = mutant
        rig = AppRig(Self.configuration(data, delegate), mutant: mutant)
    }

    static func configuration(
        _ data: ManagersData?, _ delegate: ResumptionDelegate? = nil, appID: String = "app"
    ) -> LifecycleConfiguration {
        LifecycleConfiguration().with {
            $0.appID = appID
            $0.managers = data
            $0.show = .nothing
            $0.resumptionDelegate = delegate
        }
    }

    // MARK: Sessions

    /// Runs a whole session, until the managers have nothing left to send.
    mutating func session(resultCode: String = "SUCCESS") {
        open(resultCode: resultCode)
        enterFull()
    }

    /// Opens a session up to the response to the registration.
    mutating func open(resultCode: String = "SUCCESS") {
        sessionStart = rig.sent.count
        answered = rig.sent.count
        rig.startSession(model: model)
        guard rig.requests("RegisterAppInterface").isEmpty == false else { return }
        rig.answer(
            "RegisterAppInterface",
            [
                "success": true, "resultCode": .string(resultCode), "language": "EN-US",
                "hmiDisplayLanguage": "EN-US",
                "syncMsgVersion": ["majorVersion": 8, "minorVersion": 0],
            ])
        answered = rig.sent.count
    }

    mutating func enterFull() {
        rig.enter(level: "FULL")
        settle()
    }

    /// Answers all requests until the app is quiet.
    ///
    /// An app that never becomes quiet gets no more answers.
    mutating func settle() {
        let changing: Set<String> = [
            "AddCommand", "AddSubMenu", "DeleteCommand", "DeleteSubMenu",
            "CreateInteractionChoiceSet",
        ]
        let mostMessages = 1000
        while answered < rig.sent.count, answered < mostMessages {
            let message = rig.sent[answered]
            answered += 1
            guard case .rpc(let rpc) = message.content, rpc.type == .request,
                rpc.functionName != "RegisterAppInterface"
            else { continue }
            let isRefused = refuses.contains(rpc.functionName)
            rig.send(
                .response, rpc.functionName, id: rpc.correlationID,
                [
                    "success": .bool(!isRefused),
                    "resultCode": isRefused ? "REJECTED" : "SUCCESS",
                ])
            if changing.contains(rpc.functionName), !isRefused, tellsHashes { tellHash() }
        }
    }

    mutating func tellHash(_ text: String? = nil) {
        hashCount += 1
        let new = text ?? "hash-\(hashCount)"
        hash = new
        rig.notify("OnHashChange", ["hashID": .string(new)])
    }

    /// Starts a new process of the app with the files of the old one.
    mutating func restart(
        _ data: ManagersData? = nil, delegate: ResumptionDelegate? = nil, appID: String = "app"
    ) {
        let data = data ?? rig.app.configuration.managers
        rig = AppRig(
            Self.configuration(data, delegate, appID: appID), mutant: mutant,
            archives: rig.archives)
    }

    mutating func loseLink() { rig.feed(.disconnected("test")) }

    /// Drops the link and restarts the app.
    mutating func lifeAfterLoss(
        _ data: ManagersData? = nil, delegate: ResumptionDelegate? = nil, appID: String = "app"
    ) {
        loseLink()
        restart(data, delegate: delegate, appID: appID)
    }

    // MARK: Observations

    /// The requests of this session except its registration.
    var requests: [SDL.RPC] {
        rig.sent.dropFirst(sessionStart).compactMap {
            guard case .rpc(let rpc) = $0.content, rpc.type == .request,
                rpc.functionName != "RegisterAppInterface"
            else { return nil }
            return rpc
        }
    }

    var functions: [String] { requests.map(\.functionName) }

    func parameters(_ function: String) -> [Value] {
        requests.filter { $0.functionName == function }.map(\.parameters)
    }

    /// The hash of the last registration.
    var sentHash: Value? { rig.registrations.last?["hashID"] }

    /// Returns the number under which the head unit has the first item of a function's requests.
    func number(_ function: String, _ path: String) -> Int64? {
        FieldPath(path).flatMap { parameters(function).first?[$0]?.integerValue }
    }
}

extension ManagersData {
    /// Data of every covered kind.
    static var everything: ManagersData {
        var data = ManagersData()
        data.screen = [
            .textField1: .text("one"), .textField2: .text("two"), .textField3: .text("three"),
            .textField4: .text("four"), .mediaTrackTextField: .text("track"),
            .primaryGraphic: .artwork(Artwork(name: "primary.png")),
            .secondaryGraphic: .artwork(Artwork(name: "secondary.png")),
            .textAlignment: .text("LEFT_ALIGNED"), .textField1Type: .text("mediaTitle"),
            .textField2Type: .text("mediaArtist"),
        ]
        data.softButtonObjects = [.like]
        data.menu = .stations
        data.voiceCommands = [
            VoiceCommand(voiceCommands: ["help", "help me"]), VoiceCommand(voiceCommands: ["next"]),
        ]
        data.preloadedChoices = [.one, ChoiceCell(text: "Two")]
        return data
    }

    func with(_ change: (inout ManagersData) -> Void) -> ManagersData {
        var copy = self
        change(&copy)
        return copy
    }

    static func screen(_ fields: [ScreenField: ScreenValue]) -> ManagersData {
        ManagersData().with { $0.screen = fields }
    }

    static func menu(_ cells: [MenuCell]) -> ManagersData {
        ManagersData().with { $0.menu = cells }
    }

    static func choices(_ cells: [ChoiceCell]) -> ManagersData {
        ManagersData().with { $0.preloadedChoices = cells }
    }

    /// The data with a handler on each item, which reports the kind of the item.
    var withHandlers: ManagersData {
        with {
            $0.menu = $0.menu?.map { $0.handled("menu") }
            $0.voiceCommands = $0.voiceCommands?.map { $0.handled("voice") }
            $0.softButtonObjects = $0.softButtonObjects?.map { $0.handled("button") }
            $0.preloadedChoices = $0.preloadedChoices?.map { $0.handled("choice") }
        }
    }
}

extension ManagedItem {
    func handled(_ text: String) -> Self {
        var copy = self
        copy.handler = Handler(requests: [.init("Alert", ["alertText1": .string(text)])])
        return copy
    }
}

extension MenuCell {
    func with(_ change: (inout MenuCell) -> Void) -> MenuCell {
        var copy = self
        change(&copy)
        return copy
    }

    func handled(_ text: String) -> MenuCell {
        with {
            $0.handler = Handler(requests: [.init("Alert", ["alertText1": .string(text)])])
            $0.subCells = $0.subCells?.map { $0.handled(text) }
        }
    }
}

extension [MenuCell] {
    static var stations: [MenuCell] {
        [
            MenuCell(title: "About").with { $0.voiceCommands = ["about"] },
            MenuCell(title: "Stations").with {
                $0.icon = Artwork(name: "stations.png")
                $0.subCells = [MenuCell(title: "Rock"), MenuCell(title: "Jazz")]
            },
            MenuCell(title: "Quit").with { $0.icon = Artwork(name: "quit.png") },
        ]
    }
}

extension ChoiceCell {
    static var one: ChoiceCell {
        var cell = ChoiceCell(text: "One")
        cell.artwork = Artwork(name: "one.png")
        cell.voiceCommands = ["one"]
        return cell
    }

    func with(_ change: (inout ChoiceCell) -> Void) -> ChoiceCell {
        var copy = self
        change(&copy)
        return copy
    }
}

extension SoftButtonObject {
    static var like: SoftButtonObject {
        SoftButtonObject(
            "like",
            states: [
                State(name: "off", text: "Like", artwork: Artwork(name: "like.png")),
                State(name: "on", text: "Liked"),
            ])
    }
}
