import Capture
import Glibc
import Processes
import Results

/// Something that `conform` needs on a machine, and whether it is present.
public struct Diagnosis: Sendable, Hashable {
    /// Whether something needed is present.
    public enum State: String, Sendable, Hashable {
        /// Present.
        case fine = "ok"
        /// Not present, and only some users need it.
        case lacking
        /// Not present, and everybody needs it.
        case missing
    }

    /// Whether it is present.
    public let state: State
    /// What is needed, with what was found.
    public let what: String
    /// What to do about it; empty if there is nothing to do.
    public let advice: String

    /// Checks everything; `executable` is the path of this program.
    public static func run(executable: String) throws -> [Diagnosis] {
        let device = executable.replacingLastComponent(with: "conform-device")
        let isDevicePresent = access(device, X_OK) == 0
        return try [isolatedCapture(executable: executable), hostCapture(executable: executable)]
            + [
                Diagnosis(
                    state: isDevicePresent ? .fine : .missing,
                    what: "the reference device, \(device)",
                    advice: isDevicePresent ? "" : "build it: Scripts/conform builds both programs")
            ]
    }

    private static func isolatedCapture(executable: String) throws -> Diagnosis {
        let output = try CommandOutput.of([
            executable, Worker.subcommand, IsolationRequest.isolated.rawValue, Worker.probe,
        ])
        let remarks = String(decoding: output, as: UTF8.self)
            .split(separator: "\n").map(String.init)
        return Diagnosis(
            state: remarks.isEmpty ? .fine : .missing,
            what: "a network, user, mount and process namespace for each case, with capture in it",
            advice: remarks.joined(separator: "\n        "))
    }

    /// Capture for real devices; an ordinary user needs a capability for it.
    private static func hostCapture(executable: String) -> Diagnosis {
        let what = "capture on the host's interfaces, for attached devices (--network host)"
        do throws(CaptureError) {
            _ = try LiveCapture(interface: "lo", filter: nil)
            return Diagnosis(state: .fine, what: what, advice: "")
        } catch {
            return Diagnosis(
                state: .lacking,
                what: error.code == .permission
                    ? "\(what): not allowed, CAP_NET_RAW is missing (\(error.detail))"
                    : "\(what): \(error.detail)",
                advice: error.code == .permission
                    ? "only needed for attached devices; \(captureGrant(to: executable)) grants it"
                    : error.advice)
        }
    }

    /// A message with the command that lets this program capture.
    static var captureGrant: String {
        "CAP_NET_RAW is missing; \(captureGrant(to: ProgramArguments.executablePath)) grants it"
    }

    private static func captureGrant(to executable: String) -> String {
        ["sudo", "setcap", "cap_net_raw+ep", executable].map(ShellWord.quoted)
            .joined(separator: " ")
    }
}

extension String {
    /// Returns this path with another last component.
    fileprivate func replacingLastComponent(with name: String) -> String {
        (lastIndex(of: "/").map { String(self[...$0]) } ?? "") + name
    }
}
