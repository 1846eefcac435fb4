import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@Suite("Live devices in edge cases")
struct LiveEdgeTests {
    private static let suite = """
        conform: 1
        suite: edge
        title: A device at the edge
        requirements: [\(ConformProgram.root)/Suites/requirements/change-registration.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {within: 5s, tolerance: 2s, unexpected: allow, quiet: 500ms}
        cases:
          - id: silence
            title: It changes nothing
            checks: [CRM-1]
            preamble:
              - expect: sdl.StartService
                within: 50s   # the preparation of a device may take long on a busy machine
            steps:
              - expect: sdl.StartServiceACK
                from: hu
            never:
              - sdl.ChangeRegistration.request
        """

    /// A device that prepares itself, opens the service on a connection, and continues with `rest`.
    private static func device(_ preparation: String, _ rest: String) -> String {
        """
        #!/bin/bash
        \(preparation)
        open() { exec {socket}<>"/dev/tcp/$1/$2"; printf '\\x10\\x07\\x01\\0\\0\\0\\0\\0' >&$socket; }
        open "$1" "$2"
        \(rest)
        sleep 30
        """
    }

    private struct Ending {
        let status: Int32
        let verdict: String
        let summary: String
        let dropped: Int64
        let packets: Int64
    }

    private func run(_ rest: String, after preparation: String = "") throws -> Ending {
        let folder = TemporaryFolder.lasting()
        let files = [
            ("edge.yaml", Self.suite), ("device.sh", Self.device(preparation, rest)),
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let run = try ConformProgram.run([
            "run", folder + "/edge.yaml", "--reports", folder + "/run", "--device",
            "command:/bin/bash \(folder)/device.sh ${host} ${port}",
        ])
        let json = try Data(contentsOf: URL(filePath: folder + "/run/results.json"))
        let result = try Value(json: [UInt8](json).span.bytes)["cases"]?.arrayValue?.first
        return Ending(
            status: run.status, verdict: result?["verdict"]?.stringValue ?? "none",
            summary: result?["reason"]?["summary"]?.stringValue ?? "",
            dropped: result?["counts"]?["dropped"]?.integerValue ?? -1,
            packets: result?["counts"]?["packets"]?.integerValue ?? 0)
    }

    @Test("A device that crashes just before the end of the silence does not pass")
    func crashBeforeTheEnd() throws {
        // A busy machine may let the device sleep beyond the window, but not each time.
        let endings = try (0..<3).map { _ in try run("sleep 0.46; kill -SEGV $$") }
        #expect(endings.contains { $0.verdict == "fail" && $0.status == 1 })
    }

    @Test("The capture loses nothing of two hundred connections at once")
    func manyConnections() throws {
        let ending = try run("for _ in {1..200}; do open \"$1\" \"$2\"; done")
        #expect(ending.dropped == 0, "\(ending.summary)")
        #expect(ending.packets > 1_000)
        #expect(ending.verdict == "pass", "\(ending.summary)")
    }

    @Test("The capture loses nothing of five megabytes at once")
    func muchAtOnce() throws {
        // Frames of the video service, 1,400 bytes each, without an answer.
        let ending = try run(
            "cat \"$HOME/all\" >&$socket",
            after: """
                { printf '\\x11\\x0b\\0\\x01\\0\\0\\x05\\x78'; head -c 1400 /dev/zero; } > "$HOME/frame"
                for _ in {1..64}; do cat "$HOME/frame"; done > "$HOME/block"
                for _ in {1..56}; do cat "$HOME/block"; done > "$HOME/all"
                """)
        #expect(ending.dropped == 0, "\(ending.summary)")
        #expect(ending.packets > 3_000)
        #expect(ending.verdict == "pass", "\(ending.summary)")
    }

    @Test("An end of the device after the case does not matter")
    func endsAfterTheCase() throws {
        let ending = try run("sleep 1.5; kill -SEGV $$")
        #expect(ending.verdict == "pass", "\(ending.summary)")
    }
}
