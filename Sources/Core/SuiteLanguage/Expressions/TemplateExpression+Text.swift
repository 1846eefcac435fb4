import Wire

extension TemplateExpression {
    /// The text of this expression between `${` and `}` of a suite.
    public var suiteText: String { text(inside: 0) }

    /// - Parameter binding: The precedence of the enclosing expression: 1 sums, 2 products, 3
    ///   signs, 4 paths.
    private func text(inside binding: Int) -> String {
        let text: String
        let own: Int
        switch self {
        case .literal(let value): return value.textInExpression
        case .variable(let name): return name
        case .argument(let value): return value.textInExpression
        case .member(let inner, let name): return "\(inner.text(inside: 4)).\(name)"
        case .element(let list, let index):
            return "\(list.text(inside: 4))[\(index.suiteText)]"
        case .call(.get, let parts) where parts.count == 2:
            if let name = parts[1].literal?.stringValue, VariableName.isValid(name) {
                return "\(parts[0].text(inside: 4)).\(name)"
            }
            return "get(\(parts.map(\.suiteText).joined(separator: ", ")))"
        case .call(let function, let arguments):
            return function.rawValue + "("
                + arguments.map(\.suiteText).joined(separator: ", ") + ")"
        case .negated(let inner):
            own = 3
            text = "-\(inner.text(inside: 3))"
        case .arithmetic(let left, let sign, let right):
            own = sign.isProduct ? 2 : 1
            text = "\(left.text(inside: own)) \(sign.rawValue) \(right.text(inside: own + 1))"
        }
        return own < binding ? "(\(text))" : text
    }
}

extension Value {
    fileprivate var textInExpression: String {
        guard case .string(let text) = self else { return suiteText }
        return text.contains("'") ? "\"\(text)\"" : "'\(text)'"
    }
}

extension ValueExpression {
    /// The text of a fragment's argument inside a longer expression.
    fileprivate var textInExpression: String {
        guard case .template(let parts) = self, parts.count == 1,
            case .expression(let expression) = parts[0]
        else { return "(\(suiteText))" }
        return expression.suiteText
    }
}
