import BuiltInProtocols
import Glibc
import Judge
import SuiteLanguage
import TestBench
import TestSupport
import Trace

@testable import Offline

/// The result of judging a capture.
enum LossVerdict: String {
    case pass, fail
    /// Inconclusive, skipped, in error, or refused.
    ///
    /// The device is neither failed nor passed.
    case open
}

/// A case and a capture that decides it: passed or failed.
struct LossSubject: Sendable {
    /// How a capture is judged.
    enum Way: Sendable {
        /// As a whole, with the peer recognised by who was called.
        case whole
        /// As a whole, with the given peer.
        case stated(Endpoint)
        /// Every connection separately.
        case perConnection
    }

    /// The names of the capture's file and of the suite.
    let name: String
    let suite: Suite
    let testCase: TestCase
    let capture: LossCapture
    let segments: [LossSegment?]
    let way: Way
    private(set) var original = LossVerdict.open

    init?(
        name: String, suite: Suite, testCase: TestCase, capture: LossCapture, way: Way = .whole
    ) {
        self.name = name
        self.suite = suite
        self.testCase = testCase
        self.capture = capture
        self.way = way
        segments = LossSegment.all(in: capture.packets)
        let folder = TemporaryFolder()
        original = verdict(on: capture, file: folder.path + "/whole.pcapng")
        if original == .open { return nil }
    }

    /// Judges a capture; no other code calls the judge.
    func verdict(on capture: LossCapture, file path: String) -> LossVerdict {
        var peers: [String: Endpoint] = [:]
        if case .stated(let peer) = way, let name = testCase.peers.first?.name {
            peers[name] = peer
        }
        do {
            try capture.write(to: path)
            if case .perConnection = way {
                let check = try ConnectionCheck(
                    suite: suite, selection: CaseSelection(), options: .init(.builtIn))
                let counts = try check.run([path]).counts[testCase.id] ?? [:]
                if counts[.fail, default: 0] > 0 { return .fail }
                return counts.keys.filter { counts[$0] != 0 } == [.pass] ? .pass : .open
            }
            var options = CaptureCheck.Options(.builtIn)
            options.roles = CaptureRoles(peers: peers)
            options.keepsEvidence = false
            let check = CaptureCheck(
                suite: suite, selection: CaseSelection(), options: options)
            return switch try check.judge(testCase, on: path).verdict {
            case .pass: .pass
            case .fail: .fail
            default: .open
            }
        } catch {
            return .open
        }
    }
}

extension LossSubject {
    /// Returns every subject.
    ///
    /// These are each recorded capture with the suites that are written for it, recorded from it,
    /// or kept for it, and the captures of the project with their own suites.
    static func all(in folder: String) throws -> [LossSubject] {
        var subjects: [LossSubject] = []
        for name in captures(in: "\(folder)/sdl") {
            subjects += try written(
                "\(folder)/sdl/\(name)", protocols: ["sdl."], role: "sdl.app",
                peer: "sdl.head-unit", absent: "sdl.Alert.request", field: "sdl.session_id: 201")
        }
        for name in captures(in: "\(folder)/diffusion") {
            subjects += try written(
                "\(folder)/diffusion/\(name)", protocols: ["diffusion.", "websocket."],
                role: "session.client", peer: "session.server", absent: "diffusion.abort",
                field: "conversation: 7777")
        }
        for name in captures(in: "\(folder)/backoff") {
            subjects += try schedules("\(folder)/backoff/\(name)")
        }
        for folder in ["reference", "clients"] {
            for name in captures(in: "\(root)/GoldenCaptures/\(folder)") {
                subjects += try golden("\(root)/GoldenCaptures/\(folder)/\(name)")
            }
        }
        return subjects
    }

    /// The root folder of the repository.
    static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    private static func captures(in folder: String) -> [String] {
        FileSystem.names(in: folder).filter { $0.contains(".pcap") }.sorted()
    }

    private static func shortName(_ path: String) -> String {
        (path.split(separator: "/").last.map(String.init) ?? path).replacing(
            /\.pcap(ng)?$/, with: "")
    }

    private static func written(
        _ path: String, protocols: [String], role: String, peer: String, absent: String,
        field: String
    ) throws -> [LossSubject] {
        let capture = try LossCapture(contentsOf: path)
        let suites = try LossSuites(capture: path, protocols: protocols, role: role, peer: peer)
        var subjects: [LossSubject] = []
        for written in suites.all(absent: absent, field: field) {
            let suite = try WorkBench(suite: written.text).suite
            var ways = [("", Way.whole)]
            let isShort = capture.packets.count < 200
            if isShort, ["strict", "wrong field"].contains(written.name), let peer = suites.callee {
                ways += [(", peer told", .stated(peer)), (", per connection", .perConnection)]
            }
            subjects += ways.compactMap { name, way in
                LossSubject(
                    name: "\(shortName(path)), \(written.name)\(name)", suite: suite,
                    testCase: suite.cases[0], capture: capture, way: way)
            }
        }
        for written in suites.rules(absent: absent) {
            let suite = try WorkBench(suite: written.text).suite
            guard let testCase = suite.rulesCase else { continue }
            if let subject = LossSubject(
                name: "\(shortName(path)), \(written.name)", suite: suite, testCase: testCase,
                capture: capture)
            {
                subjects.append(subject)
            }
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
            captures: [path],
            options: Recording.Options(
                path: "\(folder.path)/recorded.yaml", known: KnownMessages(.builtIn)))
        for file in [recording.suite, recording.catalogue] {
            try FileSystem.makeFolder(FileSystem.folder(of: file.path))
            try FileSystem.write(Array(file.text.utf8), to: file.path)
        }
        return try SuiteLoader(.builtIn).load(path: recording.suite.path, searchPath: [])
    }

    /// Returns a capture of attempts with every case of its suites that decides on it.
    private static func schedules(_ path: String) throws -> [LossSubject] {
        let suite = try SuiteLoader(.builtIn).load(
            path: "\(root)/GoldenCaptures/by-hand/backoff.yaml", searchPath: [])
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

    /// Returns our own capture with its case: as it is, and as a capture of another tool.
    private static func golden(_ path: String) throws -> [LossSubject] {
        let ours = try LossCapture(contentsOf: path, isOurs: true)
        guard let id = ours.metadata?.suite else { return [] }
        let suite = try SuiteLoader(.builtIn).load(
            path: "\(root)/Suites/\(id).yaml", searchPath: [])
        let check = CaptureCheck(suite: suite, selection: CaseSelection())
        let foreign = try LossCapture(contentsOf: path)
        return try check.cases(for: JudgedCapture([path], check.options)).flatMap { testCase in
            [("ours", ours), ("foreign", foreign)].compactMap { name, capture in
                LossSubject(
                    name: "\(shortName(path)), \(name)", suite: suite, testCase: testCase,
                    capture: capture)
            }
        }
    }

    /// The folder of the recorded traffic: `CONFORM_DATA`, or next to the repository.
    static let data: String? = {
        if let named = getenv("CONFORM_DATA") { return String(cString: named) }
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        let root = String(cString: real).split(separator: "/").dropLast(4)
        let folder = "/" + root.joined(separator: "/") + "/../shared/data"
        return access(folder, R_OK) == 0 ? folder : nil
    }()
}
