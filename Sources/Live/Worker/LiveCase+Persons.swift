import Devices
import Results
import Suites
import Trace
import Wire

/// What persons were asked to do in a case, and what they confirmed.
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

    /// Takes note of a request that a step makes.
    mutating func ask(_ control: String, _ sentence: String, of device: String, at time: Timestamp)
    {
        requests.append(
            Request(device: device, control: control, sentence: sentence, time: time))
    }

    /// Takes note of a confirmation; returns whether it is one of a step.
    @discardableResult
    mutating func confirm(
        _ control: String, of device: String, by name: String, at time: Timestamp
    ) -> Bool {
        let remark = "control \(control) was confirmed by \(name) at \(Moment(time).utc)"
        let asked = requests.firstIndex {
            $0.device == device && $0.control == control && $0.confirmed == nil
        }
        guard let index = asked else {
            remarks.append(remark)
            return false
        }
        requests[index].confirmed = time
        let seconds = ((time - requests[index].time) / .seconds(1) * 10).rounded() / 10
        remarks.append("\(remark), \(seconds) s after \"\(requests[index].sentence)\" was shown")
        return true
    }

    /// When a case is over time that may last until then: the time of persons is not its own.
    func limit(_ limit: Timestamp) -> Timestamp {
        // The control has a limit of its own.
        if requests.contains(where: { $0.confirmed == nil }) { return WallClock.now + .seconds(1) }
        return requests.reduce(limit) { $0 + (($1.confirmed ?? $1.time) - $1.time) }
    }
}

/// Cases before which a person is waited for.
extension LiveCase {
    /// How often it is looked whether the person has confirmed.
    private static let lookForPerson: Duration = .milliseconds(100)

    /// Shows what to start, and waits until a person has confirmed that it was done.
    ///
    /// - Throws: `WorkerError` if there is nobody.
    mutating func awaitStart() throws {
        guard task.isPaused else { return }
        guard let person = profile.person else {
            throw WorkerError(detail: "--pause takes somebody who presses Enter")
        }
        person.show(
            ([">>> \(suite.id)/\(testCase.id): \(testCase.title)"]
                + stage.places.map { "    \($0)" }
                + [
                    "    configuration: \(testCase.deviceConfiguration.jsonText())",
                    "    \(whatToStart)",
                ]).joined(separator: "\n"))
        while true {
            switch person.look() {
            case .line: return beginHere()
            case .end: throw WorkerError(detail: "--pause: the operator's input is at its end")
            case .nothing: break
            }
            try wait(until: WallClock.now + Self.lookForPerson)
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

extension Stage {
    /// Where the peers are, a phrase each.
    fileprivate var places: [String] {
        actors.flatMap { actor in
            actor.posts.map { post in
                post.callee.map { "peer \(actor.peer.name) calls the device at \($0)" }
                    ?? "peer \(actor.peer.name) listens at \(post.endpoint)"
            }
        }
    }
}
