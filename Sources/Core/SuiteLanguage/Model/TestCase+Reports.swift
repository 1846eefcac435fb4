import Wire

extension TestCase {
    /// Whether a step or a rule depends on what an app reports of its profile connections.
    public var restsOnReports: Bool { awaitedMessages.contains(where: isReport) }

    /// The part of the case that a capture without reports of the app shows.
    ///
    /// It lacks the steps and rules that depend on reports, and the controls of the device. It is
    /// `nil` if the suite does not allow such a judgement, or if too little is left.
    ///
    /// An expected message is awaited until the capture ends, and its absence proves nothing. The
    /// time of the controls is not known, nor what the host knew before.
    public var withoutReports: TestCase? {
        guard isJudgedWithoutReports, !isWithoutReports else { return nil }
        var gaps = ReportGaps(of: self)
        var result = self
        result.preamble = gaps.strip(preamble)
        result.steps = gaps.strip(steps)
        result.never.removeAll { rule in
            isReport(rule.pattern.message) || gaps.lacks(rule.since)
        }
        result.peers.removeAll { $0.kind.protocolName == "profile" }
        result.isWithoutReports = true
        return gaps.isPossible && !result.steps.isEmpty ? result : nil
    }
}

private func isReport(_ message: String) -> Bool { message.hasPrefix("profile.") }

/// Removes the parts that a capture without reports does not show.
private struct ReportGaps {
    private static let forEver = Duration.seconds(1000 * 86_400)

    private let testCase: TestCase
    private var missing: Set<String> = []
    /// Whether the remaining steps still represent the case.
    private(set) var isPossible = true

    init(of testCase: TestCase) { self.testCase = testCase }

    /// Whether a step of that name was removed.
    func lacks(_ id: String?) -> Bool { id.map(missing.contains) ?? false }

    mutating func strip(_ steps: [Step]) -> [Step] {
        var result: [Step] = []
        for step in steps {
            if let kept = strip(step) { result.append(kept) }
        }
        return result
    }

    /// Returns the remaining part of a step; `nil` if nothing remains.
    private mutating func strip(_ step: Step) -> Step? {
        var result = step
        switch step.verb {
        case .expect(let message) where isReport(message): return leaveOut(step)
        case .perform(let action) where testCase.isDevice(action.party): return leaveOut(step)
        case .expect: result.within = Self.forEver
        case .group(.repeatUntil): isPossible = false
        case .group(let group): result.verb = .group(group.mapParts { strip($0) })
        case .wait, .perform: break
        default: isPossible = false
        }
        if let since = step.since, missing.contains(since) { isPossible = false }
        // An empty list would match anything.
        if result.parts.contains(where: \.isEmpty) { isPossible = false }
        return result
    }

    private mutating func leaveOut(_ step: Step) -> Step? {
        if let id = step.id { missing.insert(id) }
        return nil
    }
}
