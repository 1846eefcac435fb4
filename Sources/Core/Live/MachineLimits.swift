import Glibc
import Results
import System
import Trace

/// What limits this process on its machine, as far as the kernel says so.
struct MachineLimits: Sendable, Hashable {
    /// Whether the process runs as root.
    var isRoot = false
    /// Whether a filter of system calls (seccomp) is set, as container engines do.
    var isFiltered = false
    /// Whether programs that it starts may have more privileges than it has.
    var mayGain = true
    /// Whether it, or a program that it starts, may have CAP_NET_RAW.
    var mayCapture = true
    /// Settings of sysctl(8) that refuse namespaces, each with a value that allows them.
    var refusingSettings: [String] = []

    /// The limits of this process.
    static var current: MachineLimits {
        var limits = MachineLimits()
        limits.isRoot = geteuid() == 0
        limits.isFiltered = status("Seccomp") == "2"
        limits.mayGain = status("NoNewPrivs") != "1"
        let capNetRaw: UInt64 = 13
        limits.mayCapture =
            status("CapBnd").flatMap { UInt64($0, radix: 16) }.map { $0 >> capNetRaw & 1 == 1 }
            ?? true
        limits.refusingSettings = settings.filter { setting in
            (setting.isForRoot || !limits.isRoot)
                && KernelFile.line(of: "/proc/sys/\(setting.path)") { _ in true }
                    == setting.refusal
        }.map { "\($0.path.replacing("/", with: "."))=\($0.grant)" }
        return limits
    }

    /// What lets cases have the namespaces that are refused, a sentence each.
    var namespaceGrants: [String] {
        var grants: [String] = []
        if !refusingSettings.isEmpty {
            let command = "sudo sysctl -w \(refusingSettings.joined(separator: " "))"
            grants.append("\(command) grants them (for a container: on its host)")
        }
        if isFiltered {
            grants.append(
                "a filter of system calls is set, as container engines do: docker run "
                    + "--security-opt seccomp=unconfined --security-opt apparmor=unconfined "
                    + "grants them; in Kubernetes, seccompProfile and appArmorProfile "
                    + "{type: Unconfined} of the securityContext")
        }
        if grants.isEmpty {
            grants.append(
                isRoot
                    ? "root may have them outside a container or chroot, or with CAP_SYS_ADMIN"
                    : "the system refuses them to this user; outside a container or chroot, root "
                        + "may have them")
        }
        return grants
    }

    /// What lets a program capture on the interfaces of the host, as a sentence.
    func captureGrant(to executable: String) -> String {
        guard mayCapture else {
            return "docker run --cap-add NET_RAW gives it to a container"
        }
        guard mayGain else {
            return "programs may not gain privileges here (no_new_privs), so that setcap has no "
                + "effect: start conform as root, or without that limit"
        }
        guard !isRoot else {
            return "root has it outside a container; docker run --cap-add NET_RAW gives it to one"
        }
        let command = ["sudo", "setcap", "cap_net_raw+ep", executable].map(ShellWord.quoted)
        return "\(command.joined(separator: " ")) grants it"
    }

    private static let settings: [(path: String, refusal: String, grant: String, isForRoot: Bool)] =
        ["user", "net", "mnt", "pid"].map { ("user/max_\($0)_namespaces", "0", "15000", true) } + [
            ("kernel/unprivileged_userns_clone", "0", "1", false),
            ("kernel/apparmor_restrict_unprivileged_userns", "1", "0", false),
        ]

    private static func status(_ name: String) -> String? {
        KernelFile.line(of: "/proc/self/status") { $0.hasPrefix("\(name):") }?
            .split(whereSeparator: { $0 == ":" || $0 == "\t" }).last.map(String.init)
    }
}
