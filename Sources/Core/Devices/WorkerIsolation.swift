import CSandbox
import Glibc
import System

/// The namespaces of a worker process, as far as the system allowed them.
public struct WorkerIsolation: Sendable, Hashable {
    /// A part of the isolation.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// Its own user ids, which give privileges inside but none outside.
        case user
        /// Its own network with only a loopback interface.
        case network
        /// Its own mounts.
        case mount
        /// Its own process ids; the end of the first process ends all.
        case process
        /// A `/proc` that shows only its own processes.
        case proc
        /// A `/dev/shm` with only its own shared memory and semaphores.
        case sharedMemory

        fileprivate var bit: UInt32 {
            switch self {
            case .user: UInt32(CONFORM_NAMESPACE_USER)
            case .network: UInt32(CONFORM_NAMESPACE_NETWORK)
            case .mount: UInt32(CONFORM_NAMESPACE_MOUNT)
            case .process: UInt32(CONFORM_NAMESPACE_PROCESS)
            case .proc, .sharedMemory: 0
            }
        }

        fileprivate var title: String {
            switch self {
            case .user: "user namespace"
            case .network: "network namespace"
            case .mount: "mount namespace"
            case .process: "process namespace"
            case .proc: "fresh /proc"
            case .sharedMemory: "fresh /dev/shm"
            }
        }
    }

    /// The outcome for a namespace.
    public enum Outcome: Sendable, Hashable {
        case obtained
        /// It was not requested, or it would take away the right to capture.
        case notWanted
        /// The system refused it, for this reason.
        case refused(String)
    }

    /// The outcome for each namespace.
    public let outcomes: [Part: Outcome]

    /// Whether the worker has its own network, in which every port is free.
    public var hasOwnNetwork: Bool { outcomes[.network] == .obtained }

    /// The parts that the system refused.
    public var refused: [Part] {
        Part.allCases.filter { if case .refused? = outcomes[$0] { true } else { false } }
    }

    /// The parts that could not be obtained, a phrase each.
    ///
    /// For example: `no network namespace: Operation not permitted (clone)`.
    public var remarks: [String] {
        Part.allCases.compactMap { part in
            guard case .refused(let reason)? = outcomes[part] else { return nil }
            return "no \(part.title): \(reason)"
        }
    }

    /// Enters new namespaces and continues in a new process; see `conform_worker_isolate`.
    ///
    /// Must be called by a worker process while it has one thread. The process that stays outside
    /// ends with the worker's status.
    ///
    /// - Parameters:
    ///   - sharesNetwork: Whether the worker stays in its current network.
    ///   - lifeline: The read end of a pipe that only the main process holds open, if there is one.
    ///   - refusing: Namespaces to leave out as if the system had refused them.
    /// - Throws: `cannotIsolate` if no process can be created; a refused namespace is not an error.
    public static func enter(
        sharesNetwork: Bool, lifeline: Int32? = nil, refusing: Set<Part> = []
    ) throws(DeviceError) -> WorkerIsolation {
        let request = request(sharesNetwork, lifeline, refusing)
        return WorkerIsolation(try isolate(request))
    }

    /// The two processes that continue after `divide`.
    public enum Side: Sendable {
        /// The worker, in the new namespaces.
        case worker(WorkerIsolation)
        /// The process outside, once the worker and everything that it started have ended.
        ///
        /// With the worker's exit status, 128 + n after signal n.
        case outside(worker: Int32)
    }

    /// Enters new namespaces like `enter`; the calling process continues outside, after the worker.
    public static func divide(
        sharesNetwork: Bool, lifeline: Int32, refusing: Set<Part> = []
    ) throws(DeviceError) -> Side {
        var request = request(sharesNetwork, lifeline, refusing)
        request.guard_returns = 1
        let result = try isolate(request)
        return result.worker_status < 0
            ? .worker(WorkerIsolation(result)) : .outside(worker: result.worker_status)
    }

    /// Returns the namespaces that a worker would get, without becoming one.
    public static func probe(sharesNetwork: Bool, refusing: Set<Part> = []) -> WorkerIsolation {
        var request = request(sharesNetwork, nil, refusing)
        var result = conform_isolation_result()
        conform_probe_isolation(&request, &result)
        return WorkerIsolation(result)
    }

    private static func request(
        _ sharesNetwork: Bool, _ lifeline: Int32?, _ refusing: Set<Part>
    ) -> conform_isolation {
        var request = conform_isolation()
        request.shares_network = sharesNetwork ? 1 : 0
        request.lifeline = lifeline ?? -1
        request.refused = refusing.reduce(0) { $0 | $1.bit }
        return request
    }

    private static func isolate(
        _ request: conform_isolation
    ) throws(DeviceError) -> conform_isolation_result {
        var (request, result) = (request, conform_isolation_result())
        let code = conform_worker_isolate(&request, &result)
        guard code == 0 else {
            throw DeviceError(
                .cannotIsolate, "no process can be made for a case: \(errnoText(code))")
        }
        return result
    }

    private init(_ result: conform_isolation_result) {
        outcomes = [
            .user: Self.outcome(result.user), .network: Self.outcome(result.network),
            .mount: Self.outcome(result.mount), .process: Self.outcome(result.process),
            .proc: Self.outcome(result.proc), .sharedMemory: Self.outcome(result.shared_memory),
        ]
    }

    private static func outcome(_ outcome: conform_outcome) -> Outcome {
        switch outcome.state {
        case CONFORM_OBTAINED: return .obtained
        case CONFORM_REFUSED:
            let step = outcome.step.map { " (\(String(cString: $0)))" } ?? ""
            // clone(2) and unshare(2) say so of limits such as user.max_user_namespaces.
            let isLimit = outcome.error == ENOSPC
            return .refused((isLimit ? "their limit is reached" : errnoText(outcome.error)) + step)
        default: return .notWanted
        }
    }
}
