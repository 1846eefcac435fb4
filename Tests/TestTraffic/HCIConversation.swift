import Bluetooth
import Wire

/// A synthetic Bluetooth link with a serial channel, as the packets of a host's HCI.
///
/// Units are split into data packets of `fragment` bytes, as by controllers with small buffers.
public struct HCIConversation {
    /// The packets: H4 with the four bytes of direction before it (LINKTYPE 201).
    public private(set) var packets: [[UInt8]] = []
    /// The handle of the link.
    public let handle: UInt16
    /// The channel of the service.
    public let channel: UInt8
    /// The maximum number of bytes of a data packet.
    public var fragment = 48
    private let ends: [ConnectionSide: UInt16] = [.first: 0x0041, .second: 0x0052]

    /// Creates a link on which nothing has been sent.
    public init(handle: UInt16 = 11, channel: UInt8 = 3) {
        self.handle = handle
        self.channel = channel
    }

    private var dlci: UInt8 { channel << 1 }

    /// Adds the controller's event that the link is connected.
    public mutating func connect(address: [UInt8]) {
        event(
            [0x03, 11, 0, UInt8(handle & 0xFF), UInt8(handle >> 8)] + address.reversed() + [1, 0])
    }

    /// Adds the controller's event that the link has ended.
    public mutating func disconnect(reason: UInt8) {
        event([0x05, 4, 0, UInt8(handle & 0xFF), UInt8(handle >> 8), reason])
    }

    /// Adds the signalling that opens RFCOMM's channel at the request of the remote device.
    public mutating func openChannel() {
        let (own, remote) = (ends[.first] ?? 0, ends[.second] ?? 0)
        signal(.connectionRequest(psm: L2CAPFrame.Service.rfcomm, source: remote), from: .second)
        signal(
            .connectionResponse(destination: own, source: remote, result: 0), from: .first)
        signal(.configurationRequest(destination: own), from: .second)
        signal(.configurationResponse(source: remote, result: 0), from: .first)
    }

    /// Adds the frames that open the multiplexer and the serial channel.
    public mutating func openSerial() {
        for number in [0, dlci] {
            frame(RFCOMMFrame(.sabm, dlci: number), from: .second)
            frame(RFCOMMFrame(.ua, dlci: number, isCommand: false), from: .first)
        }
    }

    /// Adds bytes of the serial channel, with credits if they are given.
    public mutating func send(
        _ bytes: [UInt8], from side: ConnectionSide, credits: UInt8? = nil
    ) {
        frame(RFCOMMFrame(.uih, dlci: dlci, credits: credits, payload: bytes), from: side)
    }

    /// Adds the frame with which a side ends the serial channel.
    public mutating func closeSerial(_ side: ConnectionSide) {
        frame(RFCOMMFrame(.disc, dlci: dlci), from: side)
    }

    /// Adds a frame of RFCOMM.
    public mutating func frame(_ frame: RFCOMMFrame, from side: ConnectionSide) {
        unit(frame.bytes, to: ends[side.other] ?? 0, from: side)
    }

    /// Adds a command of the signalling channel.
    public mutating func signal(_ content: L2CAPSignal.Content, from side: ConnectionSide) {
        unit(
            L2CAPSignal(content, identifier: 1).bytes, to: L2CAPFrame.Channel.signalling, from: side
        )
    }

    /// Adds a unit of a channel, in as many data packets as it needs.
    public mutating func unit(
        _ payload: [UInt8], to channel: UInt16, from side: ConnectionSide
    ) {
        let bytes = L2CAPFrame(channel: channel, payload: payload).bytes
        for part in ACLPacket.fragments(of: bytes, handle: handle, size: fragment) {
            packet(2, part.bytes, isReceived: side == .second)
        }
    }

    /// Adds an event of the controller.
    public mutating func event(_ bytes: [UInt8]) { packet(4, bytes, isReceived: true) }

    private mutating func packet(_ type: UInt8, _ bytes: [UInt8], isReceived: Bool) {
        packets.append([0, 0, 0, isReceived ? 1 : 0, type] + bytes)
    }
}
