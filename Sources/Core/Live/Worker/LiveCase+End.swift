import Capture
import Devices
import Glibc
import Judge
import Offline
import Results
import SuiteLanguage
import Trace
import Wire

/// The end of a case: the liveness probe of its devices, and what is saved.
extension LiveCase {
    /// How late a packet may come from a capture made elsewhere without a remark.
    private static let delayAllowed: Duration = .milliseconds(30)

    /// What a reader of the report should know about the capture.
    var captureRemarks: [String] {
        guard deviceKeys == nil, longestDelay > .milliseconds(200) else { return capture.remarks }
        let seconds = (longestDelay / .milliseconds(100)).rounded() / 10
        return capture.remarks + [
            "packets came up to \(seconds) s after they were captured; tcpdump delivers them at "
                + "once with --immediate-mode -U"
        ]
    }

    /// Returns why nothing counts if the capture lacks the beginning of a peer's connection.
    ///
    /// If a filter leaves out the peers, or if packets do not pass the point of the capture, a
    /// device would seem silent that is not.
    mutating func findingsOfPlace() throws -> [InconclusiveFinding] {
        guard capture.isElsewhere, !peerHost.unseenConnections.isEmpty else { return [] }
        let now = WallClock.now
        while capture.known(at: now) < now, capture.fault == nil {
            try wait(until: now)
            try drainCapture()
        }
        return peerHost.unseenConnections.prefix(1).map {
            InconclusiveFinding(
                .captureLoss, "the capture does not show \($0), so that it may lack others")
        }
    }

    /// Records in the trace that packets came late from elsewhere, or waited for keys.
    ///
    /// In the meantime the peers could not act.
    mutating func record(delay: Duration, at now: Timestamp) throws {
        guard capture.isElsewhere || deviceKeys != nil, delay > Self.delayAllowed else { return }
        longestDelay = max(longestDelay, delay)
        // Overlapping delays count as one.
        let length = delayNoted.map { min(delay, now - $0) } ?? delay
        guard length > Self.delayAllowed else { return }
        delayNoted = now
        let event = DeviceEvent.stall(of: DeviceEvent.harness, length: length)
        try react(to: insert(event, at: max(matcherTime, packetJudge.lastPacket ?? matcherTime)))
    }

    /// Checks, once the case is over, whether the devices still answer.
    mutating func probeForLife() throws {
        var requested = LivenessProbe()
        for name in devices.living {
            guard let process = devices.device(name) else { continue }
            requested.query(name, process, by: profile.liveness, on: peerHost, suite.protocols)
        }
        probe = requested
        let limit = WallClock.now + LivenessProbe.patience
        while let probe, !probe.isOver, capture.fault == nil,
            capture.known(at: WallClock.now) < limit
        {
            // A stopped process does not answer later either.
            // The end of one that has ended is about to be reported.
            let living = devices.living
            if !living.isEmpty, living.allSatisfy({ devices.device($0)?.isSuspended ?? true }) {
                break
            }
            try wait(until: limit)
            try recordStalls()
            try drainCapture()
            try peerHost.serveLinks()
            try consume(devices.advance())
        }
        // If the capture has ended, a missing answer proves nothing about the device.
        let silent = capture.fault == nil ? probe?.awaited ?? [:] : [:]
        // Nobody awaits an answer of a device that has ended, even if its end is not reported yet.
        let hung = silent.filter { devices.device($0.key)?.isAlive ?? false }
        let crashes = try lateCrashes().merging(probe?.crashes ?? [:]) { $1 }
        for (device, sign) in hung.merging(crashes, uniquingKeysWith: { $1 })
            .sorted(by: { $0.key < $1.key })
        {
            let event = DeviceEvent(
                name: DeviceEvent.hung,
                fields: .object([Value.Member("probe", .string(sign))] + lastWords(of: device)))
            try react(to: insert(event, of: device, at: WallClock.now))
        }
        probe = nil
    }

    /// Returns the devices that have crashed too late for their ends to be among the messages, each
    /// with how.
    private mutating func lateCrashes() throws -> [String: String] {
        if testCase.deviceNames.contains(where: { devices.device($0)?.crash != nil }) {
            // What has not been reported of them yet is ready.
            try wait(until: WallClock.now)
        }
        return pendingEvents.reduce(into: [:]) { crashes, pending in
            guard pending.event.isCrash,
                let signal = pending.event.fields["signal"]?.integerValue.flatMap({
                    Int32(exactly: $0)
                })
            else { return }
            let device = pending.event.fields["device"]?.stringValue ?? Step.device
            crashes[device] = "it ended with \(DeviceExit.signal(signal)) as the case ended"
        }
    }

    // MARK: - Records

    mutating func insert(
        _ event: DeviceEvent, of device: String, at time: Timestamp
    ) -> [PacketJudge.Observation] {
        insert(event.about(device, in: testCase), at: time)
    }

    mutating func insert(
        _ event: DeviceEvent, at time: Timestamp
    ) -> [PacketJudge.Observation] {
        events.append(
            CaseMetadata.Event(
                name: event.name, fields: event.fields.jsonText(), time: time,
                afterFrame: packetJudge.packetCount))
        return packetJudge.insert(event, at: time)
    }

    mutating func saveCapture(
        end: Timestamp, cause: EndCause, dropped: Int, clockStep: Duration,
        inconclusiveFindings: [InconclusiveFinding], comments: [Int: [String]]
    ) throws {
        let applying = Set(testCase.rules.map(\.id))
        let leftOut = suite.rules.map(\.id).filter { !applying.contains($0) }
        var metadata = CaseMetadata(
            conform: ConformVersion.current, suite: suite.id, testCase: testCase.id,
            device: profile.name, peers: peerHost.metadata, start: start, end: end, cause: cause,
            dropped: dropped, clockStep: clockStep,
            inconclusiveFindings: inconclusiveFindings.isEmpty ? nil : inconclusiveFindings,
            parameters: suite.parameters.isEmpty ? nil : ParameterText.json(suite.parameterValues),
            timeScale: task.timeScale.unlessReal,
            holdsToProtocol: task.holdsToProtocol ? true : nil, events: events, sent: peerHost.sent)
        if !leftOut.isEmpty { metadata.rulesLeftOut = leftOut }
        let sectionComments = try metadata.sectionComments()
        digest = try partial.finish(
            at: end, received: packetJudge.packetCount, dropped: dropped,
            comment: sectionComments.joined(separator: "\n"))
        try PcapngWriter.rewrite(
            from: partial.place, to: places.capture, sectionComments: sectionComments,
            comments: comments)
        partial.place.remove()
    }
}
