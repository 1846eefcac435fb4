import Capture
import Glibc
import TestSupport
import Testing

@Suite("Captures larger than every buffer")
struct LargeCaptureTests {
    enum Format: CaseIterable {
        case pcap
        case bigEndianPcap
        case pcapng

        func file(_ records: [Record]) -> [UInt8] {
            switch self {
            case .pcap: pcapFile(records)
            case .bigEndianPcap: pcapFile(records, isBigEndian: true)
            case .pcapng:
                sectionHeader() + interfaceBlock(resolution: 9)
                    + records.flatMap { enhancedPacket($0.bytes, ticks: UInt64($0.timestamp)) }
            }
        }
    }

    /// Packets of some megabytes.
    static let records: [Record] = {
        var generator = SeededGenerator(seed: 77)
        return (0..<4_000).map { number in
            let count = Int.random(in: 0...2_500, using: &generator)
            return Record(
                [UInt8](repeating: UInt8(1 + number % 255), count: count),
                timestamp: 1_700_000_000_000_000_000 + Int64(number))
        }
    }()

    /// The packets in batches and between them, and the damages.
    private func readInBatches(
        _ path: String
    ) throws -> (records: [Record], damages: [CaptureError]) {
        let series = try CaptureSeries(paths: [path])
        var records: [Record] = []
        try series.forEach(
            batches: { batch in
                for index in 0..<batch.count { records.append(Record(batch.packet(index))) }
            }, packets: { records.append(Record($0)) })
        return (records, series.damages)
    }

    @Test(
        "Packets come complete, one by one and in batches",
        arguments: Format.allCases)
    func largeFileIsRead(_ format: Format) throws {
        let temporary = try TemporaryFile(format.file(Self.records))
        let reading = Reading(temporary.path)
        #expect(reading.error == nil)
        #expect(reading.records == Self.records)
        let (records, damages) = try readInBatches(temporary.path)
        #expect(records == Self.records)
        #expect(damages.isEmpty)
    }

    @Test("Packets of megabytes between small ones are read", arguments: Format.allCases)
    func greatPacketIsRead(_ format: Format) throws {
        var records = Array(Self.records.prefix(50))
        records.insert(Record([UInt8](repeating: 9, count: 5 << 20)), at: 40)
        records.insert(Record([UInt8](repeating: 8, count: 3 << 20)), at: 45)
        let temporary = try TemporaryFile(format.file(records))
        let (read, damages) = try readInBatches(temporary.path)
        #expect(read == records)
        #expect(damages.isEmpty)
    }

    @Test(
        "A file that is cut while it is read is reported as truncated",
        arguments: Format.allCases, [0, 700_001, 3_000_000])
    func shorteningIsTold(_ format: Format, _ length: Int) throws {
        let temporary = try TemporaryFile(format.file(Self.records))
        var file = try CaptureFile(path: temporary.path)
        var count = 0
        let error = #expect(throws: CaptureError.self) {
            while let packet = try file.next() {
                count += 1
                #expect(packet.bytes.byteCount == Self.records[count - 1].bytes.count)
                if count == 300 { truncate(temporary.path, length) }
            }
        }
        #expect(count >= 300)
        #expect(error?.code == .truncated)
        #expect(error?.packetIndex == count + 1)
    }

    @Test(
        "Packets that are appended while the file is read come too",
        arguments: Format.allCases)
    func growthIsRead(_ format: Format) throws {
        let whole = format.file(Self.records)
        let temporary = try TemporaryFile(Array(whole[..<3_000_000]))
        var file = try CaptureFile(path: temporary.path)
        var records: [Record] = []
        while let packet = try file.next() {
            records.append(Record(packet))
            guard records.count == 1_000 else { continue }
            let descriptor = open(temporary.path, O_WRONLY | O_APPEND)
            #expect(write(descriptor, Array(whole[3_000_000...]), whole.count - 3_000_000) > 0)
            close(descriptor)
        }
        #expect(records == Self.records)
    }
}
