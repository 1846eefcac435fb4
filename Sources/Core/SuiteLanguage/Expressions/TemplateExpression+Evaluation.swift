import Wire

extension TemplateExpression {
    /// Evaluates the expression with these values of variables.
    ///
    /// - Throws: Why there is no value: a variable without a value, a value of a wrong type, a
    ///   missing member or element, a division by zero, a number beyond 64 bits.
    public func evaluate(_ bindings: [String: Value]) throws(EvaluationError) -> Value {
        switch self {
        case .literal(let value): return value
        case .argument(let value): return try value.evaluate(bindings)
        case .variable(let name):
            guard let value = bindings[name] else { throw EvaluationError(unbound: name) }
            return value
        default:
            var values: [Value] = []
            for part in parts { values.append(try part.evaluate(bindings)) }
            return try applied(to: values)
        }
    }

    /// Returns this expression with its parts replaced.
    ///
    /// Parts that still wait for variables stay expressions. An expression whose parts all have
    /// values becomes a value itself.
    func replacing(_ parts: [TemplateExpression]) throws(EvaluationError) -> TemplateExpression {
        let values = parts.compactMap(\.literal)
        guard parts.isEmpty || values.count < parts.count else {
            return .literal(try applied(to: values))
        }
        switch self {
        case .literal, .variable, .argument: return self
        case .member(_, let name): return .member(parts[0], name)
        case .element: return .element(parts[0], parts[1])
        case .negated: return .negated(parts[0])
        case .arithmetic(_, let sign, _): return .arithmetic(parts[0], sign, parts[1])
        case .call(let function, _): return .call(function, parts)
        }
    }

    /// Evaluates this expression from the values of its parts.
    private func applied(to values: [Value]) throws(EvaluationError) -> Value {
        switch self {
        case .literal(let value): return value
        case .variable(let name): throw EvaluationError(unbound: name)
        case .argument(let value): return try value.evaluate([:])
        case .member(_, let name): return try member(name, of: values[0])
        case .element: return try element(values[1], of: values[0])
        case .negated:
            return try ArithmeticOperator.minus.applied(to: .integer(0), values[0], in: self)
        case .arithmetic(_, let sign, _):
            return try sign.applied(to: values[0], values[1], in: self)
        case .call(let function, _): return try function.applied(to: values, in: self)
        }
    }

    private func member(_ name: String, of value: Value) throws(EvaluationError) -> Value {
        guard case .object(let members) = value else {
            throw failure("\(value.inWords) has no members")
        }
        if let member = value[name] { return member }
        let advice = Suggestion.advice(for: name, in: members.map(\.name))
        throw failure(
            "there is no member \"\(name)\"" + (advice.isEmpty ? "" : "; \(advice)"))
    }

    private func element(_ index: Value, of value: Value) throws(EvaluationError) -> Value {
        if let name = index.stringValue { return try member(name, of: value) }
        guard let elements = value.arrayValue, let number = index.integerValue else {
            throw failure(
                value.arrayValue == nil
                    ? "\(value.inWords) has no elements"
                    : "an element is named by its number, not by \(index.inWords)")
        }
        guard let place = Int(exactly: number), elements.indices.contains(place) else {
            throw failure("there is no element \(number), the list has \(elements.count)")
        }
        return elements[place]
    }

    /// Creates the error for an expression without a value.
    func failure(_ reason: String, isLimit: Bool = false) -> EvaluationError {
        EvaluationError("\"${\(suiteText)}\" has no value: \(reason)", isLimit: isLimit)
    }
}

extension ArithmeticOperator {
    fileprivate func applied(
        to left: Value, _ right: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        if case .integer(let first) = left, case .integer(let second) = right {
            return .integer(try applied(to: first, second, in: whole))
        }
        guard let first = left.numberValue, let second = right.numberValue else {
            let wrong = left.numberValue == nil ? left : right
            throw whole.failure("\"\(rawValue)\" takes numbers, not \(wrong.inWords)")
        }
        if isDivision, second == 0 { throw whole.failure("a division by zero") }
        let result =
            switch self {
            case .plus: first + second
            case .minus: first - second
            case .times: first * second
            case .dividedBy: first / second
            case .remainder: first.truncatingRemainder(dividingBy: second)
            }
        guard result.isFinite else { throw whole.failure("the number is too large") }
        return .double(result)
    }

    private var isDivision: Bool { self == .dividedBy || self == .remainder }

    private func applied(
        to left: Int64, _ right: Int64, in whole: TemplateExpression
    ) throws(EvaluationError) -> Int64 {
        if isDivision, right == 0 { throw whole.failure("a division by zero") }
        let (result, overflow) =
            switch self {
            case .plus: left.addingReportingOverflow(right)
            case .minus: left.subtractingReportingOverflow(right)
            case .times: left.multipliedReportingOverflow(by: right)
            case .dividedBy: left.dividedReportingOverflow(by: right)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            }
        if overflow { throw whole.failure("the number does not fit 64 bits") }
        return result
    }
}

extension Value {
    /// A short description for explanations: `the text "abc"`, `a list`.
    var inWords: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .integer, .double: "the number \(suiteText)"
        case .string(let text):
            text.count > 40 ? "a text of \(text.count) characters" : "the text \"\(text)\""
        case .bytes: "bytes"
        case .array: "a list"
        case .object: "a mapping"
        }
    }
}
