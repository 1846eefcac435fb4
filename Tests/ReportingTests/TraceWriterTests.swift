import BuiltInProtocols
import Capture
import Glibc
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Commands
@testable import Reporting

@Suite("A listing that is written from the headers of messages")
struct TraceWriterTests {
    private static let headers =
        "message.name,frame.time_epoch,tcp.stream,sdl.version,sdl.encrypted,sdl.compressed,"
        + "sdl.frame_type,sdl.frame_type_name,sdl.service_type,sdl.service_name,sdl.frame_info,"
        + "sdl.session_id,sdl.data_size,sdl.message_id,rpc.type,rpc.type_name,rpc.function_id,"
        + "rpc.function,rpc.correlation_id,rpc.json_size"

    private static let columns: [String?] = [
        headers, "rpc.function,params.appName,params.success,params.vrSynonyms,params.nothing",
        "message.number,frame.number,sdl.frames,rpc.type", "sdl.session_id,params.protocolVersion",
        nil,
    ]

    private static let selections: [(pattern: String?, filter: String?, stream: Int?)] = [
        (nil, nil, nil), ("sdl.*.request", nil, nil), ("*.malformed", nil, nil), (nil, nil, 0),
        (nil, "sdl.service_type == 7 && rpc.type == 0", nil),
        (nil, "rpc.function in {\"Show\", \"OnHMIStatus\"} || sdl.StartService", nil),
        (nil, "!(params.success == true) && sdl.frames == 1", nil),
        ("sdl.*", "rpc.correlation_id > 2 || tcp.SYN", 0),
    ]

    private static let captures: [String] = {
        guard let folder = MessageTallyTests.folder else { return [] }
        return [
            "sdl/app-java-core-registration", "sdl/app-java-multiframe-sequence-wrap",
            "sdl/app-java-protocol-v1", "sdl/app-java-protocol-v2",
            "sdl/app-js-core-wrong-language", "sdl/heartbeat",
            "diffusion/reconnect-killed-listener",
        ].map { "\(folder)/\($0).pcap" }
    }()

    /// Returns the paths in a text that separates them by commas.
    private func paths(_ text: String?) -> [TraceField]? {
        text?.split(separator: ",").compactMap {
            FieldPath(String($0)).map { TraceField($0, in: .builtIn) }
        }
    }

    private func read(
        _ path: String, screen: (any MessageScreen)?, deliver: ([TraceMessage]) -> Void
    ) throws {
        var engine = TraceEngine(TraceOptions(.builtIn), screen: screen)
        var messages: [TraceMessage] = []
        var file = try CaptureFile(path: path)
        try file.forEach {
            engine.consume($0, into: &messages)
            deliver(messages)
            messages = []
        }
        engine.finish(at: nil, into: &messages)
        deliver(messages)
    }

    @Test(
        "It equals the listing of the fully decoded messages",
        .enabled(if: !captures.isEmpty, "no recorded data; name its folder in CONFORM_DATA"),
        arguments: captures, TraceListing.Format.allCases)
    func sameLines(capture: String, format: TraceListing.Format) throws {
        for columns in Self.columns {
            for (pattern, filter, stream) in Self.selections {
                let selection = MessageSelection(
                    of: .builtIn, pattern: pattern.map { CasePattern($0) },
                    filter: try filter.map { try MessageFilter($0, KnownMessages(.builtIn)) },
                    stream: stream)
                let listing = TraceListing(
                    format: format, columns: paths(columns), style: .plain)
                var whole = listing
                var expected: [UInt8] = []
                try read(capture, screen: nil) {
                    for message in $0 where selection.contains(message) {
                        whole.append(message, to: &expected)
                    }
                }
                var written: [UInt8] = []
                var writer = TraceWriter(listing, of: selection, isImmediate: false) {
                    written += $0
                }
                try read(capture, screen: writer.screen) { writer.write($0) }
                writer.flush()
                #expect(
                    String(decoding: written, as: UTF8.self)
                        == String(decoding: expected, as: UTF8.self),
                    "\(columns ?? "all") \(pattern ?? "") \(filter ?? "")")
            }
        }
    }

    @Test(
        "Columns that are in headers are written without decoding the messages",
        .enabled(if: !captures.isEmpty, "no recorded data; name its folder in CONFORM_DATA"))
    func nothingIsDecoded() throws {
        let listing = TraceListing(format: .text, columns: paths(Self.headers), style: .plain)
        let writer = TraceWriter(listing, of: MessageSelection(of: .builtIn), isImmediate: false) {
            _ in
        }
        var made: Set<String> = []
        try read(Self.captures[0], screen: writer.screen) {
            made.formUnion($0.map(\.name))
        }
        #expect(made.contains("tcp.SYN"))
        #expect(made.filter { $0.hasSuffix(".notification") || $0.hasSuffix(".request") } == [])
    }

    @Test("No cell is a formula of a spreadsheet, or has control characters")
    func cells() throws {
        let field = TraceField(try #require(FieldPath("x")), in: .builtIn)
        func cell(_ value: Value) -> String {
            let event = LogEvent(
                name: "log.a", fields: .object([Value.Member("x", value)]), text: "")
            var listing = TraceListing(format: .text, columns: [field], style: .plain)
            var bytes: [UInt8] = []
            listing.append(
                TraceMessage(
                    number: 1, time: Timestamp(nanoseconds: 0), frames: [1], content: event),
                to: &bytes)
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
        for (value, expected) in [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-2", "'-2"), ("@SUM(1)", "'@SUM(1)"),
            ("'a", "''a"), ("a=b", "a=b"), ("\u{E9}", "\u{E9}"), (.integer(-5), "-5"),
        ] as [(Value, String)] {
            #expect(cell(value) == expected)
        }
        for control in ["\u{9B}31m", "\u{1B}[2J", "\t=1", "\r=1"] {
            let text = cell(.string(control))
            #expect(text.unicodeScalars.allSatisfy { !(0x7F..<0xA0).contains($0.value) })
            #expect(text.utf8.allSatisfy { $0 >= 0x20 } && text.first != "=")
        }
    }

    @Test("Lines of headers are written as they grow, in their order")
    func linesGrow() throws {
        let listing = TraceListing(
            format: .text, columns: paths("sdl.message_id,sdl.version"), style: .plain)
        var pieces: [[UInt8]] = []
        var writer = TraceWriter(listing, of: MessageSelection(of: .builtIn), isImmediate: false) {
            pieces.append($0)
        }
        var screen = try #require(writer.screen)
        let header = MessageHeader(
            code: try #require(ProtocolRegistry.builtIn.code(ofMessage: "sdl.Heartbeat")),
            byteCount: 12, correlation: 0,
            body: .empty)
        let place = MessagePlace(flow: 0, slot: 0, isFromFirst: true, nanoseconds: 0, frame: 1)
        var expected = ""
        var wantedCount = 0
        for number in UInt32(0)..<30_000 {
            let words = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
            let unit = [0x50, 0, 0, 1, 0, 0, 0, 0] + words
            if screen.selects(header, unit.span.bytes, at: place) { wantedCount += 1 }
            writer.write([])
            expected += "\(number)\t5\n"
        }
        #expect(wantedCount == 0)
        #expect(pieces.count > 1)
        writer.flush()
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == expected)
        // Where nobody takes the lines out, a message is requested, so that somebody does.
        var count = 0
        while count < 30_000,
            !screen.selects(header, [UInt8](repeating: 0x50, count: 12).span.bytes, at: place)
        {
            count += 1
        }
        #expect((1_000..<10_000).contains(count))
    }
}
