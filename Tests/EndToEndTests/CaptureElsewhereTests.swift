import Foundation
import TestSupport
import Testing

@Suite(
    "The packets of an attached device, captured on the bench",
    .enabled(if: Bench.obstacle == nil, "\(Bench.obstacle ?? "")"), .serialized)
struct CaptureElsewhereTests {
    private static let suite = "Suites/registration-language.yaml"
    /// A case with about twenty TCP packets that ends with a second of silence.
    private static let testCase = "same-language-changes-nothing"

    private func run(_ bench: Bench, _ profile: String) throws -> JudgedRun {
        try JudgedRun(
            Self.suite, ["--case", Self.testCase, "--device", profile, "--network", "host"])
    }

    /// Runs the case with a capture source, written as in a profile.
    ///
    /// `capture FAULT` is the program that captures on the bench.
    private func run(_ source: String, program: [String] = []) throws -> JudgedRun {
        let bench = try Bench()
        let board = try bench.startBoard(.app, more: program)
        return try run(
            bench, bench.profile(.app, line: board, capture: bench.expanded(source)))
    }

    @Test(
        "Packets captured on the bench give the right verdict, whatever the clock there",
        arguments: [
            ("{command: [capture]}", "its clock agrees"),
            ("{command: [capture, ahead=3]}", "its clock is 3.0 s ahead, which is corrected"),
            ("{command: [capture, ahead=-3]}", "its clock is 3.0 s behind, which is corrected"),
            ("[{interface: here}, {command: [capture, ahead=3, skip=10-14]}]", "3.0 s ahead"),
            (
                "[{command: [capture, skip=6-9]}, {command: [capture, ahead=3, skip=12-14]}]",
                "3.0 s ahead"
            ),
        ])
    func sameVerdict(source: String, words: String) throws {
        let run = try run(source)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.values.allSatisfy { $0 == "pass" })
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test(
        "A case is inconclusive if captured packets stall, are lost or end",
        arguments: [
            ("{command: [capture, stall=12], timeout: 2s}", "has not shown for 2.0 seconds"),
            ("{command: [capture, die=12]}", #"exit code 1, having printed "out of memory""#),
            ("{command: [capture, garbage=12]}", "cannot be read"),
            ("{command: [capture, drop=3]}", "the capture lost 3 packet(s)"),
            ("{command: [capture, count=3]}", "the capture lost 3 packet(s)"),
            ("{command: [capture, skip=10-12]}", "the capture lacks"),
            ("{command: [capture, mute=5]}", "packets that conform sent"),
            ("[{interface: here}, {command: [capture, die=12]}]", "out of memory"),
        ])
    func faults(source: String, words: String) throws {
        let run = try run(source)
        #expect(run.results.verdicts.values.allSatisfy { $0 == "inconclusive" })
        #expect(run.outcome.status == 3, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        let check = try ConformProgram.run(
            ["check", Self.suite] + run.results.captures.map { "\(run.folder)/\($0)" })
        #expect(check.status == 3, "\(check.output)")
    }

    @Test("A device that breaks a requirement fails, or is inconclusive if packets are lost")
    func mutant() throws {
        for (source, status) in [
            ("{command: [capture, ahead=3]}", 1), ("{command: [capture, die=14]}", 3),
            ("{command: [capture, drop=1]}", 3),
        ] {
            let bench = try Bench()
            let board = try bench.startBoard(
                .app, more: ["--mutant", "forgets-hmi-display-language"])
            let run = try JudgedRun(
                Self.suite,
                [
                    "--case", "change-carries-language-and-names*", "--device",
                    bench.profile(.app, line: board, capture: bench.expanded(source)),
                    "--network", "host",
                ])
            #expect(run.outcome.status == status, "\(source): \(run.outcome.output)")
        }
    }

    @Test(
        "A source that delivers no packets is an error that says why",
        arguments: [
            ("{command: [echo, hello]}", "unlike any packet capture"),
            ("{command: [sleep, '60'], timeout: 1s}", "has written no capture within"),
            ("{command: [capture, mute=0], timeout: 4s}", "let its filter take them"),
            ("{command: [no-such-program]}", "is not found"),
        ])
    func errors(source: String, words: String) throws {
        let run = try run(source)
        #expect(run.outcome.status == 3, "\(run.outcome.output)")
        #expect(run.results.verdicts.values.allSatisfy { $0 == "error" })
        #expect(
            run.results.summaries.values.allSatisfy { $0.contains(words) },
            "\(run.results.summaries)")
    }

    @Test("A capture without packets that the peers received is inconclusive")
    func blind() throws {
        let bench = try Bench()
        let profile = try bench.profile(
            .headUnit, line: bench.startBoard(.headUnit),
            capture: bench.expanded("{command: [capture, blind=1]}"))
        let run = try JudgedRun(
            "Suites/head-unit-multisession.yaml",
            ["--case", "*tcp*", "--device", profile, "--network", "host"])
        #expect(!run.results.verdicts.values.contains("fail"), "\(run.outcome.output)")
        #expect(run.outcome.status == 3, "\(run.outcome.output)")
    }

    @Test(
        "Packets come through a named pipe, and from tcpdump by SSH",
        .enabled(
            if: Bench.find("sshd") != nil && Bench.find("tcpdump") != nil,
            "no openssh-server or no tcpdump"))
    func programs() throws {
        let bench = try Bench()
        let (board, key) = (try bench.startBoard(.app), try bench.startSSH())
        let options = "StrictHostKeyChecking=no, -o, UserKnownHostsFile=/dev/null"
        let ssh = """
            {command: [ssh, -i, \(key), -p, '2222', -o, \(options), 'root@${device.host}', tcpdump,
              -i, \(bench.inside), --immediate-mode, -U, -w, -, host, '${device.host}', and, not, port,
              '2222']}
            """
        let bySSH = try run(bench, bench.profile(.app, line: board, capture: ssh))
        #expect(bySSH.outcome.status == 0, "\(bySSH.outcome.output)\(bySSH.outcome.errors)")
        try bySSH.expectSameOffline()
        let pipe = bench.folder.path + "/pipe"
        mkfifo(pipe, 0o600)
        try bench.start([
            "sh", "-c",
            """
            echo ready
            while :; do tcpdump -i \(bench.inside) --immediate-mode -U -w - > \(pipe); done
            """,
        ])
        let byPipe = try run(
            bench, bench.profile(.app, line: board, capture: "{command: [cat, \(pipe)]}"))
        #expect(byPipe.outcome.status == 0, "\(byPipe.outcome.output)\(byPipe.outcome.errors)")
        try byPipe.expectSameOffline()
    }
}
