import Bluetooth
import ExternalAccessory
import Wire

/// The phone's end of a BR/EDR link to an accessory.
///
/// It looks for the service of accessories, opens the serial channel that the record names, and
/// uses iAP2 on it.
struct AccessoryLink: Sendable {
    /// Something that has happened.
    enum Event: Sendable, Hashable {
        /// The accessory has identified itself.
        case identified(IAP2.Identification)
        case opened(session: UInt16)
        case refused(session: UInt16)
        case closed(session: UInt16)
        case received(session: UInt16, [UInt8])
        /// There is no accessory at the other end, or no longer one, with the reason.
        case ended(String)
    }

    /// A channel of L2CAP; there is one at a time.
    private struct Channel: Sendable {
        let service: UInt16
        let own: UInt16
        /// Its id at the other end.
        var remote: UInt16?
        /// Whether the configuration of each side is agreed.
        var isOwnAgreed = false
        var isRemoteAgreed = false

        var isReady: Bool { remote != nil && isOwnAgreed && isRemoteAgreed }
    }

    /// The service class of accessories (Documentation/iap2.md).
    private static let accessoryClass = BluetoothUUID("00000000-deca-fade-deca-deafdecacaff")
    private static let mtu: UInt16 = 1_000

    private var channel: Channel
    private var serialChannel: UInt8?
    private var serial: SerialClient?
    private var end = IAP2.DeviceEnd()
    private var isEnded = false
    private var identifier: UInt8 = 0
    private var part: [UInt8] = []
    private var frames: [L2CAPFrame] = []

    /// Starts to look for the service.
    init() {
        channel = Channel(service: L2CAPFrame.Service.sdp, own: L2CAPFrame.Channel.firstDynamic)
        openChannel()
    }

    /// The protocols that the accessory has declared; `nil` before it was identified.
    var protocols: [String]? {
        isEnded ? nil : end.identification?.protocols.map(\.name)
    }

    /// The accessory's name for itself.
    var name: String? { end.identification?.name }

    /// The time at which `advance` is due; `nil` for never.
    var nextDeadline: Duration? { isEnded ? nil : end.nextDeadline }

    /// Performs the actions that are due.
    mutating func advance(to now: Duration) -> [Event] {
        let events = end.advance(to: now)
        return consume(events)
    }

    /// Returns the units to send since the last call.
    mutating func takeFrames() -> [L2CAPFrame] {
        let bytes = end.takeOutput()
        if !bytes.isEmpty { serial?.send(bytes) }
        if channel.isReady, let remote = channel.remote {
            for frame in serial?.takeFrames() ?? [] {
                frames.append(L2CAPFrame(channel: remote, payload: frame))
            }
        }
        defer { frames = [] }
        return frames
    }

    // MARK: Sessions

    /// Requests a session under a string.
    ///
    /// - Returns: Its number; `nil` if the accessory has not declared the string.
    mutating func open(_ protocolString: String, at now: Duration) -> UInt16? {
        isEnded ? nil : end.open(protocolString, at: now)
    }

    mutating func close(session: UInt16, at now: Duration) { end.close(session: session, at: now) }

    mutating func send(_ bytes: [UInt8], session: UInt16, at now: Duration) -> Bool {
        end.send(bytes, session: session, at: now)
    }

    private mutating func consume(_ events: [IAP2.DeviceEnd.Event]) -> [Event] {
        events.map { event in
            switch event {
            case .identified(let found): .identified(found)
            case .opened(let session): .opened(session: session)
            case .refused(let session, _): .refused(session: session)
            case .closedSession(let session): .closed(session: session)
            case .data(let session, let bytes): .received(session: session, bytes)
            case .closed(let why): finish(why)
            }
        }
    }

    private mutating func finish(_ why: String) -> Event {
        isEnded = true
        return .ended(why)
    }

    // MARK: Channels

    private mutating func signal(_ content: L2CAPSignal.Content, answering: UInt8? = nil) {
        if answering == nil { identifier = identifier == .max ? 1 : identifier + 1 }
        let signal = L2CAPSignal(content, identifier: answering ?? identifier)
        frames.append(
            L2CAPFrame(channel: L2CAPFrame.Channel.signalling, payload: signal.bytes))
    }

    private mutating func openChannel() {
        signal(.connectionRequest(psm: channel.service, source: channel.own))
    }

    /// Handles a unit of the accessory.
    mutating func consume(_ frame: L2CAPFrame, at now: Duration) -> [Event] {
        guard !isEnded else { return [] }
        if frame.channel == channel.own {
            return channel.service == L2CAPFrame.Service.sdp
                ? found(frame.payload) : serial(frame.payload, at: now)
        }
        guard frame.channel == L2CAPFrame.Channel.signalling else { return [] }
        return L2CAPSignal.list(frame.payload).flatMap { consume($0) }
    }

    private mutating func consume(_ command: L2CAPSignal) -> [Event] {
        switch command.content {
        case .connectionResponse(let remote, channel.own, let result, _):
            if result == 1 { return [] }
            guard result == 0 else { return [finish("no channel: result \(result)")] }
            channel.remote = remote
            signal(.configurationRequest(destination: remote, options: [.mtu(Self.mtu)]))
        case .configurationRequest(channel.own, _, _):
            guard let remote = channel.remote else { break }
            signal(
                .configurationResponse(source: remote, result: 0), answering: command.identifier)
            channel.isRemoteAgreed = true
            begin()
        case .configurationResponse(channel.own, let result, _, _):
            guard result == 0 else { return [finish("no configuration: result \(result)")] }
            channel.isOwnAgreed = true
            begin()
        case .disconnectionRequest(channel.own, let remote):
            signal(
                .disconnectionResponse(destination: channel.own, source: remote),
                answering: command.identifier)
            return [finish("the channel was closed")]
        case .disconnectionResponse where channel.service == L2CAPFrame.Service.sdp:
            guard let serialChannel else { return [finish("no service of accessories")] }
            channel = Channel(service: L2CAPFrame.Service.rfcomm, own: channel.own + 1)
            serial = SerialClient(channel: serialChannel)
            openChannel()
        case .informationRequest(let type):
            signal(.informationResponse(type: type, result: 1), answering: command.identifier)
        case .echoRequest(let data): signal(.echoResponse(data), answering: command.identifier)
        default: break
        }
        return []
    }

    /// Starts the search once its channel is ready; the serial client sends its output by itself.
    private mutating func begin() {
        guard channel.isReady, channel.service == L2CAPFrame.Service.sdp else { return }
        search(continuation: [])
    }

    // MARK: The service

    private mutating func search(continuation: [UInt8]) {
        guard let remote = channel.remote, let wanted = Self.accessoryClass else { return }
        let request = SDPPacket(
            .serviceSearchAttributeRequest(
                pattern: .sequence([.uuid(wanted)]), maximumBytes: 900,
                attributes: .sequence([.uint32(0x0000_FFFF)]), continuation: continuation),
            transaction: 1)
        frames.append(L2CAPFrame(channel: remote, payload: request.bytes))
    }

    private mutating func found(_ payload: [UInt8]) -> [Event] {
        guard let packet = try? SDPPacket(parsing: payload.span.bytes), let remote = channel.remote
        else { return [] }
        if case .serviceSearchAttributeResponse(let more, let continuation) = packet.content {
            part += more
            guard continuation.isEmpty || part.count > 1 << 16 else {
                search(continuation: continuation)
                return []
            }
            serialChannel = SDPRecord.list(part).lazy.compactMap(\.rfcommChannel).first
        }
        signal(.disconnectionRequest(destination: remote, source: channel.own))
        return []
    }

    // MARK: The serial channel

    private mutating func serial(_ payload: [UInt8], at now: Duration) -> [Event] {
        (serial?.consume(payload) ?? []).flatMap { event -> [Event] in
            switch event {
            case .opened:
                end.start(at: now)
                return []
            case .received(let bytes): return consume(end.receive(bytes, at: now))
            case .closed: return [finish("the serial channel was closed")]
            }
        }
    }
}
