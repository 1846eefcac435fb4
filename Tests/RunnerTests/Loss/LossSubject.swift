import Glibc
import Suites
import TestSupport
import Trace
import Verdicts

@testable import Runner

/// What becomes of a capture that is judged.
enum LossVerdict: String {
    case pass, fail
    /// Inconclusive, skipped, in error, or refused: nobody is accused and nobody acquitted.
    case open
}

/// A case and a capture on which it is decided: passed or failed.
struct LossSubject: Sendable {
    /// The capture's file and the suite's name.
    let name: String
    let suite: Suite
    let testCase: TestCase
    let capture: LossCapture
    let segments: [LossSegment?]
    /// The peer that is told with `--peer`, if it is.
    var peers: [String: Endpoint] = [:]
    let original: LossVerdict

    init?(name: String, suite: Suite, testCase: TestCase, capture: LossCapture) {
        self.name = name
        self.suite = suite
        self.testCase = testCase
        self.capture = capture
        segments = LossSegment.all(in: capture.packets)
        let folder = TemporaryFolder()
        let verdict = Self.verdict(
            of: testCase, in: suite, on: capture, file: folder.path + "/whole.pcap")
        guard verdict != .open else { return nil }
        original = verdict
    }

    /// The only place that calls the judge.
    static func verdict(
        of testCase: TestCase, in suite: Suite, on capture: LossCapture, file path: String,
        peers: [String: Endpoint] = [:]
    ) -> LossVerdict {
        guard (try? FileSystem.write(capture.file, to: path)) != nil else { return .open }
        let check = CaptureCheck(
            suite: suite, selection: RunPlan.Selection(), roles: CaptureCheck.Roles(peers: peers))
        return switch try? check.judge(testCase, on: path).verdict {
        case .pass: .pass
        case .fail: .fail
        default: .open
        }
    }

    func verdict(on capture: LossCapture, file: String) -> LossVerdict {
        Self.verdict(of: testCase, in: suite, on: capture, file: file, peers: peers)
    }
}

extension LossSubject {
    /// Every subject: each recorded capture with the suites that are written for it, recorded from
    /// it, or kept for it.
    static func all(in folder: String) throws -> [LossSubject] {
        var subjects: [LossSubject] = []
        for name in try captures(in: "\(folder)/sdl") {
            subjects += try written(
                "\(folder)/sdl/\(name)", protocols: ["sdl."], role: "sdl.app",
                peer: "sdl.head-unit", absent: "sdl.Alert.request", field: "sdl.session_id: 201")
        }
        for name in try captures(in: "\(folder)/diffusion") {
            subjects += try written(
                "\(folder)/diffusion/\(name)", protocols: ["diffusion.", "websocket."],
                role: "session.client", peer: "session.server", absent: "diffusion.abort",
                field: "conversation: 7777")
        }
        for name in try captures(in: "\(folder)/backoff") {
            subjects += try schedules("\(folder)/backoff/\(name)")
        }
        return subjects
    }

    private static func captures(in folder: String) throws -> [String] {
        FileSystem.names(in: folder).filter { $0.hasSuffix(".pcap") }.sorted()
    }

    private static func shortName(_ path: String) -> String {
        (path.split(separator: "/").last.map(String.init) ?? path).replacing(".pcap", with: "")
    }

    private static func written(
        _ path: String, protocols: [String], role: String, peer: String, absent: String,
        field: String
    ) throws -> [LossSubject] {
        let capture = try LossCapture(contentsOf: path)
        let suites = try LossSuites(capture: path, protocols: protocols, role: role, peer: peer)
        var subjects = try suites.all(absent: absent, field: field).compactMap { written in
            let suite = try WorkBench(suite: written.text).suite
            return LossSubject(
                name: "\(shortName(path)), \(written.name)", suite: suite,
                testCase: suite.cases[0], capture: capture)
        }
        if role == "sdl.app" {
            let suite = try recorded(path)
            subjects += suite.cases.compactMap { testCase in
                LossSubject(
                    name: "\(shortName(path)), recorded", suite: suite, testCase: testCase,
                    capture: capture)
            }
        }
        return subjects
    }

    private static func recorded(_ path: String) throws -> Suite {
        let folder = TemporaryFolder()
        let recording = try Recording(
            captures: [path], options: Recording.Options(path: "\(folder.path)/recorded.yaml"))
        for file in [recording.suite, recording.catalogue] {
            try FileSystem.makeFolder(FileSystem.folder(of: file.path))
            try FileSystem.write(Array(file.text.utf8), to: file.path)
        }
        return try SuiteLoader.load(path: recording.suite.path, searchPath: [])
    }

    /// A capture of attempts with every case of the suite for such captures that decides on it.
    private static func schedules(_ path: String) throws -> [LossSubject] {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let suite = try SuiteLoader.load(
            path: "\(root)/Suites/captures/backoff.yaml", searchPath: [])
        let own = try WorkBench(suite: LossSuites.schedules).suite
        let capture = try LossCapture(contentsOf: path)
        return [suite, own].flatMap { suite in
            suite.cases.compactMap { testCase in
                LossSubject(
                    name: "\(shortName(path)), \(testCase.id)", suite: suite,
                    testCase: testCase, capture: capture)
            }
        }
    }

    /// Where the recorded traffic lies: `CONFORM_DATA`, or beside the repository.
    static let data: String? = {
        if let named = getenv("CONFORM_DATA") { return String(cString: named) }
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let root = String(cString: real).split(separator: "/").dropLast(4)
        let folder = "/" + root.joined(separator: "/") + "/../shared/data"
        return access(folder, R_OK) == 0 ? folder : nil
    }()
}
