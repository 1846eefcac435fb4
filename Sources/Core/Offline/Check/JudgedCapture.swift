import Capture
import Judge
import Results
import SuiteLanguage
import Trace
import Wire

/// A capture, or several that are read as one, that is opened once and judged while it is read.
struct JudgedCapture {
    /// The name of the capture in messages.
    let name: String
    /// The metadata of a capture that `conform` made; `nil` for one of another tool.
    let metadata: CaseMetadata?
    let paths: [String]
    private let series: CaptureSeries
    private let options: CaptureCheck.Options

    /// Opens the capture.
    ///
    /// - Throws: `CaptureError` if it cannot be opened, `CheckError` if its metadata is damaged or
    ///   contradicts the roles that the user gave.
    init(_ paths: [String], _ options: CaptureCheck.Options) throws {
        name = paths.joined(separator: ", ")
        self.paths = paths
        self.options = options
        series = try CaptureSeries(
            joining: paths, following: options.following, secrets: options.trace.secrets)
        try series.open()
        // A part of a trace has nothing to do with the case that the trace was made for.
        let isOurs = paths.count == 1 && options.grouping == .capture
        let comments = isOurs ? series.metadata?.section.comments ?? [] : []
        do {
            metadata = try CaseMetadata(sectionComments: comments)
        } catch {
            throw CheckError(
                description:
                    "\(name): the case's metadata in the section header is damaged: \(error)")
        }
        if let parties = metadata?.parties,
            let contradiction = options.roles.contradiction(to: parties)
        {
            throw CheckError(
                description: "\(name): \(contradiction); leave the option out for this capture")
        }
    }

    /// The time scale at which the capture was made.
    var timeScale: TimeScale { metadata?.timeScale ?? .real }

    /// Returns the parameters that the capture was made with.
    func givenParameters() throws -> [String: Value] {
        do throws(DecodeError) {
            return try metadata?.parameters.map(ParameterText.values) ?? [:]
        } catch {
            throw CheckError(
                description: "\(name): the parameters in the section header are damaged: \(error)")
        }
    }

    /// Reads the capture and judges cases on all of it; the results are in the order of the cases.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - suite: Their suite.
    ///   - known: The cases already prepared for captures of other tools; more are added.
    /// - Throws: `CaptureError` if a file has vanished; damage is part of the verdicts.
    func judge(
        _ cases: [TestCase], of suite: Suite, prepared known: inout [String: PreparedCase]
    ) throws -> [CaseResult] {
        SearchBudget.renew()
        if [.connection, .session].contains(options.grouping) {
            try ConnectionCheck.refuseSeveralPeers(cases)
        }
        let unreported = metadata == nil ? cases.compactMap(\.withoutReports) : []
        let prepared = (cases + unreported).map { testCase in
            let name = testCase.id + (testCase.isWithoutReports ? " without reports" : "")
            if metadata == nil, let ready = known[name] { return ready }
            var judging = CaseMatcher.Options(
                harnessPlaysPeers: metadata != nil, eventsRecorded: metadata != nil)
            judging.isFinished = metadata == nil && options.following == nil
            let ready = PreparedCase(
                testCase.judgingRules(of: metadata).scaled(by: timeScale)
                    .heldToProtocol(options.holdsToProtocol || metadata?.holdsToProtocol == true),
                requirements: suite.requirements,
                options: judging)
            if metadata == nil { known[name] = ready }
            return ready
        }
        var trace = options.trace
        trace.reportsSkippedAtOnce = true
        if let metadata {
            trace.cutStreams(
                of: prepared.peers, at: metadata.parties, scale: timeScale)
        } else {
            try trace.cutStreams(of: prepared.peers, as: options.roles)
        }
        trace.decode(prepared.protocols)
        let found = try dissect()
        trace.dissected = found?.units ?? [:]
        var packets: PacketJudge?
        var reconciliation = metadata.flatMap(PeerReconciliation.init)
        var events = try (metadata?.events ?? []).map(RecordedEvent.init)[...]
        func insertEvents(before frame: Int) {
            while let event = events.first, event.afterFrame < frame {
                events.removeFirst()
                _ = packets?.insert(event.event, at: event.time)
            }
        }
        // A pcapng file says at its end how many packets the capture lost.
        let tellsLoss = series.metadata?.format == .pcapng && metadata == nil
        let restsOnReports = cases.contains(where: \.restsOnReports)
        var isDecided = false
        func stopIfDecided() {
            // Later reports may change the result of cases that depend on reports.
            guard metadata == nil, packets?.isDecided(needsReports: restsOnReports) == true
            else { return }
            isDecided = true
            if !tellsLoss { series.stop() }
        }
        func consume(_ packet: borrowing Packet) {
            let time = Timestamp(nanoseconds: packet.timestamp)
            if packets?.isFlooded == true { return series.stop() }
            if isDecided { return }
            if packets == nil {
                packets = packetJudge(prepared, trace, from: metadata?.start ?? time)
            }
            insertEvents(before: packet.index)
            _ = packets?.advance(to: time)
            _ = packets?.consume(packet)
            reconciliation?.consume(packet)
            stopIfDecided()
        }
        let isScreened = isScreened(prepared)
        try series.forEach(
            batches: { batch in
                guard isScreened else {
                    for index in 0..<batch.count { consume(batch.packet(index)) }
                    return
                }
                if packets?.isFlooded == true { return series.stop() }
                if isDecided || batch.count == 0 { return }
                let time = Timestamp(nanoseconds: batch.places[0].timestamp)
                if packets == nil { packets = packetJudge(prepared, trace, from: time) }
                packets?.consume(batch)
                stopIfDecided()
            }, packets: consume)
        let start = metadata?.start ?? packets?.firstPacket ?? Timestamp(nanoseconds: 0)
        if packets == nil { packets = packetJudge(prepared, trace, from: start) }
        insertEvents(before: .max)
        var results = finish(&packets, start, of: suite)
        if let forgery = reconciliation?.finish() {
            for index in results.indices { results[index].record(forgery) }
        }
        if let found {
            for index in results.indices { results[index].remarks.append(found.description) }
        }
        return results
    }

    /// Returns what another program finds in the capture; `nil` if none is used.
    private func dissect() throws(CheckError) -> TsharkDissection.Found? {
        guard let dissection = options.dissection else { return nil }
        guard paths.count == 1, let path = paths.first, !CaptureFile.isStream(path),
            options.following == nil
        else {
            throw CheckError(
                description: "\(name): --dissect takes one capture that is finished, in a file")
        }
        return try dissection.find(in: path)
    }

    /// Returns how many of the packets that `conform` captured are no longer in the file.
    private func missing(from count: Int) -> Int {
        max(0, Int(clamping: series.metadata?.receivedPackets ?? 0) - count)
    }

    private func finish(
        _ packets: inout PacketJudge?, _ start: Timestamp, of suite: Suite
    ) -> [CaseResult] {
        let last = packets?.lastPacket ?? start
        let stated = series.metadata?.end.map(Timestamp.init(nanoseconds:)).map { max($0, last) }
        let count = packets?.packetCount ?? 0
        let dropped =
            metadata.map { $0.dropped + missing(from: count) }
            ?? Int(clamping: series.metadata?.droppedPackets ?? 0)
        let isKnown = options.isEndKnown || stated != nil
        let end = metadata?.end ?? stated ?? last
        let outcomes =
            packets?.finish(
                at: end, cause: metadata?.cause ?? (isKnown ? .endKnown : .captureEnded),
                dropped: dropped) ?? []
        let untimed = packets?.untimedCount ?? 0
        let showsReports = metadata != nil || packets?.hasReports == true
        return outcomes.compactMap { outcome in
            let testCase = outcome.prepared.testCase
            // Keep either the complete case, or its part that needs no reports.
            let isLeft = showsReports || testCase.withoutReports == nil
            guard testCase.isWithoutReports ? !showsReports : isLeft else { return nil }
            var result = CaseResult(
                suite: suite, outcome: outcome, packets: count, dropped: dropped, ended: end)
            if testCase.isWithoutReports {
                result.remarks.append(
                    "without reports of the app: what depends on them is not judged")
            } else if !showsReports, testCase.restsOnReports {
                result = CaseResult(
                    suite: suite, testCase: testCase, verdict: .skipped, reason: .notObservable)
            }
            if let group = outcome.group { result.id += "@\(group.name)" }
            result.record(clockStep: metadata?.clockStep ?? .zero)
            result.record(inconclusiveFindings: metadata?.inconclusiveFindings ?? [])
            series.damages.prefix(1).forEach { result.record($0) }
            if packets?.isFlooded == true { result.record(inconclusiveFindings: [Self.flood]) }
            if !outcome.standsFor.isEmpty {
                result.remarks.append(Self.text(standingFor: outcome.standsFor))
            }
            result.remarks += series.offsets.map(\.description)
            if untimed > 0 {
                result.remarks.append("the capture has \(untimed) packet(s) without a time")
            }
            return result
        }
    }

    private static let flood = InconclusiveFinding(
        .captureLoss,
        "the capture has more than \(PacketJudge.tinyMessagesMax) messages, most of which have a "
            + "few bytes, and was not read to its end")

    private static func text(standingFor counts: [Verdict: Int]) -> String {
        let parts = Verdict.allCases.compactMap { verdict in
            counts[verdict].map { "\($0) \(verdict.rawValue)" }
        }
        return "stands for further parts of the capture: \(parts.joined(separator: ", ")); "
            + "--limit \(CaptureLimit.judged.rawValue)=N tells each of them"
    }

    /// Whether messages that change nothing are skipped, because no evidence is wanted.
    private func isScreened(_ cases: [PreparedCase]) -> Bool {
        metadata == nil && options.grouping == .capture && !options.keepsEvidence
            && cases.allSatisfy(\.testCase.sentBytes.isEmpty)
            && !cases.contains(where: \.testCase.expectsLostBytes) && options.dissection == nil
    }

    private func packetJudge(
        _ cases: [PreparedCase], _ trace: TraceOptions, from start: Timestamp
    ) -> PacketJudge {
        guard metadata == nil else {
            return PacketJudge(
                Judge(
                    cases, parties: metadata?.parties ?? Parties(peers: [:]), start: start,
                    keepsEvidence: options.keepsEvidence), options: trace)
        }
        var judging = Judge.Options()
        judging.grouping = options.grouping
        judging.roles = options.roles
        judging.keepsEvidence = options.keepsEvidence
        judging.listedMax = max(options.partsMax, CaptureLimit.judged.standard)
        judging.limitParts(options.partsMax)
        var packets = PacketJudge(
            Judge(cases, start: start, options: judging), options: trace,
            isScreened: isScreened(cases))
        // Another tool does not record which bytes it sent: plain bytes are known from the suite.
        for bytes in Set(cases.flatMap(\.testCase.sentBytes)) {
            if let watch = ByteWatch(bytes, from: nil, to: nil, step: nil) {
                packets.watch(for: watch)
            }
        }
        return packets
    }
}

extension Reason {
    /// The reason against judging a case that depends on an app's reports without any reports.
    fileprivate static let notObservable = Reason(
        .notApplicable,
        "not observable: the capture has no report of the app (profile.*), on which the case rests")
}

extension TestCase {
    /// Returns the case with the rules that are judged in it.
    ///
    /// In a capture of another tool they are judged once, and not in each case.
    func judgingRules(of metadata: CaseMetadata? = nil) -> TestCase {
        withoutRules { rule in
            metadata.map { $0.rulesLeftOut?.contains(rule.id) == true } ?? (kind != .rules)
        }
    }

    /// Whether a step expects bytes that do not decode.
    ///
    /// Which bytes belong to them depends on what the other side sends in between.
    fileprivate var expectsLostBytes: Bool {
        (preamble + steps).plain.contains { if case .lost = $0.verb { true } else { false } }
    }

    /// The plain bytes that its steps send.
    fileprivate var sentBytes: [[UInt8]] {
        (preamble + steps).plain.compactMap { step in
            if case .sendBytes(let bytes) = step.verb { bytes.literalBytes } else { nil }
        }
    }
}

/// An event of a capture's metadata, decoded for the trace.
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
