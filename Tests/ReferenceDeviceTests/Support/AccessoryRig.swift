import ExternalAccessory

@testable import conform_device

/// An accessory, played by a test, for a setup.
struct PlayedAccessory: Sendable {
    /// The behaviour once its control session is open.
    enum Hub: Sendable {
        case index(UInt8)
        /// The first byte is followed by another.
        case indices(UInt8, UInt8)
        case silent, ends, refuses
    }

    /// The outcome of a data session.
    enum Fate: Sendable {
        case stands, refuses, silent, drops
    }

    var id: UInt32 = 1
    /// The declared strings by their short names.
    ///
    /// The short names are M, C, L, and a number for a dedicated channel. Any other string is used
    /// unchanged.
    var declares: [String]
    var hub = Hub.index(5)
    var data = Fate.stands

    var accessory: ExternalAccessory.Accessory {
        ExternalAccessory.Accessory(
            id: id, name: "Played \(id)", protocols: declares.map(Self.string))
    }

    private static func string(_ short: String) -> String {
        switch short {
        case "M": "com.smartdevicelink.multisession"
        case "C": "com.smartdevicelink.prot0"
        case "L": "com.ford.sync.prot0"
        default: short.allSatisfy(\.isNumber) ? "com.smartdevicelink.prot\(short)" : short
        }
    }

    static func short(_ string: String) -> String {
        switch string {
        case "com.smartdevicelink.multisession": "M"
        case "com.smartdevicelink.prot0": "C"
        case "com.ford.sync.prot0": "L"
        default: string.split(separator: "prot").last.map(String.init) ?? string
        }
    }
}

/// A setup with accessories played by a test, and a simulated clock.
struct AccessoryRig {
    private(set) var setup: SessionSetup
    /// The events of sessions, oldest first.
    ///
    /// Examples: `open 1M` (accessory 1, multisession), `close control`, `connected`,
    /// `disconnected`.
    private(set) var history: [String] = []
    private(set) var events: [SetupEvent] = []
    private(set) var isConnected = false
    private var played: [PlayedAccessory] = []
    private var now = 0
    private var timer: Int?
    private var later: [(due: Int, input: SetupInput)] = []
    /// The accessories of the open sessions, by role.
    private(set) var open: [SessionRole: UInt32] = [:]

    init(
        _ mutant: SDLAppMutant? = nil, version: String = "9.3", retries: Int = 3,
        accessories: [PlayedAccessory] = []
    ) {
        var settings = AccessoryUse()
        settings.systemVersion = SystemVersion(version) ?? settings.systemVersion
        settings.createSessionRetries = retries
        settings.controlTimeout = 1000
        settings.sessionTimeout = 400
        setup = SessionSetup(settings: settings, mutant: mutant)
        played = accessories
        feed(.connect)
        feed(.ready(accessories.map(\.accessory)))
    }

    /// The requested sessions, as `1M`.
    var opens: [String] {
        history.compactMap { $0.hasPrefix("open ") ? String($0.dropFirst(5)) : nil }
    }

    mutating func feed(_ input: SetupInput) {
        switch input {
        case .refused(let role, _), .ended(let role, _): open[role] = nil
        default: break
        }
        for action in setup.handle(input) { perform(action) }
    }

    /// Connects an accessory and notifies the setup of it.
    mutating func connect(_ accessory: PlayedAccessory) {
        played.append(accessory)
        feed(.accessoryConnected(accessory.accessory))
    }

    mutating func disconnect(_ id: UInt32) {
        guard let index = played.firstIndex(where: { $0.id == id }) else { return }
        let gone = played.remove(at: index)
        feed(.accessoryDisconnected(gone.accessory))
    }

    /// Ends the data session from the accessory's side.
    mutating func drop() { feed(.ended(.data, "test")) }

    /// Lets time pass.
    mutating func run(for milliseconds: Int) {
        let end = now + milliseconds
        while true {
            let next = ([timer] + later.map(\.due)).compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = next
            if timer == next {
                timer = nil
                feed(.timerFired)
            } else if let index = later.firstIndex(where: { $0.due == next }) {
                feed(later.remove(at: index).input)
            }
        }
        now = end
    }

    private mutating func perform(_ action: SetupAction) {
        switch action {
        case .open(let role, let id, let string):
            history.append("open \(id)\(PlayedAccessory.short(string))")
            open[role] = id
            play(role, id)
        case .close(let role):
            history.append("close \(role.rawValue)")
            open[role] = nil
            later.removeAll { $0.input.role == role }
        case .startTimer(let milliseconds): timer = now + milliseconds
        case .stopTimer: timer = nil
        case .connected:
            history.append("connected")
            isConnected = true
        case .disconnected:
            history.append("disconnected")
            isConnected = false
            schedule(.connect, after: ConnectionRules.retryPause)
        case .log(let line): events.append(line.event)
        case .send, .deliver: break
        }
    }

    private mutating func schedule(_ input: SetupInput, after milliseconds: Int) {
        later.append((now + milliseconds, input))
    }

    private mutating func play(_ role: SessionRole, _ id: UInt32) {
        guard let accessory = played.first(where: { $0.id == id }) else {
            return schedule(.refused(role, "gone"), after: 1)
        }
        switch role {
        case .control: play(accessory.hub)
        case .data: play(accessory.data)
        }
    }

    private mutating func play(_ hub: PlayedAccessory.Hub) {
        if case .refuses = hub { return schedule(.refused(.control, "test"), after: 1) }
        schedule(.opened(.control, id: 1), after: 1)
        switch hub {
        case .index(let index): schedule(.received(.control, [index]), after: 2)
        case .indices(let first, let second):
            schedule(.received(.control, [first]), after: 2)
            schedule(.received(.control, [second]), after: 3)
        case .ends: schedule(.ended(.control, "test"), after: 2)
        case .silent, .refuses: break
        }
    }

    private mutating func play(_ fate: PlayedAccessory.Fate) {
        switch fate {
        case .refuses: schedule(.refused(.data, "test"), after: 1)
        case .silent: break
        case .stands: schedule(.opened(.data, id: 2), after: 1)
        case .drops:
            schedule(.opened(.data, id: 2), after: 1)
            schedule(.ended(.data, "test"), after: 2)
        }
    }
}

extension SetupInput {
    /// The session that the action is about.
    fileprivate var role: SessionRole? {
        switch self {
        case .opened(let role, _), .refused(let role, _), .received(let role, _),
            .ended(let role, _):
            role
        default: nil
        }
    }
}
