import BuiltInProtocols
import Capture
import Glibc
import TestSupport
import Testing
import Wire

@testable import Trace

/// Damages files, in the same way for the same seed.
struct Mutation {
    var generator: SeededGenerator

    /// Returns a file with one to eight faults: changed, lost, repeated or foreign bytes, or a cut.
    mutating func damaged(_ file: [UInt8]) -> [UInt8] {
        var bytes = file
        for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
            case 3: bytes.removeSubrange(place..<end)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 5:
                for index in place..<end {
                    bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            default:
                if Int.random(in: 0..<4, using: &generator) == 0 { bytes.removeSubrange(place...) }
            }
        }
        return bytes
    }
}

@Suite("Captures with arbitrary damage")
struct MutatedCaptureTests {
    /// The largest amount of memory that the process has used, in bytes.
    private static var peakMemory: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1_024
    }

    @Test(
        "Ten thousand mutated captures are read without a crash, a hang or a flood of messages",
        arguments: 0..<20)
    func mutatedCapturesAreSurvived(round: Int) throws {
        let file = try ScratchFile()
        var mutation = Mutation(generator: SeededGenerator(seed: UInt64(4_000 + round)))
        var isWarm = false
        var memory = 0
        var damages = 0
        for number in 0..<500 {
            let seed = CaptureSeeds.all[number % CaptureSeeds.all.count]
            try file.write(mutation.damaged(seed))
            if let trace = try? RecordedTrace(
                contentsOf: file.path, options: TraceOptions(.builtIn))
            {
                damages += trace.damage == nil ? 0 : 1
                expectSound(trace, "round \(round), capture \(number)")
            }
            if !isWarm, number >= 40 {
                isWarm = true
                memory = Self.peakMemory
            }
        }
        #expect(damages > 20)
        // Other tests of the process run at the same time. A runaway length is far above this
        // limit.
        #expect(Self.peakMemory - memory < 512 << 20)
    }

    private func expectSound(_ trace: RecordedTrace, _ what: String) {
        let packets = trace.statistics.packets
        let isNumbered = trace.messages.map(\.number) == Array(1...max(1, trace.messages.count))
        #expect(isNumbered || trace.messages.isEmpty, "\(what)")
        var pieces = 0
        for message in trace.messages {
            if message.frames.contains(where: { $0 < 1 || $0 > packets }) {
                Issue.record("\(what): \(message.name) in frames \(message.frames)")
            }
            pieces += message.content.fields.objectValue?.count ?? 0
            pieces += message.content.anomalies.count + message.content.bytes.count
        }
        // A message has at least one byte, or is an event of a packet.
        #expect(trace.messages.count <= 4 * packets + trace.statistics.streamBytes, "\(what)")
        #expect(pieces >= 0)
    }
}

@Suite("A capture that is cut off")
struct CutCaptureTests {
    /// The length up to which the capture is cut.
    private static let reach = 65_536

    @Test(
        "A real capture cut at each byte of its first 64 KB gives all packets before the cut",
        .enabled(if: RecordedData.isAvailable, "no recorded data; name its folder in CONFORM_DATA"))
    func pcapIsCutAnywhere() throws {
        let folder = try #require(RecordedData.folder)
        let name = "sdl/app-java-multiframe-sequence-wrap.pcap"
        try expectCuts(of: "\(folder)/\(name)", Layout.init(pcap:))
    }

    @Test("A pcapng file cut at each byte of its first 64 KB gives all packets before the cut")
    func pcapngIsCutAnywhere() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let name = "sample.keeps-the-pace-of-reconnections.pcapng"
        try expectCuts(of: "/\(root)/Reports/sample/captures/\(name)", Layout.init(pcapng:))
    }

    @Test(
        "The messages of a small capture cut at any byte are in the packets before the cut",
        arguments: CaptureSeeds.all.indices)
    func smallCaptureIsCutAnywhere(seed: Int) throws {
        let bytes = CaptureSeeds.all[seed]
        let file = try ScratchFile()
        try file.write(bytes)
        let whole = try RecordedTrace(contentsOf: file.path, options: TraceOptions(.builtIn))
        #expect(whole.damage == nil)
        for cut in stride(from: bytes.count - 1, through: 0, by: -1) {
            try file.cut(to: cut)
            guard
                let trace = try? RecordedTrace(
                    contentsOf: file.path, options: TraceOptions(.builtIn))
            else {
                #expect(cut < 28, "cut at \(cut)")
                continue
            }
            let packets = trace.statistics.packets
            #expect(packets < whole.statistics.packets, "cut at \(cut)")
            #expect(trace.messages.allSatisfy { $0.frames.allSatisfy { $0 <= packets } })
        }
    }

    private func expectCuts(of path: String, _ layout: ([UInt8]) -> Layout) throws {
        let whole = try RecordedTrace(contentsOf: path, options: TraceOptions(.builtIn))
        let bytes = try fileBytes(path)
        #expect(bytes.count > Self.reach)
        let layout = layout(bytes)
        let file = try ScratchFile()
        try file.write(Array(bytes[..<Self.reach]))
        var known: Int?
        for cut in stride(from: Self.reach, through: 0, by: -1) {
            try file.cut(to: cut)
            let packets = layout.packetEnds.prefix { $0 <= cut }.count
            let reading = Reading(file.path)
            #expect(reading.packets == packets, "cut at \(cut)")
            #expect((reading.error == nil) == layout.wholeLengths.contains(cut), "cut at \(cut)")
            guard cut >= layout.headerEnd else { continue }
            #expect(reading.error.map { $0.packetIndex == packets + 1 } ?? true, "cut at \(cut)")
            // The engine's result depends on the packets only.
            if known != packets {
                let trace = try RecordedTrace(
                    contentsOf: file.path, options: TraceOptions(.builtIn))
                try expectFront(of: whole, trace, packets: packets)
                known = packets
            }
        }
    }

    /// Expects the messages of the whole capture, as far as their frames are present.
    private func expectFront(
        of whole: RecordedTrace, _ cut: RecordedTrace, packets: Int
    ) throws {
        let complete = whole.messages.filter { ($0.frames.max() ?? 0) <= packets }
        let found = cut.messages.prefix(complete.count)
        #expect(cut.statistics.packets == packets)
        #expect(found.map(\.name) == complete.map(\.name), "\(packets) packets")
        // After them, only messages that the end of the capture has cut are possible.
        let rest = cut.messages.dropFirst(complete.count)
        #expect(rest.allSatisfy { $0.name == "sdl.malformed" || $0.name == "tcp.gap" })
    }

    private func fileBytes(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let count = pread(descriptor, &bytes, bytes.count, 0)
        #expect(count == bytes.count)
        return bytes
    }

    /// The positions at which the parts of a little-endian file end.
    private struct Layout {
        /// The end of the file header.
        var headerEnd = 24
        /// The end of each packet.
        var packetEnds: [Int] = []
        /// The lengths at which the file is complete.
        var wholeLengths: Set<Int> = []

        init(pcap bytes: [UInt8]) {
            wholeLengths.insert(headerEnd)
            var place = headerEnd
            while place + 16 <= bytes.count {
                place += 16 + Self.number(bytes, at: place + 8)
                packetEnds.append(place)
                wholeLengths.insert(place)
            }
        }

        init(pcapng bytes: [UInt8]) {
            headerEnd = Self.number(bytes, at: 4)
            var place = 0
            while place + 8 <= bytes.count {
                let isPacket = Self.number(bytes, at: place) == 6
                place += Self.number(bytes, at: place + 4)
                if isPacket { packetEnds.append(place) }
                wholeLengths.insert(place)
            }
        }

        private static func number(_ bytes: [UInt8], at place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
    }

    /// The number of packets before a fault, and the fault.
    private struct Reading {
        var packets = 0
        var error: CaptureError?

        init(_ path: String) {
            do throws(CaptureError) {
                var file = try CaptureFile(path: path)
                while try file.next() != nil { packets += 1 }
            } catch {
                self.error = error
            }
        }
    }
}
