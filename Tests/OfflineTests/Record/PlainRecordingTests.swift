import Bluetooth
import BuiltInProtocols
import Capture
import Foundation
import SuiteLanguage
import TCPIP
import TestBench
import TestSupport
import TestTraffic
import Testing
import Trace
import Wire

@testable import Offline

@Suite("Captures without a protocol of conform, and captures that cannot be recorded")
struct PlainRecordingTests {
    private let scratch = TemporaryFolder()

    /// Writes a capture of a client that sends lines and gets answers, at these milliseconds.
    private func capture(_ lines: [(at: Int, text: String, isAnswer: Bool)]) throws -> String {
        var talk = Conversation(
            caller: Endpoint(address: IPAddress(ipv4: 0x0A00_0005), port: 40_000),
            callee: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 2525))
        var packets = talk.handshake().map { (milliseconds: 0, bytes: $0.packet) }
        for line in lines {
            let segment = talk.segment(
                from: line.isAnswer ? .callee : .caller, payload: Array(line.text.utf8))
            packets.append((line.at, segment.packet))
        }
        let path = scratch.path + "/lines.pcapng"
        try WorkBench.write(packets, to: path)
        return path
    }

    private func record(_ path: String, stream: String? = nil) throws -> Recording {
        try Recording(
            captures: [path],
            options: Recording.Options(
                path: scratch.path + "/recorded.yaml",
                stream: try stream.map { try RecordedStream($0, .builtIn) },
                known: KnownMessages(.builtIn)))
    }

    private static let dialogue = [
        (at: 10, text: "HELO one\n", isAnswer: false), (20, "250 hello\n", true),
        (30, "QUIT\n", false), (40, "221 bye\n", true),
    ]

    @Test("A plain text protocol is recorded with the stream that its user states")
    func lines() throws {
        let path = try capture(Self.dialogue)
        for stream in ["until: \"\\n\"", "{until: {hex: 0a}}"] {
            let recording = try record(path, stream: stream)
            #expect(try recording.check().map(\.verdict) == [.pass])
            let text = recording.suite.text
            #expect(text.contains("text: HELO one"), "\(text)")
            #expect(text.contains("is: tcp.server, stream: {"))
        }
        #expect(throws: RecordingError.self) { try record(path) }
        #expect(throws: InvalidInput.self) { try record(path, stream: "untl: 0a") }
    }

    @Test("A device that only polls at even times is recorded by its polls")
    func polls() throws {
        let path = try capture(
            (0..<4).flatMap {
                [
                    (at: 2000 * $0 + 10, text: "STATUS\n", isAnswer: false),
                    (2000 * $0 + 20, "200 idle\n", true),
                ]
            })
        let recording = try record(path, stream: "until: \"\\n\"")
        #expect(try recording.check().map(\.verdict) == [.pass])
        #expect(recording.suite.text.components(separatedBy: "text: STATUS").count == 5)
        #expect(!recording.suite.text.contains("ignore:"))
    }

    @Test("The log of a Bluetooth host is recorded with what it does before and after the dialogue")
    func bluetooth() throws {
        let address: [UInt8] = [0x11, 0x11, 0x11, 0x11, 0x11, 0xC4]
        let packets: [(isReceived: Bool, bytes: [UInt8])] = [
            (false, [1, 0x0C, 0x20, 2, 1, 0]), (true, [4, 0x0E, 4, 1, 0x0C, 0x20, 0]),
            (
                false,
                [1, 0x0D, 0x20, 25, 96, 0, 96, 0, 0, 1] + address
                    + [0, 24, 0, 40, 0, 0, 0, 42, 0, 0, 0, 0, 0]
            ),
            (true, [4, 0x0F, 4, 0, 1, 0x0D, 0x20]),
            (true, [4, 0x3E, 19, 1, 0, 0x40, 0, 0, 1] + address + [24, 0, 0, 0, 42, 0, 0]),
            (false, [2, 0x40, 0x00, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0]),
            (true, [2, 0x40, 0x20, 6, 0, 2, 0, 4, 0, 0x0B, 0x48]),
            (false, [1, 0x06, 0x04, 3, 0x40, 0, 0x13]), (true, [4, 0x0F, 4, 0, 1, 0x06, 0x04]),
            (true, [4, 0x05, 4, 0, 0x40, 0, 0x16]),
        ]
        let path = scratch.path + "/hci.pcapng"
        let directed = packets.enumerated().map { number, packet in
            let direction: [UInt8] = [0, 0, 0, packet.isReceived ? 1 : 0]
            return (milliseconds: 10 * number, bytes: direction + packet.bytes)
        }
        try WorkBench.write(directed, to: path, linkType: .bluetoothH4Directed)
        let recording = try record(path)
        #expect(try recording.check().map(\.verdict) == [.pass])
        for message in ["le.scan", "le.connect", "gatt.read", "gatt.value", "le.disconnect"] {
            #expect(recording.suite.text.contains("expect: \(message)"))
        }
    }

    @Test("A capture that lasts longer than a suite can wait is refused, with the reason")
    func years() throws {
        let hours = 3_600_000
        let path = try capture(
            Self.dialogue + [(at: 5000 * hours, text: "NOOP\n", isAnswer: false)])
        let error = #expect(throws: RecordingError.self) { try record(path, stream: "until: 0a") }
        #expect(error?.description.contains("5000 hours lie between its earliest") == true)
    }

    @Test("A capture whose clock runs backwards gives no verdict, and so no suite")
    func backwards() throws {
        let path = try capture([Self.dialogue[0], (at: -90_000, text: "250 a\n", isAnswer: true)])
        let outcome = try record(path, stream: "until: 0a").check()
        #expect(outcome.map(\.verdict) == [.inconclusive])
        #expect(outcome.first?.reason.contains("times of the capture run backwards") == true)
    }

    @Test("A peer is named by its address alone, of the air or of a network")
    func addresses() throws {
        func recorded(_ path: String, _ name: String, _ address: String) throws -> String {
            let recording = try Recording(
                captures: [path],
                options: Recording.Options(
                    path: scratch.path + "/recorded.yaml",
                    peers: [name: try #require(Endpoint(address)).party],
                    known: KnownMessages(.builtIn)))
            #expect(try recording.check().map(\.verdict) == [.pass])
            return recording.suite.text
        }
        var link = HCIConversation(handle: 1)
        // LE Connection Complete as central: Core 5.4 Vol 4 Part E 7.7.65.1.
        let band: [UInt8] = [0x11, 0x11, 0x11, 0x11, 0x11, 0xC4]
        link.event(
            [0x3E, 19, 1, 0, 1, 0, 0, 1] + band + [24, 0, 0, 0, 100, 0, 0])
        for _ in 0..<2 {
            link.unit([0x0A, 3, 0], to: L2CAPFrame.Channel.attributes, from: .first)
            link.unit([0x0B, 7], to: L2CAPFrame.Channel.attributes, from: .second)
        }
        let path = scratch.path + "/air.pcapng"
        let packets = link.packets.enumerated().map { (milliseconds: 10 * $0, bytes: $1) }
        try WorkBench.write(packets, to: path, linkType: LinkType(rawValue: 201))
        #expect(
            try recorded(path, "band", "c4:11:11:11:11:11").contains(
                "band: {is: gatt.peripheral, air: radio, address: c4:11:11:11:11:11}"))

        var session = SyntheticCapture(port: 7777, caller: IPAddress(ipv4: 0x0A00_0005))
        session.register(session: 70_001)
        session.request("Show", ["mainField1": "Hello"], id: 2)
        session.wait(3)
        session.answer("Show", ["success": true, "resultCode": "SUCCESS"], id: 2)
        session.wait(400)
        let tcp = try session.write(to: scratch.path, as: "session")
        #expect(
            try recorded(tcp, "unit", "127.0.0.1:7777")
                .contains("unit: {is: sdl.head-unit, port: 7777}"))
    }
}
