import Wire

extension MessagePattern {
    /// Whether this pattern of a step asks for precisely what a `never` rule forbids.
    ///
    /// If so, each message that fits this pattern fits the rule's pattern too, or none does. The
    /// step then allows the message that it takes. Any other step only lets pass what the rule
    /// forbids, and the rule applies to the message that the step takes.
    public func demands(_ rule: MessagePattern) -> Bool {
        let isNamed =
            rule.message.hasSuffix(".*")
            ? message.hasPrefix(rule.message.dropLast()) : message == rule.message
        return isNamed
            && rule.conditions.allSatisfy { condition in
                conditions.contains { $0.settles(condition) }
            }
    }
}

extension FieldCondition {
    /// Whether every value that satisfies this condition satisfies the other one, or none does.
    fileprivate func settles(_ other: FieldCondition) -> Bool {
        if path == other.path { return matcher.settles(other.matcher) }
        guard other.path.components.starts(with: path.components) else { return false }
        if matcher.isExact { return true }
        guard case .members(let members) = matcher else { return false }
        return members.contains { member in
            var whole = member
            whole.path = FieldPath(components: path.components + member.path.components)
            return whole.settles(other)
        }
    }
}

extension ValueMatcher {
    /// Whether only one value satisfies it.
    fileprivate var isExact: Bool {
        switch self {
        case .equals, .bytes, .present(false): true
        case .oneOf(let values): values.count == 1
        case .all(let parts): parts.contains(where: \.isExact)
        default: false
        }
    }

    /// Whether every value that satisfies it satisfies the other one, or none does.
    ///
    /// It is `false` if that is not certain.
    fileprivate func settles(_ other: ValueMatcher) -> Bool {
        if self == other || isExact { return true }
        if case .all(let parts) = other { return parts.allSatisfy(settles) }
        if case .any(let parts) = other, parts.contains(where: settles) { return true }
        if case .all(let parts) = self { return parts.contains { $0.settles(other) } }
        if case .any(let parts) = self { return parts.allSatisfy { $0.implies(other) } }
        return implies(other)
    }

    /// Whether every value that satisfies it satisfies the other one; `false` if that is not
    /// certain.
    private func implies(_ other: ValueMatcher) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.present(let isPresent), .present(let other)): return isPresent == other
        case (.not, .present), (.any, .present): return false
        // An absent field satisfies none of the other matchers.
        case (_, .present(let isPresent)): return isPresent
        case (.equals(let value), _):
            return value.literalValue.map { other.matches($0, bindings: [:]) } ?? false
        case (.oneOf(let values), _):
            return values.allSatisfy { value in
                value.literalValue.map { other.matches($0, bindings: [:]) } ?? false
            }
        case (.minimum(let own), .minimum(let other)):
            return own.compared(to: other).map { $0 >= 0 } ?? false
        case (.maximum(let own), .maximum(let other)):
            return own.compared(to: other).map { $0 <= 0 } ?? false
        default: return false
        }
    }
}

extension ValueExpression {
    /// Compares two numbers that are known; `nil` for other values.
    fileprivate func compared(to other: ValueExpression) -> Int? {
        guard let own = literalValue, let others = other.literalValue else { return nil }
        return own.compared(to: others)
    }
}
