import Capture
import TestSupport
import Testing

@Suite("Compressed captures")
struct CompressedCaptureTests {
    /// Packets that hardly compress, so that cuts fall between them.
    static let packets: [Record] = {
        var generator = SeededGenerator(seed: 4)
        return (1...40).map { number in
            Record((0..<(number * 7)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }()

    static let compressors: [@Sendable ([UInt8]) -> [UInt8]] = [gzip, zstd]

    @Test("A compressed capture gives the packets of its content", arguments: 0..<2)
    func compressedIsRead(_ index: Int) throws {
        let compress = Self.compressors[index]
        for whole in [pcapFile(Self.packets), Self.pcapng] {
            let reading = try Reading(compress(whole))
            #expect(reading.error == nil)
            #expect(reading.records.map(\.bytes) == Self.packets.map(\.bytes))
        }
    }

    @Test("Consecutive members and frames are one capture", arguments: 0..<2)
    func partsAreJoined(_ index: Int) throws {
        let compress = Self.compressors[index]
        let whole = pcapFile(Self.packets)
        let parts = [whole[..<100], whole[100..<101], whole[101...]].map { compress(Array($0)) }
        let reading = try Reading(parts.flatMap(\.self))
        #expect(reading.error == nil)
        #expect(reading.records.count == Self.packets.count)
    }

    @Test("A compressed capture larger than every buffer is read to its end", arguments: 0..<2)
    func largeIsRead(_ index: Int) throws {
        let packets = (0..<900).map { Record(Array(repeating: UInt8($0 % 251), count: 1_200)) }
        let reading = try Reading(Self.compressors[index](pcapFile(packets)))
        #expect(reading.error == nil)
        #expect(reading.records == packets)
    }

    @Test("Zeros after the last gzip member are padding")
    func paddingIsPassedOver() throws {
        let reading = try Reading(
            gzip(pcapFile(Self.packets)) + [UInt8](repeating: 0, count: 512))
        #expect(reading.error == nil)
        #expect(reading.records.count == Self.packets.count)
    }

    @Test("A file cut anywhere gives whole packets and reports the cut", arguments: 0..<2)
    func cutsAreTold(_ index: Int) throws {
        let file = Self.compressors[index](pcapFile(Self.packets))
        var deliveredMax = 0
        for cut in stride(from: 4, to: file.count, by: 37) {
            let reading = try Reading(Array(file[..<cut]))
            let error = try #require(reading.error, "cut at \(cut)")
            #expect(error.code == .truncated, "cut at \(cut): \(error)")
            if !reading.records.isEmpty {
                #expect(error.packetIndex == reading.records.count + 1)
            }
            for (record, packet) in zip(reading.records, Self.packets) {
                #expect(record.bytes == packet.bytes)
            }
            deliveredMax = max(deliveredMax, reading.records.count)
        }
        // Zstandard decodes whole blocks, and this file is one block.
        #expect(deliveredMax > (index == 0 ? 30 : -1))
    }

    @Test("Changed bytes cause no crash", arguments: 0..<2)
    func damageIsSurvived(_ index: Int) throws {
        var generator = SeededGenerator(seed: 31)
        let whole = Self.compressors[index](pcapFile(Self.packets))
        var errors = 0
        for _ in 0..<300 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 4..<file.count, using: &generator)
                file[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let reading = try Reading(file)
            if reading.error != nil { errors += 1 }
        }
        // Zstandard has no checksum by default: changes of incompressible content are not detected.
        #expect(errors > (index == 0 ? 200 : 20))
    }

    private static var pcapng: [UInt8] {
        sectionHeader() + interfaceBlock(resolution: 9)
            + packets.flatMap { enhancedPacket($0.bytes, ticks: UInt64($0.timestamp)) }
    }
}
