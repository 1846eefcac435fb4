import BuiltInProtocols
import Glibc
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Commands
@testable import Reporting

@Suite("Counts by the headers of messages")
struct MessageTallyTests {
    static let folder: String? = {
        if let named = getenv("CONFORM_DATA") { return String(cString: named) }
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let root = String(cString: real).split(separator: "/").dropLast(3)
        let folder = "/" + root.joined(separator: "/") + "/../shared/data"
        return access(folder, R_OK) == 0 ? folder : nil
    }()

    @Test(
        "They equal the counts of the messages themselves, in one share or in two",
        .enabled(if: folder != nil, "no recorded data; name its folder in CONFORM_DATA"),
        arguments: [
            "sdl/app-java-core-registration", "sdl/app-java-multiframe-sequence-wrap",
            "sdl/app-java-protocol-v1", "sdl/app-java-protocol-v2", "sdl/app-js-core-resume",
            "sdl/app-js-core-wrong-language", "sdl/heartbeat",
            "diffusion/reconnect-killed-listener", "backoff/wget-linear-refused",
        ], [1, 2])
    func talliesAgree(capture: String, shares: Int) throws {
        let path = "\(try #require(Self.folder))/\(capture).pcap"
        var whole = MessageStatistics(KnownMessages(.builtIn))
        for message in try RecordedTrace(contentsOf: path, options: TraceOptions(.builtIn)).messages
        { whole.add(message) }
        let parts = try ShardedTrace.read(
            [path], options: TraceOptions(.builtIn), shares: shares,
            screen: { MessageTally(.builtIn) }, rest: MessageStatistics(KnownMessages(.builtIn)),
            deliver: { $0.add($1) })
        var counted = MessageStatistics(KnownMessages(.builtIn))
        for part in parts {
            counted.merge(part.rest)
            counted.merge(try #require(part.screen as? MessageTally))
        }
        #expect(counted.table() == whole.table())
        #expect(counted.objects() == whole.objects())
    }
}
