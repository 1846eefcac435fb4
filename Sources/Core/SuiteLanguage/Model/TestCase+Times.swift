extension TestCase {
    /// Whether a pass depends on when messages came, and not only on their order.
    public var boundsTimes: Bool {
        (preamble + steps).contains(where: \.boundsTime) || never.contains { $0.rate != nil }
            || closesByTime || rules.contains(where: \.boundsTimes)
    }

    /// Whether the end of the closing window decides which messages still count.
    private var closesByTime: Bool {
        !isQuietToTheEnd && quiet > .zero && (unexpected == .fail || !never.isEmpty)
    }
}

extension Rule {
    fileprivate var boundsTimes: Bool { !atRest.isEmpty || testCase.boundsTimes }
}

extension Step {
    /// Whether the step, or one inside it, names a time.
    ///
    /// A bound that no suite names is not a demand.
    fileprivate var boundsTime: Bool {
        switch verb {
        case .backoff, .wait, .collect: true
        case .group(let group): group.parts.joined().contains(where: \.boundsTime)
        case .expect, .send, .perform, .lost, .sendBytes:
            after != nil || at != nil || isWithinNamed
        }
    }
}
