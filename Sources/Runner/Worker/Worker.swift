import Capture
import Devices
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
    /// In place of an order: tell what cannot be had of namespaces and capture, a line each.
    static let probe = "--probe"

    /// Enters the namespaces, runs the case of the order, and writes its result; does not return.
    ///
    /// It must be called while the process has one thread. The standard input is the lifeline: its
    /// end means that `conform` is gone.
    ///
    /// - Parameter arguments: The kind of isolation and the path of the order.
    public static func run(arguments: [String]) -> Never {
        guard arguments.count == 2, let request = IsolationRequest(rawValue: arguments[0]) else {
            StandardError.print("conform: error: the worker subcommand is for conform's own use")
            exit(2)
        }
        do {
            let isolation = try WorkerIsolation.enter(
                sharesNetwork: request == .host, lifeline: STDIN_FILENO, refusing: refusedForTrial)
            if arguments[1] == probe {
                remarks(isolation).forEach { print($0) }
                _ = try LiveCapture(interface: "lo", filter: nil)
            } else {
                try runCase(orderPath: arguments[1], isolation: isolation)
            }
            exit(0)
        } catch {
            StandardError.print("\(error)")
            exit(1)
        }
    }

    private static func runCase(orderPath: String, isolation: WorkerIsolation) throws {
        guard let bytes = FileSystem.read(orderPath) else {
            throw WorkerError(detail: "\(orderPath) cannot be read")
        }
        let order = try JSONDecoder().decode(WorkerOrder.self, from: Data(bytes))
        let suite = try SuiteLoader.load(
            path: order.suite, searchPath: order.searchPath,
            parameters: ParameterText.values(order.parameters))
        guard let testCase = suite.cases.first(where: { $0.id == order.testCase }) else {
            throw WorkerError(detail: "\(order.suite) has no case \(order.testCase)")
        }
        guard WorkerOrder.fingerprint(of: testCase, in: suite) == order.fingerprint else {
            throw WorkerError(detail: "\(order.suite) was changed after the run had begun")
        }
        var result = try judge(order: order, suite: suite, testCase: testCase, isolation)
        result.remarks += remarks(isolation)
        try FileSystem.write(Array(JSONEncoder().encode(result)), to: order.result)
    }

    /// What could not be had, and what is done instead.
    private static func remarks(_ isolation: WorkerIsolation) -> [String] {
        let instead =
            isolation.outcomes[.network].map { $0 != .obtained && $0 != .notWanted } ?? false
            ? ["the case used the host's loopback, and ports that were free there"] : []
        return isolation.remarks + instead
    }

    /// Walls to do without, so that the fallbacks can be tried: `CONFORM_REFUSE=network,process`.
    private static var refusedForTrial: Set<WorkerIsolation.Wall> {
        let words = getenv("CONFORM_REFUSE").map { String(cString: $0) } ?? ""
        return Set(words.split(separator: ",").compactMap { .init(rawValue: String($0)) })
    }

    private static func judge(
        order: WorkerOrder, suite: Suite, testCase: TestCase, _ isolation: WorkerIsolation
    ) throws -> CaseResult {
        let profile = try order.device.profile(role: suite.deviceRole)
        do {
            let testCase = testCase.carried(by: order.carrier)
            let profile = try profile.running(at: order.timeScale).over(testCase.carrier)
                .seeded(order.seed)
            try FileSystem.makeFolder(order.scratch + "/home")
            var live = try LiveCase(
                order: order, suite: suite, testCase: testCase.scaled(by: order.timeScale),
                profile: profile,
                isIsolated: isolation.hasOwnNetwork)
            var result = try live.run()
            let check = CaptureCheck(suite: suite, selection: .init())
            result.note(recorded: try check.judge(testCase, on: order.capture))
            result.evidence?.take(log: FileSystem.read(order.log) ?? [])
            return result
        } catch {
            PartialCapture.keep(as: order.capture)
            return CaseResult(
                suite: suite, testCase: testCase, verdict: .error,
                reason: Reason(.setup, "\(error)"))
        }
    }
}
