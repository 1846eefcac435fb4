import BuiltInProtocols
import TestSupport
import Testing
import Wire

@testable import Bluetooth

@Suite("Reports of profile connections")
struct ProfileReportTests {
    private static func decode(_ pieces: [[UInt8]]) -> [StreamMessage] {
        var decoder = ProfileReport.streamProtocol.makeDecoder(DissectionStack([]))
        var messages: [StreamMessage] = []
        var offset: UInt64 = 0
        for piece in pieces {
            decoder.consume(piece.span.bytes, from: .first, at: offset, into: &messages)
            offset += UInt64(piece.count)
        }
        decoder.finish(.first, .closed, into: &messages)
        return messages
    }

    private static let lines: [[UInt8]] = [
        ProfileReport(.available, ["carrier": "gatt"]).line,
        ProfileReport(
            .discovered,
            [
                "object": 1, "carrier": "gatt", "address": "C4:11:11:11:11:11",
                "class": "Datapath", "rssi": -50, "via": "scan",
            ]
        ).line,
        ProfileReport(.received, ["object": "1", "data": "echo:hello"]).line,
        ProfileReport(.received, ["object": "1", "hex": "00ff"]).line,
    ]

    @Test("Each line is a message, in one piece or byte by byte")
    func lines() throws {
        let bytes = Array(Self.lines.joined())
        for pieces in [[bytes], bytes.map { [$0] }] {
            let messages = Self.decode(pieces)
            #expect(
                messages.map(\.content.name) == [
                    "profile.available", "profile.discovered", "profile.received",
                    "profile.received",
                ])
            let fields = messages.map(\.content.fields)
            #expect(fields[1]["profile"]?["address"] == "c4:11:11:11:11:11")
            #expect(fields[1]["profile"]?["object"] == "1")
            #expect(fields[2]["profile"]?["data"] == .bytes(Array("echo:hello".utf8)))
            #expect(fields[3]["profile"]?["data"] == .bytes([0, 0xFF]))
            #expect(messages[1].ranges.first?.lowerBound == UInt64(Self.lines[0].count))
            #expect(messages.allSatisfy { $0.content.anomalies.isEmpty })
        }
    }

    @Test("The connection is recognised by its first bytes")
    func recognition() {
        #expect(known(Self.lines[0], ProfileReport.streamProtocol) == true)
        #expect(known(Array("{\"prof".utf8), ProfileReport.streamProtocol) == nil)
        #expect(known(Array("{\"profiles\":1}".utf8), ProfileReport.streamProtocol) == false)
        #expect(known([1, 3, 0x0C, 0], H4.streamProtocol) == true)
        #expect(known([4, 0x0E, 4, 1, 3, 0x0C, 0], H4.streamProtocol) == true)
        #expect(known([1, 3], H4.streamProtocol) == nil)
        #expect(known([4, 0x0E, 4, 1, 9], H4.streamProtocol) == false)
        #expect(known([0x10, 7], H4.streamProtocol) == false)
    }

    private func known(_ bytes: [UInt8], _ expected: StreamProtocol) -> Bool? {
        expected.recognises(bytes.span.bytes)
    }

    @Test(
        "A line that is not a report is malformed, with the reason",
        arguments: [
            "{\"profile\":\"activated\"}", "{\"profile\":\"activated\",\"object\":true}",
            "{\"profile\":\"available\",\"carrier\":1}",
            "{\"profile\":\"unknown\"}", "{\"object\":1,\"profile\":\"sent\"}", "[]", "{", "1",
        ])
    func malformed(line: String) {
        let messages = Self.decode([Array((line + "\n").utf8)])
        #expect(messages.map(\.content.name) == ["profile.malformed"])
        #expect(messages.first?.content.anomalies.count == 1)
    }

    @Test("A line without an end is malformed, and a partial line after a gap is skipped")
    func cut() {
        #expect(Self.decode([Array("{\"profile\":".utf8)]).count == 1)
        var decoder = ProfileReport.streamProtocol.makeDecoder(DissectionStack([]))
        var messages: [StreamMessage] = []
        decoder.gap(upTo: 100, from: .first, into: &messages)
        let rest = Array("ated\"}\n".utf8) + Self.lines[0]
        decoder.consume(rest.span.bytes, from: .first, at: 100, into: &messages)
        #expect(messages.map(\.content.name) == ["profile.available"])
        let long = [UInt8](repeating: 0x20, count: ProfileReport.lineMax + 1)
        #expect(Self.decode([long, [0x0A], Self.lines[0]]).count == 2)
    }

    @Test(
        "A line beyond the limit is malformed once, wherever its segments end",
        arguments: [100, 65_000, 65_536, 65_600, .max])
    func long(size: Int) {
        let head = Array("{\"profile\":\"received\",\"object\":\"1\",\"data\":\"".utf8)
        func line(_ count: Int) -> [UInt8] {
            head + [UInt8](repeating: 0x78, count: count - head.count - 2) + Array("\"}".utf8) + [
                10
            ]
        }
        let bytes = line(65_700) + line(65_537) + line(65_536) + Self.lines[0]
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        let messages = Self.decode(pieces)
        #expect(
            messages.map(\.content.name) == [
                "profile.malformed", "profile.malformed", "profile.received", "profile.available",
            ])
        #expect(messages.map { $0.content.anomalies.isEmpty } == [false, false, true, true])
    }

    @Test("Blanks between the tokens of a line are allowed, in the first one too")
    func blanks() {
        let line = Array("{ \"profile\" :\t\"activated\", \"object\" : 1 }\r\n".utf8)
        #expect(known(line, ProfileReport.streamProtocol) == true)
        #expect(known(Array("{ \"prof".utf8), ProfileReport.streamProtocol) == nil)
        #expect(known(Array("{ \"other\" : 1}".utf8), ProfileReport.streamProtocol) == false)
        #expect(
            known(
                Array("{".utf8) + [UInt8](repeating: 0x20, count: 300), ProfileReport.streamProtocol
            )
                == false)
        let messages = Self.decode([line])
        #expect(messages.map(\.content.name) == ["profile.activated"])
        #expect(messages.first?.content.fields["profile"]?["object"] == "1")
    }

    @Test("Every report is in the catalogue")
    func described() {
        for kind in ProfileReport.Kind.allCases {
            #expect(ProtocolRegistry.builtIn.message(named: "profile.\(kind.rawValue)") != nil)
        }
    }
}
