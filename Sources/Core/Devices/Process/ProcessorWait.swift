import CSandbox
import Glibc

/// How long the machine kept the processes of one party from running, as the kernel counts it.
///
/// A thread whose timer has fired, or for which a packet has arrived, may have to wait until
/// another thread frees a processor. If so, it is late through no fault of its own, unless the
/// other threads belong to the same party.
///
/// The waiting and running times of each thread are the kernel's. What follows from them is an
/// estimate: the longest wait of any one thread, because waits of several threads at the same time
/// delay the party only once, less the part that it would have waited for its own threads on a
/// machine without other programs, and never more than the time that others can have run.
public struct ProcessorWait: Sendable {
    /// How often new processes are looked for.
    private static let searchInterval: Duration = .milliseconds(500)
    /// How long a period is, at least, over which the share of own threads is measured.
    ///
    /// The kernel updates the run time of a running thread only every few milliseconds.
    private static let sharePeriod: Duration = .milliseconds(50)
    /// After how long waits without a report are dropped if the party competes with itself.
    private static let ownPeriod: Duration = .milliseconds(100)

    /// The totals of all threads at one moment.
    private struct Sum {
        let time: ContinuousClock.Instant
        let run: Duration
        let waited: Duration
    }

    private var leaders: [Int32]
    private let processors: Double
    private var members: [Int32]
    private var sessions: Set<Int32>
    private var searchedAt: ContinuousClock.Instant?
    /// The marks in the environment of the leaders, which helpers in other sessions keep.
    private var marks: [Int32: String] = [:]
    /// Processes without one of the marks.
    private var strangers: Set<Int32> = []
    /// Threads that are waiting, with their run time and the time when that was first seen.
    private var waiting: [Int32: (run: Int64, since: ContinuousClock.Instant)] = [:]
    /// The waiting time of each thread at the last report.
    private var reported: [Int32: Duration] = [:]
    private var reportedAt: ContinuousClock.Instant?
    /// Since the last report: what the party would have waited for itself, and what others can
    /// have run.
    private var (own, outside) = (Duration.zero, Duration.zero)
    private var files: [Int32: ProcessFiles] = [:]
    private var last: Sum?
    private var (earlier, recent): (Sum?, Sum?)

    /// Watches processes of one party with their threads, and all processes that these have begun.
    ///
    /// `nil` if the kernel does not count, or if `/proc` shows the processes of another namespace.
    public init?(of processes: [Int32]) {
        guard Self.showsOwnProcesses, !Self.accounts(of: getpid()).isEmpty else { return nil }
        leaders = processes
        members = processes
        sessions = Set(processes)
        processors = Double(max(1, conform_processor_count()))
    }

    /// Watches these processes from now on in place of the former ones.
    public mutating func watch(_ processes: [Int32]) {
        guard processes != leaders else { return }
        leaders = processes
        members = Array(Set(members + processes)).sorted()
        sessions.formUnion(processes)
        searchedAt = nil
    }

    /// Records the present times, so that later reports count from now.
    public mutating func begin() {
        _ = growth(atLeast: .zero)
    }

    /// Returns how long the party was kept from running since the last report, if it was for long
    /// enough; the next report then counts from now.
    public mutating func growth(atLeast shortest: Duration) -> Duration? {
        let now = ContinuousClock.now
        if searchedAt.map({ now - $0 >= Self.searchInterval }) ?? true {
            searchedAt = now
            search()
        }
        let (waits, sum) = measured(at: now)
        let longest = waits.reduce(Duration.zero) {
            max($0, $1.value - (reported[$1.key] ?? .zero))
        }
        share(sum)
        let length = min(longest - own, outside)
        let isReported = length > .zero && length >= shortest
        let isStale = own > .zero && reportedAt.map { now - $0 > Self.ownPeriod } ?? false
        if isReported || isStale || shortest == .zero {
            (reported, reportedAt) = (waits, now)
            (own, outside) = (.zero, .zero)
        }
        return isReported ? length : nil
    }

    /// Returns what the processes hold and how long they have run.
    ///
    /// It is `nil` if the kernel does not say that of one of them.
    public mutating func usage() -> ProcessUsage? {
        let now = ContinuousClock.now
        search()
        var usage = ProcessUsage(time: now)
        for process in members {
            guard let held = ProcessUsage.Held(of: process) else {
                // It has ended since it was found.
                if Self.hasEnded(Self.status(of: process)) { continue }
                return nil
            }
            usage.memory += held.memory
            usage.descriptors += held.descriptors
        }
        let (_, sum) = measured(at: now)
        usage.run = sum.run
        usage.wanted = sum.run + sum.waited
        return usage
    }

    /// Adds the time since the last call to what the party takes from itself and others take.
    private mutating func share(_ sum: Sum) {
        // Before the first call there was only what the threads themselves have counted.
        let first = Sum(time: sum.time - max(sum.run, sum.waited), run: .zero, waited: .zero)
        reportedAt = reportedAt ?? first.time
        let since = earlier ?? first
        let elapsed = sum.time - (last ?? first).time
        last = sum
        if sum.time - (recent ?? first).time >= Self.sharePeriod {
            (earlier, recent) = (recent ?? first, sum)
        }
        let period = (sum.time - since.time) / .seconds(1)
        guard period > 0 else { return }
        let run = max(0, (sum.run - since.run) / .seconds(1)) / period
        let waited = max(0, (sum.waited - since.waited) / .seconds(1)) / period
        let wanted = run + waited
        // Alone on this machine, each of its threads would wait for this part of the time.
        let crowded = wanted > processors ? 1 - processors / wanted : 0
        own += elapsed * min(run, crowded)
        outside += elapsed * max(0, processors - run)
    }

    /// Returns the waiting time of each thread and the sums.
    ///
    /// The kernel adds a wait to its account when it is over; a wait that is still going on counts
    /// from when it was first seen.
    private mutating func measured(
        at now: ContinuousClock.Instant
    ) -> (waits: [Int32: Duration], sum: Sum) {
        var waits: [Int32: Duration] = [:]
        var (run, waited) = (Duration.zero, Duration.zero)
        var stillWaiting: [Int32: (run: Int64, since: ContinuousClock.Instant)] = [:]
        for process in members {
            let files = files[process] ?? ProcessFiles(in: "/proc/\(process)")
            self.files[process] = files
            let status = files.status
            var ownRun: Int64 = 0
            for account in Self.accounts(of: process, status, files) {
                var length = Duration.nanoseconds(account.waited)
                ownRun += account.run
                if account.isWaiting {
                    if let known = waiting[account.thread], known.run == account.run {
                        length += now - known.since
                        stillWaiting[account.thread] = known
                    } else {
                        stillWaiting[account.thread] = (account.run, now)
                    }
                }
                waits[account.thread] = length
                waited += length
            }
            guard let status else { continue }
            run +=
                max(.nanoseconds(ownRun), .milliseconds(10 * status.ticks))
                + .milliseconds(10 * status.childTicks)
        }
        waiting = stillWaiting
        return (waits, Sum(time: now, run: run, waited: waited))
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

    private static func status(of process: Int32) -> ProcessFiles.Status? {
        ProcessFiles(in: "/proc/\(process)", hasTimes: false).status
    }

    private static func hasEnded(_ status: ProcessFiles.Status?) -> Bool {
        status.map { [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains($0.state) } ?? true
    }

    /// Returns the threads of a process; most have one, which its own files describe.
    private static func accounts(
        of process: Int32, _ status: ProcessFiles.Status?, _ files: ProcessFiles
    ) -> [Account] {
        guard let status, status.threadCount == 1 else { return accounts(of: process) }
        let folder = "/proc/\(process)"
        return [account(of: process, status, files, in: folder)].compactMap(\.self)
    }

    /// Returns the threads of a process.
    private static func accounts(of process: Int32) -> [Account] {
        entries(of: "/proc/\(process)/task").compactMap { thread in
            let folder = "/proc/\(process)/task/\(thread)"
            let files = ProcessFiles(in: folder)
            return account(of: thread, files.status, files, in: folder)
        }
    }

    private static func account(
        of thread: Int32, _ status: ProcessFiles.Status?, _ files: ProcessFiles, in folder: String
    ) -> Account? {
        guard let times = files.times else { return nil }
        let isWaiting =
            switch status?.state {
            case UInt8(ascii: "R"): true
            case UInt8(ascii: "D"): !waitsForOwnParty(folder)
            default: false
            }
        return Account(
            thread: thread, run: times.run, waited: times.waited, isWaiting: isWaiting)
    }

    /// Whether a thread that shows as waiting for a disk waits for a process of its own party.
    ///
    /// The kernel names the function in which it waits: for a child that has not executed its
    /// program yet (vfork(2), posix_spawn(3)), or for a handler of page faults (userfaultfd(2)).
    private static func waitsForOwnParty(_ folder: String) -> Bool {
        guard let function = contents(of: folder + "/wchan") else { return false }
        return ["kernel_clone", "wait_for_vfork_done", "handle_userfault"].contains {
            function.hasPrefix($0)
        }
    }

    /// Finds the processes that those known have begun: by their sessions, their parents, or their
    /// marks.
    private mutating func search() {
        guard leaders != [getpid()] else { return }
        for leader in leaders where marks[leader] == nil { marks[leader] = Self.mark(of: leader) }
        var known = Set(members)
        var found = Set(leaders)
        let all = Self.entries(of: "/proc").sorted()
        strangers.formIntersection(all)
        for process in all {
            guard let status = Self.status(of: process) else { continue }
            let isKnown =
                sessions.contains(status.session) || known.contains(status.parent)
                || known.contains(process)
            guard isKnown || isMarked(process) else { continue }
            found.insert(process)
            known.insert(process)
            if status.session == process { sessions.insert(process) }
        }
        members = found.sorted()
        files = files.filter { found.contains($0.key) }
    }

    /// Whether a process has the mark of a leader; each is examined once.
    private mutating func isMarked(_ process: Int32) -> Bool {
        guard !marks.isEmpty, !strangers.contains(process) else { return false }
        if let mark = Self.mark(of: process), marks.values.contains(mark) { return true }
        strangers.insert(process)
        return false
    }

    /// Returns the mark in the environment of a process.
    private static func mark(of process: Int32) -> String? {
        contents(of: "/proc/\(process)/environ", upTo: environmentMax)?.split(separator: "\0")
            .first { $0.hasPrefix(DeviceHome.markVariable + "=") }.map(String.init)
    }

    /// How many bytes of an environment are read.
    private static let environmentMax = 1 << 18

    /// Returns the numeric names in a folder; none if it cannot be read.
    private static func entries(of path: String) -> [Int32] { names(in: path) ?? [] }

    /// Returns the numeric names in a folder; `nil` if it cannot be read.
    static func names(in path: String) -> [Int32]? {
        guard let folder = opendir(path) else { return nil }
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

    static func contents(of path: String, upTo size: Int = 1024) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        guard case .bytes(let bytes) = file.read(upTo: size) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
