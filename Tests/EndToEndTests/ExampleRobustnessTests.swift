import Foundation
import TestSupport
import Testing

/// The robustness suites of `Suites/examples`, with programs that others wrote and planted mistakes.
@Suite("What the protocols of the examples forbid", .serialized)
struct ExampleRobustnessTests {
    private static let folder = "\(ConformProgram.root)/Suites/examples"

    private static func has(_ program: String) -> Bool {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    private static let hasPython = has("python3")

    private static let hasPackages = FileManager.default.isExecutableFile(
        atPath: "\(ConformProgram.root)/.third-party/python/bin/python3")

    private static func run(
        _ suite: String, profile: String, _ words: [String] = []
    ) throws -> JudgedRun {
        try JudgedRun(
            "\(folder)/\(suite)-robustness.yaml",
            ["--device", profile, "--explore", "2,shrink=0s"] + words)
    }

    /// Runs a suite with one of the devices of the examples, live and from the captures.
    private static func run(_ suite: String, _ device: String) throws -> JudgedRun {
        let run = try run(suite, profile: "\(folder)/devices/\(device).yaml")
        try run.expectSameOffline()
        return run
    }

    private func expectPass(_ suite: String, _ device: String) throws {
        let run = try Self.run(suite, device)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
    }

    @Test("Each robustness suite of the examples is without findings")
    func lint() throws {
        let suites = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            .filter { $0.hasSuffix("-robustness.yaml") }.map { "\(Self.folder)/\($0)" }.sorted()
        #expect(suites.count == 14)
        let outcome = try ConformProgram.run(["lint", "--strict"] + suites)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "Programs of Python alone survive", .enabled(if: hasPython, "no python3"),
        arguments: [("resp-server", "resp-server"), ("smtp-client", "poller-smtp")])
    func python(_ suite: String, _ device: String) throws { try expectPass(suite, device) }

    @Test(
        "Python packages survive", .enabled(if: hasPackages, "no .third-party"),
        arguments: [
            ("smtp-server", "aiosmtpd"), ("websocket-server", "websockets-server"),
            ("resp-client", "poller-resp"), ("mqtt-client", "poller-mqtt"),
            ("websocket-client", "poller-websocket"), ("dns-client", "poller-dns"),
            ("someip-client", "someip-client"),
        ])
    func packages(_ suite: String, _ device: String) throws { try expectPass(suite, device) }

    @Test("redis-server survives", .enabled(if: has("redis-server"), "no redis-server"))
    func redis() throws { try expectPass("resp-server", "redis-server") }

    @Test("mosquitto survives", .enabled(if: has("mosquitto"), "no mosquitto"))
    func mosquitto() throws { try expectPass("mqtt-server", "mosquitto") }

    @Test("dnsmasq survives", .enabled(if: has("dnsmasq"), "no dnsmasq"))
    func dnsmasq() throws { try expectPass("dns-server", "dnsmasq-processes") }

    @Test("lighttpd survives", .enabled(if: has("lighttpd"), "no lighttpd"))
    func lighttpd() throws { try expectPass("http-server", "lighttpd") }

    @Test(
        "What real programs do with forbidden messages is found under its requirement",
        .enabled(if: hasPython, "no python3"),
        arguments: [
            ("http-server", "python-http", "HTTP-8"), ("http-client", "poller-http", "HTTP-10"),
        ])
    func found(_ suite: String, _ device: String, _ requirement: String) throws {
        let run = try Self.run(suite, device)
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == [requirement], "\(run.results.summaries)")
    }

    @Test(
        "The Python package someip answers what is an answer itself, and survives the rest",
        .enabled(if: ExampleSuiteTests.hasSomeIP, "no package someip"))
    func someIP() throws {
        let run = try Self.run("someip-server", "someip-server")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == ["SIP-NO-ANSWER"], "\(run.results.summaries)")
    }

    @Test(
        "Each planted mistake of a server is found, under its requirement",
        .enabled(if: hasPython, "no python3"),
        arguments: [
            ("crash", "LIVES-ANSWERS"), ("exit", "LIVES-ANSWERS"), ("hang", "LIVES-ANSWERS"),
            ("spin", "LIVES-REST"), ("leak", "LIVES-MEMORY"), ("silent", "RESP-5"),
            ("wrong", "RESP-5"), ("others", "LIVES-OTHERS"), ("drop", "LIVES-OTHERS"),
            ("descriptors", "LIVES-DESCRIPTORS"), ("mixes", "LIVES-OTHERS"),
        ])
    func planted(_ mistake: String, _ requirement: String) throws {
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        let program = "\(Self.folder)/devices/resp-server.py"
        try """
        name: resp-server, \(mistake)
        role: resp.server
        launch: [python3, \(program), "${device.host}", "${device.port}", \(mistake)]
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        let run = try Self.run("resp-server", profile: profile)
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements.contains(requirement), "\(run.results.summaries)")
    }
}
