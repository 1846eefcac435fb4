import Capture
import Glibc

/// One thing that `conform` needs of a machine, and whether it is there.
public struct Diagnosis: Sendable, Hashable {
    /// Whether it is there.
    public let isFine: Bool
    /// What it is, with what was found.
    public let what: String
    /// What to do about it; empty if nothing.
    public let advice: String

    /// Looks at everything; `executable` is this program.
    public static func run(executable: String) throws -> [Diagnosis] {
        let device = executable.replacingLastComponent(with: "conform-device")
        let isDevicePresent = access(device, X_OK) == 0
        return try [isolatedCapture(executable: executable), hostCapture(executable: executable)]
            + [
                Diagnosis(
                    isFine: isDevicePresent, what: "the reference device, \(device)",
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
            isFine: remarks.isEmpty,
            what: "a network, user, mount and process namespace for each case, with capture in it",
            advice: remarks.joined(separator: "\n        "))
    }

    private static func hostCapture(executable: String) -> Diagnosis {
        do {
            _ = try LiveCapture(interface: "lo", filter: nil)
            return Diagnosis(
                isFine: true, what: "capture on the host's interfaces (--network host)", advice: "")
        } catch {
            return Diagnosis(
                isFine: true,
                what: "capture on the host's interfaces (--network host): not allowed",
                advice: "only needed for real devices; sudo setcap cap_net_raw+ep \(executable)")
        }
    }
}

extension String {
    /// This path with another last component.
    fileprivate func replacingLastComponent(with name: String) -> String {
        (lastIndex(of: "/").map { String(self[...$0]) } ?? "") + name
    }
}
