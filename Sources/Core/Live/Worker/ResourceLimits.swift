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
    var tampering: String? { changed.map(Self.sentence(about:)) }

    /// The exit code that says which limit others have changed; `nil` if none.
    ///
    /// A process that may not write has no other way to say it.
    var exitCode: Int32? { changed.flatMap { Int32(exactly: $0 + Self.exitCodeFirst) } }

    /// Returns the sentence about a process that ended with such an exit code.
    static func tampering(exitCode: Int32) -> String? {
        let index = Int(exitCode) - exitCodeFirst
        return names.indices.contains(index) ? sentence(about: index) : nil
    }

    private static let exitCodeFirst = 64

    private var changed: Int? {
        let now = ResourceLimits()
        return values.indices.first { values[$0] != now.values[$0] }
    }

    private static func sentence(about index: Int) -> String {
        "the device, or another program of its user, changed the limit "
            + "RLIMIT_\(names[index]) of the process that judges it (tampering)"
    }
}
