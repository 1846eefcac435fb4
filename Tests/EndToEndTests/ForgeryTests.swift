import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A device cannot play its peers")
struct ForgeryTests {
    /// What a device does, and the right verdict.
    struct Row: CustomTestStringConvertible {
        let attack: String
        let suite: String
        let role: String
        let verdicts: Set<String>
        var testDescription: String { attack }

        /// Whether the error must name tampering.
        var isForgery: Bool { verdicts == ["error"] }
    }

    private static let rows: [Row] =
        [
            ("good", ["pass"]), ("early", ["fail"]), ("datagram", ["error"]),
            ("datagram6", ["error"]), ("fragments", ["error"]), ("race", ["error"]),
        ].map { Row(attack: $0, suite: "forged", role: "udp.client", verdicts: $1) }
        + [
            ("good-server", ["pass"]), ("early-server", ["fail"]), ("connection", ["error"]),
        ].map { Row(attack: $0, suite: "forged-called", role: "tcp.server", verdicts: $1) }
        + [
            Row(
                attack: "take-over", suite: "forged-refused", role: "tcp.client",
                verdicts: ["fail", "inconclusive"])
        ]

    private static let suites = "Tests/EndToEndTests/Suites"

    @Test(
        "Packets that have a peer's address and are not its own are an error, live and offline",
        arguments: rows, Conditions.all)
    func forgery(_ row: Row, _ conditions: Conditions) throws {
        let folder = TemporaryFolder.lasting()
        let home = folder + "/home"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let isServer = row.role == "tcp.server"
        try """
        name: forger
        role: \(row.role)
        launch:
          - /usr/bin/python3
          - \(ConformProgram.root)/\(Self.suites)/forging-device.py
          - \(row.attack)
          - ${\(isServer ? "device.host" : "host")}
          - ${\(isServer ? "device.port" : "port")}
        exit: expected
        """.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
        if !conditions.isRoot, geteuid() == 0 {
            chown(home, Conditions.user, Conditions.user)
        }
        let reports = home + "/reports"
        let run = try ConformProgram.Started(
            ["HOME=\(home)"] + conditions.prefix
                + ConformProgram.command([
                    "run", "\(Self.suites)/\(row.suite).yaml", "--device", folder + "/device.yaml",
                    "--reports", reports,
                ]), in: ConformProgram.root
        ).wait()
        let verdict = try Results(reports).verdicts["asks"] ?? ""
        #expect(row.verdicts.contains(verdict), "\(run.output)\(run.errors)")
        let status: Int32? = ["pass": 0, "fail": 1, "error": 3, "inconclusive": 3][verdict]
        #expect(run.status == status)
        #expect(run.output.contains("(tampering)") == row.isForgery, "\(run.output)")
        guard row.isForgery else { return }
        let capture = "\(reports)/captures/\(row.suite).asks.pcapng"
        let check = try ConformProgram.run(["check", "\(Self.suites)/\(row.suite).yaml", capture])
        #expect(check.status == 3 && check.output.contains("(tampering)"), "\(check.output)")
    }

    @Test(
        "A real filter of system calls that refuses namespaces leaves the verdicts, and is named",
        arguments: Conditions.all.filter(\.hasNamespaces))
    func seccomp(_ conditions: Conditions) throws {
        // Without a network namespace an ordinary user needs the right to capture.
        guard geteuid() == 0 else { return }
        let folder = TemporaryFolder.lasting()
        let home = folder + "/home"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        if !conditions.isRoot { chown(home, Conditions.user, Conditions.user) }
        for (attack, verdict, status) in [
            ("good", "pass", 0), ("early", "fail", 1), ("datagram", "error", 3),
        ] as [(String, String, Int32)] {
            try """
            name: forger
            role: udp.client
            launch:
              - /usr/bin/python3
              - \(ConformProgram.root)/\(Self.suites)/forging-device.py
              - \(attack)
              - ${host}
              - ${port}
            exit: expected
            """.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
            let user =
                conditions.isRoot
                ? []
                : [
                    "setpriv", "--reuid=\(Conditions.user)", "--regid=\(Conditions.user)",
                    "--clear-groups", "--inh-caps=+net_raw", "--ambient-caps=+net_raw",
                ]
            let run = try ConformProgram.Started(
                ["HOME=\(home)"] + user
                    + ["/usr/bin/python3", "\(ConformProgram.root)/\(Self.suites)/seccomp.py"]
                    + ConformProgram.command([
                        "run", "\(Self.suites)/forged.yaml", "--device", folder + "/device.yaml",
                        "--reports", home + "/\(attack)",
                    ]), in: ConformProgram.root
            ).wait()
            #expect(run.status == status, "\(attack) \(run.output)\(run.errors)")
            #expect(try Results(home + "/\(attack)").verdicts["asks"] == verdict)
            let line = run.output.split(separator: "\n").first { $0.contains("isolation: ") }
            for name in ["network", "mount", "process"] {
                #expect(line?.contains("no \(name) namespace: ") == true, "\(run.output)")
            }
        }
    }
}
