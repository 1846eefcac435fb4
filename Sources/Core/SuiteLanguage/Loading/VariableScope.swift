import Wire

/// The variables that are available at one place of a suite.
struct VariableScope {
    /// A log of the variables that were used; all scopes of a load share it.
    final class UseLog {
        var names: Set<String> = []
        var fragments: Set<String> = []
        /// The parameters that were needed but have no value.
        var missing: Set<String> = []
        /// The size of the values that have replaced variables, in bytes of text.
        fileprivate(set) var expandedBytes = 0
    }

    /// The maximum size of all values together that replace variables in one load.
    static let expandedBytesMax = 32 << 20

    /// A value whose variables are replaced as far as they are known when the suite is loaded.
    enum Expansion {
        /// A collection, whose parts are still to be expanded, or a scalar that is final.
        case node(YAMLNode)
        /// A text that waits for values that earlier steps save.
        case late([ValueExpression.TemplatePart])
    }

    let findings: Findings
    /// The protocols and kinds of peers of the program.
    let protocols: ProtocolRegistry
    var uses: UseLog
    /// The protocols that `.ksy` files describe; `nil` where no file may be named.
    var described: DescribedProtocols?
    /// The values of the suite's variables, of parameters, of the case's matrix and of arguments.
    var values: [String: Value] = [:]
    /// Arguments of a fragment that wait for values that earlier steps save.
    var late: [String: ValueExpression] = [:]
    /// Names without a value, each with the parameters that would be needed for it.
    var missing: [String: Set<String>] = [:]
    /// The variables that earlier steps save, by their full names.
    var saved: Set<String> = []
    /// The names that have a value whenever a message is judged: states, and what rules know.
    var bound: Set<String> = []
    /// The peers that were declared but could not be read; what names them is not reported too.
    var unreadPeers: Set<String> = []
    /// The prefix of the names of variables that steps save here: `first.` or nothing.
    var prefix = ""

    init(findings: Findings, protocols: ProtocolRegistry) {
        self.findings = findings
        self.protocols = protocols
        self.uses = UseLog()
    }

    /// All names that may be used.
    var names: [String] {
        let own = saved.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return (Array(values.keys) + Array(late.keys) + Array(missing.keys) + Array(bound) + own)
            .sorted()
    }

    /// Whether a variable of that name exists that is not saved by a step.
    func isTaken(_ name: String) -> Bool {
        values[name] != nil || late[name] != nil || missing[name] != nil || bound.contains(name)
    }

    /// Replaces the variables of a scalar; `nil`, after a report, if that fails.
    func expand(_ node: YAMLNode) -> Expansion? {
        guard let text = node.string, text.contains("$") else { return .node(node) }
        guard uses.expandedBytes <= Self.expandedBytesMax else { return nil }
        do throws(Template.SyntaxError) {
            return expand(try Template(text).parts, at: node.position)
        } catch {
            findings.report(
                "bad-template", error.what, at: node.position,
                advice: "write ${name}, or $${ for the characters themselves")
            return nil
        }
    }

    private func expand(
        _ parts: [ValueExpression.TemplatePart], at position: SourcePosition
    ) -> Expansion? {
        var isComplete = true
        var done: [ValueExpression.TemplatePart] = []
        for part in parts {
            guard case .expression(let expression) = part else {
                VariableScope.append(part, to: &done)
                continue
            }
            guard let filled = fill(expression, at: position) else {
                isComplete = false
                continue
            }
            guard let value = filled.literal else {
                done.append(.expression(filled))
                continue
            }
            guard spend(value.expandedSize, at: position) else { return nil }
            if parts.count == 1 { return .node(YAMLNode(value, at: position)) }
            VariableScope.append(.text(value.textInTemplate), to: &done)
        }
        guard isComplete else { return nil }
        switch done.first {
        case nil: return .node(YAMLNode(.scalar(.string("")), at: position))
        case .text(let text)? where done.count == 1:
            return .node(YAMLNode(.scalar(.string(text)), at: position))
        default: return .late(done)
        }
    }

    /// Counts a value that replaces a variable; returns false, after one report, beyond the limit.
    private func spend(_ size: Int, at position: SourcePosition) -> Bool {
        uses.expandedBytes += size
        guard uses.expandedBytes > Self.expandedBytesMax else { return true }
        if uses.expandedBytes - size <= Self.expandedBytesMax {
            findings.report(
                "expansion-limit",
                "the values of variables grow beyond \(Self.expandedBytesMax) bytes here",
                at: position, advice: "do not build long texts from variables within variables")
        }
        return false
    }

    /// Replaces the variables of a scalar where only values known at load time are allowed.
    func resolve(_ node: YAMLNode) -> YAMLNode? {
        switch expand(node) {
        case nil: return nil
        case .node(let node)?: return node
        case .late(let parts)?:
            reportLate(parts, at: node.position)
            return nil
        }
    }

    /// Returns a reader for a mapping whose values are resolved; `nil`, after a report, for others.
    func mapping(_ node: YAMLNode, as description: MappingDescription) -> YAMLMappingReader? {
        YAMLMappingReader(node, as: description, findings: findings, resolver: resolve)
    }

    /// Replaces the variables in a key of a mapping or in the name of a field.
    func resolve(key: String, at position: SourcePosition) -> String? {
        guard key.contains("$") else { return key }
        guard let node = resolve(YAMLNode(.scalar(.string(key)), at: position)) else { return nil }
        if case .scalar(let value) = node.content, value != .null { return value.textInTemplate }
        findings.report(
            "wrong-type", "a key is text, this is \(node.kindInWords)", at: position)
        return nil
    }

    /// Returns the value of a node with the variables of all its parts replaced.
    func value(_ node: YAMLNode) -> Value? {
        guard let node = resolve(node) else { return nil }
        switch node.content {
        case .scalar(let value): return value
        case .sequence(let elements):
            let values = elements.map(value)
            return values.contains(nil) ? nil : .array(values.compactMap { $0 })
        case .mapping(let entries):
            let members = entries.map { entry -> Value.Member? in
                let name = resolve(key: entry.key, at: entry.keyPosition)
                let value = value(entry.value)
                guard let name, let value else { return nil }
                return Value.Member(name, value)
            }
            return members.contains(nil) ? nil : .object(members.compactMap { $0 })
        }
    }

    func reportLate(_ parts: [ValueExpression.TemplatePart], at position: SourcePosition) {
        for name in ValueExpression.template(parts).variables {
            let why = bound.contains(name) ? "comes from messages" : "is saved by a step"
            findings.report(
                "late-variable",
                "\"\(name)\" \(why) and has no value yet when the suite is loaded",
                at: position, advice: "it can stand in \"where\", \"with\" and arguments of \"do\"")
        }
    }

    private static func append(
        _ part: ValueExpression.TemplatePart, to parts: inout [ValueExpression.TemplatePart]
    ) {
        if case .text(let text) = part, case .text(var before)? = parts.last {
            // Without a second reference the text grows in place.
            parts[parts.count - 1] = .text("")
            before += text
            parts[parts.count - 1] = .text(before)
        } else {
            parts.append(part)
        }
    }
}

extension Value {
    /// The size of the value as text, at least approximately; some bytes for each part.
    fileprivate var expandedSize: Int {
        switch self {
        case .null, .bool, .integer, .double: 8
        case .string(let text): 8 + text.utf8.count
        case .bytes(let bytes): 8 + 2 * bytes.count
        case .array(let elements): elements.reduce(64) { $0 + 64 + $1.expandedSize }
        case .object(let members):
            members.reduce(64) { $0 + 64 + $1.name.utf8.count + $1.value.expandedSize }
        }
    }
}
