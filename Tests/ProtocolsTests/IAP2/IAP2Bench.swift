@testable import BuiltInProtocols
@testable import ExternalAccessory
@testable import Wire

/// Bytes that both sides of an iAP2 link send, and the decoder's messages.
struct IAP2Bench {
    /// A decoded message and its sender.
    struct Found {
        let message: StreamMessage
        let side: ConnectionSide

        var name: String { message.content.name }

        func field(_ path: String) -> Value? {
            FieldPath(path).flatMap { message.content.field($0) }
        }
    }

    private var decoder: any ConnectionDecoder
    private var offsets: [ConnectionSide: UInt64] = [:]
    private(set) var found: [Found] = []
    /// The accessory.
    static let accessory = ConnectionSide.first
    /// The phone.
    static let device = ConnectionSide.second

    init() {
        decoder = IAP2.streamProtocol.makeDecoder(
            DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
    }

    var names: [String] { found.map(\.name) }
    var texts: [String] {
        found.map {
            "\($0.side) \($0.name) \($0.message.ranges) \($0.message.content.fields.jsonText())"
        }
    }

    mutating func send(_ bytes: [UInt8], from side: ConnectionSide) {
        let offset = offsets[side, default: 0]
        offsets[side] = offset + UInt64(bytes.count)
        collect(side) { $0.consume(bytes.span.bytes, from: side, at: offset, into: &$1) }
    }

    mutating func send(_ packet: IAP2.Packet, from side: ConnectionSide) {
        send(packet.bytes, from: side)
    }

    /// Leaves out bytes, as in a capture with a gap.
    mutating func lose(_ count: Int, from side: ConnectionSide) {
        let end = offsets[side, default: 0] + UInt64(count)
        offsets[side] = end
        collect(side) { $0.gap(upTo: end, from: side, into: &$1) }
    }

    mutating func finish(_ side: ConnectionSide, _ end: StreamEnd = .closed) {
        collect(side) { $0.finish(side, end, into: &$1) }
    }

    func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
        decoder.oldestPendingOffset(of: side)
    }

    private mutating func collect(
        _ side: ConnectionSide,
        _ body: (inout any ConnectionDecoder, inout [StreamMessage]) -> Void
    ) {
        var messages: [StreamMessage] = []
        body(&decoder, &messages)
        found += messages.map { Found(message: $0, side: side) }
    }
}

extension IAP2Bench {
    /// A bench after the SYN of an accessory with sessions 1 (control) and 2 (External Accessory),
    /// and its answer.
    static func synchronised() -> IAP2Bench {
        var bench = IAP2Bench()
        bench.synchronise()
        return bench
    }

    mutating func synchronise() {
        let payload = IAP2.LinkSynchronization().bytes
        send(IAP2.Packet(.syn, sequence: 10, payload: payload), from: Self.accessory)
        send(
            IAP2.Packet(
                [.syn, .ack], sequence: 200, acknowledgement: 10, payload: payload),
            from: Self.device)
        send(IAP2.Packet(.ack, sequence: 10, acknowledgement: 200), from: Self.accessory)
    }

    static func data(
        _ sequence: UInt8, _ payload: [UInt8], session: UInt8
    ) -> IAP2.Packet {
        IAP2.Packet(.ack, sequence: sequence, sessionID: session, payload: payload)
    }

    static func control(_ sequence: UInt8, _ message: IAP2.ControlMessage) -> IAP2.Packet {
        data(sequence, message.bytes, session: 1)
    }

    static func stream(_ sequence: UInt8, _ id: UInt8, _ bytes: [UInt8]) -> IAP2.Packet {
        data(sequence, [0, id] + bytes, session: 2)
    }

    static let identification = IAP2.Identification(
        name: "Head Unit", model: "HU-1", manufacturer: "Maker", serialNumber: "7",
        protocols: [
            "com.smartdevicelink.prot0", "com.smartdevicelink.multisession",
        ])

    static let startService: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]
}

/// The bytes that both ends of a link write to each other, in turns.
struct IAP2Talk {
    var accessory: IAP2.AccessoryEnd
    var device: IAP2.DeviceEnd
    private(set) var now = Duration.zero
    private(set) var written: [(side: ConnectionSide, bytes: [UInt8])] = []
    private(set) var accessoryEvents: [IAP2.AccessoryEnd.Event] = []
    private(set) var deviceEvents: [IAP2.DeviceEnd.Event] = []

    init(_ identification: IAP2.Identification = IAP2Bench.identification) {
        accessory = IAP2.AccessoryEnd(identification)
        device = IAP2.DeviceEnd()
        device.start(at: now)
        accessory.start(at: now)
    }

    /// Delivers bytes in both directions until neither end writes and no deadline is near.
    mutating func settle() {
        for _ in 0..<1_000 {
            let (fromAccessory, fromDevice) = (accessory.takeOutput(), device.takeOutput())
            if fromAccessory.isEmpty, fromDevice.isEmpty {
                let due = [accessory.nextDeadline, device.nextDeadline].compactMap { $0 }.min()
                guard let due, due <= now + .milliseconds(100) else { return }
                now = max(now, due)
                accessoryEvents += accessory.advance(to: now)
                deviceEvents += device.advance(to: now)
                continue
            }
            now += .milliseconds(1)
            if !fromAccessory.isEmpty {
                written.append((IAP2Bench.accessory, fromAccessory))
                deviceEvents += device.receive(fromAccessory, at: now)
            }
            if !fromDevice.isEmpty {
                written.append((IAP2Bench.device, fromDevice))
                accessoryEvents += accessory.receive(fromDevice, at: now)
            }
        }
    }
}
