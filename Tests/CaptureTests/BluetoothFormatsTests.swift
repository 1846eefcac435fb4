import Capture
import TestSupport
import Testing

@Suite("Bluetooth capture formats")
struct BluetoothFormatsTests {
    /// A btsnoop file made by hand.
    static func btsnoop(
        _ records: [(bytes: [UInt8], microseconds: Int64, flags: UInt32)], dataLink: UInt32 = 1002,
        drops: UInt32 = 0, version: UInt32 = 1
    ) -> [UInt8] {
        var file = ByteComposer(isBigEndian: true)
        file.bytes = Array("btsnoop\0".utf8)
        file.add(version)
        file.add(dataLink)
        for record in records {
            file.add(UInt32(record.bytes.count + 2))
            file.add(UInt32(record.bytes.count))
            file.add(record.flags)
            file.add(drops)
            file.add(record.microseconds + 0x00DC_DDB3_0F2F_8000)
            file.bytes += record.bytes
        }
        return file.bytes
    }

    /// A PacketLogger file made by hand.
    static func packetLogger(
        _ records: [(type: UInt8, bytes: [UInt8])], isBigEndian: Bool = true
    ) -> [UInt8] {
        var file = ByteComposer(isBigEndian: isBigEndian)
        for (number, record) in records.enumerated() {
            file.add(UInt32(record.bytes.count + 9))
            file.add(UInt32(1_700_000_000 + number))
            file.add(UInt32(250_000))
            file.add(record.type)
            file.bytes += record.bytes
        }
        return file.bytes
    }

    /// The directions of a file's packets.
    private func directions(_ bytes: [UInt8]) throws -> [Packet.Direction?] {
        let temporary = try TemporaryFile(bytes)
        var file = try CaptureFile(path: temporary.path)
        var found: [Packet.Direction?] = []
        while let packet = try file.next() { found.append(packet.direction) }
        return found
    }

    @Test("btsnoop gives bytes, times since 1970, directions and drops")
    func btsnoopIsRead() throws {
        let file = Self.btsnoop(
            [([1, 3, 12, 0], 1_700_000_000_123_456, 2), ([4, 14, 1], 1_700_000_000_200_000, 3)],
            drops: 7)
        let reading = try Reading(file)
        #expect(reading.error == nil)
        #expect(
            reading.records == [
                Record(
                    [1, 3, 12, 0], timestamp: 1_700_000_000_123_456_000, originalLength: 6,
                    linkType: .bluetoothH4),
                Record(
                    [4, 14, 1], timestamp: 1_700_000_000_200_000_000, originalLength: 5,
                    linkType: .bluetoothH4),
            ])
        #expect(try directions(file) == [.sent, .received])
        #expect(reading.metadata?.droppedPackets == 7)
        #expect(reading.metadata?.format == .btsnoop)
    }

    @Test("Unknown versions and data links of btsnoop are errors that name them")
    func btsnoopVariants() throws {
        #expect(try Reading(Self.btsnoop([], dataLink: 1003)).error?.code == .unsupported)
        #expect(try Reading(Self.btsnoop([], version: 2)).error?.code == .unsupported)
        #expect(try Reading(Array("btsnippet, not a capture".utf8)).error?.code == .notACapture)
        let monitor = try Reading(Self.btsnoop([([9], 0, 0x0001_0005)], dataLink: 2001))
        #expect(monitor.records.map(\.linkType) == [.btsnoopMonitor])
        // The flags, which hold controller and opcode, come before the packet, with drops and time.
        #expect(monitor.records.first?.bytes.prefix(8) == [0, 1, 0, 5, 0, 0, 0, 0])
        #expect(monitor.records.first?.bytes.count == 17)
        #expect(monitor.records.first?.bytes.last == 9)
        let bare = Self.btsnoop([([9], 0, 3)], dataLink: 1001)
        #expect(try Reading(bare).records.map(\.linkType) == [.btsnoopHCI])
        #expect(try directions(bare) == [.received])
    }

    @Test("PacketLogger is read in both byte orders", arguments: [true, false])
    func packetLoggerIsRead(_ isBigEndian: Bool) throws {
        let file = Self.packetLogger(
            [(0, [3, 12, 0]), (3, [1, 2]), (0xFC, Array("note".utf8))], isBigEndian: isBigEndian)
        let reading = try Reading(file)
        #expect(reading.error == nil)
        #expect(reading.records.map(\.bytes) == [[0, 3, 12, 0], [3, 1, 2], [0xFC] + "note".utf8])
        #expect(reading.records.first?.timestamp == 1_700_000_000_250_000_000)
        #expect(reading.metadata?.format == .packetLogger)
        #expect(try directions(file) == [.sent, .received, nil])
    }

    @Test("PacketLogger may begin with isochronous data")
    func isochronousFirst() throws {
        let file = Self.packetLogger([(0x12, [1, 0, 0, 0]), (0x13, [1, 0, 0, 0])])
        #expect(try Reading(file).metadata?.format == .packetLogger)
        #expect(try directions(file) == [.sent, .received])
    }

    @Test("A file cut at any byte gives the packets before the cut and reports the cut")
    func cutsAreTold() throws {
        let snoop = Self.btsnoop([([1, 2, 3], 5, 0), ([4, 5], 6, 1)])
        let logger = Self.packetLogger([(0, [1, 2, 3]), (1, [4, 5])])
        for (file, header, ends) in [(snoop, 16, [43, 69]), (logger, 13, [16, 31])] {
            #expect(ends.last == file.count)
            for cut in header..<file.count {
                let reading = try Reading(Array(file[..<cut]))
                let whole = ends.filter { $0 <= cut }.count
                #expect(reading.records.count == whole, "cut at \(cut)")
                let isWhole = ends.contains(cut) || (cut == header && header == 16)
                #expect(reading.error?.code == (isWhole ? nil : .truncated), "cut at \(cut)")
            }
        }
    }

    @Test("Changed bytes cause no crash")
    func damageIsSurvived() throws {
        var generator = SeededGenerator(seed: 77)
        let files = [
            Self.btsnoop((0..<6).map { ([UInt8($0), 9, 9], Int64($0), 0) }),
            Self.packetLogger((0..<6).map { (UInt8($0 % 4), [9, 9, 9]) }),
        ]
        for whole in files {
            for _ in 0..<400 {
                var file = whole
                for _ in 0..<Int.random(in: 1...5, using: &generator) {
                    let place = Int.random(in: 0..<file.count, using: &generator)
                    file[place] = UInt8.random(in: 0...255, using: &generator)
                }
                let reading = try Reading(file)
                #expect(reading.records.allSatisfy { $0.bytes.count <= file.count })
            }
        }
    }
}
