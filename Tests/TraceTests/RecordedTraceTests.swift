import BuiltInProtocols
import Capture
import Testing
import Wire

@testable import Trace

#if canImport(Glibc)
    import Glibc
#endif

/// The recorded traffic: in `CONFORM_DATA`, or next to the repository.
enum RecordedData {
    static let folder: String? = {
        if let named = getenv("CONFORM_DATA") { return String(cString: named) }
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let root = String(cString: real).split(separator: "/").dropLast(3)
        let folder = "/" + root.joined(separator: "/") + "/../shared/data"
        return access(folder, R_OK) == 0 ? folder : nil
    }()

    static var isAvailable: Bool { folder != nil }

    static func trace(_ name: String) throws -> RecordedTrace {
        try RecordedTrace(
            contentsOf: "\(try #require(folder))/\(name)", options: TraceOptions(.builtIn))
    }
}

@Suite(
    "Recorded traffic",
    .enabled(if: RecordedData.isAvailable, "no recorded data; name its folder in CONFORM_DATA"))
struct RecordedTraceTests {
    /// The numbers of packets as `tcpdump -r FILE | wc -l` counts them.
    static let packetCounts: [(file: String, packets: Int)] = [
        ("backoff/syn-retransmissions.pcap", 9),
        ("backoff/variant-code-resetrule.pcap", 36),
        ("backoff/variant-offbyone-refused.pcap", 26),
        ("backoff/variant-readme-resetrule.pcap", 36),
        ("backoff/wget-linear-refused.pcap", 28),
        ("diffusion/reconnect-killed-listener.pcap", 45),
        ("diffusion/system-ping.pcap", 25),
        ("sdl/app-java-core-registration.pcap", 37),
        ("sdl/app-java-multiframe-sequence-wrap.pcap", 482),
        ("sdl/app-java-protocol-v1.pcap", 47),
        ("sdl/app-java-protocol-v2.pcap", 43),
        ("sdl/app-js-core-resume.pcap", 34),
        ("sdl/app-js-core-wrong-language.pcap", 37),
        ("sdl/heartbeat.pcap", 42),
    ]

    @Test("Every recorded file is read whole", arguments: packetCounts)
    func everyFileIsReadWhole(file: String, packets: Int) throws {
        let trace = try RecordedData.trace(file)
        #expect(trace.damage == nil)
        #expect(trace.statistics.packets == packets)
        #expect(trace.statistics.ignored.isEmpty)
        #expect(trace.statistics.gaps == 0)
    }

    @Test(
        "SDL captures are decoded to the last byte",
        arguments: packetCounts.map(\.file).filter { $0.hasPrefix("sdl/") })
    func sdlIsDecodedWhole(file: String) throws {
        let trace = try RecordedData.trace(file)
        #expect(trace.statistics.undecodedBytes == 0)
        #expect(trace.statistics.streamBytes > 20_000)
        #expect(trace.messages.allSatisfy { !$0.name.hasPrefix("tcp.data") })
        #expect(trace.messages.contains { $0.name.hasPrefix("sdl.RegisterAppInterface") })
        #expect(trace.messages.map(\.number) == Array(1...trace.messages.count))
        #expect(trace.messages.map(\.time) == trace.messages.map(\.time).sorted())
        #expect(trace.messages.allSatisfy { !$0.frames.isEmpty && $0.frames == $0.frames.sorted() })
    }

    @Test("A connection attempt without an answer is one SYN, whatever the kernel repeats")
    func repeatedSynsAreOneAttempt() throws {
        let trace = try RecordedData.trace("backoff/syn-retransmissions.pcap")
        let names = trace.messages.map(\.name)
        #expect(names == ["tcp.SYN"] + Array(repeating: "tcp.retransmission", count: 8))
    }

    @Test("Every refused attempt is a SYN and a reset")
    func refusedAttemptsArePairs() throws {
        let trace = try RecordedData.trace("backoff/wget-linear-refused.pcap")
        let names = trace.messages.map(\.name)
        #expect(names == (0..<14).flatMap { _ in ["tcp.SYN", "tcp.refused"] })
        #expect(trace.messages.map(\.flow) == (0..<28).map { $0 / 2 })
    }
}
