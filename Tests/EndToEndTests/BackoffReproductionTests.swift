import TestSupport
import Testing

/// Captures on which the back-off of a client was once misjudged, or explained too briefly.
@Suite("Back-off: verdicts that were wrong")
struct BackoffReproductionTests {
    private func check(
        _ suite: String, _ capture: String, _ testCase: String, _ options: [String] = []
    ) throws -> (status: Int32, text: String) {
        let folder = "Tests/EndToEndTests/Suites/backoff"
        let outcome = try ConformProgram.run(
            ["check", "\(folder)/\(suite).yaml", "\(folder)/\(capture)", "--case", testCase]
                + options)
        let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return (outcome.status, words + outcome.errors)
    }

    @Test(
        "Each capture gets the right verdict with the right numbers",
        arguments: [
            ("grpc", "grpc-accept.pcap", "as-reference-example", [], 0, ""),
            ("grpc", "grpc-accept.pcap", "success-is-data-of-the-server", [], 0, ""),
            ("fp", "falsepass2.pcap", "fixed1", [], 3, "several devices talk to the peers"),
            ("fp", "falsepass2.pcap", "fixed1", ["--per", "device"], 1, "wait 1 took 2.000 s"),
            ("fp", "falsepass2.pcap", "fixed2", ["--per", "device"], 0, ""),
            ("edge", "storm-jitter.pcap", "full12", ["--per", "device"], 0, ""),
            ("edge", "bh0.pcap", "bh0", [], 0, ""),
            ("edge3", "clockstep.pcap", "fixed1", [], 3, "times of the capture run backwards"),
            ("edge", "late-b1-x4.pcap", "f1", [], 1, "wait 1 took 4.000 s"),
            ("edge", "late-b5-x4.pcap", "f5", [], 1, "wait 1 took 20.000 s"),
            ("fp", "silence.pcapng", "silent", [], 0, ""),
            ("fp", "silence.pcapng", "minmax", [], 0, ""),
            ("tls", "tls12-ok.pcap", "begins-anew", [], 0, ""),
            ("tls", "tls13-ok.pcap", "begins-anew", [], 0, ""),
            ("tls", "tls12-untrusted.pcap", "begins-anew", [], 0, ""),
            ("tls", "tls13-untrusted.pcap", "begins-anew", [], 0, ""),
            ("tls", "tls13-untrusted.pcap", "connection", [], 1, "broken: reset"),
            ("hint", "retry-after-kept.pcap", "retry-after", [], 0, ""),
            ("hint", "retry-after-short.pcap", "retry-after", [], 1, "wait 3 took 4.000 s"),
            ("hint", "retry-after-date.pcap", "retry-after", [], 0, ""),
            (
                "two", "falsepass2.pcap", "both",
                ["--device", "device=10.0.0.2", "--device", "second=10.0.0.3"], 0, ""
            ),
        ] as [(String, String, String, [String], Int32, String)])
    func verdicts(
        suite: String, capture: String, testCase: String, options: [String], status: Int32,
        words: String
    ) throws {
        let outcome = try check(suite, capture, testCase, options)
        #expect(outcome.status == status, "\(outcome.text)")
        #expect(words.isEmpty || outcome.text.contains(words), "\(outcome.text)")
    }

    @Test(
        "Captures of the same client are judged together, and the same waits only once",
        arguments: [
            (["seed-1.pcap", "seed-2.pcap"], 1, "over 2 captures: the client draws the same"),
            (["seed-1.pcap", "seed-1-other-tap.pcap"], 0, ""),
            (["chance-1.pcap", "chance-2.pcap", "seed-1.pcap"], 0, "over 2 captures: 16 waits"),
        ] as [([String], Int32, String)])
    func together(captures: [String], status: Int32, words: String) throws {
        let folder = "Tests/EndToEndTests/Suites/backoff"
        let outcome = try ConformProgram.run(
            ["check", "\(folder)/chance.yaml", "--verbose"] + captures.map { "\(folder)/\($0)" })
        let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
        #expect(words.isEmpty || text.contains(words), "\(outcome.output)")
    }

    @Test("The waits after the first wrong one are listed with the rule that each broke")
    func table() throws {
        let outcome = try check("edge3", "clockstep.pcap", "fixed1")
        let rows = "> 2 0.995s 1.030s 0.000s 9 too early by 0.995s: delay 3 0.995s"
        #expect(outcome.text.contains(rows), "\(outcome.text)")
    }
}
