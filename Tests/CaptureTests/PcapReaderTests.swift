import Capture
import Testing

@Suite("Reading pcap")
struct PcapReaderTests {
    static let records = [
        Record([1, 2, 3], timestamp: 1_700_000_000_000_001_000),
        Record([], timestamp: 1_700_000_000_999_999_000),
        Record(Array(repeating: 7, count: 1_500), timestamp: 1_700_000_001_000_000_000),
    ]

    @Test(
        "Either byte order and either resolution gives the same packets",
        arguments: [false, true], [false, true])
    func everyVariantIsRead(isBigEndian: Bool, isNanosecond: Bool) throws {
        let file = pcapFile(
            Self.records, isBigEndian: isBigEndian, isNanosecond: isNanosecond)
        let reading = try Reading(file)
        #expect(reading.error == nil)
        #expect(reading.records == Self.records)
        #expect(reading.metadata?.format == .pcap)
        #expect(reading.metadata?.interfaces.first?.snapshotLength == 262_144)
    }

    @Test("Nanoseconds are kept to the last digit")
    func nanosecondsAreKept() throws {
        let record = Record([9], timestamp: 4_294_967_295_999_999_999)
        #expect(try Reading(pcapFile([record])).records == [record])
    }

    @Test("A cut packet keeps its length on the wire")
    func cutPacketKeepsItsLength() throws {
        let record = Record([1, 2], originalLength: 9_000)
        #expect(try Reading(pcapFile([record])).records.first?.originalLength == 9_000)
    }

    @Test("The frame check bits next to the link type are not part of it")
    func linkTypeIsTheLowerHalf() throws {
        let reading = try Reading(pcapFile([Record([1])], linkType: 0x1400_0071))
        #expect(reading.records.first?.linkType == .linuxCooked)
        // Numbers that libpcap uses for packets without a link layer, as Wireshark reads them.
        for number: UInt32 in [12, 14, 101] {
            let reading = try Reading(pcapFile([Record([0x45])], linkType: number))
            #expect(reading.records.first?.linkType == .raw)
            let other = try Reading(
                sectionHeader() + interfaceBlock(linkType: UInt16(number))
                    + enhancedPacket([0x45], ticks: 1))
            #expect(other.records.first?.linkType == .raw)
        }
    }

    @Test("A packet beyond the limit is damage, with offset and index")
    func oversizedPacketIsDamage() throws {
        var file = pcapFile([Record([1, 2, 3, 4]), Record([5])], isBigEndian: true)
        let second = 24 + 16 + 4
        file.replaceSubrange((second + 8)..<(second + 12), with: [0x7F, 0, 0, 0])
        let reading = try Reading(file)
        #expect(reading.records.count == 1)
        #expect(reading.error?.code == .damaged)
        #expect(reading.error?.offset == second)
        #expect(reading.error?.packetIndex == 2)
    }

    @Test("A version other than 2 is not read")
    func otherVersionIsUnsupported() throws {
        var file = pcapFile([])
        file[4] = 3
        #expect(try Reading(file).error?.code == .unsupported)
    }

    @Test(
        "The error for another kind of file names that kind",
        arguments: [
            ([0x1F, 0x8B, 8, 0, 0], CaptureError.Code.truncated, "gzip"),
            (Array("btsnoop\0".utf8), .truncated, "16 bytes"),
            ([0x04, 0x22, 0x4D, 0x18], .unsupported, "LZ4"),
            (Array("<html>".utf8), .notACapture, "<htm"),
            ([1, 2], .notACapture, "too few"),
            ([], .notACapture, "empty"),
        ] as [([UInt8], CaptureError.Code, String)])
    func otherFilesAreNamed(bytes: [UInt8], code: CaptureError.Code, words: String) throws {
        let error = try #require(try Reading(bytes).error)
        #expect(error.code == code)
        #expect(error.detail.contains(words))
    }

    @Test("A missing file is a system error with its path")
    func missingFileIsAnError() throws {
        let error = try #require(Reading("/nonexistent/trace.pcap").error)
        #expect(error.code == .noFile)
        #expect(
            error.description
                == "/nonexistent/trace.pcap: cannot be read: No such file or directory")
        #expect(!error.advice.isEmpty)
    }

    @Test("A file larger than the read buffer is read completely")
    func largeFileIsRead() throws {
        let records = (0..<900).map { number in
            Record(Array(repeating: UInt8(number % 256), count: number), timestamp: Int64(number))
        }
        #expect(try Reading(pcapFile(records)).records == records)
    }

    @Test("An error of its body stops forEach")
    func forEachPassesErrorsOn() throws {
        struct Enough: Error {}
        let temporary = try TemporaryFile(pcapFile(Self.records))
        var file = try CaptureFile(path: temporary.path)
        var count = 0
        #expect(throws: Enough.self) {
            try file.forEach { packet in
                count += 1
                if packet.index == 2 { throw Enough() }
            }
        }
        #expect(count == 2)
    }
}
