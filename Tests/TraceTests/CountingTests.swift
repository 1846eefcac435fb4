import BuiltInProtocols
import Capture
import TestSupport
import Testing
import Wire

@testable import Trace

/// A screen that counts messages by their headers, and counts those that were decoded.
private struct Counter: MessageScreen {
    /// How the screen learns of messages.
    enum Way: CaseIterable {
        /// Each message is offered, and its frames are known.
        case requested
        /// Each message is offered, without its frames.
        case askedWithoutFrames
        /// Each message is offered without its frames, and some are wanted whole.
        case someWanted
        /// Each message is offered without its frames, and only headers and bodies are examined.
        case looked
        /// Headers are counted in batches.
        case stated
    }

    let way: Way
    private(set) var counts: [String: Int] = [:]
    private(set) var bytes: [String: Int] = [:]
    /// The sums of the messages' times.
    private(set) var times: [String: Int64] = [:]
    /// The number of units whose length differs from that in their headers.
    private(set) var wrongUnits = 0

    var onlyCounts: Bool { way == .stated }
    var wantsNone: Bool { way == .stated || way == .looked }
    var needsFrames: Bool { way == .requested }

    init(_ way: Way) { self.way = way }

    mutating func add(_ name: String, _ byteCount: Int, at nanoseconds: Int64) {
        counts[name, default: 0] += 1
        times[name, default: 0] &+= nanoseconds
        // If a frame that is only counted is cut off, only its header is known.
        if name != "sdl.malformed" { bytes[name, default: 0] += byteCount }
    }

    mutating func selects(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool
    {
        if !isRight(unit, header) { wrongUnits += 1 }
        if way == .someWanted, header.correlation % 3 == 0 { return true }
        add(ProtocolRegistry.builtIn.name(of: header.code), header.byteCount, at: place.nanoseconds)
        return false
    }

    /// Whether the screen was given the whole message, or the part that it examines.
    private func isRight(_ unit: RawSpan, _ header: MessageHeader) -> Bool {
        guard way == .looked, case .json(let json) = header.body else {
            return unit.byteCount == header.byteCount
        }
        let body = unit.extracting(json.clamped(to: 0..<unit.byteCount))
        return unit.byteCount <= header.byteCount && body.byteCount == json.count
            && (json.isEmpty || body.isJSONObject)
    }

    mutating func count(_ headers: Span<CountedHeader>) {
        for index in headers.indices {
            add(
                ProtocolRegistry.builtIn.name(of: headers[index].code), headers[index].byteCount,
                at: headers[index].nanoseconds)
        }
    }

    mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        add(ProtocolRegistry.builtIn.name(of: code), byteCount, at: place.nanoseconds)
        return false
    }
}

extension Counter {
    mutating func add(_ message: TraceMessage) {
        add(message.name, message.content.bytes.count, at: message.time.nanoseconds)
    }
}

/// Several SDL connections with segments that are cut, lost, repeated or early.
private struct Traffic {
    private var generator: SeededGenerator
    private var frames: [[UInt8]] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns a pcap file of the traffic.
    static func pcap(seed: UInt64) -> [UInt8] {
        var traffic = Traffic(seed: seed)
        var connections = (0..<6).map { traffic.connection(port: 40_000 + UInt16($0)) }
        while let index = connections.indices.randomElement(using: &traffic.generator) {
            traffic.frames.append(connections[index].removeFirst().frame)
            if connections[index].isEmpty { connections.remove(at: index) }
        }
        return CaptureSeeds.pcap(traffic.frames)
    }

    private mutating func connection(port: UInt16) -> [TestSegment] {
        var sent: [UInt32] = [1_000, 5_000]
        var segments: [TestSegment] = []
        for isFromClient in [true, false, true, false, true, false] {
            let own = isFromClient ? 0 : 1
            for piece in pieces(of: stream()) {
                segments.append(
                    .data(
                        piece, at: sent[own], isFromClient: isFromClient,
                        acknowledgement: sent[1 - own]))
                sent[own] += UInt32(piece.count)
                if chance(3) {
                    segments.append(
                        TestSegment(
                            isFromClient: !isFromClient, sequence: sent[1 - own],
                            acknowledgement: sent[own]))
                }
            }
        }
        disturb(&segments)
        if chance(2) {
            segments.append(
                TestSegment(
                    sequence: sent[0], acknowledgement: sent[1],
                    flags: chance(2) ? [.ack, .fin] : [.rst]))
        }
        return (TestSegment.handshake() + segments).map { segment in
            var own = segment
            own.clientPort = port
            return own
        }
    }

    private mutating func disturb(_ segments: inout [TestSegment]) {
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let place = Int.random(in: 1..<segments.count - 1, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: segments.swapAt(place, place + 1)
            case 1: segments.insert(segments[place], at: place + 1)
            case 2: segments.remove(at: place)
            default: segments.removeLast(min(3, segments.count - 2))
            }
        }
    }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &generator) == 0
    }

    private mutating func pieces(of stream: [UInt8]) -> [[UInt8]] {
        var rest = stream[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...chanceLength, using: &generator))
            rest = rest.dropFirst(piece.count)
            pieces.append(Array(piece))
        }
        return pieces
    }

    private var chanceLength: Int {
        mutating get { [3, 30, 90, 400].randomElement(using: &generator) ?? 1 }
    }

    /// Returns a StartServiceACK that may limit the frames of the other side.
    ///
    /// Some have a form that only the decoder reads.
    private mutating func startServiceACK() -> [UInt8] {
        let sizes: [Value.Member] = [.init("mtu", 200), .init("mtu", 131_072), .init("hashId", 1)]
        let others: [Value.Member] = [.init("make", "é"), .init("model", "x")]
        let members = [sizes, others].compactMap { $0.randomElement(using: &generator) }
        let payload = Value.object(members).bson(integerTypes: ["mtu": .int64])
        var bytes: [UInt8] = [0x50, chance(2) ? 7 : 10, 2, 1]
        bytes.append(bigEndian: UInt32(payload.count))
        return bytes + [0, 0, 0, 9] + payload
    }

    /// Returns some frames, mostly RPCs.
    ///
    /// Others are control frames, messages in several frames, and frames of another session or of
    /// another version than agreed.
    private mutating func stream() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let id = UInt32.random(in: 1...40, using: &generator)
            let text = String(repeating: "x", count: Int.random(in: 0...300, using: &generator))
            let word = chance(2) ? UInt32(0x0000_000D) : 0x1000_000D
            let call = CaptureSeeds.rpc(word, #"{"mainField1":"\#(text)"}"#, correlation: id)
            switch Int.random(in: 0..<9, using: &generator) {
            case 8 where !bytes.isEmpty: bytes += startServiceACK()
            case 0: bytes += [0x50, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
            case 1: bytes += CaptureSeeds.multiFrame(call.dropFirst(12))
            case 3:
                let bulk = [UInt8](repeating: 7, count: Int.random(in: 1...900, using: &generator))
                bytes += CaptureSeeds.multiFrame(call.dropFirst(12) + bulk, cut: call.count - 12)
            case 2: bytes += [0x51, 10, 0, 1, 0, 0, 0, 4, 0, 0, 0, 9, 1, 2, 3, 4]
            case 4 where chance(4): bytes += call.prefix(3) + [2] + call.dropFirst(4)
            case 5 where chance(4): bytes += [call[0] &- 0x10] + call.dropFirst()
            default: bytes += call
            }
        }
        return bytes
    }
}

@Suite("Messages that are only counted are skipped before they are complete and counted the same")
struct CountingTests {
    private func count(
        _ path: String, _ way: Counter.Way
    ) throws -> (counter: Counter, statistics: TraceStatistics, numbers: [Int: String]) {
        let shares = try ShardedTrace.read(
            [path], options: TraceOptions(.builtIn), shares: 1, screen: { Counter(way) },
            rest: [TraceMessage](),
            deliver: { $0.append($1) })
        let share = try #require(shares.first)
        var counter = try #require(share.screen as? Counter)
        for message in share.rest { counter.add(message) }
        let numbers = share.rest.map { ($0.number, Self.what($0)) }
        return (counter, share.statistics, Dictionary(uniqueKeysWithValues: numbers))
    }

    /// Returns a message's name and its faults.
    private static func what(_ message: TraceMessage) -> String {
        "\(message.name) \(message.content.fields.objectValue?.first { $0.name == "error" }?.value ?? .null)"
            + message.content.anomalies.map { " \($0.text)" }.joined()
    }

    /// Returns all messages of a capture, each of them decoded, and their counts.
    private func decode(_ path: String) throws -> (whole: RecordedTrace, decoded: Counter) {
        let whole = try RecordedTrace(contentsOf: path, options: TraceOptions(.builtIn))
        var decoded = Counter(.requested)
        for message in whole.messages { decoded.add(message) }
        return (whole, decoded)
    }

    @Test(
        "Segments cut anywhere, lost, repeated and early are counted the same in all ways",
        arguments: 0..<8 as Range<UInt64>)
    func countsAreTheSame(round: UInt64) throws {
        let file = try ScratchFile()
        var messageCount = 0
        for seed in round * 40..<round * 40 + 40 {
            try file.write(Traffic.pcap(seed: seed))
            let (whole, decoded) = try decode(file.path)
            for way in Counter.Way.allCases {
                let counted = try count(file.path, way)
                #expect(counted.counter.counts == decoded.counts, "seed \(seed) \(way)")
                #expect(counted.counter.bytes == decoded.bytes, "seed \(seed) \(way)")
                #expect(counted.counter.times == decoded.times, "seed \(seed) \(way)")
                #expect(counted.counter.wrongUnits == 0, "seed \(seed) \(way)")
                #expect(counted.statistics == whole.statistics, "seed \(seed) \(way)")
                let known = whole.messages.reduce(into: [:]) { $0[$1.number] = Self.what($1) }
                let wrong = counted.numbers.filter { known[$0.key] != $0.value }
                    .map { "\($0.key): \($0.value), not \(known[$0.key] ?? "-")" }.sorted()
                #expect(wrong.isEmpty, "seed \(seed) \(way): \(wrong.first ?? "")")
            }
            messageCount += whole.messages.count
        }
        #expect(messageCount > 5_000)
    }

    /// Returns a capture with frames of another session after a first frame that is cut off.
    ///
    /// More bytes may be missing before that frame.
    private static func cutOffFirstFrame(isBeginningLost: Bool) -> [UInt8] {
        let call = CaptureSeeds.rpc(
            0x0000_000D, #"{"mainField1":"0123456789"}"#, correlation: 1)
        var other = call
        other[3] = 2
        let begin = UInt32(isBeginningLost ? 5_040 : 5_000)
        let behind = begin + UInt32(call.count) + 50
        let end = behind + UInt32(3 * other.count)
        var segments = TestSegment.handshake()
        segments.append(.data([0x10, 7, 1, 0, 0, 0, 0, 0], at: 1_000, acknowledgement: 5_000))
        for (sequence, bytes) in [(begin, Array(call.prefix(30))), (behind, other + other + other)]
        {
            segments.append(
                .data(bytes, at: sequence, isFromClient: false, acknowledgement: 1_008))
        }
        let acknowledgement = TestSegment(sequence: 1_008, acknowledgement: end)
        segments += Array(repeating: acknowledgement, count: 30)
        return CaptureSeeds.pcap(segments.map(\.frame))
    }

    @Test("A frame that never becomes complete agrees on nothing", arguments: [false, true])
    func cutOffFirstFrame(isBeginningLost: Bool) throws {
        let file = try ScratchFile()
        try file.write(Self.cutOffFirstFrame(isBeginningLost: isBeginningLost))
        let (whole, decoded) = try decode(file.path)
        #expect(decoded.counts["sdl.Show.request"] == 3)
        for way in Counter.Way.allCases {
            let counted = try count(file.path, way)
            #expect(counted.counter.counts == decoded.counts, "\(way)")
            #expect(counted.statistics == whole.statistics, "\(way)")
        }
    }

    @Test("A stream that begins with a frame of an unknown version is counted as it is decoded")
    func unknownVersion() throws {
        let file = try ScratchFile()
        var call = CaptureSeeds.rpc(0x0000_000D, "{}", correlation: 1)
        call[0] = 0x81
        for count in [8, 20, call.count] {
            var segments = TestSegment.handshake()
            segments.append(.data([0x10, 7, 1, 0, 0, 0, 0, 0], at: 1_000, acknowledgement: 5_000))
            segments.append(
                .data(
                    Array(call.prefix(count)), at: 5_000, isFromClient: false,
                    acknowledgement: 1_008))
            try file.write(CaptureSeeds.pcap(segments.map(\.frame)))
            let decoded = try decode(file.path).decoded
            #expect(decoded.counts["sdl.malformed"] == 2)
            for way in Counter.Way.allCases {
                let counted = try self.count(file.path, way)
                #expect(counted.counter.counts == decoded.counts, "\(count) \(way)")
            }
        }
    }

    @Test("Damaged captures are counted the same in batches and singly", arguments: 0..<4)
    func damagedCapturesAreTheSame(round: Int) throws {
        let file = try ScratchFile()
        var mutation = Mutation(generator: SeededGenerator(seed: UInt64(7_000 + round)))
        let seed = Traffic.pcap(seed: UInt64(9_000 + round))
        var readCount = 0
        for number in 0..<150 {
            // The file header stays intact, because a file that cannot be opened tests nothing
            // here.
            try file.write(seed[..<24] + mutation.damaged(Array(seed[24...])))
            let whole = try RecordedTrace(contentsOf: file.path, options: TraceOptions(.builtIn))
            for way in Counter.Way.allCases {
                let counted = try count(file.path, way)
                // Bodies that cannot be parsed count under the names of their headers.
                let sum = counted.counter.counts.values.reduce(0, +)
                let label = "round \(round), capture \(number), \(way)"
                #expect(sum == whole.messages.count, "\(label)")
                #expect(counted.statistics == whole.statistics, "\(label)")
            }
            readCount += whole.messages.count
        }
        #expect(readCount > 10_000)
    }
}
