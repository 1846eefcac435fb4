import Glibc

/// How long processes had something to do and got no processor, as the kernel counts it.
///
/// A thread whose timer has fired, or for which a packet has come, and that has to wait until
/// another one makes room, is late by no fault of its own.
public struct ProcessorWait: Sendable {
    /// How often processes that have come are looked for.
    private static let searchInterval: Duration = .milliseconds(500)

    private let leader: Int32
    private var members: [Int32]
    private var searchedAt = ContinuousClock.now

    /// Watches a process, its threads, and all others of the session that it leads.
    ///
    /// `nil` if the kernel does not count, or `/proc` shows other processes than ours.
    public init?(of process: Int32) {
        guard Self.showsOwnProcesses, Self.sum(of: getpid()) != nil else { return nil }
        leader = process
        members = [process]
    }

    /// The sum over all threads that live, since they began.
    ///
    /// It becomes less when one ends.
    public mutating func total() -> Duration {
        let now = ContinuousClock.now
        if now - searchedAt >= Self.searchInterval {
            searchedAt = now
            members = Self.session(of: leader)
        }
        return members.reduce(.zero) { $0 + (Self.sum(of: $1) ?? .zero) }
    }

    private static var showsOwnProcesses: Bool {
        var target = [UInt8](repeating: 0, count: 32)
        let count = readlink("/proc/self", &target, target.count)
        return count > 0 && String(decoding: target.prefix(count), as: UTF8.self) == "\(getpid())"
    }

    /// The second number of `schedstat` of every thread (proc-pid-schedstat): nanoseconds spent
    /// waiting to run.
    private static func sum(of process: Int32) -> Duration? {
        var sum: Int64?
        for thread in entries(of: "/proc/\(process)/task") {
            guard let text = contents(of: "/proc/\(process)/task/\(thread)/schedstat") else {
                continue
            }
            let numbers = text.split(separator: " ")
            guard numbers.count >= 2, let waited = Int64(numbers[1]) else { continue }
            sum = (sum ?? 0) + waited
        }
        return sum.map { .nanoseconds($0) }
    }

    /// The processes of a session: the sixth field of `stat`, counted behind the name's bracket.
    static func session(of leader: Int32) -> [Int32] {
        let others = entries(of: "/proc").filter { process in
            guard let text = contents(of: "/proc/\(process)/stat"),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[text.index(after: end)...].split(separator: " ")
            return fields.count > 3 && fields[3] == "\(leader)"
        }
        return Array(Set(others + [leader])).sorted()
    }

    /// The names in a folder that are numbers.
    private static func entries(of path: String) -> [Int32] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers
    }

    private static func contents(of path: String) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        guard case .bytes(let bytes) = file.read(upTo: 1024) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
