import Devices
import Judge
import SuiteLanguage
import Wire

/// Checks at the end of a case whether its devices still answer, as their profile defines.
///
/// A device whose process exists but is stopped never answers. Apart from that, `control` sends a
/// ping on the control channel and `heartbeat` a message on the network. A device that cannot be
/// probed in this way is only checked for its process, as with `process`.
struct LivenessProbe {
    /// How long an answer may take.
    ///
    /// At the end of a case a device has nothing else to do, and one that is busy for longer cannot
    /// be distinguished from one that hangs.
    static let patience: Duration = .seconds(2)

    /// What is still awaited from each device, in the words of reports.
    private(set) var awaited: [String: String] = [:]
    /// The identifier of each device's ping; every device counts its own.
    private var controls: [String: Int64] = [:]
    private var answers: [String: String] = [:]
    /// How the devices have crashed whose answer was awaited.
    private(set) var crashes: [String: String] = [:]

    /// Whether every device has answered.
    var isOver: Bool { awaited.isEmpty }

    /// Sends a liveness probe to one device.
    mutating func query(
        _ device: String, _ process: any CaseDevice, by liveness: DeviceProfile.Liveness,
        on peerHost: PeerHost, _ protocols: ProtocolRegistry
    ) {
        if process.isSuspended {
            awaited[device] = "its process is stopped"
            return
        }
        let within = "within \(Self.patience)"
        switch liveness {
        case .process:
            break
        case .control:
            awaited[device] = "no answer to a ping on its control channel \(within)"
            do throws(DeviceError) {
                controls[device] = try process.ping()
            } catch {
                // A device that is ending has closed it; its end is reported while the answer is
                // awaited.
                awaited[device] = "its control channel takes no ping: \(error.detail)"
            }
        case .heartbeat:
            for (peer, kind) in peerHost.connections(of: device) {
                guard let question = kind.probe,
                    let answer = protocols.message(named: question)?.response,
                    peerHost.query(peer, question, of: device)
                else { continue }
                answers[device] = answer
                awaited[device] = "no \(answer) to \(question) \(within)"
                return
            }
        }
    }

    /// Returns whether an answer on a control channel belongs to a ping of this probe.
    mutating func consume(answer id: Int64, from device: String) -> Bool {
        guard controls[device] == id else { return false }
        controls[device] = nil
        awaited[device] = nil
        return true
    }

    /// Records a message that a device has sent.
    mutating func consume(message: String, from device: String?) {
        guard let device, answers[device] == message else { return }
        awaited[device] = nil
    }

    /// Records that a device's process has ended, which is not a hang, but may be a crash.
    mutating func consume(_ exit: DeviceExit, of device: String) {
        let isAwaited = awaited.removeValue(forKey: device) != nil
        guard isAwaited, DeviceEvent(name: DeviceEvent.exited, fields: exit.fields).isCrash
        else { return }
        crashes[device] = "it ended with \(exit) when it was probed"
    }
}
