import Capture
import Protocols
import Suites
import Trace
import Verdicts

/// Judges saved captures by a suite: the same path to a verdict as a live run, without a device.
public struct CaptureCheck: Sendable {
    /// Who is who in a capture that is not ours.
    public struct Roles: Sendable {
        /// Endpoints of peers by name, as the user gave them.
        public var peers: [String: Endpoint]
        /// The devices' own addresses, as the user gave them; the port 0 stands for any.
        public var devices: [Endpoint: String]

        /// Makes roles.
        public init(peers: [String: Endpoint] = [:], devices: [Endpoint: String] = [:]) {
            self.peers = peers
            self.devices = devices
        }
    }

    let suite: Suite
    let selection: RunPlan.Selection
    private let roles: Roles
    private let takesEveryCapture: Bool
    private let parameters: ParameterOverrides
    /// How the files are read if they are logs; `nil` if they are captures.
    let logFormat: LogFormat?

    /// Prepares a check of captures, or of logs of a format; captures of ours are judged with the
    /// parameters that they were made with, unless the overrides say otherwise.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - selection: Which of its cases are wanted.
    ///   - roles: Who is who in captures of other tools.
    ///   - takesEveryCapture: Whether a capture of ours is judged by every wanted case, whatever
    ///     case it was made for.
    ///   - parameters: Values that stand over those of the captures.
    ///   - logFormat: How the files are read if they are logs.
    public init(
        suite: Suite, selection: RunPlan.Selection, roles: Roles, takesEveryCapture: Bool = false,
        parameters: ParameterOverrides = ParameterOverrides(), logFormat: LogFormat? = nil
    ) {
        self.parameters = parameters
        self.logFormat = logFormat
        self.suite = suite
        self.selection = selection
        self.roles = roles
        self.takesEveryCapture = takesEveryCapture
    }

    /// The cases that a capture is judged by: the one that it was made for, or every wanted one.
    ///
    /// - Throws: `CheckError` if the capture belongs to another suite or to a case that the suite
    ///   does not have; `CaptureError` if the file cannot be opened.
    public func cases(for path: String) throws -> [TestCase] {
        guard logFormat == nil, !takesEveryCapture, let metadata = try Self.metadata(of: path)
        else {
            return suite.cases.filter { selection.wants($0, of: suite) }
        }
        guard metadata.suite == suite.id else {
            throw CheckError(
                "\(path): the capture was made for suite \(metadata.suite), not for \(suite.id)")
        }
        let own = try parameters.suite(
            suite, at: suite.file, given: try Self.parameters(in: metadata, of: path))
        guard let testCase = own.cases.first(where: { $0.id == metadata.testCase }) else {
            throw CheckError(
                "\(path): the capture was made for case \(metadata.testCase), "
                    + "which \(own.file) does not have")
        }
        return selection.wants(testCase, of: own) ? [testCase] : []
    }

    /// The parameters with which a capture is judged.
    func parameters(for path: String) throws -> [RunParameter] {
        let metadata = try logFormat == nil ? Self.metadata(of: path) : nil
        let given = try metadata.map { try Self.parameters(in: $0, of: path) } ?? [:]
        let suite = try parameters.suite(suite, at: suite.file, given: given)
        return parameters.origins(of: suite, given: given, source: .capture)
    }

    private static func parameters(
        in metadata: CaseMetadata, of path: String
    ) throws -> [String: Value] {
        do throws(DecodeError) {
            return try metadata.parameters.map(ParameterText.values) ?? [:]
        } catch {
            throw CheckError("\(path): the parameters in the section header are damaged: \(error)")
        }
    }

    /// Whether a capture was made by another tool.
    func isForeign(_ path: String) throws -> Bool {
        try logFormat != nil || Self.metadata(of: path) == nil
    }

    /// Judges one case on one capture.
    ///
    /// - Throws: `CheckError` if it is not clear who is who; `CaptureError` if the file cannot be
    ///   opened. Damage further on is part of the verdict.
    ///
    /// A capture of ours is judged at the time scale at which it was made.
    public func judge(_ testCase: TestCase, on path: String) throws -> CaseResult {
        if let logFormat { return try judge(testCase, onLog: path, of: logFormat) }
        let metadata = try Self.metadata(of: path)
        let testCase = testCase.scaled(by: metadata?.timeScale ?? .real)
        let parties = try metadata?.parties ?? Self.parties(of: testCase, in: path, roles: roles)
        var file = try CaptureFile(path: path)
        var trial: CaseTrial?
        var events = try (metadata?.events ?? []).map(RecordedEvent.init)[...]
        func insertEvents(before frame: Int) {
            while let event = events.first, event.afterFrame < frame {
                events.removeFirst()
                _ = trial?.insert(event.event, at: event.time)
            }
        }
        var damage: CaptureError?
        do throws(CaptureError) {
            while let packet = try file.next() {
                if trial == nil {
                    let first = Timestamp(nanoseconds: packet.timestamp)
                    trial = makeTrial(testCase, parties, start: metadata?.start ?? first, metadata)
                }
                insertEvents(before: packet.index)
                _ = trial?.advance(to: Timestamp(nanoseconds: packet.timestamp))
                _ = trial?.consume(packet)
            }
        } catch {
            damage = error
        }
        let start = metadata?.start ?? trial?.firstPacket ?? Timestamp(nanoseconds: 0)
        if trial == nil { trial = makeTrial(testCase, parties, start: start, metadata) }
        insertEvents(before: .max)
        let end = metadata?.end ?? trial?.lastPacket ?? start
        let dropped = metadata?.dropped ?? Int(clamping: file.metadata.droppedPackets ?? 0)
        guard
            let (judgement, counts) = trial?.finish(
                at: end, cause: metadata?.cause ?? .captureEnded, dropped: dropped)
        else { throw CheckError("\(path): nothing to judge") }
        var result = CaseResult(
            suite: suite, testCase: testCase, judgement: judgement, counts: counts,
            started: start, ended: end)
        result.evidence = trial?.evidence(of: judgement)
        result.note(clockStep: metadata?.clockStep ?? .zero)
        if let damage { result.note(damage) }
        return result
    }

    private func makeTrial(
        _ testCase: TestCase, _ parties: Parties, start: Timestamp, _ metadata: CaseMetadata?
    ) -> CaseTrial {
        var trial = CaseTrial(
            matcher: CaseMatcher(
                testCase: testCase, requirements: suite.requirements, parties: parties,
                start: start,
                options: CaseMatcher.Options(
                    harnessPlaysPeers: metadata != nil, eventsRecorded: metadata != nil)),
            recorder: EvidenceRecorder(parties: parties, start: start))
        guard metadata == nil else { return trial }
        // Another tool does not say which bytes it sent: plain ones are known from the suite.
        let known = (testCase.preamble + testCase.steps).plain.compactMap { step -> [UInt8]? in
            if case .sendBytes(let bytes) = step.verb { bytes } else { nil }
        }
        for bytes in Set(known) {
            if let watch = ByteWatch(bytes, from: nil, to: nil, step: nil) {
                trial.look(for: watch)
            }
        }
        return trial
    }

    /// The time scales at which captures of ours were made.
    func timeScales(of paths: [String]) throws -> Set<TimeScale> {
        guard logFormat == nil else { return [.real] }
        return Set(try paths.map { try Self.metadata(of: $0)?.timeScale ?? .real })
    }

    private static func metadata(of path: String) throws -> CaseMetadata? {
        let file = try CaptureFile(path: path)
        do {
            return try CaseMetadata(sectionComments: file.metadata.section.comments)
        } catch {
            throw CheckError(
                "\(path): the case's metadata in the section header is damaged: \(error)")
        }
    }
}

/// A capture that cannot be judged by the suite, as a sentence that says why.
public struct CheckError: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// An event of a capture's metadata, ready for the trace.
private struct RecordedEvent {
    let event: DeviceEvent
    let time: Timestamp
    let afterFrame: Int

    init(_ recorded: CaseMetadata.Event) throws(DecodeError) {
        let fields = Array(recorded.fields.utf8)
        event = DeviceEvent(name: recorded.name, fields: try Value(json: fields.span.bytes))
        time = recorded.time
        afterFrame = recorded.afterFrame
    }
}
