import Wire

extension TestCase {
    /// Whether a step or a rule speaks of what an app reports of its profile connections.
    public var restsOnReports: Bool { awaitedMessages.contains(where: isReport) }

    /// What a capture without reports of the app shows of the case: without the steps and rules that
    /// speak of reports, and without controls of the device; `nil` if the suite does not say
    /// that it is judged so, or too little is left.
    ///
    /// What must come is awaited until the capture ends, and its absence proves nothing: the time of the
    /// controls is not known, nor what the host knew from before.
    public var withoutReports: TestCase? {
        guard isJudgedWithoutReports, !isWithoutReports else { return nil }
        var gaps = ReportGaps(of: self)
        var result = self
        result.preamble = gaps.strip(preamble)
        result.steps = gaps.strip(steps)
        result.never.removeAll { isReport($0.pattern.message) }
        result.peers.removeAll { $0.kind.protocolName == "profile" }
        result.isWithoutReports = true
        return gaps.isPossible && !result.steps.isEmpty ? result : nil
    }
}

private func isReport(_ message: String) -> Bool { message.hasPrefix("profile.") }

/// Leaves out what a capture without reports does not show.
private struct ReportGaps {
    private static let forEver = Duration.seconds(1000 * 86_400)

    private let testCase: TestCase
    private var missing: Set<String> = []
    /// Whether what is left is still the case.
    private(set) var isPossible = true

    init(of testCase: TestCase) { self.testCase = testCase }

    mutating func strip(_ steps: [Step]) -> [Step] {
        var result: [Step] = []
        for step in steps {
            if let kept = strip(step) { result.append(kept) }
        }
        return result
    }

    /// The step as it is left; `nil` if nothing is.
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
        // A list that nothing is left of would let anything pass.
        if result.parts.contains(where: \.isEmpty) { isPossible = false }
        return result
    }

    private mutating func leaveOut(_ step: Step) -> Step? {
        if let id = step.id { missing.insert(id) }
        return nil
    }
}
