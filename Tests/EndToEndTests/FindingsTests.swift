import Foundation
import Testing

/// Captures whose verdicts were once wrong, if their folder is available.
@Suite(
    "Findings",
    .enabled(
        if: Findings.offline != nil,
        "no findings next to the project; see shared/findings/offline"))
struct FindingsTests {
    /// One line of the table of `offline/README.md`.
    struct Row: Sendable, CustomTestStringConvertible {
        let words: String
        /// The correct exit code.
        let status: Int32
        /// The text that the output must contain.
        var text = ""

        var testDescription: String { words }
    }

    private static let resume =
        "--case first-registration-has-no-hash --peer hu=127.0.0.1:40174"

    static let rows = [
        Row(words: "java-a-happy.yaml java-a-happy-lost-28-30.pcap", status: 3),
        Row(words: "js-a2-app-happy.yaml js-a2-lost-24-27.pcap", status: 3),
        Row(
            words: "strict-js-a2-app-happy.yaml cut0008.pcap --peer hu=127.0.0.1:40012", status: 3),
        Row(words: "strict-js-a2-app-happy.yaml cut0006.pcap", status: 3),
        Row(words: "strict-js-a2-app-happy.yaml cut0006.pcap --per connection", status: 3),
        Row(words: "SUITES/hash-resume.yaml java-i4-cut7.pcap \(resume)", status: 3),
        Row(words: "SUITES/hash-resume.yaml java-i4-snap66.pcap \(resume)", status: 3),
        Row(words: "SUITES/hash-resume.yaml java-i4-gre.pcap \(resume)", status: 3),
        Row(
            words: "strict-java-a-happy.yaml onlydev-java-a-happy.pcap --peer hu=127.0.0.1:40111",
            status: 3),
        Row(
            words: "hu-defects.yaml atf5-ips.pcap", status: 1,
            text: "sdl.OnAppInterfaceUnregistered"),
        Row(words: "strict-js-a2-app-happy.yaml swapts0015.pcap", status: 3),
    ]

    @Test("Each capture has the correct verdict", arguments: rows)
    func verdict(row: Row) throws {
        let folder = try #require(Findings.offline)
        let words = row.words.split(separator: " ").map { word in
            word.hasPrefix("SUITES/")
                ? ConformProgram.root + "/Suites/" + word.dropFirst("SUITES/".count)
                : word.contains(".") && !word.contains("=") ? "\(folder)/\(word)" : String(word)
        }
        let outcome = try ConformProgram.run(["check"] + words)
        #expect(outcome.status == row.status, "\(outcome.output)\(outcome.errors)")
        #expect(row.text.isEmpty || outcome.output.contains(row.text), "\(outcome.output)")
    }

    @Test("Frames above the negotiated MTU are a violation; a message has the time of its packet")
    func decoding() throws {
        let folder = try #require(Findings.offline)
        let frames = try ConformProgram.run(["decode", "\(folder)/mtu500.pcap"])
        #expect(frames.output.contains("violation:"))
        let lossy = try ConformProgram.run(["decode", "\(folder)/java-a-happy-lost-28-30.pcap"])
        let heartbeat = try #require(
            lossy.output.split(separator: "\n").first { $0.contains("  sdl.Heartbeat  ") })
        #expect(heartbeat.contains(" 3.090368  #28 "), "\(heartbeat)")
    }
}

/// The place of the findings.
enum Findings {
    /// The folder of captures; `nil` if it is not available.
    static let offline: String? = {
        let path = ConformProgram.root + "/../shared/findings/offline"
        return access(path, R_OK | X_OK) == 0 ? path : nil
    }()
}
