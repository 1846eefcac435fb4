import Wire

extension ValueExpression {
    /// The text of this expression in a suite, on one line.
    public var suiteText: String {
        switch self {
        case .literal(let value): return value.escapingVariables.suiteText
        case .template(let parts):
            if parts.count == 1, case .expression(.argument(let value)) = parts[0] {
                return value.suiteText
            }
            let text = parts.reduce(into: "") { text, part in
                switch part {
                case .text(let piece): text += piece.escapingVariables
                case .expression(let expression): text += "${\(expression.suiteText)}"
                }
            }
            return Value.string(text).suiteText
        case .array(let elements):
            return "[" + elements.map(\.suiteText).joined(separator: ", ") + "]"
        case .object(let members):
            return SuiteText.mapping(
                members.map { ($0.name.escapingVariables, $0.value.suiteText) })
        case .bytes(let bytes): return bytes.suiteText
        }
    }

    /// Whether a reader would interpret this object as a matcher.
    fileprivate var looksLikeMatcher: Bool {
        let names: [String]
        switch self {
        case .object(let members): names = members.map(\.name)
        case .literal(.object(let members)): names = members.map(\.name)
        default: return false
        }
        return names.contains { ValueMatcher.names.contains($0) }
    }
}

extension ValueMatcher {
    /// The keys that make a mapping under `where` a matcher.
    static let names = SuiteVocabulary.matcher.keyNames

    /// The text of this matcher in a suite, on one line.
    public var suiteText: String {
        if case .equals(let expression) = self {
            return expression.looksLikeMatcher
                ? "{in: [\(expression.suiteText)]}" : expression.suiteText
        }
        return SuiteText.mapping(suiteEntries)
    }

    /// The keys and values of the mapping for this matcher.
    private var suiteEntries: [(String, String)] {
        switch self {
        case .equals(let expression): return [("in", "[\(expression.suiteText)]")]
        case .not(let inner): return [("not", inner.suiteText)]
        case .oneOf(let choices):
            return [("in", "[\(choices.map(\.suiteText).joined(separator: ", "))]")]
        case .matches(let pattern):
            return [("matches", Value.string(pattern.source.escapingVariables).suiteText)]
        case .minimum(let bound): return [("min", bound.suiteText)]
        case .maximum(let bound): return [("max", bound.suiteText)]
        case .length(let inner): return [("length", inner.suiteText)]
        case .contains(let inner): return [("contains", inner.suiteText)]
        case .members(let conditions): return [("where", SuiteText.conditions(conditions))]
        case .present(let isDemanded): return [("present", "\(isDemanded)")]
        case .type(let name): return [("type", name == "null" ? "\"null\"" : name)]
        case .bytes(let bytes): return [(bytes.writtenNotation.rawValue, bytes.contentText)]
        case .starts(let bytes): return [("starts", bytes.partText)]
        case .ends(let bytes): return [("ends", bytes.partText)]
        case .mask(let mask):
            var entries = mask.offset == 0 ? [] : [("at", "\(mask.offset)")]
            entries.append(("bits", Value.string(mask.bits.hexDigits).suiteText))
            entries.append(("value", Value.string(mask.value.hexDigits).suiteText))
            return [("mask", SuiteText.mapping(entries))]
        case .slice(let first, let count, let inner):
            var entries = [("at", "\(first)")]
            if let count { entries.append(("count", "\(count)")) }
            entries.append(("is", inner.suiteText))
            return [("slice", SuiteText.mapping(entries))]
        case .some(let inner): return [("some", inner.suiteText)]
        case .every(let inner): return [("every", inner.suiteText)]
        case .any(let inner): return [("any", SuiteText.list(inner))]
        case .all(let inner):
            let entries = inner.map(\.suiteEntries)
            let keys = entries.flatMap { $0.map(\.0) }
            let canMerge =
                inner.count > 1 && Set(keys).count == keys.count
                && keys.count == inner.count && !inner.contains { $0.isEquality }
            return canMerge ? entries.flatMap { $0 } : [("all", SuiteText.list(inner))]
        }
    }

    private var isEquality: Bool {
        if case .equals = self { true } else { false }
    }
}

extension MessagePattern {
    /// The text of this pattern in a suite: a name, or a mapping with conditions.
    public var suiteText: String {
        from == nil && conditions.isEmpty ? message : SuiteText.mapping(suiteEntries)
    }

    /// The keys and values of the mapping for this pattern.
    fileprivate var suiteEntries: [(String, String)] {
        SuiteText.pattern(of: message, from: from, conditions)
    }
}

extension NeverRule {
    /// The text of this rule in a suite, without the requirements that it checks.
    public var suiteText: String {
        var entries = pattern.suiteEntries
        if let connection { entries.append(("on", Value.string(connection).suiteText)) }
        if let since { entries.append(("since", Value.string(since).suiteText)) }
        if let after { entries.append(("after", after.suiteText)) }
        if let rate {
            entries += [("moreThan", "\(rate.count)"), ("within", rate.within.suiteText)]
        }
        return connection == nil && rate == nil && appliesAtOnce
            ? pattern.suiteText : SuiteText.mapping(entries)
    }
}

extension Step.Save {
    /// The text of the value's source in a suite.
    fileprivate var sourceText: String {
        let field = Value.string("\(path)").suiteText
        return fallback.map { SuiteText.mapping([("field", field), ("default", $0.suiteText)]) }
            ?? field
    }
}

extension Step.Collected {
    /// The text of this entry in a suite: a name, or a mapping with conditions.
    public var suiteText: String {
        guard !saves.isEmpty else { return pattern.suiteText }
        var entries = pattern.suiteEntries
        let items = saves.map { ($0.variable, $0.sourceText) }
        entries.append(("save", SuiteText.mapping(items)))
        return SuiteText.mapping(entries)
    }
}

extension Step {
    /// The text of this step in a suite: the verb, and its other keys in braces.
    ///
    /// The window of an `expect` is always included, even where the suite uses the defaults.
    public var suiteText: String {
        var entries: [(String, String)] = []
        if let id { entries.append(("id", Value.string(id).suiteText)) }
        let head: String
        switch verb {
        case .expect(let message):
            head = "expect: \(message)"
            if from != Step.device { entries.append(("from", from)) }
            if isNext { entries.append(("next", "true")) }
            entries += partyAndFields + window
        case .send(let message, let overrides, _):
            head = "send: \(message)"
            entries.append(("from", from))
            entries += partyAndFields + assignments(overrides) + bytes + moment
        case .sendBytes(let bytes):
            let key = bytes.writtenNotation == .hex ? "bytes" : bytes.writtenNotation.rawValue
            head =
                bytes.isDescribed
                ? "send: \(bytes.suiteText)" : "send: {\(key): \(bytes.contentText)}"
            entries.append(("from", from))
            entries += self.bytes + moment
        case .lost:
            head = "lost: bytes"
            if from != Step.device { entries.append(("from", from)) }
            entries += partyAndFields + window
        case .perform(let action):
            let name = "\(action.party).\(action.name)"
            head =
                action.arguments == .literal(.null)
                ? "do: \(name)" : "do: {\(name): \(action.arguments.suiteText)}"
            entries += moment
        case .collect(let items, let quiet):
            head = "collect: [\(items.map(\.suiteText).joined(separator: ", "))]"
            entries.append(("quiet", quiet.suiteText))
            entries += window
        case .wait(let duration):
            head = "wait: \(duration.suiteText)"
        case .backoff(let schedule):
            head = "backoff: \(schedule.suiteText)"
            if from != Step.device { entries.append(("from", from)) }
            entries += partyAndFields
        case .group(let group): head = group.suiteText
        }
        return entries.isEmpty ? head : "\(head) \(SuiteText.mapping(entries))"
    }

    /// The entries for changes to the bytes of a `send`.
    private var bytes: [(String, String)] {
        let parts = changes.map { [("corrupt", $0.suiteText)] } ?? []
        return parts + (segmentSize.map { [("segments", "\($0)")] } ?? [])
    }

    private var partyAndFields: [(String, String)] {
        var entries: [(String, String)] = []
        if let to { entries.append(("to", to)) }
        if let connection { entries.append(("on", Value.string(connection).suiteText)) }
        if !conditions.isEmpty { entries.append(("where", SuiteText.conditions(conditions))) }
        if !saves.isEmpty {
            let items = saves.map { ($0.variable, $0.sourceText) }
            entries.append(("save", SuiteText.mapping(items)))
        }
        return entries
    }

    private var window: [(String, String)] {
        var entries: [(String, String)] = []
        if let at {
            entries.append(("at", at.suiteText))
            entries.append(("tolerance", tolerance.suiteText))
        } else {
            if let after { entries.append(("after", after.suiteText)) }
            entries.append(("within", within.suiteText))
        }
        if isFixed { entries.append(("fixed", "true")) }
        return entries + origin
    }

    /// The entries for the time of the step, if it sets one.
    private var moment: [(String, String)] {
        let due = at.map { [("at", $0.suiteText)] } ?? after.map { [("after", $0.suiteText)] }
        return (due ?? []) + origin
    }

    private var origin: [(String, String)] {
        since.map { [("since", Value.string($0).suiteText)] } ?? []
    }

    private func assignments(_ overrides: [FieldAssignment]) -> [(String, String)] {
        let with = overrides.compactMap { item in
            item.value.map { ("\(item.path)", $0.suiteText) }
        }
        let without = overrides.filter { $0.value == nil }.map {
            Value.string("\($0.path)").suiteText
        }
        return (with.isEmpty ? [] : [("with", SuiteText.mapping(with))])
            + (without.isEmpty ? [] : [("without", "[\(without.joined(separator: ", "))]")])
    }
}

extension Corruption {
    /// The text of this corruption in a suite.
    public var suiteText: String {
        func hex(_ bytes: [UInt8]) -> String { Value.string(bytes.hexDigits).suiteText }
        var entries: [(String, String)] = []
        if !header.isEmpty {
            let items = header.map { ($0.field.path, "\($0.number)") }
            entries.append(("header", SuiteText.mapping(items)))
        }
        if !overwritings.isEmpty {
            let items = overwritings.map {
                SuiteText.mapping([("at", "\($0.offset)"), ("bytes", hex($0.bytes))])
            }
            entries.append(("overwrite", "[\(items.joined(separator: ", "))]"))
        }
        if !replacements.isEmpty {
            let items = replacements.map {
                SuiteText.mapping([("bytes", hex($0.bytes)), ("by", hex($0.replacement))])
            }
            entries.append(("replace", "[\(items.joined(separator: ", "))]"))
        }
        if let truncation { entries.append(("truncate", "\(truncation)")) }
        if !appended.isEmpty { entries.append(("append", hex(appended))) }
        if let repetition { entries.append(("again", "\(repetition)")) }
        return SuiteText.mapping(entries)
    }
}

extension FeatureExpression {
    /// The text of this expression in a suite.
    public var suiteText: String { text(inside: 0) }

    private func text(inside binding: Int) -> String {
        let text: String
        let own: Int
        switch self {
        case .feature(let name): return name
        case .not(let inner): return "not \(inner.text(inside: 3))"
        case .and(let left, let right):
            own = 2
            text = "\(left.text(inside: 2)) and \(right.text(inside: 3))"
        case .or(let left, let right):
            own = 1
            text = "\(left.text(inside: 1)) or \(right.text(inside: 2))"
        }
        return own < binding ? "(\(text))" : text
    }
}

/// Parts of YAML in flow style.
enum SuiteText {
    static func mapping(_ entries: [(String, String)]) -> String {
        "{" + entries.map { "\(Value.string($0.0).suiteText): \($0.1)" }.joined(separator: ", ")
            + "}"
    }

    static func steps(_ steps: [Step]) -> String {
        "[" + steps.map { "{\($0.suiteText)}" }.joined(separator: ", ") + "]"
    }

    static func lists(_ lists: [[Step]]) -> String {
        "[" + lists.map(steps).joined(separator: ", ") + "]"
    }

    static func list(_ matchers: [ValueMatcher]) -> String {
        "[" + matchers.map(\.suiteText).joined(separator: ", ") + "]"
    }

    /// The keys and values of the mapping for a pattern of messages.
    static func pattern(
        of message: String, from sender: String?, _ conditions: [FieldCondition]
    ) -> [(String, String)] {
        var entries = [("message", message)]
        if let sender { entries.append(("from", sender)) }
        if !conditions.isEmpty { entries.append(("where", Self.conditions(conditions))) }
        return entries
    }

    static func conditions(_ conditions: [FieldCondition]) -> String {
        mapping(conditions.map { ("\($0.path)", $0.matcher.suiteText) })
    }
}

extension String {
    /// This text with every `${` escaped, so that it does not start a variable.
    var escapingVariables: String {
        var text = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "$") {
            text += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix("${") { text += "$" }
            text += "$"
            rest = rest.dropFirst()
        }
        return text + rest
    }
}

extension Value {
    /// This value with all texts escaped, so that nothing in it is read as a variable.
    var escapingVariables: Value {
        switch self {
        case .string(let text): .string(text.escapingVariables)
        case .array(let elements): .array(elements.map(\.escapingVariables))
        case .object(let members):
            .object(
                members.map {
                    Value.Member($0.name.escapingVariables, $0.value.escapingVariables)
                })
        default: self
        }
    }
}

extension [UInt8] {
    /// The bytes as two lower-case hexadecimal digits each.
    var hexDigits: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Step.Group {
    /// The text of the group in a suite.
    fileprivate var suiteText: String {
        switch self {
        case .optional(let steps): return "optional: \(SuiteText.steps(steps))"
        case .either(let lists): return "either: \(SuiteText.lists(lists))"
        case .anyOrder(let lists): return "anyOrder: \(SuiteText.lists(lists))"
        case .repeat(let counts, let steps):
            let bounds =
                counts.count == 1
                ? "times: \(counts.lowerBound)"
                : "min: \(counts.lowerBound), max: \(counts.upperBound)"
            return "repeat: {\(bounds), steps: \(SuiteText.steps(steps))}"
        case .repeatUntil(let until, let max, let steps):
            let bound = max.map { ", max: \($0)" } ?? ""
            return "repeat: {until: {\(until.suiteText)}\(bound), "
                + "steps: \(SuiteText.steps(steps))}"
        }
    }
}
