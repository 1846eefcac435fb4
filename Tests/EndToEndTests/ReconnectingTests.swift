import TestSupport
import Testing

@Suite("A reconnecting client under impairments of its link")
struct ReconnectingTests {
    private static let folder = "Tests/EndToEndTests/Suites"

    private func run(_ testCase: String, reports: String) throws -> ConformProgram.Outcome {
        try ConformProgram.run([
            "run", "\(Self.folder)/reconnecting.yaml", "--device",
            "\(Self.folder)/reconnecting-device.yaml", "--case", testCase, "--reports", reports,
        ])
    }

    @Test(
        "A client that keeps its rule passes, live and from the capture",
        arguments: ["down-for-six-seconds", "turned-away", "refused-and-heard-again"])
    func conformant(testCase: String) throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try run(testCase, reports: reports)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let captures = try Results(reports).captures
        #expect(captures.count == 1)
        for capture in captures {
            let check = try ConformProgram.run([
                "check", "\(Self.folder)/reconnecting.yaml", "\(reports)/\(capture)",
            ])
            #expect(check.status == 0, "\(check.output)\(check.errors)")
        }
    }

    @Test("A rule that the client does not keep fails at the first wait")
    func refused() throws {
        let run = try run("wrong-rule", reports: TemporaryFolder.lasting() + "/run")
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("wait 1 took "), "\(run.output)")
        #expect(text.contains("1.995 s to 2.500 s is allowed, too early"), "\(run.output)")
    }
}
