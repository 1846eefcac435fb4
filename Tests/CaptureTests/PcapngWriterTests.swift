import Capture
import Glibc
import System
import Testing

@Suite("Writing pcapng")
struct PcapngWriterTests {
    static let section = CaptureSection(
        comments: ["{\"case\": \"a\"}"], hardware: "machine", operatingSystem: "Linux",
        application: "conform")
    static let interface = CaptureInterface(
        name: "lo", linkType: .ethernet, snapshotLength: 65_550)
    static let records = [
        Record([1], timestamp: 1_700_000_000_000_000_001),
        Record(
            [1, 2, 3, 4], timestamp: 1_700_000_000_000_000_002, comments: ["step 1", "ähnlich"]),
        Record(Array(repeating: 5, count: 70_000), timestamp: 5, originalLength: 80_000),
        Record([], timestamp: 0),
    ]

    private func written(_ records: [Record]) throws -> TemporaryFile {
        let file = try TemporaryFile()
        let descriptor = file.openForWriting()
        defer { close(descriptor) }
        let writer = try PcapngWriter(
            fileDescriptor: descriptor, section: Self.section, interfaces: [Self.interface])
        for (index, record) in records.enumerated() {
            try writer.write(
                Packet(
                    record.bytes.span.bytes, timestamp: record.timestamp, index: index + 1,
                    originalLength: record.originalLength),
                comments: record.comments)
        }
        try writer.writeStatistics(timestamp: 9, received: 40, dropped: 3)
        try writer.flush()
        return file
    }

    @Test("Written packets and metadata are read back unchanged")
    func roundTrip() throws {
        let file = try written(Self.records)
        let reading = withExtendedLifetime(file) { Reading(file.path) }
        #expect(reading.error == nil)
        #expect(reading.records == Self.records)
        let metadata = try #require(reading.metadata)
        #expect(metadata.section == Self.section)
        #expect(metadata.droppedPackets == 3)
        #expect(metadata.interfaces.first?.received == 40)
        #expect(metadata.interfaces.first?.name == "lo")
    }

    @Test("A key log is read before the packets that follow it, and kept by a rewrite")
    func keyLogs() throws {
        let (first, second) = (Array("CLIENT_RANDOM 00 01\n".utf8), Array("A 02 03".utf8))
        let file = try TemporaryFile()
        let descriptor = file.openForWriting()
        let bytes: [UInt8] = [1, 2, 3]
        let writer = try PcapngWriter(fileDescriptor: descriptor, interfaces: [Self.interface])
        try writer.write(keyLog: first)
        try writer.write(Packet(bytes.span.bytes, timestamp: 5, index: 1))
        try writer.write(keyLog: second)
        try writer.write(Packet(bytes.span.bytes, timestamp: 6, index: 2))
        try writer.flush()
        close(descriptor)
        func logsByPacket(_ path: String) throws -> [Int] {
            let seen = Counter()
            var file = try CaptureFile(path: path, keyLogs: { seen.add($0) })
            var counts: [Int] = []
            while try file.next() != nil { counts.append(seen.texts.count) }
            #expect(seen.texts == [first, second])
            #expect(file.metadata.keyLogs == [first, second])
            return counts
        }
        #expect(try logsByPacket(file.path) == [1, 2])
        let copy = try HeldFile(file.path + ".copy")
        defer { copy.remove() }
        try PcapngWriter.rewrite(from: HeldFile(file.path), to: copy, sectionComments: [])
        #expect(try logsByPacket(copy.path) == [2, 2])
    }

    /// Collects texts from a closure that may run anywhere.
    private final class Counter: @unchecked Sendable {
        private(set) var texts: [[UInt8]] = []
        func add(_ text: [UInt8]) { texts.append(text) }
    }

    @Test("The bytes of a small capture are as the format defines them")
    func bytesAreThoseOfTheFormat() throws {
        let file = try TemporaryFile()
        let descriptor = file.openForWriting()
        defer { close(descriptor) }
        let writer = try PcapngWriter(
            fileDescriptor: descriptor, interfaces: [CaptureInterface(name: "if0")])
        let bytes: [UInt8] = [1, 2, 3]
        try writer.write(Packet(bytes.span.bytes, timestamp: 5, index: 1))
        try writer.flush()
        let header = pcapngBlock(0x0A0D_0D0A) { block in
            block.add(UInt32(0x1A2B_3C4D))
            block.add(UInt32(1))
            block.add(UInt64.max)
            block.add(UInt32(0))
        }
        #expect(
            file.bytes == header + interfaceBlock(resolution: 9) + enhancedPacket(bytes, ticks: 5))
    }

    @Test("Nothing reaches the file before the flush, everything after it")
    func bufferIsFlushed() throws {
        let file = try TemporaryFile()
        let descriptor = file.openForWriting()
        defer { close(descriptor) }
        let writer = try PcapngWriter(
            fileDescriptor: descriptor, interfaces: [Self.interface])
        #expect(file.bytes.isEmpty)
        try writer.flush()
        #expect(Reading(file.path).error == nil)
    }

    @Test("A descriptor that cannot be written to is a system error")
    func writeErrorIsTold() throws {
        let writer = try PcapngWriter(
            fileDescriptor: -1, path: "out.pcapng", interfaces: [Self.interface])
        let error = try #require(throws: CaptureError.self) { try writer.flush() }
        #expect(error.code == .io)
        #expect(error.path == "out.pcapng")
    }

    @Test("A text that is too long for an option is refused")
    func longTextIsRefused() throws {
        let long = String(repeating: "x", count: 65_536)
        let error = try #require(throws: CaptureError.self) {
            try PcapngWriter(
                fileDescriptor: 1, section: CaptureSection(comments: [long]), interfaces: [])
        }
        #expect(error.code == .unsupported)
    }

    @Test("A remark about a packet that an option cannot hold is cut")
    func longRemarkIsCut() throws {
        let long = String(repeating: "ä", count: 40_000)
        let file = try written([
            Record([1], timestamp: 5, comments: [String(long.prefix(32_767)), long])
        ])
        let reading = withExtendedLifetime(file) { Reading(file.path) }
        let comments = try #require(reading.records.first?.comments)
        #expect(comments.map { $0.utf8.count } == [65_534, 65_535])
        #expect(comments[1].hasSuffix("ä…"))
    }

    @Test(
        "Rewriting adds metadata and comments, and keeps everything else",
        arguments: [false, true])
    func rewriteKeepsPackets(inPlace: Bool) throws {
        let source = try written(Self.records)
        let target = inPlace ? source : try TemporaryFile()
        try PcapngWriter.rewrite(
            from: HeldFile(source.path), to: HeldFile(target.path),
            sectionComments: ["verdict: pass"],
            comments: [2: ["taken by step 4"], 4: ["end"], 99: ["no such packet"]])
        let reading = Reading(target.path)
        var expected = Self.records
        expected[1].comments.append("taken by step 4")
        expected[3].comments.append("end")
        #expect(reading.error == nil)
        #expect(reading.records == expected)
        #expect(reading.metadata?.section.comments == ["verdict: pass"])
        #expect(reading.metadata?.section.application == "conform")
        #expect(reading.metadata?.droppedPackets == 3)
    }

    @Test("Rewriting turns a pcap file into pcapng")
    func rewriteConvertsPcap() throws {
        let source = try TemporaryFile(pcapFile([Record([1, 2])], linkType: 101))
        let target = try TemporaryFile()
        try PcapngWriter.rewrite(
            from: HeldFile(source.path), to: HeldFile(target.path), sectionComments: ["from pcap"])
        let reading = Reading(target.path)
        #expect(reading.metadata?.format == .pcapng)
        #expect(reading.records == [Record([1, 2], linkType: .raw)])
    }

    @Test("A rewrite that fails leaves the old file and no other")
    func failedRewriteChangesNothing() throws {
        let source = try TemporaryFile(Array(pcapFile([Record([1, 2])]).dropLast()))
        let target = try TemporaryFile([42])
        let error = try #require(throws: CaptureError.self) {
            try PcapngWriter.rewrite(
                from: HeldFile(source.path), to: HeldFile(target.path), sectionComments: [""])
        }
        #expect(error.code == .truncated)
        #expect(target.bytes == [42])
        #expect(access("\(target.path).\(getpid()).partial", F_OK) != 0)
    }

    @Test("tcpdump reads the file", .enabled(if: Tcpdump.isInstalled, "tcpdump is not installed"))
    func tcpdumpReadsIt() throws {
        let source = try written([Self.records[1], Self.records[0]])
        let target = try TemporaryFile()
        try PcapngWriter.rewrite(
            from: HeldFile(source.path), to: HeldFile(target.path), sectionComments: ["x"],
            comments: [1: ["a"]])
        #expect(Tcpdump.lineCount(source.path) == 2)
        #expect(Tcpdump.lineCount(target.path) == 2)
    }
}

/// The program `tcpdump`, as an independent reader.
enum Tcpdump {
    static var isInstalled: Bool { lines("command -v tcpdump") == 1 }

    /// How many packets it prints; `nil` if it does not read the file to its end.
    static func lineCount(_ path: String) -> Int? {
        lines("tcpdump -n -r '\(path)' 2>/dev/null")
    }

    /// How many lines a command prints; `nil` if it fails.
    private static func lines(_ command: String) -> Int? {
        guard let pipe = popen(command, "r") else { return nil }
        var count = 0
        while case let byte = fgetc(pipe), byte != EOF { count += byte == 10 ? 1 : 0 }
        return pclose(pipe) == 0 ? count : nil
    }
}
