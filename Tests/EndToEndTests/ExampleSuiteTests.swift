import Foundation
import TestSupport
import Testing

/// The suites of `Suites/examples` with programs that others wrote.
@Suite("Examples of a user's own protocols", .serialized)
struct ExampleSuiteTests {
    private static let folder = "\(ConformProgram.root)/Suites/examples"

    private static func has(_ program: String) -> Bool {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    private static let hasPackages = FileManager.default.isExecutableFile(
        atPath: "\(ConformProgram.root)/.third-party/python/bin/python3")

    private static func run(_ suite: String, _ device: String) throws -> JudgedRun {
        let run = try JudgedRun(
            "\(folder)/\(suite).yaml", ["--device", "\(folder)/devices/\(device).yaml"])
        try run.expectSameOffline()
        return run
    }

    private func expectPass(_ suite: String, _ device: String) throws {
        let run = try Self.run(suite, device)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
    }

    @Test("smtplib sends a mail as RFC 5321 requires", .enabled(if: has("python3"), "no python3"))
    func smtp() throws { try expectPass("smtp-client", "smtplib") }

    @Test(
        "swaks sends a mail as RFC 5321 requires",
        .enabled(if: has("swaks"), "no swaks; Scripts/third-party installs it"))
    func swaks() throws { try expectPass("smtp-client", "swaks") }

    @Test(
        "msmtp ends without QUIT when its only recipient is refused",
        .enabled(if: has("msmtp"), "no msmtp; Scripts/third-party installs it"))
    func msmtp() throws {
        let run = try Self.run("smtp-client", "msmtp")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == ["SMTP-6"], "\(run.results.summaries)")
    }

    @Test(
        "A mistake of an SMTP client is found, under its requirement",
        .enabled(if: has("python3"), "no python3"),
        arguments: [
            ("no-dots", "SMTP-5"), ("no-quit", "SMTP-6"), ("no-helo", "SMTP-3"),
        ])
    func mistakes(_ mistake: String, _ requirement: String) throws {
        let run = try Self.run("smtp-client", "smtplib-\(mistake)")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == [requirement], "\(run.results.summaries)")
    }

    @Test("smtplib protects its mail with STARTTLS", .enabled(if: has("python3"), "no python3"))
    func smtpOverTLS() throws { try expectPass("smtp-client-tls", "smtplib-tls") }

    @Test(
        "A mistake of an SMTP client in STARTTLS is found, under its requirement",
        .enabled(if: has("python3"), "no python3"),
        arguments: [
            ("no-tls", ["SMTPS-1", "SMTPS-2", "SMTPS-3", "SMTPS-4", "SMTPS-5"]),
            ("no-verification", ["SMTPS-3"]), ("no-name", ["SMTPS-3"]),
            ("opportunistic", ["SMTPS-3", "SMTPS-4"]),
            ("no-second-ehlo", ["SMTPS-2", "SMTPS-5"]),
            ("keeps-replies", ["SMTPS-1", "SMTPS-2", "SMTPS-5"]),
        ])
    func mistakesInSTARTTLS(_ mistake: String, _ requirements: [String]) throws {
        let sound = try String(
            contentsOfFile: "\(Self.folder)/devices/smtplib-tls.yaml", encoding: .utf8)
        let device = TemporaryFolder.lasting() + "/device.yaml"
        try sound.replacing("smtp-tls-client.py", with: "\(Self.folder)/devices/smtp-tls-client.py")
            .replacing("\"${ca}\"]", with: "\"${ca}\", \"\(mistake)\"]")
            .write(toFile: device, atomically: true, encoding: .utf8)
        let run = try JudgedRun("\(Self.folder)/smtp-client-tls.yaml", ["--device", device])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(
            Set(run.results.failedRequirements) == Set(requirements), "\(run.results.summaries)")
    }

    @Test(
        "dig asks as RFC 1035 requires, and a set reserved bit is found",
        .enabled(if: has("dig"), "no dig; Scripts/third-party installs it"))
    func dig() throws {
        try expectPass("dns-client", "dig")
        let run = try Self.run("dns-client", "dig-reserved")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(
            run.results.failedRequirements.contains("DNS-4.1.1-Z"), "\(run.results.summaries)")
    }

    @Test(
        "dnsmasq answers questions over UDP and TCP",
        .enabled(if: has("dnsmasq"), "no dnsmasq; Scripts/third-party installs it"))
    func dnsmasq() throws {
        try expectPass("dns-server", "dnsmasq")
        let run = try Self.run("dns-server", "dnsmasq-no-name")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(
            run.results.failedRequirements == ["DNS-4.1.1-RCODE"], "\(run.results.summaries)")
    }

    @Test(
        "mosquitto_pub publishes to a broker that a suite plays by a description",
        .enabled(
            if: has("mosquitto_pub"),
            "no mosquitto_pub; Scripts/third-party installs mosquitto-clients"))
    func mqtt() throws { try expectPass("mqtt-client", "mosquitto-pub") }

    @Test(
        "A client of MQTT without mistakes passes, and a mistake is found under its requirement",
        .enabled(if: has("python3"), "no python3"),
        arguments: [
            ("", nil), ("-no-id", "MQTT-2.3.1-1"), ("-no-disconnect", "MQTT-3.14.4-1"),
            ("-deaf", "MQTT-3.2.2-5"),
        ] as [(String, String?)])
    func mqttMistakes(_ mistake: String, _ requirement: String?) throws {
        let run = try Self.run("mqtt-client", "mqtt-client\(mistake)")
        let output = "\(run.outcome.output)\(run.outcome.errors)"
        #expect(run.outcome.status == (requirement == nil ? 0 : 1), "\(output)")
        if let requirement {
            #expect(
                run.results.failedRequirements.contains(requirement), "\(run.results.summaries)")
        }
    }

    /// Whether the Python package someip is installed.
    static let hasSomeIP =
        (try? FileManager.default.subpathsOfDirectory(
            atPath: "\(ConformProgram.root)/.third-party/python/lib"))?
        .contains { $0.hasSuffix("someip/sd.py") } == true

    @Test(
        "The Python package someip passes, except for its error to a call without return",
        .enabled(if: hasSomeIP, "no package someip; Scripts/third-party installs it"),
        arguments: [
            ("client", "", [String]()), ("client", "-silent", ["SIP-LOOKS"]),
            ("client", "-port", ["SIP-CALLS"]), ("server", "", ["SIP-NO-ERROR"]),
            ("server", "-session", ["SIP-NO-ERROR", "SIP-RESPONSE"]),
        ])
    func someIP(_ role: String, _ mistake: String, _ requirements: [String]) throws {
        let run = try Self.run("someip-\(role)", "someip-\(role)\(mistake)")
        let output = "\(run.outcome.output)\(run.outcome.errors)"
        #expect(run.outcome.status == (requirements.isEmpty ? 0 : 1), "\(output)")
        #expect(run.results.failedRequirements.sorted() == requirements, "\(run.results.summaries)")
    }

    @Test(
        "redis-cli queries a server that a suite plays",
        .enabled(if: has("redis-cli"), "no redis-cli; Scripts/third-party installs redis-tools"))
    func redisClient() throws { try expectPass("resp-client", "redis-cli") }

    @Test(
        "The Python package redis queries a server that a suite plays",
        .enabled(if: hasPackages, "no .third-party; Scripts/third-party makes it"))
    func redisPackage() throws { try expectPass("resp-client", "redis-py") }

    @Test(
        "memcached answers binary requests",
        .enabled(if: has("memcached"), "no memcached; Scripts/third-party installs it"))
    func memcached() throws { try expectPass("memcached-server", "memcached") }

    @Test(
        "A server is not called before it listens, on a busy machine too",
        .enabled(if: has("memcached"), "no memcached; Scripts/third-party installs it"))
    func busyMachine() throws {
        let run = try ConformProgram.onBusyMachine(3) {
            try JudgedRun(
                "\(Self.folder)/memcached-server.yaml",
                [
                    "--device", "\(Self.folder)/devices/memcached.yaml", "--case", "quiet",
                    "--case", "unknown", "--repeat", "8", "--jobs", "16",
                ])
        }
        #expect(run.faults.isEmpty, "\(run.outcome.output)\(run.outcome.errors)")
    }

    @Test(
        "memcached with an option that breaks a rule fails its requirement",
        .enabled(if: has("memcached"), "no memcached; Scripts/third-party installs it"),
        arguments: [("no-cas", "MEMC-3"), ("no-flush", "MEMC-7")])
    func memcachedMistakes(_ mistake: String, _ requirement: String) throws {
        let run = try Self.run("memcached-server", "memcached-\(mistake)")
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == [requirement], "\(run.results.summaries)")
    }

    @Test(
        "redis-server answers a client that a suite plays",
        .enabled(
            if: has("redis-server"), "no redis-server; Scripts/third-party installs redis-server"))
    func redisServer() throws { try expectPass("resp-server", "redis-server") }

    @Test(
        "curl follows, retries and posts; http.server of Python responds",
        .enabled(if: has("curl") && has("python3"), "no curl or python3"),
        arguments: [("http-client", "curl"), ("http-server", "python-http")])
    func http(_ suite: String, _ device: String) throws { try expectPass(suite, device) }

    @Test(
        "A mistake of an HTTP client or server is found, under its requirement",
        .enabled(if: has("curl") && has("python3"), "no curl or python3"),
        arguments: [
            ("http-client", "curl-no-location", "HTTP-2"),
            ("http-client", "curl-no-host", "HTTP-1"),
            ("http-server", "python-http-body", "HTTP-5"),
        ])
    func mistakesOfHTTP(_ suite: String, _ device: String, _ requirement: String) throws {
        let run = try Self.run(suite, device)
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == [requirement], "\(run.results.summaries)")
    }
}
