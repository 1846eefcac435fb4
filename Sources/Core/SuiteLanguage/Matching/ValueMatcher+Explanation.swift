import Wire

extension ValueMatcher {
    /// Returns why a value does not match, one text for each difference; empty if it matches.
    ///
    /// Example: `params.language: expected DE-DE, got EN-US`. Arrays and objects are searched, so
    /// that the text names the member that differs.
    public func explain(
        _ path: FieldPath, _ value: Value?, bindings: [String: Value] = [:]
    ) -> [String] {
        guard !matches(value, bindings: bindings) else { return [] }
        let filled = filled(bindings)
        switch filled {
        case .present(let isDemanded):
            return [
                isDemanded
                    ? "\(path): expected to be present"
                    : "\(path): expected to be absent, got \(value?.suiteText ?? "nothing")"
            ]
        case .all(let inner):
            return inner.flatMap { $0.explain(path, value, bindings: bindings) }
        case .equals(let expression):
            do throws(EvaluationError) {
                let expected = try expression.evaluate(bindings)
                return Difference(path: path).texts(expected, value)
            } catch {
                return [filled.text(path, value, note: " (\(error))")]
            }
        case .matches(let pattern):
            guard let subject = value?.stringValue, pattern.search(subject) == .limitReached
            else { return [text(path, value)] }
            return [text(path, value, note: " (the pattern takes too long on it)")]
        case .length:
            let note = value?.length.map { ", of length \($0)" } ?? ""
            return [filled.text(path, value, note: note)]
        default:
            return [filled.text(path, value)]
        }
    }

    /// Returns the text of a value in a suite; bytes are shown as text if the matcher is about
    /// text.
    package func shown(_ value: Value) -> String {
        guard speaksOfText, case .bytes(let bytes) = value,
            String(validating: bytes, as: UTF8.self) != nil
        else { return value.suiteText }
        return ByteExpression(bytes, .text).suiteText
    }

    private var speaksOfText: Bool {
        switch self {
        case .bytes(let bytes), .starts(let bytes), .ends(let bytes): bytes.notation != .hex
        case .matches: true
        case .contains(.equals): true
        case .not(let inner), .contains(let inner): inner.speaksOfText
        case .all(let inner), .any(let inner): inner.contains(where: \.speaksOfText)
        default: false
        }
    }

    private func text(_ path: FieldPath, _ value: Value?, note: String = "") -> String {
        "\(path): expected \(suiteText), got \(value.map(shown) ?? "nothing")\(note)"
    }

    /// Returns the matcher with its expressions replaced by their values, as far as they have one.
    package func filled(_ bindings: [String: Value]) -> ValueMatcher {
        switch self {
        case .equals(let value): .equals(value.filled(bindings))
        case .minimum(let value): .minimum(value.filled(bindings))
        case .maximum(let value): .maximum(value.filled(bindings))
        case .oneOf(let values): .oneOf(values.map { $0.filled(bindings) })
        case .bytes(let bytes): .bytes(bytes.filled(bindings))
        case .starts(let bytes): .starts(bytes.filled(bindings))
        case .ends(let bytes): .ends(bytes.filled(bindings))
        case .not(let inner): .not(inner.filled(bindings))
        case .length(let inner): .length(inner.filled(bindings))
        case .contains(let inner): .contains(inner.filled(bindings))
        case .some(let inner): .some(inner.filled(bindings))
        case .every(let inner): .every(inner.filled(bindings))
        case .slice(let first, let count, let inner):
            .slice(first: first, count: count, inner.filled(bindings))
        case .all(let inner): .all(inner.map { $0.filled(bindings) })
        case .any(let inner): .any(inner.map { $0.filled(bindings) })
        case .members(let conditions):
            .members(
                conditions.map {
                    FieldCondition(
                        path: $0.path, matcher: $0.matcher.filled(bindings), position: $0.position)
                })
        case .matches, .present, .type, .mask: self
        }
    }
}

extension ValueExpression {
    fileprivate func filled(_ bindings: [String: Value]) -> ValueExpression {
        if case .bytes(let bytes) = self { return .bytes(bytes.filled(bindings)) }
        do throws(EvaluationError) { return .literal(try evaluate(bindings)) } catch { return self }
    }
}

extension ByteExpression {
    fileprivate func filled(_ bindings: [String: Value]) -> ByteExpression {
        do throws(EvaluationError) {
            return ByteExpression(try evaluate(bindings), notation)
        } catch {
            return self
        }
    }
}

/// Finds the differences between two values.
private struct Difference {
    let path: FieldPath

    func texts(_ expected: Value, _ actual: Value?) -> [String] {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)?) where hasUniqueNames(expected, actual):
            return members(expected, actual)
        case (.array(let expected), .array(let actual)?) where expected.count == actual.count:
            return zip(expected, actual).enumerated().flatMap { index, pair in
                pair.0.isEqual(to: pair.1)
                    ? [] : below(.index(index)).texts(pair.0, pair.1)
            }
        default:
            let text = ValueExpression.literal(expected).suiteText
            return ["\(path): expected \(text), got \(actual?.suiteText ?? "nothing")"]
        }
    }

    private func members(_ expected: [Value.Member], _ actual: [Value.Member]) -> [String] {
        var texts: [String] = []
        for member in expected {
            let other = actual.first { $0.name == member.name }?.value
            if other.map({ member.value.isEqual(to: $0) }) == true { continue }
            texts += below(.name(member.name)).texts(member.value, other)
        }
        for member in actual where !expected.contains(where: { $0.name == member.name }) {
            let place = below(.name(member.name)).path
            texts.append("\(place): expected to be absent, got \(member.value.suiteText)")
        }
        return texts
    }

    private func hasUniqueNames(_ objects: [Value.Member]...) -> Bool {
        objects.allSatisfy { members in Set(members.map(\.name)).count == members.count }
    }

    private func below(_ component: FieldPath.Component) -> Difference {
        Difference(path: FieldPath(components: path.components + [component]))
    }
}
