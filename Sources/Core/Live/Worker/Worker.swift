import CSandbox
import Capture
import Devices
import FoundationEssentials
import Glibc
import Judge
import Offline
import PeerKit
import SuiteLanguage
import System
import Wire

/// Which network and process namespaces a case uses.
public enum IsolationRequest: String, Sendable, Hashable, CaseIterable {
    /// A network, user, mount and process namespace for each case.
    case isolated
    /// The host's network; for real devices.
    case host
}

/// The worker subcommand: a server that forks a process for each case.
public enum Worker {
    /// The hidden subcommand's name.
    public static let subcommand = "worker"
    /// After the kind of isolation: print an `IsolationProbe`.
    static let probe = "--probe"
    /// In a worker, the descriptor of the mailbox: it holds the task and then receives the result.
    private static let mailboxDescriptor: Int32 = 3
    /// In a worker, the descriptor of the report folder.
    private static let reportsDescriptor: Int32 = 4
    /// In a worker, the descriptors of the input and the output of a person, if there is one.
    static let personInput: Int32 = 5
    static let personOutput: Int32 = 6

    /// Serves workers until the connection, which is the standard input, ends; does not return.
    ///
    /// It must be called while the process has one thread.
    ///
    /// - Parameters:
    ///   - arguments: The kind of isolation.
    ///   - protocols: The protocols that suites may name.
    ///   - peers: The factory of the peers.
    public static func run(
        arguments: [String], protocols: ProtocolRegistry, peers: PeerFactory
    ) -> Never {
        let isProbe = arguments.dropFirst() == [probe]
        guard let request = arguments.first.flatMap(IsolationRequest.init),
            isProbe || arguments.count == 1
        else {
            StandardError.print("conform: error: the worker subcommand is for conform's own use")
            exit(2)
        }
        guard isProbe else { serve(request, protocols, peers) }
        ending {
            try IsolationProbe(entering: request, refusing: refusedForTrial).print()
        }
    }

    /// Does some work and exits; if it fails, with a line that says why.
    ///
    /// The exit code is then 1, or says that a limit of this process was changed meanwhile.
    private static func ending(_ work: () throws -> Void) -> Never {
        let limits = ResourceLimits()
        do {
            try work()
            exit(0)
        } catch {
            StandardError.print("\(error)")
            exit(limits.exitCode ?? 1)
        }
    }

    private static func serve(
        _ request: IsolationRequest, _ protocols: ProtocolRegistry, _ peers: PeerFactory
    ) -> Never {
        // A device of the same user must not change the data that later cases are judged by.
        conform_protect_memory()
        LiveCapture.loadLibrary()
        var suites = LoadedSuites(loader: SuiteLoader(protocols))
        var files = conform_worker_files()
        while conform_next_worker(STDIN_FILENO, &files) == 1 {
            let mailbox = MemoryFile(inherited: files.extra_fds.0)
            let received = Result {
                let task = try JSONDecoder().decode(WorkerTask.self, from: Data(mailbox.read()))
                let suite = try suites.suite(of: task)
                suites.rehearse(task, suite, reports: files.extra_fds.1)
                return (task: task, suite: suite)
            }
            guard conform_fork_worker(STDIN_FILENO, &files) == 0 else { continue }
            ending {
                let (task, suite) = try received.get()
                try runCase(task, of: suite, request, peers)
            }
        }
        exit(0)
    }

    /// Runs the case in its own namespaces.
    ///
    /// The process outside judges the saved capture when no process that could change it is left.
    /// The standard input is the lifeline: its end means that `conform` has ended.
    private static func runCase(
        _ task: WorkerTask, of suite: Suite, _ request: IsolationRequest, _ peers: PeerFactory
    ) throws {
        signal(SIGXFSZ, SIG_IGN)
        let mailbox = MemoryFile(inherited: mailboxDescriptor)
        let work = try WorkerCase(
            task, of: suite,
            reports: HeldFolder(inherited: reportsDescriptor, path: task.reports))
        let handover = try MemoryFile()
        let side = try WorkerIsolation.divide(
            sharesNetwork: request == .host, lifeline: STDIN_FILENO, refusing: refusedForTrial)
        switch side {
        case .worker(let isolation):
            var report = try work.run(behind: isolation, peers: peers)
            report.remarks = remarks(isolation) + report.remarks
            try handover.write(Array(JSONEncoder().encode(report)))
        case .outside(let status):
            guard status == 0 else { exit(status) }
            let report = try JSONDecoder().decode(LiveReport.self, from: Data(handover.read()))
            try mailbox.write(Array(JSONEncoder().encode(work.judged(report))))
        }
    }

    /// Returns what could not be obtained, and what is done instead.
    private static func remarks(_ isolation: WorkerIsolation) -> [String] {
        let instead =
            isolation.outcomes[.network].map { $0 != .obtained && $0 != .notWanted } ?? false
            ? ["the case used the host's loopback, and ports that were free there"] : []
        return isolation.remarks + instead
    }

    /// Namespaces to leave out, as in `CONFORM_REFUSE=network,process`, to test the fallbacks.
    static var refusedForTrial: Set<WorkerIsolation.Part> {
        let words = getenv("CONFORM_REFUSE").map { String(cString: $0) } ?? ""
        return Set(words.split(separator: ",").compactMap { .init(rawValue: String($0)) })
    }
}
