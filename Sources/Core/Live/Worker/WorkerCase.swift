import Capture
import Devices
import FoundationEssentials
import Glibc
import Judge
import Offline
import PeerKit
import Results
import SuiteLanguage
import System
import Wire

/// The results of a live run that are needed to judge the saved capture.
struct LiveReport: Codable {
    /// The result of the live run.
    var result: CaseResult
    /// The digest of the capture as it came from the kernel; `nil` if the case did not end.
    var digest: [UInt8]?
    /// What is missing from the isolation.
    var remarks: [String] = []
    /// The companions of the device, and when each was launched, in seconds.
    var companions: [CompanionLog] = []
}

/// A companion whose log is shown next to that of its device.
struct CompanionLog: Codable {
    /// Its name.
    let name: String
    /// When it was launched, in seconds since the case began.
    let launched: Double
}

/// Where the files of a case go.
struct CasePlaces {
    /// The capture.
    let capture: HeldFile
    /// The log of the first device.
    let log: HeldFile
}

/// The case of a task.
struct WorkerCase {
    private let task: WorkerTask
    private let places: CasePlaces
    private let suite: Suite
    private let testCase: TestCase

    /// Finds the case in its loaded suite.
    ///
    /// - Throws: An error if suite or case is not as planned.
    init(_ task: WorkerTask, of suite: Suite, reports: HeldFolder) throws {
        self.task = task
        self.suite = suite
        places = CasePlaces(
            capture: try reports.place(task.capture), log: try reports.place(task.log))
        guard suite.fingerprint == task.fingerprint else {
            throw WorkerError(detail: "\(task.suite) was changed after the run had begun")
        }
        guard let testCase = try suite.testCase(task.testCase) else {
            throw WorkerError(detail: "\(task.suite) has no case \(task.testCase)")
        }
        self.testCase = testCase.carried(by: task.carrier).heldToProtocol(task.holdsToProtocol)
    }

    /// Runs the case live.
    func run(behind isolation: WorkerIsolation, peers: PeerFactory) throws -> LiveReport {
        let limits = ResourceLimits()
        let named = try task.device.profile(
            role: suite.deviceRole, among: suite.protocols.deviceRoles)
        do {
            var profile = try named.running(at: task.timeScale).over(testCase.carrier)
                .seeded(task.seed)
            let confinement = DeviceConfinement(
                behind: isolation, hidden: task.hidden, shown: task.device.shownFolders)
            profile.confinement = confinement
            profile.person = task.person.map {
                Operator(name: $0, input: Worker.personInput, output: Worker.personOutput)
            }
            let network = try Self.network(for: profile, isIsolated: isolation.hasOwnNetwork)
            var live = try LiveCase(
                task: task, places: places, suite: suite,
                testCase: testCase.rulesApplying(to: profile.features)
                    .scaled(by: task.timeScale),
                profile: profile, network: network, peers: peers)
            let result = try live.run()
            if let tampering = limits.tampering {
                return LiveReport(result: failure(Reason(.setup, tampering)))
            }
            return LiveReport(
                result: result, digest: live.digest,
                remarks: (profile.attachment == nil ? confinement.remarks : [])
                    + live.devices.remarks + live.devices.companionRemarks
                    + live.persons.remarks + live.captureRemarks
                    + (live.isFlooded
                        ? [
                            "the capture was ended at its limit of \(profile.limits.capture) bytes "
                                + "(limits: {capture: ...} in the device profile)"
                        ] : []),
                companions: live.companionLogs)
        } catch {
            PartialCapture.keep(as: places.capture)
            let isForbidden = (error as? CaptureError)?.code == .permission
            let why =
                [limits.tampering, "\(error)"].compactMap(\.self).joined(separator: ": ")
                + (isForbidden ? "; conform doctor says what grants it" : "")
            return LiveReport(result: failure(Reason(.setup, why)))
        }
    }

    private static func network(
        for profile: DeviceProfile, isIsolated: Bool
    ) throws(WorkerError) -> CaseNetwork {
        guard let attachment = profile.attachment else { return .loopback(isOwn: isIsolated) }
        return try .bench(attachment)
    }

    /// Returns the result with what the saved capture shows, when no process of the case is left.
    func judged(_ live: LiveReport) -> CaseResult {
        var result = confirmed(live)
        result.remarks += live.remarks
        return result
    }

    private func confirmed(_ live: LiveReport) -> CaseResult {
        guard let digest = live.digest else { return live.result }
        var result = live.result
        do {
            guard try savedDigest() == digest else {
                return tampered("is not what was captured", live: result.verdict)
            }
            let check = CaptureCheck(suite: suite, selection: .init())
            result.record(recorded: try check.judge(testCase, on: places.capture.path))
            result.evidence?.consume(log: places.log.contents ?? [])
            for companion in live.companions {
                let log = CompanionProcesses.log(of: companion.name, beside: places.log)
                result.evidence?.consume(log: log.contents ?? [], of: companion)
            }
            return result
        } catch {
            return failure(
                Reason(.setup, "the saved capture cannot be judged again: \(error)"))
        }
    }

    /// Whether its capture is saved, and is not larger than most.
    var isSaved: Bool {
        places.capture.size.map { $0 <= Self.rehearsedBytesMax } ?? false
    }

    /// The largest capture that is judged to rehearse, in which nothing takes long.
    private static let rehearsedBytesMax = 256 << 10

    /// Judges the saved capture, and passes the result on to nobody.
    func rehearse() {
        // Whatever is wrong with the capture, the worker of this case reports it.
        let result = try? CaptureCheck(suite: suite, selection: .init())
            .judge(testCase, on: places.capture.path)
        guard let result, let bytes = try? JSONEncoder().encode(LiveReport(result: result)) else {
            return
        }
        _ = try? JSONDecoder().decode(LiveReport.self, from: bytes)
    }

    /// Returns the digest of the saved capture.
    ///
    /// `nil` if it cannot be read to its end, as it could when it was written.
    private func savedDigest() throws -> [UInt8]? {
        do {
            return try CaptureDigest.of(places.capture.path)
        } catch
            where [.notACapture, .truncated, .damaged, .unsupported, .limit].contains(error.code)
        {
            return nil
        } catch  where !places.capture.isThere {
            return nil
        }
    }

    private func tampered(_ how: String, live verdict: Verdict) -> CaseResult {
        failure(
            Reason(
                .setup,
                "the saved capture \(how): it was changed while the case ran (tampering); the live "
                    + "verdict was \(verdict.rawValue)"))
    }

    private func failure(_ reason: Reason) -> CaseResult {
        CaseResult(suite: suite, testCase: testCase, verdict: .error, reason: reason)
    }
}

extension DeviceSelection {
    /// Folders that belong to the device as it was named.
    ///
    /// These are the folder of its profile, and the one in which `conform` was started.
    fileprivate var shownFolders: [String] {
        switch self {
        case .reference(let executable, _): [FilePath.folder(of: FilePath.absolute(executable))]
        case .profile(let path):
            [FilePath.folder(of: FilePath.absolute(path)), FilePath.current]
        case .command: [FilePath.current]
        }
    }
}
