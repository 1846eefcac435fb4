import CSandbox
import Glibc

/// What was obtained of the namespaces that a case asks for.
struct Isolation {
    /// Whether the case has a network of its own, with every port free.
    let hasOwnNetwork: Bool
    /// What could not be had, each as a sentence for the report.
    let remarks: [String]

    /// Enters the namespaces; returns in the worker proper, a grandchild of the caller.
    ///
    /// - Parameters:
    ///   - request: What the network is to be.
    ///   - lifeline: A pipe whose end means that the main process is gone.
    static func enter(_ request: IsolationRequest, lifeline: Int32) -> Isolation {
        var wanted = conform_isolation()
        wanted.shares_network = request == .host ? 1 : 0
        wanted.lifeline = lifeline
        wanted.refused = refusedForTrial
        var result = conform_isolation_result()
        let failure = conform_worker_isolate(&wanted, &result)
        guard failure == 0 else {
            StandardError.print("no worker process can be made: \(errnoText(failure))")
            exit(1)
        }
        let outcomes: [(conform_outcome, String)] = [
            (result.user, "a user namespace"),
            (result.network, "a network of its own (the host's loopback is used, with other ports)"),
            (result.mount, "a mount namespace"),
            (result.process, "a process namespace"),
            (result.proc, "a /proc of its own"),
        ]
        return Isolation(
            hasOwnNetwork: result.network.state == CONFORM_OBTAINED,
            remarks: outcomes.compactMap { outcome, name in
                guard outcome.state == CONFORM_REFUSED else { return nil }
                let step = outcome.step.map { String(cString: $0) + ": " } ?? ""
                return "the system refused \(name): \(step)\(errnoText(outcome.error))"
            })
    }

    /// Kinds of namespaces to do without, so that the fallbacks can be tried:
    /// `CONFORM_REFUSE=user,network,mount,process`.
    private static var refusedForTrial: UInt32 {
        guard let words = getenv("CONFORM_REFUSE").map({ String(cString: $0) }) else { return 0 }
        let kinds: [Substring: Int] = [
            "user": CONFORM_NAMESPACE_USER, "network": CONFORM_NAMESPACE_NETWORK,
            "mount": CONFORM_NAMESPACE_MOUNT, "process": CONFORM_NAMESPACE_PROCESS,
        ]
        return words.split(separator: ",").reduce(0) { $0 | UInt32(kinds[$1] ?? 0) }
    }
}
