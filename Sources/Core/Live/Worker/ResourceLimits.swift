import Glibc

/// The limits of this process (getrlimit(2)).
///
/// A device that runs as the same user can change them, so that the harness fails.
struct ResourceLimits: Equatable {
    /// The names in the order of the kernel's numbers.
    private static let names = [
        "CPU", "FSIZE", "DATA", "STACK", "CORE", "RSS", "NPROC", "NOFILE", "MEMLOCK", "AS", "LOCKS",
        "SIGPENDING", "MSGQUEUE", "NICE", "RTPRIO", "RTTIME",
    ]

    private let values: [[UInt64]]

    /// Reads the current limits.
    init() {
        values = Self.names.indices.map { number in
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(UInt32(number)), &limit) == 0 else {
                return []
            }
            return [UInt64(limit.rlim_cur), UInt64(limit.rlim_max)]
        }
    }

    /// Returns a sentence about the first limit that others have changed since; `nil` if none.
    var tampering: String? {
        let now = ResourceLimits()
        guard let index = values.indices.first(where: { values[$0] != now.values[$0] }) else {
            return nil
        }
        return "the device, or another program of its user, changed the limit "
            + "RLIMIT_\(Self.names[index]) of the process that judges it (tampering)"
    }
}
