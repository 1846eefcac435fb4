import Foundation
import TestSupport
import Testing
import Wire

/// Whether Debian or `Scripts/third-party` has installed a program.
private func isInstalled(_ program: String) -> Bool {
    ["/usr/bin", "/usr/sbin", "\(ConformProgram.root)/.third-party/python/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
}

/// Wireshark's dissectors as a second source: `--dissect NAME=tshark`.
@Suite(
    "Messages dissected by tshark", .enabled(if: isInstalled("tshark"), "no tshark"),
    .serialized)
struct DissectionTests {
    private static let examples = "\(ConformProgram.root)/Suites/examples"
    private static let suite = "\(ConformProgram.root)/Tests/EndToEndTests/Suites/mqtt-tshark.yaml"

    /// Runs an example and returns the capture of its first case.
    private static func capture(_ suite: String, _ device: String) throws -> String {
        let run = try JudgedRun(
            "\(examples)/\(suite).yaml", ["--device", "\(examples)/devices/\(device).yaml"])
        return "\(run.folder)/\(try #require(run.results.captures.first, "\(run.outcome.output)"))"
    }

    /// Frames, source, destination, flow and the value of a field for each message.
    private static func rows(
        _ capture: String, _ options: [String], _ prefix: String, _ path: String
    ) throws -> [[Value?]] {
        let decoded = try ConformProgram.run(["decode", "--format", "json", capture] + options)
        #expect(decoded.status == 0, "\(decoded.errors)")
        return try decoded.output.split(separator: "\n").compactMap { line in
            let message = try Value(json: String(line))
            guard message["name"]?.stringValue?.hasPrefix(prefix) == true else { return nil }
            return ["frames", "source", "destination", "flow"].map { message[$0] }
                + [message["fields"]?[path]]
        }
    }

    @Test(
        "A capture of an example has the same messages by its description and by tshark",
        arguments: [
            ("mqtt-client", "mosquitto-pub", "mosquitto_pub", "packet_id", ["mqtt"], "mqtt.msgid"),
            ("dns-client", "dig", "dig", "id", ["dns@udp/5300"], "dns.id"),
            (
                "someip-client", "someip-client", "python3", "session",
                ["someip@udp/30490"], "someip.sessionid"
            ),
        ])
    func bothWays(
        _ suite: String, _ device: String, _ program: String, _ ownPath: String,
        _ dissectors: [String], _ path: String
    ) throws {
        guard program == "python3" ? ExampleSuiteTests.hasSomeIP : isInstalled(program) else {
            try Test.cancel("no program of \(device); Scripts/third-party installs it")
        }
        let capture = try Self.capture(suite, device)
        let name = String(suite.prefix { $0 != "-" })
        // The peers of an example may use a port other than the protocol's own.
        let descriptions = "\(Self.examples)/descriptions"
        let text = try String(contentsOfFile: "\(descriptions)/\(name).yaml", encoding: .utf8)
            .replacing("ksy: \(name).ksy", with: "ksy: \(descriptions)/\(name).ksy")
            .replacing("ports: [53]", with: "ports: [5300]")
            .replacing("ports: [30490, 30501]", with: "ports: [30490, 30502]")
        let description = TemporaryFolder.lasting() + "/\(name).yaml"
        try text.write(toFile: description, atomically: true, encoding: .utf8)
        let described = try Self.rows(
            capture, ["--protocol", description], name + ".", ownPath)
        let dissected = try Self.rows(
            capture, dissectors.flatMap { ["--dissect", "\($0)=tshark"] }, "tshark.\(name)", path)
        #expect(!described.isEmpty)
        #expect(described == dissected)
    }

    @Test(
        "A suite judges messages dissected by tshark; without it and live, the case is skipped",
        .enabled(if: isInstalled("mosquitto_pub"), "no mosquitto_pub"))
    func judges() throws {
        let capture = try Self.capture("mqtt-client", "mosquitto-pub")
        func check(_ options: [String]) throws -> ConformProgram.Outcome {
            try ConformProgram.run(["check", Self.suite, capture, "--assume", "foreign"] + options)
        }
        let dissected = try check(["--dissect", "mqtt=tshark"])
        #expect(dissected.status == 1, "\(dissected.output)\(dissected.errors)")
        #expect(dissected.output.contains("pass"), "\(dissected.output)")
        #expect(dissected.output.contains("mqtt.topic"), "\(dissected.output)")
        #expect(dissected.errors.contains("tshark found 5 message(s) in 5 frame(s)"))
        let plain = try check([])
        #expect(plain.status == 4, "\(plain.output)\(plain.errors)")
        #expect(plain.output.contains("--dissect mqtt=tshark"), "\(plain.output)")
        let live = try ConformProgram.run([
            "run", Self.suite, "--device", "\(Self.examples)/devices/mosquitto-pub.yaml",
            "--reports", TemporaryFolder.lasting() + "/run",
        ])
        #expect(live.status == 4, "\(live.output)\(live.errors)")
    }

    @Test(
        "A wrong option --dissect is refused",
        arguments: [
            ("mqtt", "takes NAME=tshark"), ("mqtt=wireshark", "takes NAME=tshark"),
            ("mqtt@sctp/1=tshark", "takes NAME=tshark"), ("mqtt@0=tshark", "takes NAME=tshark"),
            ("nonsense=tshark", "no dissector nonsense"),
        ])
    func refused(_ text: String, _ message: String) throws {
        let decoded = try ConformProgram.run(
            ["decode", "GoldenCaptures/sdl/heartbeat.pcap", "--dissect", text])
        #expect(decoded.status == 2, "\(decoded.output)\(decoded.errors)")
        #expect(decoded.errors.contains(message), "\(decoded.errors)")
    }
}
