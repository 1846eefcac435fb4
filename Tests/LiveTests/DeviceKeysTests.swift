import Capture
import Offline
import TCPIP
import TestTraffic
import Testing
import Trace
import Wire

@testable import Live

/// Packets that wait for the keys that a device writes.
struct DeviceKeysTests {
    private static let device = Endpoint(address: IPAddress(ipv4: 0x7F00_0002), port: 40_000)
    private static let server = Endpoint(address: IPAddress(ipv4: 0x7F00_0001), port: 8443)
    private static let random = [UInt8](repeating: 0xA7, count: 32)
    private static let labels = [
        "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET",
        "CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0",
    ]
    private static let hello: [UInt8] =
        [22, 3, 1, 0, 90, 1, 0, 0, 86, 3, 3] + random + [UInt8](repeating: 0, count: 52)

    /// Packets of the test, the key log that the device writes, and what comes out.
    private final class Bench: PacketSource {
        var arriving: [Segment] = []
        var log = ""
        var isOld = false
        private(set) var passed: [Segment] = []
        private var waiting: [Segment] = []
        private(set) var saved = ""
        private(set) lazy var keys = DeviceKeys(for: { $0 == DeviceKeysTests.server }) {
            defer { self.log = "" }
            return Array(self.log.utf8)
        }
        private(set) lazy var source = KeyAwaitingSource(self, keys)
        private(set) var latest = Timestamp(nanoseconds: 0)

        let interfaces: [CaptureInterface] = []
        let pollDescriptors: [Int32] = []
        let isElsewhere = false
        let lostCount = 0
        let fault: InconclusiveFinding? = nil
        let inconclusiveFindings: [InconclusiveFinding] = []
        let remarks: [String] = []
        func known(at now: Timestamp) -> Timestamp { now }
        func probe(isUrgent: Bool) -> Duration? { nil }
        func stop() {}

        func consume(_ body: (borrowing Packet) -> Void) -> Bool {
            for segment in arriving {
                latest = isOld ? WallClock.now - .seconds(2) : WallClock.now
                waiting.append(segment)
                body(
                    Packet(
                        segment.packet.span.bytes, timestamp: latest.nanoseconds, index: 0,
                        linkType: .raw))
            }
            arriving = []
            return false
        }

        /// Lets packets arrive; returns how many have been passed on so far.
        func pass(_ segments: [Segment] = []) throws -> Int {
            arriving = segments
            _ = try source.consume { _ in
                passed.append(waiting.removeFirst())
                saved += String(decoding: keys.take(), as: UTF8.self)
            }
            return passed.count
        }
    }

    private static func line(_ label: String, _ random: [UInt8] = random) -> String {
        "\(label) \(random.hexText) \(String(repeating: "5c", count: 32))\n"
    }

    private var conversation = Conversation(caller: device, callee: server)
    private let bench = Bench()

    /// Passes a connection up to the ClientHello; nothing of it waits.
    private mutating func begin() throws {
        let opening =
            conversation.handshake()
            + [conversation.segment(from: .caller, payload: Self.hello)]
        #expect(try bench.pass(opening) == 4)
    }

    @Test("Packets wait for all keys of their connection, in order")
    mutating func waits() throws {
        try begin()
        let answer = conversation.segment(from: .callee, payload: [22, 3, 3, 0, 1, 2])
        #expect(try bench.pass([answer]) == 4)
        let held = bench.latest
        #expect(try bench.pass([conversation.segment(from: .caller)]) == 4)
        #expect(bench.source.known(at: WallClock.now) == held)
        #expect(bench.source.isElsewhere)
        for label in Self.labels.dropLast() {
            bench.log = Self.line(label)
            #expect(try bench.pass() == 4)
        }
        // The key of another connection is not the missing one.
        bench.log = Self.line(Self.labels[3], [UInt8](repeating: 1, count: 32))
        #expect(try bench.pass() == 4)
        bench.log = Self.line(Self.labels[3])
        #expect(try bench.pass() == 6)
        #expect(bench.saved == Self.labels.map { Self.line($0) }.joined())
        #expect(!bench.source.isElsewhere)
        #expect(bench.source.remarks.isEmpty)
    }

    @Test("A connection that the device has ended does not wait, and gets no later keys")
    mutating func ends() throws {
        try begin()
        bench.log = Self.line(Self.labels[0])
        let answer = conversation.segment(from: .callee, payload: [22, 3, 3, 0, 1, 2])
        let serverEnd = conversation.segment(from: .callee, flags: [.ack, .fin])
        #expect(try bench.pass([answer, serverEnd]) == 4)
        #expect(try bench.pass([conversation.segment(from: .caller, flags: [.ack, .fin])]) == 7)
        bench.log = Self.line(Self.labels[1])
        #expect(try bench.pass([conversation.segment(from: .callee)]) == 8)
        #expect(bench.saved == Self.line(Self.labels[0]))
        #expect(bench.source.remarks.isEmpty)
    }

    @Test("Packets do not wait longer than a second, and the report says so")
    mutating func givesUp() throws {
        try begin()
        bench.isOld = true
        #expect(
            try bench.pass([
                conversation.segment(from: .callee, payload: [22, 3, 3, 0, 1, 2])
            ]) == 5)
        #expect(bench.source.remarks.count == 1)
    }
}
