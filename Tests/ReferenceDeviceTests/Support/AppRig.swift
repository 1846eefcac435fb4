import SDL
import Wire

@testable import conform_device

/// An app and the head unit that a test plays for it; all messages pass as real bytes.
struct AppRig {
    private(set) var app: SDLAppLifecycle
    /// The messages that the app has sent, oldest first.
    private(set) var sent: [SDL.Message] = []
    /// The actions that the app has requested, oldest first.
    private(set) var actions: [LifecycleAction] = []
    /// The files of the app, which its later lives find.
    var archives: [ArchiveKey: ArchiveReading] = [:]
    private var headUnit = SDL.Encoder(version: 1)
    private var fromApp = SDL.StreamDecoder()
    private var fromHeadUnit = SDL.StreamDecoder()
    private var appOffset: UInt64 = 0
    private var headUnitOffset: UInt64 = 0

    init(
        _ configuration: LifecycleConfiguration = .init(), mutant: SDLAppMutant? = nil,
        archives: [ArchiveKey: ArchiveReading] = [:]
    ) {
        app = SDLAppLifecycle(
            configuration: configuration, mutant: mutant, headUnitAddress: "192.0.2.1")
        self.archives = archives
        feed(.started)
    }

    mutating func feed(_ input: LifecycleInput) {
        let new = app.handle(input)
        actions += new
        for case .send(let bytes) in new {
            var messages: [StreamMessage] = []
            fromApp.consume(bytes.span.bytes, at: appOffset, into: &messages)
            appOffset += UInt64(bytes.count)
            sent += messages.compactMap { $0.content as? SDL.Message }
        }
        for action in new { keep(action) }
    }

    /// Stores the files of the process.
    private mutating func keep(_ action: LifecycleAction) {
        switch action {
        case .readArchive(let key): feed(.archiveRead(archives[key] ?? ArchiveReading.none))
        case .storeArchive(let key, let bytes): archives[key] = .bytes(bytes)
        case .removeArchive(let key): archives[key] = nil
        default: break
        }
    }

    private mutating func receive(_ bytes: [UInt8]) {
        var messages: [StreamMessage] = []
        fromHeadUnit.consume(bytes.span.bytes, at: headUnitOffset, into: &messages)
        headUnitOffset += UInt64(bytes.count)
        for message in messages.compactMap({ $0.content as? SDL.Message }) {
            feed(.received(message))
        }
    }

    // MARK: The head unit

    mutating func control(
        _ frame: SDL.ControlFrame, service: SDL.ServiceType = .rpc,
        _ parameters: Value = .object([])
    ) {
        receive(headUnit.encode(frame, service: service, parameters: parameters))
    }

    mutating func notify(_ function: String, _ parameters: Value) {
        send(.notification, function, id: -1, parameters)
    }

    /// Answers the latest request of that function.
    mutating func answer(_ function: String, _ parameters: Value) {
        guard let request = requests(function).last else { return }
        send(.response, function, id: request.correlationID, parameters)
    }

    mutating func send(_ type: SDL.RPCType, _ function: String, id: Int32, _ parameters: Value) {
        guard let rpc = SDL.RPC(type, function, correlationID: id, parameters: parameters) else {
            return
        }
        receive(headUnit.encode(rpc))
    }

    /// Accepts the connection and the service.
    mutating func startSession(
        version: UInt8 = 5, sessionID: UInt8 = 1, mtu: Int64 = 131_084, model: String? = nil
    ) {
        feed(.connected)
        headUnit = SDL.Encoder(version: version, sessionID: sessionID)
        var parameters: [Value.Member] = [
            .init("protocolVersion", "5.4.0"), .init("hashId", 65_537),
            .init("mtu", .integer(mtu)),
        ]
        if let model {
            parameters += [.init("make", "Conform"), .init("model", .string(model))]
        }
        control(.startServiceACK, .object(parameters))
    }

    /// Answers the registration with success, in these languages.
    mutating func acceptRegistration(_ language: String) {
        answer(
            "RegisterAppInterface",
            [
                "success": true, "resultCode": "SUCCESS", "language": .string(language),
                "hmiDisplayLanguage": .string(language),
            ])
    }

    /// Opens a session up to the accepted registration.
    mutating func register(with language: String) {
        startSession()
        acceptRegistration(language)
    }

    /// Answers the latest change.
    mutating func answerChange(success: Bool) {
        answer(
            "ChangeRegistration",
            ["success": .bool(success), "resultCode": success ? "SUCCESS" : "REJECTED"])
    }

    mutating func enter(level: String) {
        notify(
            "OnHMIStatus",
            [
                "hmiLevel": .string(level), "audioStreamingState": "AUDIBLE",
                "systemContext": "MAIN",
            ])
    }

    /// Drops the connection and lets the app connect again.
    mutating func reconnect() {
        feed(.disconnected("test"))
        feed(.timerFired(.reconnect))
    }

    // MARK: Observations

    func requests(_ function: String) -> [SDL.RPC] {
        sent.compactMap {
            guard case .rpc(let rpc) = $0.content, rpc.functionName == function else { return nil }
            return rpc
        }
    }

    var changes: [Value] { requests("ChangeRegistration").map(\.parameters) }
    var registrations: [Value] { requests("RegisterAppInterface").map(\.parameters) }
    var names: [String] { sent.map { String($0.name.dropFirst(4)) } }

    var events: [LifecycleEvent] {
        actions.compactMap {
            if case .log(let line) = $0 { line.event } else { nil }
        }
    }

    var answers: [Value] {
        actions.compactMap {
            if case .answer(let value) = $0 { value } else { nil }
        }
    }

    var exitCode: Int32? {
        for case .exit(let code) in actions { return code }
        return nil
    }

    /// Whether the session is in the state just after the registration.
    var isAlive: Bool {
        app.state == .registered && !actions.contains(.close) && !actions.contains(.crash)
            && exitCode == nil
    }
}

/// The configuration of most tests: three languages, and an update for each but the first.
extension LifecycleConfiguration {
    static var multilingual: LifecycleConfiguration {
        var configuration = LifecycleConfiguration()
        configuration.appName = "Weather"
        configuration.shortAppName = "Wthr"
        configuration.ttsName = [TTSChunk(text: "weather")]
        configuration.voiceRecognitionCommandNames = ["weather", "forecast"]
        configuration.languagesSupported = ["EN-US", "DE-DE", "FR-CA"]
        configuration.delegate = .implemented([
            "EN-US": LifecycleUpdate(appName: "Weather"),
            "DE-DE": .german,
            "FR-CA": LifecycleUpdate(appName: "Météo"),
        ])
        return configuration
    }

    func with(_ change: (inout LifecycleConfiguration) -> Void) -> LifecycleConfiguration {
        var copy = self
        change(&copy)
        return copy
    }
}

extension LifecycleUpdate {
    /// An update that has every name.
    static var german: LifecycleUpdate {
        LifecycleUpdate(
            appName: "Wetter", shortAppName: "Wttr", ttsName: [TTSChunk(text: "Wetter")],
            voiceRecognitionCommandNames: ["Wetter", "Vorhersage"])
    }
}
