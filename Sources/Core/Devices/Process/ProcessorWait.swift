import Glibc

/// How long processes were ready to run but got no processor, as the kernel counts it.
///
/// A thread whose timer has fired, or for which a packet has arrived, may have to wait until
/// another thread frees a processor. If so, it is late through no fault of its own.
public struct ProcessorWait: Sendable {
    /// How often new processes are looked for.
    private static let searchInterval: Duration = .milliseconds(500)

    private let leader: Int32
    private var members: [Int32]
    private var searchedAt = ContinuousClock.now
    /// Threads that are waiting, with their run time and the time when that was first seen.
    private var waiting: [Int32: (run: Int64, since: ContinuousClock.Instant)] = [:]

    /// Watches a process, its threads, and all other processes of the session that it leads.
    ///
    /// `nil` if the kernel does not count, or if `/proc` shows the processes of another namespace.
    public init?(of process: Int32) {
        guard Self.showsOwnProcesses, !Self.accounts(of: getpid()).isEmpty else { return nil }
        leader = process
        members = [process]
    }

    /// Returns the total waiting time of all live threads, since they began.
    ///
    /// It decreases when a thread ends. The kernel adds a wait to its account when it is over; a
    /// wait that is still going on counts from when it was first seen.
    public mutating func total() -> Duration {
        let now = ContinuousClock.now
        if now - searchedAt >= Self.searchInterval {
            searchedAt = now
            members = Self.session(of: leader)
        }
        var total = Duration.zero
        var stillWaiting: [Int32: (run: Int64, since: ContinuousClock.Instant)] = [:]
        for account in members.flatMap(Self.accounts) {
            total += .nanoseconds(account.waited)
            guard account.isWaiting else { continue }
            if let known = waiting[account.thread], known.run == account.run {
                total += now - known.since
                stillWaiting[account.thread] = known
            } else {
                stillWaiting[account.thread] = (account.run, now)
            }
        }
        waiting = stillWaiting
        return total
    }

    /// The kernel's data about a thread.
    private struct Account {
        let thread: Int32
        /// Nanoseconds that it has run.
        let run: Int64
        /// Nanoseconds that it has waited to run.
        let waited: Int64
        /// Whether it wants to run, or waits for a disk; it may also be running.
        let isWaiting: Bool
    }

    private static var showsOwnProcesses: Bool {
        var target = [UInt8](repeating: 0, count: 32)
        let count = readlink("/proc/self", &target, target.count)
        return count > 0 && String(decoding: target.prefix(count), as: UTF8.self) == "\(getpid())"
    }

    /// Returns the threads of a process.
    ///
    /// The data are the first two numbers of `schedstat` and the state in `stat` (proc(5)).
    private static func accounts(of process: Int32) -> [Account] {
        entries(of: "/proc/\(process)/task").compactMap { thread in
            let folder = "/proc/\(process)/task/\(thread)"
            guard let text = contents(of: folder + "/schedstat") else { return nil }
            let numbers = text.split(separator: " ")
            guard numbers.count >= 2, let run = Int64(numbers[0]), let waited = Int64(numbers[1])
            else { return nil }
            let state = contents(of: folder + "/stat").flatMap { stat in
                stat.lastIndex(of: ")").map { stat[$0...].dropFirst(2).first }
            }
            return Account(
                thread: thread, run: run, waited: waited, isWaiting: state == "R" || state == "D")
        }
    }

    /// Returns the processes of a session, by the sixth field of `stat`.
    ///
    /// Fields are counted after the bracket that ends the name.
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

    /// Returns the numeric names in a folder.
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
