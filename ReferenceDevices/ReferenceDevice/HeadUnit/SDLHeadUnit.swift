import ExternalAccessory
import SDL
import Wire

/// A head unit of SmartDeviceLink, to which phones connect and with which their apps register.
///
/// Phones connect over plain TCP or as to an accessory; the first bytes of a connection show which.
/// The head unit is a state machine without I/O and without a clock: it takes inputs and returns
/// actions.
public struct SDLHeadUnit: DeviceMachine {
    /// The role in suites.
    public static let role = "sdl.head-unit"

    var configuration: HeadUnitConfiguration
    let mutant: HeadUnitMutant?
    var connections: [HeadUnitLink: HeadUnitConnection] = [:]
    var hub = HeadUnitHub()
    var sessionCount: UInt32 = 0
    /// How often a phone has requested the head unit's declaration.
    var phoneCount = 0
    /// The data kept of apps, by their ids.
    var memories: [String: HeadUnitMemory] = [:]
    /// The language before the user's first change.
    var formerLanguage: String?
    /// How often it was created from data that was stored before a restart.
    var lives: Int64 = 0
    /// The number of hashes sent to apps.
    var hashCount = 0
    /// Whether a malformed message has been received.
    var hasSeenMalformed = false
    private var actions: [DeviceAction<HeadUnitLink, Never>] = []

    /// Creates a head unit without connections.
    ///
    /// - Parameter kept: The data that it stored before a restart.
    public init(
        configuration: HeadUnitConfiguration = HeadUnitConfiguration(),
        mutant: HeadUnitMutant? = nil, kept: Value? = nil
    ) {
        self.configuration = configuration
        self.mutant = mutant
        if let kept { remember(kept) }
    }

    /// Handles an input; returns the actions it leads to, in order.
    public mutating func handle(
        _ input: DeviceInput<HeadUnitLink, Never>, at now: Int64
    ) -> [DeviceAction<HeadUnitLink, Never>] {
        actions = []
        switch input {
        case .started:
            log(.listening)
        case .accepted(let link):
            connections[link] = HeadUnitConnection()
            log(.accepted, link)
        case .received(let link, let bytes):
            receive(bytes, on: link)
        case .disconnected(let link, let reason):
            log(.disconnected, link, [.init("reason", .string(reason))])
            let string = connections[link]?.session?.protocolString
            lose(link)
            forget(link)
            if mutant == .endOfOneEndsAll, string == ExternalAccessory.multisessionString {
                for other in links(under: ExternalAccessory.multisessionString) { close(other) }
            }
        case .controlLine(let line):
            consume(controlLine: line)
        case .terminate:
            exit()
        case .connected, .connectFailed: break
        }
        return actions
    }

    // MARK: - Bytes

    private mutating func receive(_ bytes: [UInt8], on link: HeadUnitLink) {
        guard var connection = connections[link] else { return }
        connections[link] = nil
        // This mutant ignores an incomplete frame.
        if mutant == .readsBySegments, bytes.count < 8 {
            connections[link] = connection
            return
        }
        let messages = connection.decode(bytes)
        connections[link] = connection
        guard let messages else {
            log(.unrecognised, link)
            return close(link)
        }
        for message in messages where connections[link] != nil {
            consume(message.content, on: link)
        }
    }

    private mutating func consume(_ message: any DissectedMessage, on link: HeadUnitLink) {
        switch message {
        case let message as ExternalAccessory.Message: consume(message, on: link)
        case let message as SDL.Message: consume(message, on: link)
        default: break
        }
    }

    private mutating func consume(_ message: SDL.Message, on link: HeadUnitLink) {
        if mutant == .dropsLongMessages, message.frameCount > Int(UInt8.max) { return }
        if message.header.version <= configuration.protocolVersion.major,
            mutant != .speaksOwnVersion
        {
            connections[link]?.services[message.header.sessionID]?.follow(message.header)
        }
        switch message.content {
        case .control(let frame, let parameters):
            consume(frame, message.header, parameters, on: link)
        case .rpc(let rpc) where rpc.type == .request:
            answer(rpc, message.header, on: link)
        case .malformed(let error):
            hasSeenMalformed = true
            suffer(malformed: link)
            log(.malformed, link, [.init("reason", .string(error.description))])
        case .rpc, .securityQuery, .data, .encrypted:
            break
        }
    }

    // MARK: - Actions

    /// Sends bytes.
    mutating func send(_ bytes: [UInt8], on link: HeadUnitLink) {
        actions.append(.send(link, bytes))
        connections[link]?.record(sent: bytes)
    }

    /// Closes a connection and thereby ends its session.
    mutating func close(_ link: HeadUnitLink) {
        actions.append(.close(link))
        forget(link)
    }

    private mutating func forget(_ link: HeadUnitLink) {
        if let session = connections[link]?.session { log(.sessionEnded, link, session.fields) }
        connections[link] = nil
    }

    /// Writes a log line about an event.
    mutating func log(
        _ event: HeadUnitEvent, _ link: HeadUnitLink? = nil, _ fields: [Value.Member] = []
    ) {
        let place = link.map { [Value.Member("connection", .integer(Int64($0)))] } ?? []
        actions.append(.log(LogLine(event, place + fields).value))
    }

    // MARK: - The control channel

    private mutating func consume(controlLine line: String) {
        do throws(ControlError) {
            let request = try ControlRequest(line: line)
            guard let method = HeadUnitControl(rawValue: request.method) else {
                return answer(request.unknownMethod(among: HeadUnitControl.self))
            }
            switch method {
            case .stop:
                answer(request.answer(true))
                exit()
            case .state:
                answer(request.answer(stateValue))
            case .activate:
                let count = activate()
                answer(
                    count > 0
                        ? request.answer(.integer(Int64(count)))
                        : request.refusal(.invalidRequest, "no app is registered"))
            case .language:
                guard let language = request.params?["language"]?.stringValue else {
                    return answer(request.refusal(.invalidParams, "expected {language: LANGUAGE}"))
                }
                changeLanguage(to: language)
                answer(request.answer(true))
            }
        } catch {
            answer(error.answer)
        }
    }

    private mutating func answer(_ answer: Value?) {
        if let answer { actions.append(.answer(answer)) }
    }

    /// Ends the process at once.
    mutating func exit(code: Int32) { actions.append(.exit(code)) }

    /// Does something to the process that only a mutant does.
    mutating func suffer(_ harm: Harm) { actions.append(.harm(harm)) }

    private mutating func exit() {
        for link in connections.keys.sorted() {
            endServices(on: link)
            close(link)
        }
        if let kept { actions.append(.keep(kept)) }
        log(.exited)
        actions.append(.exit(0))
    }

    /// The answer to `state`.
    private var stateValue: Value {
        let links = connections.sorted { $0.key < $1.key }
        return [
            "protocols": .array(declaredProtocols.map(Value.string)),
            "sessions": .array(links.compactMap { $0.value.session.map { .object($0.fields) } }),
            "apps": .array(
                links.flatMap { $0.value.services.values.compactMap(\.app) }.map {
                    .string($0.name)
                }),
        ]
    }
}
