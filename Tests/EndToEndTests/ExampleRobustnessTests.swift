import Foundation
import TestSupport
import Testing

/// The robustness suites of `Suites/examples`, with programs that others wrote and planted mistakes.
@Suite("What the protocols of the examples forbid", .serialized)
struct ExampleRobustnessTests {
    fileprivate static let folder = "\(ConformProgram.root)/Suites/examples"

    private static func has(_ program: String) -> Bool {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    fileprivate static let hasPython = has("python3")

    private static let hasPackages = FileManager.default.isExecutableFile(
        atPath: "\(ConformProgram.root)/.third-party/python/bin/python3")

    fileprivate static func run(
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

    @Test("The small servers survive without a mistake", .enabled(if: hasPython, "no python3"))
    func small() throws {
        for (suite, program) in [
            ("smtp-server", "mail-server"), ("mqtt-server", "mqtt-server"),
            ("http-server", "web-server"),
        ] {
            try expectPass(suite, program)
        }
    }
}

/// Mistakes of small servers; apart from the real programs, because the runs mostly wait.
@Suite("Planted mistakes of servers", .serialized)
struct ExamplePlantedTests {
    /// A mistake of a small server, and the requirements of which one or more must fail.
    struct Planted: Sendable, CustomTestStringConvertible {
        let suite: String
        let program: String
        let mistake: String
        let requirements: Set<String>
        let cases: String

        var testDescription: String { "\(program) \(mistake)" }
    }

    private static func planted(
        _ program: String, _ mistakes: [String], _ requirements: Set<String>,
        in cases: String = "forbidden*"
    ) -> [Planted] {
        let suites = ["mail-server": "smtp-server", "web-server": "http-server"]
        return mistakes.map {
            Planted(
                suite: suites[program] ?? program, program: program, mistake: $0,
                requirements: requirements, cases: cases)
        }
    }

    /// The mistakes that are found by measuring, whatever the protocol.
    private static func measured(_ program: String) -> [Planted] {
        planted(program, ["spin"], ["LIVES-REST"], in: "costs*")
            + planted(program, ["leak"], ["LIVES-MEMORY"], in: "costs*")
            + planted(program, ["descriptors"], ["LIVES-DESCRIPTORS"], in: "costs*")
    }

    private static let serving: Set<String> = ["LIVES-ANSWERS", "LIVES-OTHERS"]

    private static let mistakes: [Planted] = {
        let ends = ["crash", "exit", "hang"]
        let lists: [[Planted]] = [
            planted("resp-server", ends, serving.union(["RESP-5"])),
            planted("resp-server", ["silent", "wrong"], ["RESP-5"]),
            planted("resp-server", ["others", "drop", "mixes"], serving),
            planted("mail-server", ends + ["ends", "others", "silent", "wrong"], ["SMTP-8"]),
            planted("mail-server", ["line-feeds"], ["SMTP-10"], in: "line-feed*"),
            planted("mqtt-server", ends + ["others", "drop", "mixes"], serving),
            planted("mqtt-server", ["silent", "wrong"], ["MQTT-4.8.0-1"], in: "second-connect*"),
            planted("web-server", ends + ["others", "drop", "mixes"], serving),
            planted("web-server", ["silent", "wrong"], ["HTTP-8"], in: "no-host"),
            planted("web-server", ["parents"], ["HTTP-9"], in: "another-folder"),
        ]
        let programs = ["resp-server", "mail-server", "mqtt-server", "web-server"]
        return lists.flatMap { $0 } + programs.flatMap(measured)
    }()

    @Test(
        "Each planted mistake of a server is found, under its requirement",
        .enabled(if: ExampleRobustnessTests.hasPython, "no python3"), arguments: mistakes)
    func planted(_ planted: Planted) throws {
        let folder = TemporaryFolder.lasting()
        let program = "\(ExampleRobustnessTests.folder)/devices/\(planted.program).py"
        try """
        name: \(planted.program), \(planted.mistake)
        role: \(planted.suite.replacing("-", with: "."))
        launch: [python3, \(program), "${device.host}", "${device.port}", \(planted.mistake)]
        """.write(toFile: "\(folder)/device.yaml", atomically: true, encoding: .utf8)
        var run: JudgedRun
        var attempts = 0
        // A machine that other tests keep busy explains a silence of some milliseconds too much.
        repeat {
            run = try ExampleRobustnessTests.run(
                planted.suite, profile: "\(folder)/device.yaml", ["--case", planted.cases])
            attempts += 1
        } while run.outcome.status == 3 && attempts < 4
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        let failed = Set(run.results.failedRequirements)
        #expect(!failed.isDisjoint(with: planted.requirements), "\(run.results.summaries)")
    }
}
