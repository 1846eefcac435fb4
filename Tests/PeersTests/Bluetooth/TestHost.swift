import Bluetooth
import Testing

@testable import BluetoothPeers

/// A host on its own air, which sends and receives bytes, with a clock that tests set.
struct TestHost {
    var air: Air
    private(set) var now: Int64 = 0
    /// The packets that the controller has sent since the host last took them.
    private var arrived: [[UInt8]] = []

    static let band = DeviceAddress(0xC411_1111_1111, isRandom: true)

    init(
        _ settings: ControllerSettings = ControllerSettings(), isMute: Bool = false,
        actsOnTrace: Bool = false, devices: [any RemoteDevice] = []
    ) {
        air = Air(settings, isMute: isMute, actsOnTrace: actsOnTrace)
        for (index, device) in devices.enumerated() { air.add(device, named: "device\(index)") }
        air.connect(host: 0)
    }

    /// Sends bytes and takes the immediate answers.
    @discardableResult
    mutating func send(_ bytes: [UInt8]) -> [[UInt8]] {
        air.receive(bytes, of: 0)
        return take()
    }

    @discardableResult
    mutating func command(_ opcode: UInt16, _ parameters: [UInt8] = []) -> [[UInt8]] {
        send([1] + opcode.littleEndianBytes + [UInt8(parameters.count)] + parameters)
    }

    /// Sends an L2CAP frame in one packet.
    @discardableResult
    mutating func unit(
        _ payload: [UInt8], channel: UInt16 = 4, on handle: UInt16
    ) -> [[UInt8]] {
        let data =
            UInt16(payload.count).littleEndianBytes + channel.littleEndianBytes + payload
        return send([2] + handle.littleEndianBytes + UInt16(data.count).littleEndianBytes + data)
    }

    mutating func take() -> [[UInt8]] { air.takePackets().map(\.bytes) }

    /// Advances the clock and takes the packets that arrive in the meantime.
    mutating func wait(milliseconds: Int64) -> [[UInt8]] {
        let end = now + milliseconds * 1_000_000
        var packets: [[UInt8]] = []
        while let due = air.nextDeadline, due <= end {
            now = max(now, due)
            air.advance(to: now)
            packets += take()
        }
        now = end
        air.advance(to: now)
        return packets + take()
    }

    /// Enables all Low Energy events, connects to the band and returns the link's handle.
    mutating func connect() -> UInt16? {
        command(0x0C01, [UInt8](repeating: 0xFF, count: 8))
        command(
            0x200D,
            [0x60, 0, 0x60, 0, 0, 1] + Self.band.hci + [
                0, 0x18, 0, 0x18, 0, 0, 0, 0x48, 0, 0, 0, 0, 0,
            ])
        let events = wait(milliseconds: 50)
        guard let event = events.first(where: { $0.starts(with: [4, 0x3E, 19, 1, 0]) }) else {
            return nil
        }
        return UInt16(event[5]) | UInt16(event[6]) << 8
    }

    mutating func connected() throws -> UInt16 {
        let handle = connect()
        return try #require(handle)
    }

    /// Returns the payloads of the L2CAP frames on a channel, joined from their fragments.
    static func units(in packets: [[UInt8]], channel: UInt16 = 4) -> [[UInt8]] {
        var reassembly = L2CAPReassembly()
        return packets.compactMap { packet -> L2CAPFrame? in
            guard case .acl(let packet)? = try? HCIPacket(parsing: packet.span.bytes) else {
                return nil
            }
            return try? reassembly.consume(packet)
        }.filter { $0.channel == channel }.map(\.payload)
    }
}

extension UInt16 {
    /// The two bytes, low byte first.
    var littleEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}

extension Peripheral {
    static let service = uuid("6e400001-b5a3-f393-e0a9-e50e24dcca9e")
    static let notifies = uuid("6e400003-b5a3-f393-e0a9-e50e24dcca9e")
    static let takes = uuid("6e400002-b5a3-f393-e0a9-e50e24dcca9e")

    private static func uuid(_ text: String) -> BluetoothUUID {
        BluetoothUUID(text) ?? BluetoothUUID(0)
    }

    /// A peripheral like that of the captures, with other handles.
    static var band: Settings {
        var settings = Settings(TestHost.band)
        var advertising = RemoteAdvertising()
        advertising.data = [2, 1, 6, 17, 7] + service.longBytes
        advertising.scanResponse = [5, 9] + Array("band".utf8)
        settings.advertising = advertising
        var written = GATTCharacteristic(takes, [.write, .writeWithoutResponse])
        written.answer = GATTCharacteristic.Answer(through: notifies, value: nil)
        settings.services = [
            GATTService(
                service,
                [
                    GATTCharacteristic(notifies, [.notify]), written,
                    GATTCharacteristic(BluetoothUUID(0x2A26), [.read], value: Array("1.2.3".utf8)),
                ])
        ]
        return settings
    }
}
