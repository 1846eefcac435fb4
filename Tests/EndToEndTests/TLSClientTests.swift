import Foundation
import Glibc
import TestSupport
import Testing

/// A client of Python's `ssl` against peers with right and wrong certificates.
@Suite("Clients of TLS")
struct TLSClientTests {
    private static let suite = ConformProgram.root + "/Suites/tls-client.yaml"
    private static let devices = ConformProgram.root + "/Suites/devices"
    /// The cases about the name of the server, at the first connection and at a reconnection.
    private static let names = cases("name", ["other name", "longer name", "wildcard", "address"])
    /// The cases about the time in which the certificate is valid.
    private static let times = cases("time", ["expired", "not yet valid"])
    /// The cases about who has signed the certificate.
    private static let issuers = cases(
        "issuer", ["unknown issuer", "self-signed", "missing intermediate"])
    private static let certificates: [String] = names + times + issuers
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
            ("no-name", names), ("no-name-again", names), ("no-time", times),
            ("old-versions", ["old-versions"]), ("silent-old-versions", ["old-versions"]),
            ("no-verification", certificates), ("no-verification-again", certificates),
            ("plain-fallback", certificates + ["old-versions", "fatal-alert"]),
        ] as [(String, [String])])
    func finds(mistake: String, cases: [String]) throws {
        let folder = TemporaryFolder.lasting()
        let reports = folder + "/run"
        let sound = try String(
            contentsOfFile: Self.devices + "/tls-python.yaml", encoding: .utf8)
        let profile = sound.replacing("drivers/", with: Self.devices + "/drivers/")
            .replacing("\"${ca}\"]", with: "\"${ca}\", \(mistake)]")
        try profile.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
        let run = try ConformProgram.run(
            ["run", Self.suite, "--device", folder + "/device.yaml", "--reports", reports])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        let failed = try Results(reports).verdicts.filter { $0.value == "fail" }.map(\.key)
        #expect(
            Set(failed.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
                == Set(cases), "\(run.output)")
    }
}
