import BuiltInProtocols
import Capture
import TCPIP
import TestSupport
import Testing
import Wire

@testable import Trace

@Suite("Messages that are not wanted are not decoded, which changes nothing else")
struct ScreeningTests {
    /// A screen that wants some messages and checks everything that it is given.
    private struct Picky: MessageScreen {
        var wanted: Set<String>
        var headers: [String: Int] = [:]
        var problems: [String] = []

        mutating func selects(
            _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
        ) -> Bool {
            headers[ProtocolRegistry.builtIn.name(of: header.code), default: 0] += 1
            if header.byteCount != unit.byteCount {
                problems.append("\(ProtocolRegistry.builtIn.name(of: header.code)): length")
            }
            let message = ProtocolRegistry.builtIn.message(of: header, in: unit)
            let isMultiFrame = unit.unsafeLoad(as: UInt8.self) & 7 == 2
            if header.isSound(unit), message == nil, !isMultiFrame {
                problems.append(
                    "\(ProtocolRegistry.builtIn.name(of: header.code)): sound, but not decoded")
            }
            if let message, message.bytes.count != header.byteCount {
                problems.append("\(ProtocolRegistry.builtIn.name(of: header.code)): other bytes")
            }
            return wanted.contains(ProtocolRegistry.builtIn.name(of: header.code))
        }

        func selects(event code: MessageCode, byteCount: Int, at place: MessagePlace) -> Bool {
            wanted.contains(ProtocolRegistry.builtIn.name(of: code))
        }
    }

    static let captures = [
        "app-java-core-registration", "app-java-multiframe-sequence-wrap", "app-java-protocol-v1",
        "app-java-protocol-v2", "app-js-core-resume", "app-js-core-wrong-language", "heartbeat",
    ]

    private func read(
        _ path: String, _ options: TraceOptions = TraceOptions(.builtIn),
        screen: (any MessageScreen)? = nil
    ) throws -> (messages: [TraceMessage], engine: TraceEngine) {
        var engine = TraceEngine(options, screen: screen)
        var messages: [TraceMessage] = []
        var file = try CaptureFile(path: path)
        try file.forEach { engine.consume($0, into: &messages) }
        engine.finish(at: nil, into: &messages)
        return (messages, engine)
    }

    private func text(_ message: TraceMessage) -> String {
        "\(message.number) \(message.time) \(message.frames) \(message.flow ?? -1) "
            + "\(message.name) \(message.content.fields) \(message.content.anomalies)"
    }

    @Test(
        "A screened trace has the wanted messages, with the same numbers and fields",
        .enabled(if: RecordedData.isAvailable, "no recorded data; name its folder in CONFORM_DATA"),
        arguments: captures)
    func screenedIsFiltered(capture: String) throws {
        let path = "\(try #require(RecordedData.folder))/sdl/\(capture).pcap"
        let whole = try read(path)
        let wanted: Set<String> = [
            "tcp.FIN", "sdl.RegisterAppInterface.request", "sdl.OnHMIStatus.notification",
            "sdl.HeartbeatACK", "sdl.PutFile.request",
        ]
        let screened = try read(path, screen: Picky(wanted: wanted))
        let screen = try #require(screened.engine.screen as? Picky)
        #expect(screen.problems == [])
        // A message that its headers do not identify is reported in any case.
        let unasked = screened.messages.filter { !wanted.contains($0.name) }
        #expect(unasked.count + screen.headers.values.reduce(0, +) >= whole.messages.count / 2)
        let numbers = Set(unasked.map(\.number))
        #expect(
            screened.messages.map(text)
                == whole.messages.filter { wanted.contains($0.name) || numbers.contains($0.number) }
                .map(text))
        #expect(screened.engine.statistics == whole.engine.statistics)
    }

    @Test(
        "The shares of two or three engines together are what one engine finds",
        .enabled(if: RecordedData.isAvailable, "no recorded data; name its folder in CONFORM_DATA"),
        arguments: captures, [2, 3])
    func sharesAreTheWhole(capture: String, count: Int) throws {
        let path = "\(try #require(RecordedData.folder))/sdl/\(capture).pcap"
        let whole = try read(path)
        let shares = try ShardedTrace.read(
            [path], options: TraceOptions(.builtIn), shares: count, screen: { Everything() },
            rest: [TraceMessage](),
            deliver: { $0.append($1) })
        #expect(shares.count == count)
        func key(_ message: TraceMessage) -> String {
            "\(message.time) \(message.frames) \(message.name) \(message.content.bytes)"
        }
        #expect(
            shares.flatMap { $0.rest.map(key) }.sorted() == whole.messages.map(key).sorted())
        var sum = shares[0].statistics
        for share in shares.dropFirst() { sum.merge(share: share.statistics) }
        #expect(sum == whole.engine.statistics)
    }

    @Test("A small capture and an input that can be read only once are read by one thread")
    func smallCapturesAreNotShared() throws {
        let file = try ScratchFile()
        try file.write([UInt8](repeating: 0, count: 2_000_000))
        #expect(ShardedTrace.shareCount(for: [file.path]) == 1)
        #expect(ShardedTrace.shareCount(for: ["/dev/null"]) == 1)
        #expect(ShardedTrace.shareCount(for: [file.path, "-"]) == 1)
        let many = [String](repeating: file.path, count: 16)
        #expect(ShardedTrace.shareCount(for: many) == min(8, Processors.count))
    }

    private struct Everything: MessageScreen {
        func selects(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
            true
        }
    }

    @Test("Frames read in one step give the same as those read layer by layer")
    func ethernetSegments() {
        // All but the last two, an IPv6 packet and a fragment, are whole.
        for frame in CaptureSeeds.frames.dropLast(2) {
            let quick = EthernetSegment(frame.span.bytes)
            #expect(quick.map { isSame($0, frame) } == true)
        }
        var generator = SeededGenerator(seed: 5)
        var readCount = 0
        for _ in 0..<20_000 {
            var frame = CaptureSeeds.frames.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 12..<min(54, frame.count), using: &generator)
                frame[place] = UInt8.random(in: 0...255, using: &generator)
            }
            // Half of them are cut short, so that the layers read them.
            if Bool.random(using: &generator) {
                frame.removeLast(Int.random(in: 1...3, using: &generator))
            }
            guard let quick = EthernetSegment(frame.span.bytes) else { continue }
            readCount += 1
            #expect(isSame(quick, frame))
        }
        #expect(readCount > 5_000)
    }

    private func isSame(_ quick: EthernetSegment, _ frame: [UInt8]) -> Bool {
        do {
            let bytes = frame.span.bytes
            let link = try LinkHeader(parsing: bytes, framing: .ethernet)
            let ip = try IPHeader(parsing: bytes.extracting(droppingFirst: link.length))
            let start = link.length + ip.length
            let segment = bytes.extracting(start..<start + ip.payloadLength)
            let tcp = try TCPHeader(parsing: segment)
            return link.etherType == .ipv4 && ip.fragment == nil && ip.protocolNumber == .tcp
                && ip.source == quick.source && ip.destination == quick.destination
                && tcp == quick.header && quick.segment == start..<start + ip.payloadLength
        } catch {
            return false
        }
    }
}
