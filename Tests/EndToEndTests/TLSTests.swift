import Foundation
import Glibc
import TestSupport
import Testing

/// Clients and servers of Python's `ssl`, with mistakes and without.
@Suite("Clients and servers of TLS")
struct TLSTests {
    private static let suite = ConformProgram.root + "/Suites/tls-client.yaml"
    private static let devices = ConformProgram.root + "/Suites/devices"
    /// The cases about the name of the server, at the first connection and at a reconnection.
    private static let names = cases(
        "name", ["other name", "longer name", "wildcard", "address", "common name"])
    private static let otherNames: [String] =
        [
            "parent domain", "longer name", "wildcard for two labels", "wildcard within",
            "common name",
        ]
        .map { "refuses-for-name[name=www.shop.example,fault=\($0)]" }
        + ["address as a name", "another address", "common name"]
        .map { "refuses-for-address[name=127.0.0.1,fault=\($0)]" }
    /// The cases about the time in which the certificate is valid.
    private static let times = cases("time", ["expired", "not yet valid"])
    /// The cases about who has signed the certificate.
    private static let issuers = cases(
        "issuer",
        ["unknown issuer", "self-signed", "missing intermediate", "issuer without authority"])
    /// The cases about everything that is wrong at the first connection or at a later one.
    private static let ofEach: [String] =
        names + times + issuers + ["refuses-usage", "refuses-usage-again"]
    /// The cases about everything that is wrong.
    private static let certificates: [String] = ofEach + otherNames + ["refuses-common-name"]
    private static let commonNames = [
        "refuses-name[fault=common name]", "refuses-name-again[fault=common name]",
        "refuses-for-name[name=www.shop.example,fault=common name]",
        "refuses-for-address[name=127.0.0.1,fault=address as a name]",
        "refuses-for-address[name=127.0.0.1,fault=common name]", "refuses-common-name",
    ]
    private static func cases(_ what: String, _ faults: [String]) -> [String] {
        faults.flatMap { ["refuses-\(what)[fault=\($0)]", "refuses-\(what)-again[fault=\($0)]"] }
    }

    private static let hasPython = access("/usr/bin/python3", X_OK) == 0

    @Test(
        "A client that authenticates its server passes, and its captures give the same verdicts",
        .enabled(if: hasPython, "python3 is missing"))
    func sound() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try ConformProgram.run(
            [
                "run", Self.suite, "--device", Self.devices + "/tls-python.yaml", "--reports",
                reports,
            ]
        )
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let live = try Results(reports)
        let captures = live.captures.map { "\(reports)/\($0)" }
        let check = try ConformProgram.run(
            ["check", Self.suite, "--reports", reports + "/checked"] + captures)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(try Results(reports + "/checked").verdicts == live.verdicts)
        // A capture with keys is its owner's only.
        for capture in captures where capture.contains("accepts") {
            var status = stat()
            #expect(stat(capture, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(capture)")
        }
    }

    @Test(
        "Each mistake of a client fails the cases that find it, and no others",
        .enabled(if: hasPython, "python3 is missing"),
        arguments: [
            ("no-name", names + otherNames + ["refuses-common-name"]),
            // It comes back after a refusal, too.
            ("no-name-again", names + otherNames + ["refuses-common-name"]), ("no-time", times),
            ("old-versions", ["old-versions"]), ("silent-old-versions", ["old-versions"]),
            ("no-verification", certificates),
            ("no-verification-again", certificates),
            ("no-verification-after-refusal", certificates),
            ("plain-fallback", certificates + ["old-versions", "fatal-alert"]),
            ("common-name", commonNames), ("common-name-alone", ["refuses-common-name"]),
            ("address-as-name", ["refuses-for-address[name=127.0.0.1,fault=address as a name]"]),
            (
                "any-wildcard",
                ["wildcard for two labels", "wildcard within"]
                    .map { "refuses-for-name[name=www.shop.example,fault=\($0)]" }
            ),
            ("ending", ["refuses-for-name[name=www.shop.example,fault=parent domain]"]),
            (
                "beginning",
                [
                    "refuses-name[fault=longer name]", "refuses-name-again[fault=longer name]",
                    "refuses-for-name[name=www.shop.example,fault=longer name]",
                ]
            ), ("first-name", ["accepts-name[way=beside another]"]),
            ("case", ["accepts-name[way=in capitals]"]),
            ("no-certificate", ["certificate"]), ("no-certificate-again", ["certificate-again"]),
        ] as [(String, [String])])
    func clients(mistake: String, cases: [String]) throws {
        try expect("tls-client", "tls-python", "${identity}", mistake, toFail: cases)
    }

    @Test(
        "Each mistake of a server fails the cases that find it, and no others",
        .enabled(if: hasPython, "python3 is missing"),
        arguments: [
            ("", []), ("old-versions", ["old-versions"]),
            ("only-12", ["offered-version[version=\"1.3\"]", "downgrade-is-shown"]),
            ("only-13", ["offered-version[version=\"1.2\"]", "downgrade-is-shown"]),
            ("once", ["again", "resumption", "unknown-record"]),
            ("no-close-notify", ["close-notify"]),
            ("keeps-strangers", ["unknown-record"]),
            ("ends-with-strangers", ["old-versions", "unknown-record"]),
        ] as [(String, [String])])
    func servers(mistake: String, cases: [String]) throws {
        try expect("tls-server", "tls-python-server", "-", mistake, toFail: cases)
    }

    @Test(
        "Each mistake of a server with certificates of clients fails the cases that find it",
        .enabled(if: hasPython, "python3 is missing"),
        arguments: [
            ("", []), ("optional-certificate", ["refuses-client[fault=no certificate]"]),
            (
                "old-client",
                ["refuses-client[fault=expired]", "refuses-client-again[fault=expired]"]
            ),
            ("no-client", ["asks-for-certificate"]),
            (
                "any-client-again",
                [
                    "refuses-client-again[fault=unknown issuer]",
                    "refuses-client-again[fault=expired]",
                ]
            ),
        ] as [(String, [String])])
    func clientCertificates(mistake: String, cases: [String]) throws {
        try expect("tls-server", "tls-python-server-clients", "${ca}", mistake, toFail: cases)
    }

    @Test(
        "A peer answers close_notify with its own, unless its setting says otherwise",
        .enabled(if: hasPython, "python3 is missing"))
    func closeNotify() throws {
        let run = try ConformProgram.run(
            [
                "run", ConformProgram.root + "/Tests/EndToEndTests/Suites/tls-close.yaml",
                "--device",
                ConformProgram.root + "/Tests/EndToEndTests/Suites/tls-close-device.yaml",
                "--reports", TemporaryFolder.lasting() + "/run",
            ])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test(
        "Bytes that a step sends within TLS are seen, live and in the capture",
        .enabled(if: hasPython, "python3 is missing"))
    func bytes() throws {
        let folder = "Tests/EndToEndTests/Suites"
        let run = try JudgedRun(
            "\(folder)/tls-bytes.yaml", ["--device", "\(folder)/tls-bytes-device.yaml"])
        #expect(
            run.results.verdicts == ["lines": "pass", "other-line": "fail"],
            "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }

    /// Runs a suite on a device with a mistake, which is its last argument.
    private func expect(
        _ suite: String, _ device: String, _ last: String, _ mistake: String,
        toFail cases: [String]
    ) throws {
        let folder = TemporaryFolder.lasting()
        let reports = folder + "/run"
        let sound = try String(contentsOfFile: "\(Self.devices)/\(device).yaml", encoding: .utf8)
        let profile = sound.replacing("drivers/", with: Self.devices + "/drivers/")
            .replacing("\"\(last)\"]", with: "\"\(last)\", \"\(mistake)\"]")
        try profile.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
        let run = try ConformProgram.run(
            [
                "run", "\(ConformProgram.root)/Suites/\(suite).yaml", "--device",
                folder + "/device.yaml", "--reports", reports,
            ])
        #expect(run.status == (cases.isEmpty ? 0 : 1), "\(run.output)\(run.errors)")
        let failed = try Results(reports).verdicts.filter { $0.value == "fail" }.map(\.key)
        #expect(
            Set(failed.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
                == Set(cases), "\(run.output)")
    }
}
