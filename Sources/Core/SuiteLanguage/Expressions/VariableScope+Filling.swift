import Wire

extension VariableScope {
    /// Returns an expression with all known variables replaced by their values; `nil`, after a
    /// report, if it cannot be used.
    func fill(
        _ expression: TemplateExpression, at position: SourcePosition
    ) -> TemplateExpression? {
        if let name = variable(in: expression) { return value(of: name, at: position) }
        let parts = expression.parts.map { fill($0, at: position) }
        guard !parts.contains(nil) else { return nil }
        let known = parts.compactMap { $0 }
        if let part = partOfBound(expression, known) { return part }
        if let member = VariableScope.memberOfArgument(expression, known) { return member }
        do throws(EvaluationError) {
            return try expression.replacing(known)
        } catch {
            findings.report("bad-expression", error.description, at: position)
            return nil
        }
    }

    /// Returns a member or an element of what messages say: null if there is none.
    private func partOfBound(
        _ expression: TemplateExpression, _ parts: [TemplateExpression]
    ) -> TemplateExpression? {
        switch parts.first {
        case .variable(let name)? where bound.contains(name): break
        case .call(.get, _)?, .call(.find, _)?, .call(.first, _)?: break
        default: return nil
        }
        switch expression {
        case .member(_, let name): return .call(.get, [parts[0], .literal(.string(name))])
        case .element: return .call(.get, parts)
        default: return nil
        }
    }

    /// Returns the variable that an expression refers to, which may look like a member:
    /// `first.app`.
    private func variable(in expression: TemplateExpression) -> String? {
        switch expression {
        case .variable(let name): return name
        case .member(let inner, let member):
            guard let names = VariableScope.names(in: inner), !isTaken(names) else { return nil }
            let name = "\(names).\(member)"
            return saved.contains(prefix + name) ? name : nil
        default: return nil
        }
    }

    /// Returns `a.b.c` as text if the expression consists of names only.
    private static func names(in expression: TemplateExpression) -> String? {
        switch expression {
        case .variable(let name): name
        case .member(let inner, let member): names(in: inner).map { "\($0).\(member)" }
        default: nil
        }
    }

    private func value(of name: String, at position: SourcePosition) -> TemplateExpression? {
        uses.names.insert(name)
        if let lacking = missing[name] {
            uses.missing.formUnion(lacking)
            return nil
        }
        if let argument = late[name] { return .argument(argument) }
        if let value = values[name] { return .literal(value) }
        if bound.contains(name) { return .variable(name) }
        if saved.contains(prefix + name) { return .variable(prefix + name) }
        findings.report(
            "unknown-variable", "there is no variable \"\(name)\" here", at: position,
            advice: advice(for: name))
        return nil
    }

    private func advice(for name: String) -> String {
        let inside = names.filter { $0.hasPrefix(name + ".") }
        if !inside.isEmpty {
            return "did you mean \(inside.map { "\"\($0)\"" }.joined(separator: " or "))?"
        }
        let pieces = name.split(separator: "-").map(String.init)
        if pieces.count > 1, pieces.allSatisfy({ names.contains($0) || Int64($0) != nil }) {
            return "a name may hold \"-\"; to subtract write \(pieces.joined(separator: " - "))"
        }
        return Suggestion.advice(for: name, in: names)
    }

    /// Returns a member or an element of a fragment's argument that is a mapping or a list.
    private static func memberOfArgument(
        _ expression: TemplateExpression, _ parts: [TemplateExpression]
    ) -> TemplateExpression? {
        guard case .argument(let argument)? = parts.first else { return nil }
        let found: ValueExpression?
        switch (expression, argument) {
        case (.member(_, let name), .object(let members)):
            found = members.first { $0.name == name }?.value
        case (.element, .object(let members)):
            let name = parts[1].literal?.stringValue
            found = members.first { $0.name == name }?.value
        case (.element, .array(let elements)):
            let place = parts[1].literal?.integerValue.flatMap { Int(exactly: $0) }
            found = place.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: found = nil
        }
        guard let found else { return nil }
        if case .literal(let value) = found { return .literal(value) }
        return .argument(found)
    }
}
