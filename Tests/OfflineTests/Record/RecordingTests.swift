import BuiltInProtocols
import Foundation
import Judge
import Results
import SuiteLanguage
import TestSupport
import Testing
import Wire

@testable import Offline

@Suite("Golden captures become a suite")
struct RecordingTests {
    /// A folder for captures and suites.
    private let scratch = TemporaryFolder()

    private var folder: String { scratch.path }

    private func capture(
        _ name: String, port: UInt16 = 12345, hasHandshake: Bool = true,
        _ change: (inout SyntheticCapture) -> Void
    ) throws -> String {
        var capture = SyntheticCapture(port: port, hasHandshake: hasHandshake)
        change(&capture)
        return try capture.write(to: folder, as: name)
    }

    /// Records captures, writes both files, and judges the captures by them.
    private func record(
        _ captures: [String], bodyFrom: String? = nil, verdict: Verdict = .pass
    ) throws -> (recording: Recording, suite: Suite) {
        let recording = try Recording(
            captures: captures,
            options: Recording.Options(
                path: folder + "/golden.yaml", bodyFrom: bodyFrom, known: KnownMessages(.builtIn)))
        for file in [recording.suite, recording.catalogue] {
            let url = URL(filePath: file.path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: url)
        }
        let suite = try SuiteLoader(.builtIn).load(path: recording.suite.path)
        #expect(suite.warnings.isEmpty, "\(suite.warnings)")
        for outcome in try recording.check() {
            #expect(outcome.verdict == verdict, "\(outcome)")
        }
        return (recording, suite)
    }

    /// Returns the verdict of the recorded suite on another capture.
    private func verdict(
        _ recording: Recording, on path: String
    ) throws -> (verdict: Verdict, reason: String) {
        let suite = try SuiteLoader(.builtIn).load(path: recording.suite.path)
        let check = CaptureCheck(
            suite: suite, selection: CaseSelection())
        let result = try check.judge(suite.cases[0], on: path)
        return (result.verdict, result.reason?.summary ?? "")
    }

    private static func plain(
        _ capture: inout SyntheticCapture, session: Int64 = 70_001, text: String = "Hello",
        tail: Int = 400
    ) {
        capture.register(session: session)
        capture.notify(
            "OnHMIStatus",
            [
                "hmiLevel": "FULL", "audioStreamingState": "NOT_AUDIBLE", "systemContext": "MAIN",
            ])
        capture.wait(120)
        capture.request("Show", ["mainField1": .string(text)], id: 2)
        capture.wait(3)
        capture.answer("Show", ["success": true, "resultCode": "SUCCESS"], id: 2)
        capture.wait(tail)
    }

    @Test("One capture gives a suite without findings that passes on it and is marked as recorded")
    func single() throws {
        let path = try capture("one") { Self.plain(&$0) }
        let (recording, suite) = try record([path])
        let testCase = try #require(suite.cases.first)
        #expect(suite.id == "golden" && suite.deviceRole == "sdl.app" && suite.cases.count == 1)
        #expect(
            testCase.peers.map(\.name) == ["hu"] && testCase.peers[0].kind.name == "sdl.head-unit")
        #expect(testCase.preamble.count == 3 && testCase.steps.count == 4)
        #expect(suite.requirements.allSatisfy { $0.text.contains("Placeholder from a recording") })
        #expect(Set(testCase.allChecks) == Set(suite.requirements.map(\.id)))
        #expect(testCase.quiet == .milliseconds(200))
        #expect(recording.nextCommand == "conform check \(folder)/golden.yaml \(path)")
        #expect(recording.suite.text.contains("params.mainField1: Hello"))
    }

    @Test("The recorded suite fails for another text, a late message and one too many")
    func itCanFail() throws {
        let (recording, _) = try record([try capture("golden") { Self.plain(&$0) }])
        let other = try capture("other") { Self.plain(&$0, text: "Goodbye") }
        let wrong = try verdict(recording, on: other)
        #expect(wrong.verdict == .fail && wrong.reason.contains("params.mainField1"))
        let more = try capture("more") { capture in
            Self.plain(&capture, tail: 50)
            capture.request("Alert", ["alertText1": "Storm"], id: 3)
            capture.wait(400)
        }
        #expect(try verdict(recording, on: more).verdict == .fail)
        let late = try capture("late") { capture in
            capture.register(session: 70_001)
            capture.notify(
                "OnHMIStatus",
                [
                    "hmiLevel": "FULL", "audioStreamingState": "NOT_AUDIBLE",
                    "systemContext": "MAIN",
                ])
            capture.wait(9000)
            capture.request("Show", ["mainField1": "Hello"], id: 2)
            capture.wait(400)
        }
        #expect(try verdict(recording, on: late).verdict == .fail)
        let session = try capture("session") { Self.plain(&$0, session: 81_234) }
        #expect(try verdict(recording, on: session).verdict == .pass, "another session's hash")
    }

    @Test("A value that the head unit assigned is saved and demanded where the app uses it")
    func variables() throws {
        let path = try capture("linked") { capture in
            Self.plain(&capture, session: 91_234)
            capture.end(session: 91_234)
            capture.wait(300)
        }
        let (recording, _) = try record([path])
        #expect(recording.suite.text.contains("save: {hashId: params.hashId}"))
        #expect(recording.suite.text.contains("params.hashId: \"${hashId}\""))
        let other = try capture("other-session") { capture in
            Self.plain(&capture, session: 55_555)
            capture.end(session: 55_555)
            capture.wait(300)
        }
        #expect(try verdict(recording, on: other).verdict == .pass)
        let wrong = try capture("wrong-hash") { capture in
            Self.plain(&capture, session: 55_555)
            capture.end(session: 44_444)
            capture.wait(300)
        }
        #expect(try verdict(recording, on: wrong).verdict == .fail)
    }

    @Test("A hash of an earlier session is demanded by its form, not by its value")
    func shapes() throws {
        let path = try capture("resumed") { capture in
            capture.register(session: 1, hashID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
            capture.request("ListFiles", id: 2)
            capture.wait(300)
        }
        let (recording, _) = try record([path])
        #expect(recording.suite.text.contains("params.hashID: {matches: \"^[0-9A-Fa-f]{32}$\"}"))
        let other = try capture("resumed-again") { capture in
            capture.register(session: 1, hashID: "ffffffffffffffffffffffffffffff00")
            capture.request("ListFiles", id: 2)
            capture.wait(300)
        }
        #expect(try verdict(recording, on: other).verdict == .pass)
    }

    @Test(
        "Fields that differ between captures become types, and fields that some lack are left out")
    func generalised() throws {
        let first = try capture("first") { capture in
            capture.register(session: 1)
            capture.request("Show", ["mainField1": "One", "mainField2": "x"], id: 2)
            capture.wait(300)
        }
        let second = try capture("second") { capture in
            capture.register(session: 2)
            capture.request("Show", ["mainField1": "Two", "mainField3": "y"], id: 2)
            capture.wait(300)
        }
        let (recording, _) = try record([first, second])
        #expect(recording.suite.text.contains("params.mainField1: {type: string}"))
        #expect(!recording.suite.text.contains("mainField2"))
        let third = try capture("third") { capture in
            capture.register(session: 2)
            capture.request("Show", ["mainField1": "Three"], id: 2)
            capture.wait(300)
        }
        #expect(try verdict(recording, on: third).verdict == .pass)
    }

    @Test("Messages that some captures lack are optional, those that change places have any order")
    func optionalAndAnyOrder() throws {
        func scene(_ name: String, _ order: [String]) throws -> String {
            try capture(name) { capture in
                capture.register(session: 1)
                for (number, function) in order.enumerated() {
                    capture.wait(20)
                    capture.request(function, id: Int32(number + 2))
                }
                capture.wait(300)
            }
        }
        let captures = [
            try scene("a", ["ListFiles", "GetDTCs", "ReadDID", "Speak"]),
            try scene("b", ["GetDTCs", "ReadDID", "ListFiles", "Speak", "DialNumber"]),
        ]
        let (recording, suite) = try record(captures)
        #expect(recording.suite.text.contains("anyOrder:"))
        #expect(recording.suite.text.contains("optional:"))
        #expect(suite.cases[0].steps.plain.count == 6)
        let verdicts = try [
            scene("c", ["GetDTCs", "ReadDID", "ListFiles", "Speak"]),
            scene("d", ["ListFiles", "GetDTCs", "ReadDID", "Speak", "DialNumber"]),
            scene("e", ["GetDTCs", "ListFiles", "ReadDID", "Speak"]),
            scene("f", ["GetDTCs", "ReadDID", "Speak"]),
        ].map { try verdict(recording, on: $0).verdict }
        #expect(verdicts == [.pass, .pass, .fail, .fail])
    }

    @Test("A pause that captures share also becomes a lower limit")
    func pauses() throws {
        func scene(_ name: String, _ pause: Int) throws -> String {
            try capture(name) { capture in
                capture.register(session: 1)
                capture.wait(pause)
                capture.request("ListFiles", id: 2)
                capture.wait(300)
            }
        }
        let (recording, suite) = try record([scene("a", 5000), scene("b", 5200)])
        let step = try #require(suite.cases[0].steps.last)
        #expect(step.after == .milliseconds(4000) && step.within == .seconds(15))
        let early = try verdict(recording, on: scene("c", 2000))
        #expect(early.verdict == .fail)
        let (single, loose) = try record([scene("d", 5000)])
        #expect(loose.cases[0].steps.last?.after == nil, "one capture shows no purpose")
        #expect(try verdict(single, on: scene("e", 2000)).verdict == .pass)
    }

    @Test("Heartbeats at even times are ignored, and the recording says so")
    func keepAlives() throws {
        let path = try capture("beats") { capture in
            capture.register(session: 1)
            for _ in 0..<4 {
                capture.wait(2000)
                capture.heartbeat()
            }
            capture.request("ListFiles", id: 2)
            capture.wait(300)
        }
        let (recording, suite) = try record([path])
        #expect(
            Set(suite.cases[0].ignore.map(\.message)) == ["sdl.Heartbeat", "sdl.HeartbeatACK"])
        #expect(recording.remarks.contains { $0.contains("sdl.Heartbeat of hu") })
    }

    @Test("Another port is kept, and a capture that begins in the middle still shows the roles")
    func ports() throws {
        let path = try capture("port", port: 40_164) { Self.plain(&$0) }
        let (_, suite) = try record([path])
        #expect(suite.cases[0].peers[0].settings["port"] == 40_164)
        let middle = try capture("middle", hasHandshake: false) { Self.plain(&$0) }
        let (_, other) = try record([middle], verdict: .inconclusive)
        #expect(other.cases[0].peers[0].settings["port"] == nil)
    }

    @Test("The body begins at the given message")
    func bodyFrom() throws {
        let path = try capture("body") { Self.plain(&$0) }
        let (_, suite) = try record([path], bodyFrom: "sdl.Show.request")
        #expect(suite.cases[0].preamble.count == 5 && suite.cases[0].steps.count == 2)
    }

    @Test("Text that has a meaning in YAML or in the suite language is kept as it was")
    func hostileText() throws {
        for text in [
            "${x}", "true", "12", "a: b", "# no", "line\nbreak", "\"quoted\" 'too'", "{min: 3}",
            "\u{1F600} \u{5E9}\u{5DC}", "- item", "null", "*", "&anchor", "%", "@",
        ] {
            let path = try capture("hostile") { Self.plain(&$0, text: text) }
            _ = try record([path])
        }
    }

    @Test("A value that the specification does not allow is left out, and the recording says so")
    func irregular() throws {
        let path = try capture("irregular") { capture in
            capture.register(session: 1)
            capture.request(
                "Alert", ["alertText1": "Storm", "duration": "long", "noSuchField": 3], id: 2)
            capture.wait(300)
        }
        let (recording, _) = try record([path])
        #expect(recording.suite.text.contains("params.alertText1: Storm"))
        #expect(!recording.suite.text.contains("noSuchField"))
        #expect(!recording.suite.text.contains("params.duration: long"))
        #expect(recording.remarks.contains { $0.contains("params.duration") })
    }

    @Test("What cannot be recorded is refused with the capture and what to do")
    func refusals() throws {
        func refusal(_ captures: [String], bodyFrom: String? = nil) -> String {
            do {
                _ = try record(captures, bodyFrom: bodyFrom)
                return "(none)"
            } catch {
                return "\(error)"
            }
        }
        let silent = try capture("silent") { _ in }
        #expect(refusal([silent]).contains("--peer NAME=ADDRESS:PORT"))
        #expect(refusal([try capture("none", hasHandshake: false) { _ in }]).contains("no packets"))
        let path = try capture("fine") { Self.plain(&$0) }
        let text = refusal([path], bodyFrom: "sdl.Sho.request")
        #expect(text.contains("did you mean \"sdl.Show.request\"?"))
        #expect(
            refusal([path], bodyFrom: "sdl.Show.response").contains("--body-from MESSAGE"))
    }
}
