/// The L2CAP channels of a BR/EDR link at the paged device (Core 5.4 Vol 3 Part A 4).
struct ClassicChannels: Sendable {
    /// The services to which channels can be opened (Assigned Numbers 2.5).
    enum Service: UInt16, Sendable {
        case discovery = 0x0001
        case serial = 0x0003
    }

    /// What the host has done.
    enum ChannelEvent: Sendable, Hashable {
        case opened(Service)
        case closed(Service)
        case received(Service, [UInt8])
    }

    private struct Channel: Sendable {
        let service: Service
        /// The host's id of the channel.
        let remote: UInt16
    }

    private enum Code: UInt8 {
        case reject = 0x01
        case connectionRequest = 0x02
        case connectionResponse = 0x03
        case configurationRequest = 0x04
        case configurationResponse = 0x05
        case disconnectionRequest = 0x06
        case disconnectionResponse = 0x07
        case echoRequest = 0x08
        case echoResponse = 0x09
        case informationRequest = 0x0A
        case informationResponse = 0x0B
    }

    /// The longest unit that it accepts, in bytes; RFCOMM frames with their headers fit into it.
    static let mtu: UInt16 = 1_024
    private static let signalling: UInt16 = 1
    private static let channelsMax = 32

    /// The channels by their local ids.
    private var channels: [UInt16: Channel] = [:]
    private var lastID: UInt16 = 0x003F
    private var lastIdentifier: UInt8 = 0
    private var units: [L2CAPUnit] = []

    /// Returns the units for the host since the last call.
    mutating func takeUnits() -> [L2CAPUnit] {
        defer { units = [] }
        return units
    }

    /// Sends a payload on the channel of a service, if the host has opened one.
    mutating func send(_ payload: [UInt8], to service: Service) {
        guard let channel = channels.values.first(where: { $0.service == service }) else { return }
        units.append(L2CAPUnit(channel: channel.remote, payload: payload))
    }

    /// Processes a unit from the host.
    mutating func consume(_ unit: L2CAPUnit) -> [ChannelEvent] {
        guard unit.channel == Self.signalling else {
            return channels[unit.channel].map { [.received($0.service, unit.payload)] } ?? []
        }
        var reader = LittleEndianReader(unit.payload)
        var channelEvents: [ChannelEvent] = []
        while let code = reader.byte(), let identifier = reader.byte(), let length = reader.word(),
            let body = reader.consume(Int(length))
        {
            channelEvents += signal(code, identifier, LittleEndianReader(body))
        }
        return channelEvents
    }

    private mutating func answer(_ code: Code, _ identifier: UInt8, _ body: [UInt8]) {
        units.append(
            L2CAPUnit(
                channel: Self.signalling,
                payload: [code.rawValue, identifier]
                    + UInt16(clamping: body.count)
                    .littleEndianBytes + body))
    }

    private mutating func signal(
        _ code: UInt8, _ identifier: UInt8, _ body: LittleEndianReader
    ) -> [ChannelEvent] {
        var body = body
        switch Code(rawValue: code) {
        case .connectionRequest:
            guard let psm = body.word(), let remote = body.word() else { break }
            return open(psm, remote, identifier)
        case .configurationRequest:
            guard let id = body.word(), let flags = body.word(), let channel = channels[id] else {
                break
            }
            // Every configuration that the host requests is accepted (4.5).
            answer(
                .configurationResponse, identifier,
                channel.remote.littleEndianBytes + (flags & 1).littleEndianBytes + [0, 0])
            return []
        case .disconnectionRequest:
            guard let id = body.word(), let remote = body.word(),
                let channel = channels.removeValue(forKey: id)
            else { break }
            answer(
                .disconnectionResponse, identifier,
                id.littleEndianBytes + remote.littleEndianBytes)
            return [.closed(channel.service)]
        case .echoRequest:
            answer(.echoResponse, identifier, Array(body.rest))
            return []
        case .informationRequest:
            inform(body.word() ?? 0, identifier)
            return []
        case .reject, .connectionResponse, .configurationResponse, .disconnectionResponse,
            .echoResponse, .informationResponse:
            return []
        case nil: break
        }
        // Command not understood (4.1).
        answer(.reject, identifier, [0, 0])
        return []
    }

    /// Opens a channel, and requests its configuration (4.2, 4.4).
    private mutating func open(
        _ psm: UInt16, _ remote: UInt16, _ identifier: UInt8
    ) -> [ChannelEvent] {
        guard let service = Service(rawValue: psm), channels.count < Self.channelsMax else {
            // PSM not supported, or no resources (4.3).
            let result: UInt8 = Service(rawValue: psm) == nil ? 2 : 4
            answer(
                .connectionResponse, identifier,
                [0, 0] + remote.littleEndianBytes + [result, 0, 0, 0])
            return []
        }
        repeat { lastID = lastID == .max ? 0x0040 : lastID + 1 } while channels[lastID] != nil
        channels[lastID] = Channel(service: service, remote: remote)
        answer(
            .connectionResponse, identifier,
            lastID.littleEndianBytes + remote.littleEndianBytes + [0, 0, 0, 0])
        lastIdentifier = lastIdentifier == .max ? 1 : lastIdentifier + 1
        answer(
            .configurationRequest, lastIdentifier,
            remote.littleEndianBytes + [0, 0, 0x01, 2] + Self.mtu.littleEndianBytes)
        return [.opened(service)]
    }

    /// Answers: no extended features, and of the fixed channels only signalling (4.11 to 4.13).
    private mutating func inform(_ type: UInt16, _ identifier: UInt8) {
        let known: [UInt8]? =
            switch type {
            case 2: [0, 0, 0, 0]
            case 3: [0x02, 0, 0, 0, 0, 0, 0, 0]
            default: nil
            }
        let result: [UInt8] = known == nil ? [1, 0] : [0, 0]
        answer(
            .informationResponse, identifier, type.littleEndianBytes + result + (known ?? []))
    }
}
