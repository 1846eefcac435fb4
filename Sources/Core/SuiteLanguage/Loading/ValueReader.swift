import Wire

/// Reads values and checks them against the types of fields.
struct ValueReader {
    /// How to treat a value that does not fit its field.
    enum Mismatch {
        /// It is an expectation that nothing can fulfil: an error.
        case impossible
        /// It is a setting of a peer that is not accepted: an error.
        case refused
        /// It is an argument of an action that is not accepted: an error.
        case argument
        /// It is in a message that the specification does not allow: a warning, because it may be
        /// intended.
        case irregular
        /// It is in a message that the author marks as wrong: nothing is reported.
        case intended

        fileprivate var code: String {
            switch self {
            case .impossible: "impossible-value"
            case .refused: "bad-setting"
            case .argument: "bad-argument"
            case .irregular: "irregular-value"
            case .intended: "irregular-value"
            }
        }
    }

    let scope: VariableScope
    let misfit: Mismatch
    /// Whether values of earlier steps are allowed here.
    var allowsSaved = true

    private var findings: Findings { scope.findings }

    /// Reads a value; `nil`, after a report, if it cannot be used.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - type: The type of the field; `nil` if it is not known.
    ///   - name: The name of the field in diagnostics.
    func expression(_ node: YAMLNode, type: FieldType?, name: String) -> ValueExpression? {
        if case .bytes? = type, let entries = node.entries {
            return bytes(entries, at: node.position, name: name)
        }
        switch scope.expand(node) {
        case nil:
            return nil
        case .late(let parts)?:
            guard allowsSaved else {
                scope.reportLate(parts, at: node.position)
                return nil
            }
            return .template(parts)
        case .node(let node)?:
            switch node.content {
            case .scalar(let value):
                let fits = check(value, type: type, name: name, at: node.position)
                return fits ? .literal(value) : nil
            case .sequence(let elements):
                return array(elements, at: node.position, type: type, name: name)
            case .mapping(let entries):
                if case .bytes? = type { return bytes(entries, at: node.position, name: name) }
                return object(entries, at: node.position, type: type, name: name)
            }
        }
    }

    private func bytes(
        _ entries: [YAMLNode.Entry], at position: SourcePosition, name: String
    ) -> ValueExpression? {
        ByteNotationReader(scope: scope, allowsSaved: allowsSaved, code: misfit.code).bytes(
            YAMLNode(.mapping(entries), at: position), plain: nil, name: name, allowsEmpty: true
        ).map { $0.literalBytes.map { .literal(.bytes($0)) } ?? .bytes($0) }
    }

    /// Reads a value that does not refer to values that steps save.
    func value(_ node: YAMLNode, type: FieldType?, name: String) -> Value? {
        var reader = self
        reader.allowsSaved = false
        return reader.expression(node, type: type, name: name)?.literalValue
    }

    private func array(
        _ elements: [YAMLNode], at position: SourcePosition, type: FieldType?, name: String
    ) -> ValueExpression? {
        var elementType: FieldType?
        if let type {
            guard case .array(let inner, let count) = type else {
                guard acceptsAnything(type) || refuse("a list", by: type, name, position) else {
                    return nil
                }
                return array(elements, at: position, type: nil, name: name)
            }
            elementType = inner
            if let count, !count.contains(elements.count) {
                let what =
                    "\(name) has \(count.lowerBound) to \(count.upperBound) elements, "
                    + "not \(elements.count)"
                guard report(what, position) else { return nil }
            }
        }
        let parts = elements.enumerated().map {
            expression($0.element, type: elementType, name: "\(name)[\($0.offset)]")
        }
        guard !parts.contains(nil) else { return nil }
        let known = parts.compactMap { $0 }
        let literals = known.compactMap(\.literalValueIfPlain)
        return literals.count == known.count ? .literal(.array(literals)) : .array(known)
    }

    private func object(
        _ entries: [YAMLNode.Entry], at position: SourcePosition, type: FieldType?, name: String
    ) -> ValueExpression? {
        var fields: [FieldDescription]?
        if let type {
            if case .structure(_, let members) = type {
                fields = members
            } else {
                guard acceptsAnything(type) || refuse("a mapping", by: type, name, position)
                else { return nil }
            }
        }
        let parts = entries.map { entry -> ValueExpression.Member? in
            guard let key = scope.resolve(key: entry.key, at: entry.keyPosition) else {
                return nil
            }
            let field = fields?.first { $0.path == key }
            if let fields, field == nil {
                let place = misfit == .refused || misfit == .argument ? "" : " in \(name)"
                let known = fields.map(\.path)
                let isFine = report(
                    "there is no field \"\(key)\"\(place)", entry.keyPosition,
                    code: "unknown-field",
                    advice: misfit == .impossible && key.contains(".")
                        ? "conditions on members are written where: {\(key): ...}"
                        : Suggestion.advice(for: key, in: known))
                guard isFine else { return nil }
            }
            return expression(entry.value, type: field?.type, name: "\(name).\(key)").map {
                ValueExpression.Member(name: key, value: $0)
            }
        }
        guard !parts.contains(nil) else { return nil }
        let known = parts.compactMap { $0 }
        let literals = known.compactMap { part in
            part.value.literalValueIfPlain.map { Value.Member(part.name, $0) }
        }
        return literals.count == known.count ? .literal(.object(literals)) : .object(known)
    }

    /// Checks a scalar; returns whether it can be used.
    func check(
        _ value: Value, type: FieldType?, name: String, at position: SourcePosition
    ) -> Bool {
        guard let type, let refusal = type.refusal(of: value) else { return true }
        return report("\(name) \(refusal.what)", position, advice: refusal.advice)
    }

    private func acceptsAnything(_ type: FieldType) -> Bool {
        if case .any = type { true } else { false }
    }

    private func refuse(
        _ kind: String, by type: FieldType, _ name: String, _ position: SourcePosition
    ) -> Bool {
        report("\(name) is \(type.inWords), not \(kind)", position, advice: type.form)
    }

    /// Reports a misfit; returns whether the value is used nevertheless.
    private func report(
        _ what: String, _ position: SourcePosition, code: String? = nil, advice: String = ""
    ) -> Bool {
        if misfit == .intended { return true }
        if misfit == .irregular {
            findings.warn(code ?? misfit.code, what, at: position, advice: advice)
            return true
        }
        findings.report(code ?? misfit.code, what, at: position, advice: advice)
        return false
    }
}

extension ValueExpression {
    /// The value of a literal; `nil` for every other form.
    fileprivate var literalValueIfPlain: Value? {
        if case .literal(let value) = self { value } else { nil }
    }
}
