extension TestCase {
    /// Whether a step names a time that its message, or its absence, must keep.
    public var boundsTimes: Bool { (preamble + steps).contains(where: \.boundsTime) }
}

extension Step {
    /// Whether the step, or one inside it, names a time.
    fileprivate var boundsTime: Bool {
        switch verb {
        case .backoff, .wait, .collect: true
        case .group(let group): group.parts.joined().contains(where: \.boundsTime)
        case .expect, .send, .perform, .lost, .sendBytes:
            after != nil || at != nil || within != Step.usualWithin
        }
    }

    /// The latest time of a step for which neither it nor its suite names one.
    fileprivate static let usualWithin = Duration.seconds(5)
}
