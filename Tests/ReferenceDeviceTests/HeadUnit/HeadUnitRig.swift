import BuiltInProtocols
import ExternalAccessory
import SDL
import Testing
import Wire

@testable import conform_device

/// A head unit and phones that call it, connected by the codecs instead of a network.
final class HeadUnitRig {
    var headUnit: SDLHeadUnit
    /// All actions that the head unit requested, in order.
    private(set) var actions: [DeviceAction<HeadUnitLink, Never>] = []
    private var streams: [HeadUnitLink: PhoneStream] = [:]
    private var links = 0

    init(
        _ configuration: HeadUnitConfiguration = HeadUnitConfiguration(),
        mutant: HeadUnitMutant? = nil, kept: Value? = nil
    ) {
        headUnit = SDLHeadUnit(configuration: configuration, mutant: mutant, kept: kept)
        _ = handle(.started)
    }

    /// Returns what the phones see of the head unit's reaction to an input.
    func handle(_ input: DeviceInput<HeadUnitLink, Never>) -> [any DissectedMessage] {
        let done = headUnit.handle(input, at: 0)
        actions += done
        return done.flatMap { action -> [any DissectedMessage] in
            guard case .send(let link, let bytes) = action else { return [] }
            return streams[link]?.consume(bytes, from: .second) ?? []
        }
    }

    /// Connects a phone.
    func call() -> HeadUnitLink {
        links += 1
        streams[links] = PhoneStream()
        _ = handle(.accepted(links))
        return links
    }

    /// Sends bytes of a phone, and returns the messages that the phones get.
    func send(_ bytes: [UInt8], on link: HeadUnitLink) -> [any DissectedMessage] {
        _ = streams[link]?.consume(bytes, from: .first)
        return handle(.received(link, bytes))
    }

    // MARK: - Actions of apps

    /// Lets an app start the RPC service.
    func start(
        on link: HeadUnitLink, version: String? = "5.4.0"
    ) -> SDL.Message? {
        let parameters: Value = version.map { ["protocolVersion": .string($0)] } ?? .object([])
        var encoder = SDL.Encoder(version: 1)
        let bytes = encoder.encode(.startService, service: .rpc, parameters: parameters)
        return send(bytes, on: link).first as? SDL.Message
    }

    /// Lets an app send a request in a session of version 5.
    func request(
        _ function: String, _ parameters: Value = .object([]), session: UInt8 = 1,
        on link: HeadUnitLink
    ) -> [SDL.Message] {
        var encoder = SDL.Encoder(version: 5, sessionID: session)
        guard
            let rpc = SDL.RPC(.request, function, correlationID: 7, parameters: parameters)
        else { return [] }
        return send(encoder.encode(rpc), on: link).compactMap { $0 as? SDL.Message }
    }

    /// Lets an app start the service and register, and returns whether it is registered.
    func register(on link: HeadUnitLink) -> Bool {
        guard let started = start(on: link) else { return false }
        let answers = request(
            "RegisterAppInterface", HeadUnitRig.registration,
            session: started.header.sessionID, on: link)
        return answers.first?.field("params.success") == true
            && answers.dropFirst().first?.name == "sdl.OnHMIStatus.notification"
    }

    static let registration: Value = [
        "syncMsgVersion": ["majorVersion": 8, "minorVersion": 0], "appName": "Test",
        "isMediaApplication": false, "languageDesired": "EN-US",
        "hmiDisplayLanguageDesired": "EN-US", "appID": "1",
    ]

    // MARK: - Actions of phones

    /// Lets a phone ask for accessories, and returns the declared strings.
    func declared() -> [String] {
        let link = call()
        for message in send(ExternalAccessory.BusLine.control, on: link) {
            guard let message = message as? ExternalAccessory.Message else { continue }
            if case .accessory(let accessory) = message.content { return accessory.protocols }
        }
        return []
    }

    /// Lets a phone open a session, and returns the connection and the immediate answers.
    func open(
        _ string: String
    ) -> (link: HeadUnitLink, messages: [ExternalAccessory.Message.Content]) {
        let link = call()
        let line = ExternalAccessory.BusLine.session(accessory: 1, protocolString: string)
        return (
            link,
            send(line, on: link).compactMap { ($0 as? ExternalAccessory.Message)?.content }
        )
    }

    /// Lets a phone ask the hub, and returns the connection and the received bytes.
    func query() -> (link: HeadUnitLink, stated: [UInt8]) {
        let (link, messages) = open(ExternalAccessory.controlString)
        let stated = messages.flatMap { content -> [UInt8] in
            if case .data(_, let bytes) = content { bytes } else { [] }
        }
        return (link, stated)
    }

    /// Whether the head unit has closed a connection.
    func hasClosed(_ link: HeadUnitLink) -> Bool { actions.contains(.close(link)) }
}

/// A connection as seen in a trace of the phone's side.
private struct PhoneStream {
    private var decoder: (any ConnectionDecoder)?
    private var offsets: [ConnectionSide: UInt64] = [:]

    mutating func consume(
        _ bytes: [UInt8], from side: ConnectionSide
    ) -> [any DissectedMessage] {
        if decoder == nil {
            let known = ProtocolRegistry.builtIn.streamProtocols.first {
                $0.recognises(bytes.span.bytes) == true
            }
            decoder = known?.makeDecoder(DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
        }
        var messages: [StreamMessage] = []
        decoder?.consume(
            bytes.span.bytes, from: side, at: offsets[side, default: 0], into: &messages)
        offsets[side, default: 0] += UInt64(bytes.count)
        return messages.map(\.content)
    }
}

extension DissectedMessage {
    /// Returns the value at a path written as in a suite.
    func field(_ path: String) -> Value? { FieldPath(path).flatMap { field($0) } }
}
