import TestSupport
import Testing
import Wire

@testable import Bluetooth

@Suite("Bluetooth: packets are read back as written")
struct RoundTripTests {
    /// The number of packets of each kind for each seed.
    private static let count = 2_000
    private static let seeds = 0..<5 as Range<UInt64>

    private static func check<Packet: Hashable>(
        _ seed: UInt64, _ make: (inout RandomPackets) -> Packet, _ write: (Packet) -> [UInt8],
        _ read: (RawSpan) throws -> Packet
    ) throws {
        var packets = RandomPackets(seed: seed)
        for index in 0..<count {
            let packet = make(&packets)
            let bytes = write(packet)
            let again = try read(bytes.span.bytes)
            guard again == packet else {
                Issue.record("seed \(seed), packet \(index): \(packet) became \(again)")
                return
            }
            // Damaged bytes give a packet or an error.
            var damaged = bytes
            damaged[packets.random.below(bytes.count)] ^= 1 << UInt8(packets.random.below(8))
            _ = try? read(damaged.span.bytes)
            _ = try? read(bytes.span.bytes.extracting(first: packets.random.below(bytes.count)))
        }
    }

    @Test("HCI packets are read back as written", arguments: seeds)
    func hci(seed: UInt64) throws {
        try Self.check(seed, { $0.hci() }, \.bytes, { try HCIPacket(parsing: $0) })
    }

    @Test("L2CAP signals are read back as written", arguments: seeds)
    func signals(seed: UInt64) throws {
        try Self.check(seed, { $0.signal() }, \.bytes) { bytes in
            var reader = ByteReader(bytes, unit: "btl2cap")
            return try L2CAPSignal(parsing: &reader)
        }
    }

    @Test("ATT packets are read back as written", arguments: seeds)
    func att(seed: UInt64) throws {
        try Self.check(seed, { $0.att() }, \.bytes, { try ATTPacket(parsing: $0) })
    }

    @Test("SMP packets are read back as written", arguments: seeds)
    func smp(seed: UInt64) throws {
        try Self.check(seed, { $0.smp() }, \.bytes, { try SMPPacket(parsing: $0) })
    }

    @Test("SDP data elements are read back as written", arguments: seeds)
    func elements(seed: UInt64) throws {
        try Self.check(seed, { $0.element() }, \.bytes) { bytes in
            var reader = ByteReader(bytes, unit: "btsdp")
            return try SDPElement(parsing: &reader)
        }
    }

    @Test("SDP packets are read back as written", arguments: seeds)
    func sdp(seed: UInt64) throws {
        try Self.check(seed, { $0.sdp() }, \.bytes, { try SDPPacket(parsing: $0) })
    }

    @Test("RFCOMM commands are read back as written", arguments: seeds)
    func commands(seed: UInt64) throws {
        try Self.check(seed, { $0.command() }, \.bytes) { bytes in
            var reader = ByteReader(bytes, unit: "btrfcomm.mcc")
            return try RFCOMMCommand(parsing: &reader)
        }
    }

    @Test("RFCOMM frames are read back as written", arguments: seeds)
    func frames(seed: UInt64) throws {
        try Self.check(seed, { $0.frame() }, \.bytes) { bytes in
            try RFCOMMFrame(parsing: [UInt8](copying: bytes))
        }
    }

    @Test("A stream of packets is split correctly, wherever it is cut", arguments: seeds)
    func stream(seed: UInt64) throws {
        var packets = RandomPackets(seed: seed)
        let sent = (0..<500).map { _ in packets.hci().bytes }
        let bytes = Array(sent.joined())
        var reader = H4Reader()
        var found: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + packets.random.below(40))
            found += reader.consume(bytes[start..<end].span.bytes)
            start = end
        }
        #expect(found == sent)
        #expect(reader.fault == nil && reader.pendingCount == 0)
        #expect(reader.consume([9].span.bytes).isEmpty)
        #expect(reader.fault?.code == .badValue)
    }

    @Test("L2CAP frames are joined from packets of any size", arguments: [1, 2, 5, 27, 251, 1_000])
    func fragments(size: Int) throws {
        var packets = RandomPackets(seed: 7)
        var reassembly = L2CAPReassembly()
        for _ in 0..<200 {
            let frame = L2CAPFrame(
                channel: packets.uint16(), payload: packets.bytes(upTo: 600))
            var found: L2CAPFrame?
            for packet in ACLPacket.fragments(of: frame.bytes, handle: 1, size: size) {
                #expect(found == nil)
                found = try reassembly.consume(packet)
            }
            #expect(found == frame)
        }
    }
}
