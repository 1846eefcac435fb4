import Capture
import Devices
import Files
import FoundationEssentials
import Glibc
import Suites
import Verdicts

/// What a case's network and process namespaces are to be.
public enum IsolationRequest: String, Sendable, Hashable, CaseIterable {
    /// A network, user, mount and process namespace for each case.
    case isolated
    /// The host's network; for real devices.
    case host
}

/// The worker subcommand: one case in a process of its own.
public enum Worker {
    /// The hidden subcommand's name.
    public static let subcommand = "worker"
    /// After the kind of isolation: print what is missing of namespaces and capture, a line each.
    static let probe = "--probe"
    /// The descriptor of the mailbox: the order is in it, and the result is put into it.
    private static let mailboxDescriptor: Int32 = 3
    /// The descriptor of the report folder.
    private static let reportsDescriptor: Int32 = 4

    /// Runs the case of the order, and leaves its result in the mailbox; does not return.
    ///
    /// It must be called while the process has one thread. The standard input is the lifeline: its
    /// end means that `conform` is gone.
    ///
    /// - Parameter arguments: The kind of isolation.
    public static func run(arguments: [String]) -> Never {
        let isProbe = arguments.dropFirst() == [probe]
        guard let request = arguments.first.flatMap(IsolationRequest.init),
            isProbe || arguments.count == 1
        else {
            StandardError.print("conform: error: the worker subcommand is for conform's own use")
            exit(2)
        }
        do {
            if isProbe {
                let isolation = try WorkerIsolation.enter(
                    sharesNetwork: request == .host, refusing: refusedForTrial)
                remarks(isolation).forEach { print($0) }
                _ = try LiveCapture(interface: "lo", filter: nil)
            } else {
                try runCase(request)
            }
            exit(0)
        } catch {
            StandardError.print("\(error)")
            exit(1)
        }
    }

    /// Runs the case in namespaces of its own; the process outside judges the saved capture when no
    /// process that could change it is left.
    private static func runCase(_ request: IsolationRequest) throws {
        let mailbox = MemoryFile(inherited: mailboxDescriptor)
        let order = try JSONDecoder().decode(WorkerOrder.self, from: Data(mailbox.read()))
        let work = try OrderedCase(
            order, reports: HeldFolder(inherited: reportsDescriptor, path: order.reports))
        let handover = try MemoryFile()
        let side = try WorkerIsolation.divide(
            sharesNetwork: request == .host, lifeline: STDIN_FILENO, refusing: refusedForTrial)
        switch side {
        case .worker(let isolation):
            var report = try work.run(behind: isolation)
            report.remarks = remarks(isolation) + report.remarks
            try handover.write(Array(JSONEncoder().encode(report)))
        case .outside(let status):
            guard status == 0 else { exit(status) }
            let report = try JSONDecoder().decode(LiveReport.self, from: Data(handover.read()))
            try mailbox.write(Array(JSONEncoder().encode(work.judged(report))))
        }
    }

    /// What could not be had, and what is done instead.
    private static func remarks(_ isolation: WorkerIsolation) -> [String] {
        let instead =
            isolation.outcomes[.network].map { $0 != .obtained && $0 != .notWanted } ?? false
            ? ["the case used the host's loopback, and ports that were free there"] : []
        return isolation.remarks + instead
    }

    /// Namespaces to leave out, so that tests can try the fallbacks: `CONFORM_REFUSE=network,process`.
    static var refusedForTrial: Set<WorkerIsolation.Part> {
        let words = getenv("CONFORM_REFUSE").map { String(cString: $0) } ?? ""
        return Set(words.split(separator: ",").compactMap { .init(rawValue: String($0)) })
    }
}
