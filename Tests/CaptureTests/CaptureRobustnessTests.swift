import Capture
import TestSupport
import Testing

@Suite("Reading files that are cut or damaged")
struct CaptureRobustnessTests {
    static let packets = (1...5).map { Record(Array(repeating: UInt8($0), count: $0 * 3)) }

    static var pcapng: [UInt8] {
        sectionHeader(comment: "cut me") + interfaceBlock(resolution: 9)
            + packets.flatMap {
                enhancedPacket($0.bytes, ticks: UInt64($0.timestamp), comments: ["c"])
            }
    }

    /// The ends of the packets in a file, from the sizes of its records.
    private static func packetEnds(_ file: [UInt8], headerEnd: Int, overhead: (Record) -> Int)
        -> [Int]
    {
        var end = headerEnd
        return packets.map { packet in
            end += overhead(packet)
            return end
        }
    }

    @Test("A pcap file cut at any byte gives the packets before the cut and the right index")
    func pcapIsCutAnywhere() throws {
        let file = pcapFile(Self.packets)
        let ends = Self.packetEnds(file, headerEnd: 24) { 16 + $0.bytes.count }
        try expectCuts(file, headerEnd: 24, ends: ends, wholeEnds: Set(ends + [24]))
    }

    @Test("A pcapng file cut at any byte gives the packets before the cut and the right index")
    func pcapngIsCutAnywhere() throws {
        let section = sectionHeader(comment: "cut me").count
        let header = section + interfaceBlock(resolution: 9).count
        let ends = Self.packetEnds(Self.pcapng, headerEnd: header) {
            enhancedPacket($0.bytes, ticks: 0, comments: ["c"]).count
        }
        try expectCuts(
            Self.pcapng, headerEnd: section, ends: ends, wholeEnds: Set(ends + [section, header]))
    }

    private func expectCuts(
        _ file: [UInt8], headerEnd: Int, ends: [Int], wholeEnds: Set<Int>
    ) throws {
        #expect(ends.last == file.count)
        for cut in 0...file.count {
            let reading = try Reading(Array(file[..<cut]))
            let whole = ends.filter { $0 <= cut }.count
            #expect(reading.records.count == whole, "cut at \(cut)")
            if wholeEnds.contains(cut) {
                #expect(reading.error == nil, "cut at \(cut)")
            } else if cut < 4 {
                #expect(reading.error?.code == .notACapture, "cut at \(cut)")
            } else {
                let error = try #require(reading.error, "cut at \(cut)")
                #expect(error.code == .truncated, "cut at \(cut)")
                #expect(error.packetIndex == (cut < headerEnd ? nil : whole + 1), "cut at \(cut)")
                #expect((error.offset ?? -1) <= cut, "cut at \(cut)")
            }
        }
    }

    @Test("Files with changed bytes never crash and never deliver a packet beyond the limit")
    func changedBytesAreSurvived() throws {
        var generator = SeededGenerator(seed: 20)
        for whole in [pcapFile(Self.packets), Self.pcapng] {
            for _ in 0..<400 {
                var file = whole
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let place = Int.random(in: 0..<file.count, using: &generator)
                    file[place] = UInt8.random(in: 0...255, using: &generator)
                }
                let reading = try Reading(file)
                #expect(reading.records.allSatisfy { $0.bytes.count <= file.count })
                #expect(reading.error != nil || reading.metadata != nil)
            }
        }
    }

    @Test("Random bytes after a valid header never crash")
    func randomBytesAreSurvived() throws {
        var generator = SeededGenerator(seed: 21)
        let headers = [pcapFile([]), sectionHeader() + interfaceBlock(), sectionHeader(), []]
        for header in headers {
            for _ in 0..<100 {
                let noise = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                let reading = try Reading(header + noise)
                #expect(reading.records.allSatisfy { $0.bytes.count <= noise.count })
            }
        }
    }

    @Test("After an error each further call throws it again")
    func errorsStay() throws {
        let temporary = try TemporaryFile(Array(pcapFile(Self.packets).dropLast()))
        var file = try CaptureFile(path: temporary.path)
        #expect(throws: CaptureError.self) { while try file.next() != nil {} }
        #expect(throws: CaptureError.self) { _ = try file.next() != nil }
        #expect(file.packetCount == 4)
    }
}
