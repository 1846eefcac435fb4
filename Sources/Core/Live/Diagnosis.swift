import Capture
import Glibc
import Results
import System

/// Something that `conform` needs on a machine, and whether it is present.
public struct Diagnosis: Sendable, Hashable {
    /// Whether something needed is present.
    public enum State: String, Sendable, Hashable {
        /// Present.
        case fine = "ok"
        /// Not present; `conform run` does something else instead, or only some users need it.
        case lacking
        /// Not present, and without it no case can be judged live.
        case missing
    }

    /// Whether it is present.
    public let state: State
    /// What is needed, with what was found.
    public let what: String
    /// What to do about it, and what `conform run` does until then, a sentence each.
    public let advice: [String]

    /// Checks everything; `executable` is the path of this program.
    public static func run(executable: String) -> [Diagnosis] {
        let limits = MachineLimits.current
        let probe = IsolationProbe.ofWorker(executable: executable)
        return live(probe, limits, executable) + [
            hostCapture(limits, executable), referenceDevice(beside: executable),
        ]
    }

    /// What the cases of a run need.
    static func live(
        _ probe: IsolationProbe, _ limits: MachineLimits, _ executable: String
    ) -> [Diagnosis] {
        if let fault = probe.processFault {
            return [
                Diagnosis(
                    state: .missing, what: "a process for each case: \(fault)",
                    advice: [
                        "a limit of processes (ulimit -u, or pids of a container) is usually the "
                            + "reason; until then each case of conform run is an error"
                    ])
            ]
        }
        return [
            namespaces(probe, limits),
            caseCapture(probe, limits, executable),
        ]
    }

    private static func namespaces(_ probe: IsolationProbe, _ limits: MachineLimits) -> Diagnosis {
        let what = "a network, user, mount and process namespace for each case"
        guard !probe.reasons.isEmpty else { return Diagnosis(state: .fine, what: what, advice: []) }
        let instead = [
            ("network", "cases use the host's loopback, and ports that are free there"),
            ("mount", "devices reach the files that their user may"),
            ("process", "devices see the processes of the machine"),
        ].filter { probe.refused.contains($0.0) }.map(\.1)
        return Diagnosis(
            state: .lacking, what: "\(what): \(probe.reasonsInWords)",
            advice: limits.namespaceGrants
                + (instead.isEmpty
                    ? []
                    : ["until then conform run does without: " + instead.joined(separator: "; ")]))
    }

    private static func caseCapture(
        _ probe: IsolationProbe, _ limits: MachineLimits, _ executable: String
    ) -> Diagnosis {
        let what = "capture of each case"
        guard let fault = probe.captureFault else {
            return Diagnosis(state: .fine, what: what, advice: [])
        }
        let grants =
            probe.captureAdvice.map { [$0] }
            ?? (probe.sharesNetwork ? ["a network namespace of its own allows it, see above"] : [])
            + ["CAP_NET_RAW allows it; \(limits.captureGrant(to: executable))"]
        return Diagnosis(
            state: .missing, what: "\(what): \(fault)",
            advice: grants + [
                "until then each case of conform run is an error; conform check judges captures "
                    + "that were made elsewhere"
            ])
    }

    /// Capture for real devices; an ordinary user needs a capability for it.
    private static func hostCapture(_ limits: MachineLimits, _ executable: String) -> Diagnosis {
        let what = "capture on the host's interfaces, for attached devices (--network host)"
        do throws(CaptureError) {
            _ = try LiveCapture(interface: "lo", filter: nil)
            return Diagnosis(state: .fine, what: what, advice: [])
        } catch {
            return Diagnosis(
                state: .lacking,
                what: error.code == .permission
                    ? "\(what): not allowed, CAP_NET_RAW is missing (\(error.detail))"
                    : "\(what): \(error.detail)",
                advice: error.code == .permission
                    ? ["only needed for attached devices; \(limits.captureGrant(to: executable))"]
                    : [error.advice])
        }
    }

    private static func referenceDevice(beside executable: String) -> Diagnosis {
        let device = executable.replacingLastComponent(with: "conform-device")
        let isPresent = access(device, X_OK) == 0
        return Diagnosis(
            state: isPresent ? .fine : .lacking, what: "the reference device, \(device)",
            advice: isPresent
                ? []
                : [
                    "install the package again, or, from sources, build it: Scripts/conform; until "
                        + "then conform run needs a device of yours (--device)"
                ])
    }

    /// A message with the command that lets this program capture.
    static var captureGrant: String {
        "CAP_NET_RAW is missing; "
            + MachineLimits.current.captureGrant(to: ProgramArguments.executablePath)
    }
}

extension String {
    /// Returns this path with another last component.
    fileprivate func replacingLastComponent(with name: String) -> String {
        (lastIndex(of: "/").map { String(self[...$0]) } ?? "") + name
    }
}
