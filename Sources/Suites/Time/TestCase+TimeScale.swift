import Protocols

extension TestCase {
    /// The shortest that a scaled case may be allowed to take altogether: devices start and
    /// compute no faster.
    public static let timeoutFloor = Duration.seconds(10)

    /// The case as a device that runs faster has to pass it: the one place where time is scaled.
    ///
    /// Every duration is divided by the factor: windows, waits, schedules, settings of peers and
    /// what their actions take; a rate is multiplied by it. Percentages of tolerances follow their
    /// gaps. Absolute tolerances stay, because they allow for the machine and not for the device;
    /// `timeout`, which does so too, becomes no shorter than `timeoutFloor`.
    public func scaled(by scale: TimeScale) -> TestCase {
        guard !scale.isReal else { return self }
        var result = self
        result.preamble = preamble.map { $0.scaled(by: scale, peers: peers) }
        result.steps = steps.map { $0.scaled(by: scale, peers: peers) }
        result.quiet = scale.scaled(quiet)
        result.timeout = max(scale.scaled(timeout), min(timeout, Self.timeoutFloor))
        result.peers = peers.map { $0.scaled(by: scale) }
        return result
    }
}

extension Step {
    fileprivate func scaled(by scale: TimeScale, peers: [PeerDeclaration]) -> Step {
        var result = self
        result.within = scale.scaled(within)
        result.after = after.map(scale.scaled)
        result.at = at.map(scale.scaled)
        func inner(_ steps: [Step]) -> [Step] {
            steps.map { $0.scaled(by: scale, peers: peers) }
        }
        switch verb {
        case .expect, .send, .sendBytes, .lost: break
        case .perform(var action):
            let kind = peers.first { $0.name == action.party }.flatMap { PeerKind.named($0.kind) }
            if let taken = kind?.actions.first(where: { $0.name == action.name }) {
                action.arguments = taken.scaled(action.arguments, by: scale)
            }
            result.verb = .perform(action)
        case .wait(let pause): result.verb = .wait(scale.scaled(pause))
        case .backoff(let schedule): result.verb = .backoff(schedule.scaled(by: scale))
        case .optional(let steps): result.verb = .optional(inner(steps))
        case .either(let lists): result.verb = .either(lists.map(inner))
        case .anyOrder(let lists): result.verb = .anyOrder(lists.map(inner))
        case .repeat(let counts, let steps): result.verb = .repeat(counts, inner(steps))
        case .repeatUntil(let until, let max, let steps):
            result.verb = .repeatUntil(
                until.scaled(by: scale, peers: peers), max: max, inner(steps))
        }
        return result
    }
}

extension BackoffSchedule {
    fileprivate func scaled(by scale: TimeScale) -> BackoffSchedule {
        var result = self
        switch model {
        case .fixed(let wait): result.model = .fixed(scale.scaled(wait))
        case .linear(let base, let step):
            result.model = .linear(base: scale.scaled(base), step: scale.scaled(step))
        case .exponential(let base, let factor):
            result.model = .exponential(base: scale.scaled(base), factor: factor)
        case .list(let waits): result.model = .list(waits.map(scale.scaled))
        }
        result.first = first.map(scale.scaled)
        result.cap = cap.map(scale.scaled)
        result.timeout = timeout.map(scale.scaled)
        result.silence = silence.map(scale.scaled)
        if case .plusMinus(var spread) = jitter {
            // The device draws this, so that it is no tolerance.
            spread.absolute = scale.scaled(spread.absolute)
            result.jitter = .plusMinus(spread)
        }
        if case .stable(let limit) = reset { result.reset = .stable(scale.scaled(limit)) }
        return result
    }
}

extension PeerDeclaration {
    fileprivate func scaled(by scale: TimeScale) -> PeerDeclaration {
        guard let kind = PeerKind.named(kind) else { return self }
        var result = self
        let type = FieldType.structure(name: self.kind, fields: kind.settings)
        result.settings = settings.scaled(by: scale, type: type)
        return result
    }
}

extension PeerAction {
    fileprivate func scaled(_ value: ValueExpression, by scale: TimeScale) -> ValueExpression {
        guard let argument else { return value }
        return isRate ? value.multiplied(by: scale) : value.scaled(by: scale, type: argument)
    }
}

extension ValueExpression {
    /// The value with every duration of a type divided, those that are only known later too.
    fileprivate func scaled(by scale: TimeScale, type: FieldType) -> ValueExpression {
        switch (self, type) {
        case (.literal(let value), _): return .literal(value.scaled(by: scale, type: type))
        case (.template, .duration):
            return .template([.expression(.scaled(.argument(self), scale))])
        case (.array(let elements), .array(let element, _)):
            return .array(elements.map { $0.scaled(by: scale, type: element) })
        case (.object(let members), .structure(_, let fields)):
            return .object(
                members.map { member in
                    let type = fields.first { $0.path == member.name }?.type ?? .any
                    return Member(member.name, member.value.scaled(by: scale, type: type))
                })
        default: return self
        }
    }

    /// A number of something a second, multiplied by the factor.
    fileprivate func multiplied(by scale: TimeScale) -> ValueExpression {
        if let number = literalValue?.integerValue {
            return .literal(.integer(Int64((Double(number) * scale.factor).rounded())))
        }
        let factor: Value =
            Int64(exactly: scale.factor).map(Value.integer) ?? .double(scale.factor)
        return .template([.expression(.arithmetic(.argument(self), .times, .literal(factor)))])
    }
}

extension Value {
    /// The value with every duration of a type divided.
    fileprivate func scaled(by scale: TimeScale, type: FieldType) -> Value {
        switch (self, type) {
        case (.string, .duration): return divided(by: scale) ?? self
        case (.array(let elements), .array(let element, _)):
            return .array(elements.map { $0.scaled(by: scale, type: element) })
        case (.object(let members), .structure(_, let fields)):
            return .object(
                members.map { member in
                    let type = fields.first { $0.path == member.name }?.type ?? .any
                    return Member(member.name, member.value.scaled(by: scale, type: type))
                })
        default: return self
        }
    }

    /// A duration as a suite writes it, divided by the factor; `nil` for anything else.
    func divided(by scale: TimeScale) -> Value? {
        stringValue.flatMap(Duration.init(suiteText:)).map {
            .string(scale.scaled($0).suiteText)
        }
    }
}
