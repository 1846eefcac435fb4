import SuiteLanguage
import Trace
import Wire

/// The rules and states of a case, prepared once for all traces.
///
/// An instance of a rule is judged by a `CaseMatcher` on a small case: the rule's steps and `never`.
final class RuleProgram: Sendable {
    /// One rule with its prepared case.
    struct PreparedRule: Sendable {
        let rule: Rule
        let prepared: PreparedCase
        /// The names of the messages that may change an instance.
        let names: MessageNames

        /// Whether its result depends on which requests wait for their answers.
        var needsRequests: Bool { rule.readsRequest || !rule.atRest.isEmpty }
    }

    let rules: [PreparedRule]
    /// How many rules are not judged because the configuration of the device is not known.
    let unconfiguredCount: Int
    let states: [StateVariable]
    /// How much faster than specified the device runs.
    let timeScale: TimeScale
    /// The names of the devices.
    let deviceNames: Set<String>
    /// The values that the parties are given: `device`, and each peer by its name.
    let given: [String: Value]
    /// The messages that start an instance or change a state, or that an instance waits for.
    let names: MessageNames
    /// Whether a rule demands something at rest.
    let hasRest: Bool
    /// Whether a rule or a state depends on which requests wait for their answers.
    let readsRequests: Bool
    /// Whether a rule begins with a connection or a device, or a rule or state is of a session.
    let readsScopes: Bool
    /// The messages that are known, with what answers them.
    let protocols: KnownMessages
    /// Whether the harness plays the peers.
    let harnessPlaysPeers: Bool

    /// Prepares the rules and states of a case; `nil` if it has neither.
    init?(_ testCase: TestCase, requirements: [Requirement], options: CaseMatcher.Options) {
        guard !testCase.rules.isEmpty || !testCase.states.isEmpty else { return nil }
        states = testCase.states
        protocols = testCase.known
        timeScale = testCase.timeScale
        deviceNames = Set([Step.device] + testCase.devices.map(\.name))
        harnessPlaysPeers = options.harnessPlaysPeers
        var given = [Step.device: testCase.deviceConfiguration]
        for peer in testCase.peers { given[peer.name] = peer.settings }
        self.given = given
        let isConfigured =
            options.harnessPlaysPeers || testCase.deviceConfiguration != .object([])
        let judged = testCase.rules.filter { isConfigured || !$0.readsConfiguration }
        unconfiguredCount = testCase.rules.count - judged.count
        var ruleOptions = options
        ruleOptions.isOfRule = true
        rules = judged.map { rule in
            var own = rule.testCase
            (own.peers, own.devices) = (testCase.peers, testCase.devices)
            let prepared = PreparedCase(own, requirements: requirements, options: ruleOptions)
            let steps = prepared.program.lines.flatMap(\.heardNames)
            return PreparedRule(
                rule: rule, prepared: prepared,
                names: MessageNames(
                    steps + (own.never.map(\.pattern) + rule.until).map(\.message)))
        }
        let triggers = testCase.rules.compactMap(\.trigger?.message)
        let updates = states.flatMap { $0.updates.map(\.pattern.message) }
        names = MessageNames(triggers + updates).union(rules.map(\.names))
        let hasRest = testCase.demandsRest
        self.hasRest = hasRest
        readsRequests =
            hasRest || testCase.rules.contains(where: \.readsRequest)
            || states.contains { $0.reads.contains("request") }
        readsScopes =
            testCase.rules.contains {
                $0.trigger == nil && $0.scope != .trace || $0.scope == .session
            } || states.contains { $0.scope == .session }
    }

    /// Whether a message of that name may change the result of a rule.
    func concerns(_ name: String) -> Bool {
        readsRequests || readsScopes || name.isOfConnection || names.contains(name)
    }
}

/// A set of names of messages, some of which end in `.*`.
struct MessageNames: Sendable {
    private var exact: Set<String> = []
    private var prefixes: Set<String> = []

    init(_ patterns: [String]) {
        for pattern in patterns {
            if pattern.hasSuffix(".*") {
                prefixes.insert(String(pattern.dropLast()))
            } else {
                exact.insert(pattern)
            }
        }
    }

    /// Whether it contains a name.
    func contains(_ name: String) -> Bool {
        exact.contains(name) || !prefixes.isEmpty && prefixes.contains { name.hasPrefix($0) }
    }

    /// Returns the names of this and other sets.
    func union(_ others: [MessageNames]) -> MessageNames {
        var all = self
        for other in others {
            all.exact.formUnion(other.exact)
            all.prefixes.formUnion(other.prefixes)
        }
        return all
    }
}

extension String {
    /// Whether messages of that name explain why others do not come.
    var isOfConnection: Bool {
        hasPrefix("tcp.") || hasPrefix("device.") || hasPrefix("harness.")
    }
}

extension CaseProgram.Line {
    /// The names of the messages that it considers; a silence may be broken by any message.
    fileprivate var heardNames: [String] {
        switch goal {
        case .expect(let signature):
            signature.pattern.message == LostBytes.name ? ["*.*"] : [signature.pattern.message]
        case .schedule(let signature, let schedule):
            [signature.pattern.message] + schedule.signNames
        case .collect: ["*.*"]
        case .act, .pause: []
        }
    }
}

extension ValueCondition {
    /// Whether the condition holds; null counts as absent, except where null is demanded.
    ///
    /// - Throws: Why it cannot be evaluated, or why it was not decided.
    func holds(_ bindings: [String: Value]) throws(EvaluationError) -> Bool {
        let value = try value.evaluate(bindings)
        if let failure = matcher.failure(bindings) { throw failure }
        if case .equals(let demanded) = matcher, value == .null {
            return try demanded.evaluate(bindings) == .null
        }
        switch matcher.result(for: value == .null ? nil : value, bindings: bindings) {
        case .matches: return true
        case .differs: return false
        case .undecided: throw EvaluationError(Comparison.tooSlow("the condition holds"))
        }
    }
}
