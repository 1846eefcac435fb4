import Bluetooth
import Wire

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

    /// The longest unit that it accepts, in bytes; RFCOMM frames with their headers fit into it.
    static let mtu: UInt16 = 1_024
    private static let channelsMax = 32

    /// The channels by their local ids.
    private var channels: [UInt16: Channel] = [:]
    private var lastID: UInt16 = 0x003F
    private var lastIdentifier: UInt8 = 0
    private var units: [L2CAPFrame] = []

    /// Returns the units for the host since the last call.
    mutating func takeUnits() -> [L2CAPFrame] {
        defer { units = [] }
        return units
    }

    /// Sends a payload on the channel of a service, if the host has opened one.
    mutating func send(_ payload: [UInt8], to service: Service) {
        guard let channel = channels.values.first(where: { $0.service == service }) else { return }
        units.append(L2CAPFrame(channel: channel.remote, payload: payload))
    }

    /// Processes a unit from the host.
    mutating func consume(_ unit: L2CAPFrame) -> [ChannelEvent] {
        guard unit.channel == L2CAPFrame.Channel.signalling else {
            return channels[unit.channel].map { [.received($0.service, unit.payload)] } ?? []
        }
        var reader = ByteReader(unit.payload.span.bytes, unit: "btl2cap")
        var channelEvents: [ChannelEvent] = []
        while reader.remaining >= 4 {
            let identifier = unit.payload[reader.offset + 1]
            let length =
                Int(unit.payload[reader.offset + 2]) | Int(unit.payload[reader.offset + 3]) << 8
            guard length <= reader.remaining - 4 else { break }
            if let signal = try? L2CAPSignal(parsing: &reader) {
                channelEvents += consume(signal.content, identifier)
            } else {
                answer(.commandReject(reason: 0), identifier)
            }
        }
        return channelEvents
    }

    private mutating func answer(_ content: L2CAPSignal.Content, _ identifier: UInt8) {
        units.append(
            L2CAPFrame(
                channel: L2CAPFrame.Channel.signalling,
                payload: L2CAPSignal(content, identifier: identifier).bytes))
    }

    private mutating func consume(
        _ content: L2CAPSignal.Content, _ identifier: UInt8
    ) -> [ChannelEvent] {
        switch content {
        case .connectionRequest(let psm, let remote): return open(psm, remote, identifier)
        case .configurationRequest(let id, let flags, _):
            guard let channel = channels[id] else { break }
            // Every configuration that the host requests is accepted (4.5).
            answer(
                .configurationResponse(source: channel.remote, result: 0, flags: flags & 1),
                identifier)
            return []
        case .disconnectionRequest(let id, let remote):
            guard let channel = channels.removeValue(forKey: id) else { break }
            answer(.disconnectionResponse(destination: id, source: remote), identifier)
            return [.closed(channel.service)]
        case .echoRequest(let data):
            answer(.echoResponse(data), identifier)
            return []
        case .informationRequest(let type):
            // No extended features, and of the fixed channels only signalling (4.11 to 4.13).
            let known: [UInt16: [UInt8]] = [2: [0, 0, 0, 0], 3: [0x02, 0, 0, 0, 0, 0, 0, 0]]
            let data = known[type]
            answer(
                .informationResponse(type: type, result: data == nil ? 1 : 0, data: data ?? []),
                identifier)
            return []
        case .commandReject, .connectionResponse, .configurationResponse, .disconnectionResponse,
            .echoResponse, .informationResponse:
            return []
        default: break
        }
        // Command not understood (4.1).
        answer(.commandReject(reason: 0), identifier)
        return []
    }

    /// Opens a channel, and requests its configuration (4.2, 4.4).
    private mutating func open(
        _ psm: UInt16, _ remote: UInt16, _ identifier: UInt8
    ) -> [ChannelEvent] {
        guard let service = Service(rawValue: psm), channels.count < Self.channelsMax else {
            // PSM not supported, or no resources (4.3).
            answer(
                .connectionResponse(
                    destination: 0, source: remote, result: Service(rawValue: psm) == nil ? 2 : 4),
                identifier)
            return []
        }
        repeat { lastID = lastID == .max ? 0x0040 : lastID + 1 } while channels[lastID] != nil
        channels[lastID] = Channel(service: service, remote: remote)
        answer(.connectionResponse(destination: lastID, source: remote, result: 0), identifier)
        lastIdentifier = lastIdentifier == .max ? 1 : lastIdentifier + 1
        answer(
            .configurationRequest(destination: remote, options: [.mtu(Self.mtu)]), lastIdentifier)
        return [.opened(service)]
    }
}
