import Devices
import Results
import SuiteLanguage
import Trace
import Wire

/// What persons were asked to do in a case, and what they have confirmed.
struct PersonLog {
    private struct Request {
        let device: String
        let control: String
        let sentence: String
        let time: Timestamp
        var confirmed: Timestamp?
    }

    private var requests: [Request] = []
    /// Who confirmed what and when, a phrase each.
    private(set) var remarks: [String] = []

    /// Records a request from a step.
    mutating func query(
        _ control: String, _ sentence: String, of device: String, at time: Timestamp
    ) {
        requests.append(
            Request(device: device, control: control, sentence: sentence, time: time))
    }

    /// Records a confirmation; returns whether it belongs to the request of a step.
    @discardableResult
    mutating func confirm(
        _ control: String, of device: String, by name: String, at time: Timestamp
    ) -> Bool {
        let remark = "control \(control) was confirmed by \(name) at \(Moment(time).utc)"
        let requested = requests.firstIndex {
            $0.device == device && $0.control == control && $0.confirmed == nil
        }
        guard let index = requested else {
            remarks.append(remark)
            return false
        }
        requests[index].confirmed = time
        let seconds = ((time - requests[index].time) / .seconds(1) * 10).rounded() / 10
        remarks.append("\(remark), \(seconds) s after \"\(requests[index].sentence)\" was shown")
        return true
    }

    /// Returns a case's limit extended by the time that persons took, which does not count.
    func limit(_ limit: Timestamp) -> Timestamp {
        // The control has its own limit.
        if requests.contains(where: { $0.confirmed == nil }) { return WallClock.now + .seconds(1) }
        return requests.reduce(limit) { $0 + (($1.confirmed ?? $1.time) - $1.time) }
    }
}

/// Cases before which the run waits for a person.
extension LiveCase {
    /// How often to check whether the person has confirmed.
    private static let pollIntervalPerson: Duration = .milliseconds(100)

    /// Shows what to start, and waits until a person has confirmed that it was done.
    ///
    /// - Throws: `WorkerError` if there is no person.
    mutating func awaitStart() throws {
        guard task.isPaused else { return }
        guard let person = profile.person else {
            throw WorkerError(detail: "a paused device needs an operator who presses Enter")
        }
        person.show(
            ([">>> \(suite.id)/\(testCase.id): \(testCase.title)"]
                + peerHost.places.map { "    \($0)" }
                + [
                    "    configuration: \(testCase.deviceConfiguration.jsonText())",
                    "    \(whatToStart)",
                ]).joined(separator: "\n"))
        while true {
            switch person.currentReading() {
            case .line: return beginHere()
            case .end: throw WorkerError(detail: "a paused device: the operator's input has ended")
            case .nothing: break
            }
            try wait(until: WallClock.now + Self.pollIntervalPerson)
            try drainCapture(keeping: false)
        }
    }

    private var whatToStart: String {
        guard profile.attachment != nil else {
            return "Press Enter, and conform starts \(profile.name)."
        }
        return testCase.beginsWithDevice
            ? "Bring \(profile.name) to its starting point, press Enter, and start it then."
            : "Start \(profile.name), then press Enter."
    }
}

extension PeerHost {
    /// Where the peers listen or connect to, a phrase each.
    fileprivate var places: [String] {
        hostedPeers.flatMap { actor in
            actor.meetingPoints.map { meetingPoint in
                meetingPoint.callee.map { "peer \(actor.peer.name) calls the device at \($0)" }
                    ?? "peer \(actor.peer.name) listens at \(meetingPoint.endpoint)"
            }
        }
    }
}
