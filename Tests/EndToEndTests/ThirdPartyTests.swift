import Foundation
import TestSupport
import Testing

/// Clients that were not written for conform, installed by `Scripts/third-party`.
///
/// These tests reproduce the findings in `Documentation/third-party-clients.md`.
@Suite("Third-party clients")
struct ThirdPartyTests {
    private static let suite = "Suites/backoff-clients.yaml"
    private static let reason: Comment = "Scripts/third-party has not installed the clients"

    /// Whether the clients and libfaketime are installed.
    private static let isInstalled: Bool = {
        let exists = FileManager.default.fileExists(atPath:)
        let libraries = ["x86_64", "aarch64"].map {
            "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1"
        }
        return exists("\(ConformProgram.root)/.third-party/installed.txt")
            && exists("\(ConformProgram.root)/.third-party/debian/services")
            && [
                "/usr/bin/wget", "/usr/bin/curl", "/usr/bin/autossh", "/usr/sbin/mosquitto",
                "/usr/bin/lftp", "/usr/sbin/openvpn", "/usr/bin/weechat-headless",
            ].allSatisfy(exists)
            && libraries.contains(where: exists)
    }()

    private func run(
        _ client: String, at scale: String, _ more: [String], suite: String = suite
    ) throws -> ConformProgram.Outcome {
        try ConformProgram.run(
            [
                "run", suite, "--device", "Suites/devices/\(client).yaml", "--time-scale", scale,
                "--known", "Suites/devices/known-failures.yaml", "--retries", "2", "--reports",
                TemporaryFolder.lasting() + "/run",
            ] + more)
    }

    @Test(
        "Each back-off is as its documentation says, except for known failures",
        .enabled(if: isInstalled, reason),
        arguments: [
            ("wget", "10", ["wget-*"]), ("curl", "10", ["curl-doubles"]),
            ("curl", "100", ["curl-ten-minutes"]), ("redis-python", "10", ["redis-*"]),
            ("websockets-python", "20", ["websockets-*"]),
            ("diffusion-python", "10", ["diffusion-*"]), ("grpc-python", "1", ["grpc-*"]),
            ("paho-python", "10", ["paho-*"]), ("nats-python", "10", ["nats-*"]),
            ("socketio-python", "10", ["socketio-*"]), ("kafka-python", "1", ["kafka-first-*"]),
            ("kafka-python", "4", ["kafka-maximum"]), ("mosquitto-bridge", "10", ["mosquitto-*"]),
            ("autossh", "10", ["autossh-*"]),
            ("kombu-python", "20", ["kombu-*"]), ("aio-pika-python", "10", ["aio-pika-*"]),
            ("pika-python", "10", ["pika-*"]), ("urllib3-python", "10", ["urllib3-*"]),
            ("pymongo-python", "4", ["pymongo-*"]),
            ("confluent-kafka-python", "1", ["librdkafka-*"]),
            ("psycopg-pool-python", "1", ["psycopg-*"]), ("stomp-python", "10", ["stomp-*"]),
            ("openvpn", "10", ["openvpn-*"]), ("weechat", "10", ["weechat-*"]),
            ("lftp", "10", ["lftp-*"]), ("syslog-ng", "4", ["syslog-ng-*"]),
            ("rsyslog", "10", ["rsyslog-*"]), ("pyzmq-python", "4", ["zmq-*"]),
            ("kazoo-python", "2", ["kazoo-*"]), ("twisted-python", "4", ["twisted-*"]),
            ("zabbix-agent", "20", ["zabbix-*"]), ("bird", "10", ["bird-*"]),
        ])
    func documented(client: String, scale: String, cases: [String]) throws {
        let run = try run(client, at: scale, cases.flatMap { ["--case", $0] })
        // On a machine that is held up too long a case may stay inconclusive, but nothing else.
        let isHeldUp = run.status == 3 && run.output.contains("could not judge: 0 with an error")
        // A run with only known failures is not called conformant.
        let isKnown = run.status == 4 && run.output.contains("1 judged (1 known)")
        #expect(run.status == 0 || isHeldUp || isKnown, "\(run.output)\(run.errors)")
        let isGood = ["pass  ", "flaky  ", "known  "].contains { run.output.contains($0) }
        #expect(isGood || isHeldUp, "\(run.output)")
    }

    private static let hasReaders = FileManager.default.fileExists(
        atPath: "\(ConformProgram.root)/.third-party/python/bin/junit2html")

    @Test(
        "Readers of JUnit files read the correct results of a run",
        .enabled(if: hasReaders, "Scripts/third-party has not installed the readers"),
        arguments: ["Tests/EndToEndTests/Suites/red.yaml", "Suites/registration-language.yaml"])
    func readers(suite: String) throws {
        let run = try JudgedRun(suite, ["--jobs", "8"])
        let third = "\(ConformProgram.root)/.third-party"
        let sources = "\(third)/publish-unit-test-result"
        let action = FileManager.default.fileExists(atPath: sources) ? ["--publish", sources] : []
        let script = "\(ConformProgram.root)/Tests/Readers/readers.py"
        let readers = try ConformProgram.Started(
            ["\(third)/python/bin/python3", script, run.folder] + action, in: run.folder
        ).wait()
        #expect(readers.status == 0, "\(readers.output)\(readers.errors)")
    }

    /// The SDL libraries that a user has built (`Documentation/your-sdl-app.md`).
    ///
    /// Their known deviations from the specification are in a list next to each profile.
    private static let libraries = [
        ("javascript", "SDL.js"), ("java", "java/SdlJava.class"),
    ].filter {
        FileManager.default.fileExists(atPath: "\(ConformProgram.root)/.third-party/sdl/\($0.1)")
    }.map(\.0)

    @Test(
        "A real SDL library conforms, except for its known failures",
        .enabled(
            if: !libraries.isEmpty,
            "no SDL library is in .third-party/sdl (Documentation/your-sdl-app.md)"),
        arguments: libraries)
    func library(name: String) throws {
        let run = try JudgedRun(
            "Suites/sdl-app-protocol.yaml",
            [
                "--device", "Suites/devices/sdl-\(name).yaml", "--known",
                "Suites/devices/known-failures-sdl-\(name).yaml", "--retries", "3", "--jobs", "4",
            ])
        // On a machine that is held up too long a case may stay inconclusive, but nothing else.
        let isHeldUp = run.outcome.output.contains("could not judge: 0 with an error")
        #expect(run.outcome.status == 0 || isHeldUp, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.values.contains("known"))
    }

    private static let hasBumble = FileManager.default.fileExists(
        atPath: "\(ConformProgram.root)/.third-party/python/bin/bumble-hci-bridge")

    @Test(
        "Bumble's Bluetooth host passes the cases of profile connections",
        .enabled(if: hasBumble, reason))
    func bumble() throws {
        let run = try JudgedRun(
            "Suites/profile-connections.yaml",
            ["--device", "Suites/devices/bumble.yaml", "--retries", "2"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }
}
