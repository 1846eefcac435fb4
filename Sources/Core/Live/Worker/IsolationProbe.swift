import Capture
import Devices
import FoundationEssentials
import System

/// What a worker gets on this machine: its namespaces, and the right to capture in them.
struct IsolationProbe: Codable {
    /// The namespaces that the system refuses, by their names.
    var refused: [String] = []
    /// The reasons, a phrase each.
    var reasons: [String] = []
    /// Why no process can be created for a case; absent if one can be.
    var processFault: String?
    /// Why a worker cannot capture; absent if it can.
    var captureFault: String?
    /// What can be done about it, unless a permission is missing.
    var captureAdvice: String?

    /// The reasons, each once: `no user namespace, no mount namespace: Operation not permitted`.
    var reasonsInWords: String {
        var groups: [(reason: Substring, parts: [Substring])] = []
        for text in reasons {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            let (part, reason) = (text[..<end], text[end...])
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                groups[index].parts.append(part)
            } else {
                groups.append((reason, [part]))
            }
        }
        return groups.map { $0.parts.joined(separator: ", ") + $0.reason }.joined(separator: "; ")
    }

    /// Whether a worker has the network of the host.
    var sharesNetwork: Bool { refused.contains(WorkerIsolation.Part.network.rawValue) }

    /// Becomes a worker, as for a case, and tries what it needs.
    init(entering request: IsolationRequest, refusing: Set<WorkerIsolation.Part>) {
        do throws(DeviceError) {
            let isolation = try WorkerIsolation.enter(
                sharesNetwork: request == .host, refusing: refusing)
            refused = isolation.refused.map(\.rawValue)
            reasons = isolation.remarks
        } catch {
            processFault = error.detail
            return
        }
        do throws(CaptureError) {
            _ = try LiveCapture(interface: "lo", filter: nil)
        } catch {
            captureFault = error.detail
            captureAdvice = error.code == .permission ? nil : error.advice
        }
    }

    private init(processFault: String) { self.processFault = processFault }

    /// Lets a worker try what it needs, and returns what it found.
    static func ofWorker(executable: String) -> IsolationProbe {
        do {
            let output = try CommandOutput.of(
                [executable, Worker.subcommand, IsolationRequest.isolated.rawValue, Worker.probe],
                errors: -1)
            return try JSONDecoder().decode(IsolationProbe.self, from: Data(output))
        } catch let error as ProcessError {
            return IsolationProbe(processFault: error.description)
        } catch {
            return IsolationProbe(processFault: "\(executable) did not start as a worker")
        }
    }

    /// Prints this for `ofWorker`.
    func print() throws {
        StandardOutput.print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }
}
