import Devices
import Offline
import PeerKit
import SuiteLanguage
import Trace
import Wire

/// Programs of peers and companions of devices; they are ready before the device is launched.
extension LiveCase {
    /// How often to check whether a program is ready.
    private static let pollIntervalProgram: Duration = .milliseconds(20)

    /// Launches the programs of peers and waits until they are ready; then the case begins.
    ///
    /// - Throws: `WorkerError` if one ends or is not ready in time.
    mutating func startPrograms() throws {
        guard peerHost.runsPrograms else { return }
        try peerHost.launchPrograms(like: profile, scratch: scratch, log: log)
        while !peerHost.areProgramsReady {
            try wait(until: WallClock.now + Self.pollIntervalProgram)
            try peerHost.servePrograms()
            try peerHost.check()
        }
        beginHere()
    }

    /// Lets the case begin at a time: nothing has been judged yet.
    mutating func beginHere(at time: Timestamp = WallClock.now) {
        start = time
        matcherTime = start
        packetJudge = Self.makeJudge(
            of: testCase, suite, parties: peerHost.parties, from: start, scale: task.timeScale,
            secrets: secrets)
    }

    /// Launches the companions that must run before their devices, and waits until they are ready.
    ///
    /// Then the case begins.
    ///
    /// - Throws: `DeviceError` if one ends or is not ready in time.
    mutating func startCompanions() throws {
        guard !profile.companions.isEmpty else { return }
        for name in testCase.deviceNames {
            devices.beginCompanions(
                of: name, variables: peerHost.variables(for: name),
                configuration: configuration(of: name),
                task: task, log: log)
        }
        repeat {
            try consume(devices.advance())
            try wait(until: WallClock.now + Self.pollIntervalProgram)
        } while !devices.areCompanionsReady
        beginHere()
    }

    /// Returns the configuration of a device of the case.
    func configuration(of device: String) -> Value {
        devices.device(device)?.configuration ?? testCase.devices.first { $0.name == device }?
            .configuration
            ?? testCase.deviceConfiguration
    }

    /// The companions of the first device, whose logs belong to the evidence.
    var companionLogs: [CompanionLog] {
        let (now, wall) = (ContinuousClock.now, WallClock.now)
        return devices.companionBirths.map { companion in
            let time = wall - (now - companion.time)
            return CompanionLog(name: companion.name, launched: (time - start) / .seconds(1))
        }
    }
}

extension CaseDevices {
    /// Why nothing in the case counts, for each companion that ended before the case.
    ///
    /// The behaviour of a device without one of its companions is not judged, neither as a failure
    /// nor as a pass.
    var companionFindings: [InconclusiveFinding] {
        companionEndings.filter { !$0.ending.isExpected }.map { device, ending in
            let whose = device == Step.device ? "the device" : device
            let words = ending.lastLine.map { ", having printed \"\($0)\"" } ?? ""
            return InconclusiveFinding(
                .setup,
                "companion \(ending.name) of \(whose) ended during the case: \(ending.exit)\(words)"
            )
        }
    }

    /// What a reader of the report should know about companions that are allowed to end.
    var companionRemarks: [String] {
        companionEndings.filter(\.ending.isExpected).map {
            "\($0.device): companion \($0.ending.name) ended: \($0.ending.exit)"
        }
    }
}

extension DeviceEvent {
    /// Returns this event as one about a device of the case; the first device need not be named.
    func about(_ device: String, in testCase: TestCase) -> DeviceEvent {
        about(device == Step.device ? nil : device)
    }
}

extension Value {
    /// Returns this object with further members.
    func adding(_ members: [Member]) -> Value {
        .object((objectValue ?? []) + members)
    }
}
