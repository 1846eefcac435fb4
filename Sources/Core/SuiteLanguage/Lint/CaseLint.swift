import TCPIP
import Wire

/// Finds suspicious parts of a valid case: steps that cannot happen, rules without effect.
struct CaseLint {
    private let testCase: TestCase
    private let suite: CaseReader.SuiteContext

    private var protocols: ProtocolRegistry { suite.scope.protocols }

    init(_ testCase: TestCase, _ suite: CaseReader.SuiteContext) {
        self.testCase = testCase
        self.suite = suite
    }

    /// Reports all findings.
    func report(to findings: Findings) {
        TimeCheck.check(testCase, findings: findings)
        for step in (testCase.preamble + testCase.steps).plain { checkSender(of: step, findings) }
        checkConnects(findings)
        checkNever(findings)
        checkIgnore(findings)
    }

    // MARK: senders

    /// Reports an `expect` of a message that the named party never sends.
    private func checkSender(of step: Step, _ findings: Findings) {
        guard case .expect(let message) = step.verb, let reason = obstacle(to: message, step.from)
        else { return }
        findings.using(step.uses) {
            $0.warn("never-sent", reason, at: step.position, advice: "check \"from\"")
        }
    }

    private func obstacle(to message: String, _ party: String) -> String? {
        let kind = testCase.peers.first { $0.name == party }?.kind
        if message.hasPrefix(StreamUnit.protocolName + "."),
            testCase.peers.allSatisfy({ $0.stream == nil })
        {
            return "no peer has \"stream\", so no stream is cut into messages"
        }
        let datagramPeers = testCase.peers.filter(\.isDatagram)
        if message == UDPDatagram.name, let named = datagramPeers.first?.named,
            datagramPeers.allSatisfy({ $0.named != nil })
        {
            return "the datagrams of the peers are messages of \(named.name)"
        }
        let description = protocols.message(named: message)
        if let kind {
            if message.hasPrefix("device.") { return "\(party) sends no events of the device" }
            let spoken = protocols.speakingPeers.map { $0.protocolName + "." }
            if !kind.speaks(message), spoken.contains(where: message.hasPrefix) {
                return "\(party) speaks \(kind.protocolName), it never sends \(message)"
            }
        } else if !protocols.deviceRoles.contains(suite.role) {
            return nil
        }
        let senders = description?.senders ?? []
        let sender = kind?.name ?? suite.role
        let speakers = [sender] + (kind?.carries.map(\.name) ?? [])
        guard !senders.isEmpty, !senders.contains(where: speakers.contains) else { return nil }
        return "\(message) is never sent by \(party == Step.device ? "the device" : party) "
            + "(\(sender)), only by \(senders.joined(separator: " or "))"
    }

    // MARK: acts

    /// Reports a peer that connects as soon as a device has been asked to start again.
    private func checkConnects(_ findings: Findings) {
        let steps = (testCase.preamble + testCase.steps).plain
        for (start, step) in zip(steps, steps.dropFirst()) {
            guard case .perform(let starting) = start.verb,
                testCase.deviceNames.contains(starting.party),
                [DeviceAction.start, DeviceAction.restart].contains(starting.name),
                case .perform(let next) = step.verb, next.name == "connect",
                testCase.peers.contains(where: { $0.name == next.party && $0.kind.callsDevice }),
                step.after == nil, step.at == nil
            else { continue }
            findings.using(step.uses) {
                $0.warn(
                    "early-connect",
                    "\(next.party) connects when \(starting.party) has been asked to "
                        + "\(starting.name), and may reach the process that ends",
                    at: step.position, advice: "expect device.started before it")
            }
        }
    }

    // MARK: rules without effect

    /// Reports `never` rules that no message can break.
    private func checkNever(_ findings: Findings) {
        for (index, rule) in testCase.never.enumerated() {
            let pattern = rule.pattern
            let earlier = testCase.never[..<index].first {
                ($0.connection == nil || $0.connection == rule.connection)
                    && ($0.appliesAtOnce
                        || $0.since == rule.since
                            && $0.after ?? .zero <= rule.after ?? .zero)
                    && ($0.rate == nil || $0.rate == rule.rate)
                    && $0.pattern.coversAll(of: pattern)
            }
            if let earlier {
                findings.warn(
                    "idle-never",
                    "what this forbids the rule in line \(earlier.pattern.position.line) "
                        + "forbids already", at: pattern.position, advice: "take one of them out")
            } else if rule.rate == nil, isAlwaysTaken(pattern) {
                findings.warn(
                    "idle-never",
                    "the steps of the body take every such message, and with \"quiet: 0s\" "
                        + "nothing watches after them", at: pattern.position,
                    advice: "say how long to watch, or take it out")
            }
        }
    }

    /// Whether each step of the body matches whatever a rule covers, and nothing is watched after
    /// them.
    private func isAlwaysTaken(_ pattern: MessagePattern) -> Bool {
        guard testCase.quiet == .zero, !testCase.isQuietToTheEnd else { return false }
        return testCase.steps.plain.allSatisfy { step in
            guard case .expect(let message) = step.verb else { return false }
            return message == pattern.message && step.to == nil
                && step.from == pattern.from ?? Step.device
                && step.pattern(of: message).demands(pattern)
                && step.conditions.allSatisfy { condition in
                    pattern.conditions.contains {
                        $0.path == condition.path && $0.matcher == condition.matcher
                    }
                }
        }
    }

    /// Reports entries of the case's own `ignore` that let through what its steps wait for.
    private func checkIgnore(_ findings: Findings) {
        let steps = (testCase.preamble + testCase.steps).plain
        for pattern in testCase.ignore.dropFirst(suite.ignore.count)
        where pattern.conditions.isEmpty {
            let step = steps.first { step in
                guard case .expect(let message) = step.verb else { return false }
                return pattern.covers(message) && pattern.from ?? step.from == step.from
            }
            guard let step else { continue }
            findings.warn(
                "ignored-expectation",
                "this lets through what the step in line \(step.position.line) waits for: "
                    + "another one, or one with wrong fields, is no failure", at: pattern.position,
                advice: "take it out, or say by \"where\" which ones are harmless")
        }
    }
}

extension Step {
    /// What this step asks for, as far as one message shows it.
    fileprivate func pattern(of message: String) -> MessagePattern {
        MessagePattern(message: message, conditions: conditions, position: position)
    }
}

extension MessagePattern {
    /// Whether this pattern of a `never` rule matches every message that the other one matches.
    fileprivate func coversAll(of other: MessagePattern) -> Bool {
        let isWider =
            message.hasSuffix(".*")
            ? other.message.hasPrefix(message.dropLast()) : message == other.message
        return isWider && from ?? Step.device == other.from ?? Step.device
            && conditions.allSatisfy { condition in
                other.conditions.contains {
                    $0.path == condition.path && $0.matcher == condition.matcher
                }
            }
    }
}
