import Wire

/// Reads the keys of one mapping by name and type, and reports the remaining keys.
///
/// Each key that is queried counts as known, whether it is present or not. `finish` reports every
/// other key together with the closest known key. Nothing throws: problems are added to the
/// findings, and the value is `nil`.
public struct YAMLMappingReader {
    /// Replaces a value before it is read, for example by resolving variables; returns `nil`, after
    /// a report, if that fails.
    public typealias Resolver = (YAMLNode) -> YAMLNode?

    /// The kind of mapping in diagnostics: `step`, `device profile`.
    public let subject: String
    /// The position of the mapping.
    public let position: SourcePosition
    /// Its keys and values.
    public let entries: [YAMLNode.Entry]
    /// The collector of problems.
    public let findings: Findings

    /// The resolver that is applied to each value that is read.
    public var resolver: Resolver

    /// The keys that the mapping may have; `nil` if they are those that are queried.
    private var description: MappingDescription?
    private var requested: [String] = []
    private var refused: Set<String> = []

    /// Creates a reader; `nil`, after a `wrong-type` report, if the node is not a mapping.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - subject: The kind of mapping in diagnostics.
    ///   - advice: What to write in place of a node that is not a mapping.
    ///   - findings: The collector of problems.
    ///   - resolver: The resolver that is applied to each value that is read.
    public init?(
        _ node: YAMLNode, subject: String, advice: String = "", findings: Findings,
        resolver: @escaping Resolver = { $0 }
    ) {
        guard let entries = node.entries else {
            let written = Self.asMapping(node.string ?? "")
            findings.report(
                "wrong-type", "\(Self.demand(of: subject)) a mapping, this is \(node.kindInWords)",
                at: node.position, advice: written.isEmpty ? advice : written)
            return nil
        }
        self.subject = subject
        self.position = node.position
        self.entries = entries
        self.findings = findings
        self.resolver = resolver
    }

    /// Returns how to write a text such as `do hu.close` or `do:hu.close` as the mapping that it may
    /// be meant to be.
    private static func asMapping(_ text: String) -> String {
        let verb = text.prefix { $0 != " " && $0 != ":" }
        let rest = text.dropFirst(verb.count).drop { $0 == " " || $0 == ":" }
        guard !rest.isEmpty, SuiteVocabulary.verbs.contains(String(verb)) else { return "" }
        return "write a colon and a blank after the key: \(verb): \(rest)"
    }

    /// Returns the beginning of a sentence that ends in "a mapping": `a step is`, `"device" takes`.
    private static func demand(of subject: String) -> String {
        let end = " mapping"
        guard subject.hasPrefix("\""), subject.hasSuffix(end) else { return "\(named(subject)) is" }
        return "\(subject.dropLast(end.count)) takes"
    }

    /// Creates a reader of a mapping whose keys are described; `nil`, after a `wrong-type` report,
    /// if the node is not a mapping.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - description: The keys that it may have, whether they are queried or not.
    ///   - findings: The collector of problems.
    ///   - resolver: The resolver that is applied to each value that is read.
    public init?(
        _ node: YAMLNode, as description: MappingDescription, findings: Findings,
        resolver: @escaping Resolver = { $0 }
    ) {
        self.init(
            node, subject: description.subject, advice: description.advice, findings: findings,
            resolver: resolver)
        self.description = description
    }

    /// Continues with another description of the same mapping.
    mutating func narrow(to description: MappingDescription) {
        self.description = description
    }

    /// Reports the present keys that belong to a later version of the language.
    mutating func refuseLaterKeys() {
        for (key, instead) in description?.laterKeys ?? [:] {
            refuse(
                [key], code: "unsupported", because: "is not supported by this version",
                advice: instead)
        }
    }

    /// Whether the key is present; it counts as known from now on.
    public mutating func has(_ key: String) -> Bool { entry(key) != nil }

    /// Returns the key with its position and its unresolved value.
    public mutating func entry(_ key: String) -> YAMLNode.Entry? {
        if !requested.contains(key) { requested.append(key) }
        return entries.first { $0.key == key }
    }

    /// Returns the value after the resolver.
    public mutating func node(_ key: String) -> YAMLNode? {
        entry(key).flatMap { resolver($0.value) }
    }

    /// Reports `missing-key` at the mapping unless the key is present.
    ///
    /// A misspelt key is not reported as missing, because `finish` reports it.
    public mutating func require(_ key: String, advice: String = "") {
        guard entry(key) == nil,
            !entries.contains(where: { Suggestion.closest(to: $0.key, in: [key]) != nil })
        else { return }
        findings.report(
            "missing-key", "this \(subject) has no \"\(key)\"", at: position, advice: advice)
    }

    /// Reads a text.
    public mutating func text(_ key: String) -> String? {
        node(key).flatMap { text($0, key) }
    }

    /// Reads one text or a list of texts, each with its position.
    public mutating func texts(_ key: String) -> [(text: String, position: SourcePosition)]? {
        guard let node = node(key) else { return nil }
        if node.entries != nil {
            return wrongType(
                node, key, takes: "a text or a list of texts", advice: "write \(key): [TEXT, TEXT]")
        }
        return (node.elements ?? [node]).compactMap { element in
            guard let element = resolver(element), let text = text(element, key) else {
                return nil
            }
            return (text, element.position)
        }
    }

    /// Reads an integer within a range.
    public mutating func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node = node(key) else { return nil }
        guard case .scalar(.integer(let number)) = node.content else {
            let isQuoted = node.string.flatMap { Int64($0) } != nil
            return wrongType(
                node, key, takes: "an integer", advice: isQuoted ? "write it without quotes" : "")
        }
        guard range.contains(number) else {
            findings.report(
                "bad-value",
                "\"\(key)\" is between \(range.lowerBound) and \(range.upperBound), not \(number)",
                at: node.position)
            return nil
        }
        return number
    }

    /// Reads an integer or a floating-point number.
    public mutating func number(_ key: String) -> Double? {
        guard let node = node(key) else { return nil }
        guard case .scalar(let value) = node.content, let number = value.numberValue else {
            return wrongType(node, key, takes: "a number")
        }
        return number
    }

    /// Reads `true` or `false`.
    public mutating func boolean(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .scalar(.bool(let flag)) = node.content else {
            return wrongType(node, key, takes: "true or false")
        }
        return flag
    }

    /// Reads a duration such as `1.5s`.
    public mutating func duration(_ key: String) -> Duration? {
        guard let node = node(key) else { return nil }
        guard case .scalar(let value) = node.content, value != .null, value.boolValue == nil else {
            return wrongType(node, key, takes: "a duration", advice: Duration.suiteTextAdvice)
        }
        if let duration = node.string.flatMap(Duration.init(suiteText:)) { return duration }
        findings.report(
            "bad-duration", "\"\(key)\" is a duration, not \(value.jsonText())",
            at: node.position,
            advice: node.string.map(Duration.suiteTextAdvice(on:)) ?? Duration.suiteTextAdvice)
        return nil
    }

    /// A duration, or the whole time until the end of the capture.
    public enum Extent: Sendable, Hashable {
        case length(Duration)
        case end
    }

    /// Reads a duration, or the word `end`.
    public mutating func durationOrEnd(_ key: String) -> Extent? {
        node(key)?.string == "end" ? .end : duration(key).map(Extent.length)
    }

    /// Reads one of a few words.
    public mutating func word(_ key: String, of words: [String]) -> String? {
        guard let node = node(key) else { return nil }
        guard let text = node.string else {
            return wrongType(
                node, key, takes: "a word", advice: Suggestion.advice(for: "", in: words))
        }
        if words.contains(text) { return text }
        findings.report(
            "bad-value", "\"\(key)\" cannot be \"\(text)\"", at: node.position,
            advice: Suggestion.advice(for: text, in: words))
        return nil
    }

    /// Reads the elements of a list, each after the resolver.
    public mutating func list(_ key: String) -> [YAMLNode]? {
        guard let node = node(key) else { return nil }
        guard let elements = node.elements else {
            return wrongType(
                node, key, takes: "a list", advice: "begin each element with \"- \"")
        }
        return elements.compactMap(resolver)
    }

    /// Reads the entries of a mapping.
    public mutating func mapping(_ key: String) -> [YAMLNode.Entry]? {
        guard let node = node(key) else { return nil }
        guard let entries = node.entries else {
            let form = description?.keys.first { $0.name == key }?.form
            let isNamed = node.elements?.contains { $0.entries?.count == 1 } ?? false
            return wrongType(
                node, key, takes: "a mapping",
                advice: isNamed
                    ? "write the names without \"- \""
                    : form?.sample.map { "write \(key): \($0)" } ?? "")
        }
        return entries
    }

    /// Returns the subject with its article: `a step`, `an answer`.
    static func named(_ subject: String) -> String {
        let word = subject.prefix { $0 != " " }
        // A name in capitals is spelt: an HTTP request, an SSH command.
        let isSpelt = word.count > 1 && word.allSatisfy(\.isUppercase)
        let vowels = isSpelt ? "AEFHILMNORSX" : "aeiou"
        return (word.first.map(vowels.contains) == true ? "an " : "a ") + subject
    }

    /// Returns a reader of the mapping under the key.
    public mutating func reader(
        _ key: String, subject: String, advice: String = ""
    ) -> YAMLMappingReader? {
        node(key).flatMap {
            YAMLMappingReader(
                $0, subject: subject, advice: advice, findings: findings, resolver: resolver)
        }
    }

    /// Returns a reader of the mapping under the key, whose keys are described.
    public mutating func reader(
        _ key: String, as description: MappingDescription
    ) -> YAMLMappingReader? {
        node(key).flatMap {
            YAMLMappingReader($0, as: description, findings: findings, resolver: resolver)
        }
    }

    /// Reports each of these keys that is present: `"key" reason`, with that code.
    public mutating func refuse(
        _ keys: [String], code: String, because reason: String, advice: String = ""
    ) {
        for key in keys {
            guard let entry = entries.first(where: { $0.key == key }) else { continue }
            refused.insert(key)
            findings.report(
                code, "\"\(key)\" \(reason)", at: entry.keyPosition, advice: advice)
        }
    }

    /// Reports each key that the mapping may not have.
    ///
    /// With a description, these are the keys that it lacks; without one, the keys that were not
    /// queried.
    public func finish() {
        if let description { findings.recordKeys(requested, of: description.name) }
        let known = description?.keyNames ?? requested
        let free = known.filter { name in !entries.contains { $0.key == name } }
        for entry in entries where !known.contains(entry.key) && !refused.contains(entry.key) {
            let advice =
                if entry.isRestOfText {
                    "a text with a comma needs quotes inside { }"
                } else if Suggestion.closest(to: entry.key, in: free) == nil {
                    unusualKeyAdvice(entry.key, known)
                } else {
                    Suggestion.advice(for: entry.key, in: free)
                }
            findings.report(
                "unknown-key", "unknown key \"\(entry.key)\" in \(Self.named(subject))",
                at: entry.keyPosition, advice: advice)
        }
    }

    /// Returns the advice for a key that looks like none of the known ones.
    private func unusualKeyAdvice(_ key: String, _ known: [String]) -> String {
        let advice = Suggestion.advice(for: key, in: known)
        guard advice.isEmpty, let description else { return advice }
        return description.place(of: key) ?? description.keysInWords
    }

    private func text(_ node: YAMLNode, _ key: String) -> String? {
        if let text = node.string { return text }
        guard case .scalar(let value) = node.content, value != .null else {
            return wrongType(node, key, takes: "text")
        }
        return wrongType(node, key, takes: "text", advice: "put it in quotes")
    }

    private func wrongType<Result>(
        _ node: YAMLNode, _ key: String, takes: String, advice: String = ""
    ) -> Result? {
        findings.report(
            "wrong-type", "\"\(key)\" takes \(takes), this is \(node.kindInWords)",
            at: node.position, advice: advice)
        return nil
    }
}

extension YAMLMappingReader {
    /// Reads a tolerance such as `50ms`, `10%` or `50ms 10%`.
    mutating func tolerance(_ key: String) -> Tolerance? {
        guard let text = text(key), let node = node(key) else { return nil }
        if let tolerance = Tolerance(suiteText: text) { return tolerance }
        findings.report(
            "bad-tolerance", "\"\(key)\" is a tolerance, not \"\(text)\"", at: node.position,
            advice: Tolerance.suiteTextAdvice)
        return nil
    }
}
