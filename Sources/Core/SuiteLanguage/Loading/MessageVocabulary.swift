import Wire

/// Checks names of messages and fields against the known protocols.
struct MessageVocabulary {
    let findings: Findings
    /// The messages of the program and of the protocols that the suite describes.
    private let known: KnownMessages

    /// Combines the protocols of the program with those that the suite describes.
    init(_ scope: VariableScope) {
        findings = scope.findings
        known = KnownMessages(scope.protocols, scope.described?.own ?? [])
    }

    /// Checks whether a message of that name can be in a trace; reports it if not.
    ///
    /// Any `device.<control>` is a message, because device profiles name their own controls. Any
    /// `log.<word>` is one, because log formats name their own messages. Any `tshark.<dissector>`
    /// is one too.
    func check(message name: String, at position: SourcePosition) -> Bool {
        if message(named: name) != nil || isControl(name) { return true }
        if name.hasSuffix(".*") {
            findings.report(
                "unknown-message", "\"\(name)\" stands for many messages", at: position,
                advice: "name one here; patterns are for \"never\" and \"ignore\"")
        } else {
            reportUnknown(name, at: position)
        }
        return false
    }

    /// Checks whether a pattern covers at least one message; reports it if not.
    func check(pattern name: String, at position: SourcePosition) -> Bool {
        guard name.hasSuffix(".*") else { return check(message: name, at: position) }
        if !covered(by: name).isEmpty || Self.openPrefixes.contains(where: { $0 + "*" == name }) {
            return true
        }
        findings.report(
            "unknown-message", "\"\(name)\" stands for no message", at: position,
            advice: Suggestion.advice(
                for: String(name.dropLast(2)),
                in: Self.prefixes(of: known.protocols) + known.own.map(\.name)))
        return false
    }

    /// Whether a message that is sent with these fields need not be read as that message.
    func isShownByBytesAlone(_ message: String, with fields: [FieldAssignment]) -> Bool {
        if known.message(named: message)?.isFragment == true { return true }
        let framing = known.fields(ofMessage: message).filter(\.isFraming).map(\.path)
        return fields.contains { framing.contains($0.path.description) }
    }

    /// Returns the field at a path; `nil`, after a report, if no message that `pattern` covers has
    /// it.
    func field(
        _ text: String, of pattern: String, at position: SourcePosition
    ) -> (path: FieldPath, type: FieldType)? {
        guard let path = FieldPath(text) else {
            findings.report(
                "bad-path", "\"\(text)\" is no path of a field", at: position,
                advice: "write names joined by \".\", with [0] for an element of a list")
            return nil
        }
        if isControl(pattern) { return (path, .any) }
        let messages = covered(by: pattern)
        let types = messages.compactMap { known.fieldType(of: path, inMessage: $0) }
        if messages.count == 1, let type = types.first { return (path, type) }
        if !types.isEmpty { return (path, .any) }
        let names = messages.prefix(1).flatMap {
            FieldNames.all(of: known.fields(ofMessage: $0), near: path)
        }
        findings.report(
            "unknown-field", "\(pattern) has no field \"\(text)\"", at: position,
            advice: Suggestion.advice(
                for: text, in: names,
                beside: { FieldNames.level(of: $0) == FieldNames.level(of: text) },
                lookUp: family(of: pattern) == nil ? "conform fields \(pattern)" : nil))
        return nil
    }

    func covered(by pattern: String) -> [String] {
        guard pattern.hasSuffix(".*") else { return [pattern] }
        let prefix = pattern.dropLast(1)
        return (known.protocols.messageNames + ownNames).filter { $0.hasPrefix(prefix) }
    }

    /// Returns the description of a message.
    func message(named name: String) -> MessageDescription? { known.message(named: name) }

    /// Returns the protocol of the suite that a message belongs to.
    func family(of name: String) -> NamedProtocol? { known.family(of: name) }

    private var ownNames: [String] { known.own.flatMap { $0.description.messages.map(\.name) } }

    /// Whether a name is a control of a device profile, a message of a log or one that another
    /// program dissects.
    ///
    /// Such messages have no known fields.
    private func isControl(_ name: String) -> Bool {
        name.hasPrefix("device.") && known.protocols.message(named: name) == nil
            && PlainName.isValid(String(name.dropFirst(7)))
            || Self.openPrefixes.contains { Self.isOpen(name, $0) }
    }

    /// The prefixes of message names whose second part can be chosen freely.
    private static let openPrefixes = [LogEvent.prefix, DissectorEvent.prefix]

    /// Whether a name can be that of a log message.
    static func isLogMessage(_ name: String) -> Bool { isOpen(name, LogEvent.prefix) }

    private static func isOpen(_ name: String, _ prefix: String) -> Bool {
        name.hasPrefix(prefix) && PlainName.isValid(String(name.dropFirst(prefix.count)))
    }

    private func reportUnknown(_ name: String, at position: SourcePosition) {
        findings.report(
            "unknown-message", "there is no message \"\(name)\"", at: position,
            advice: Self.advice(forUnknown: name, among: known.protocols.messageNames + ownNames))
    }

    /// How many messages are suggested at most.
    private static let meantMax = 4

    /// Returns a suggestion for the name of an unknown message.
    static func advice(forUnknown name: String, among all: [String]) -> String {
        let longer = all.filter {
            $0.hasPrefix(name + ".") || $0.contains("." + name + ".")
        }
        guard longer.isEmpty else {
            return "did you mean \(longer.map { "\"\($0)\"" }.joined(separator: " or "))?"
        }
        let advice = Suggestion.advice(for: name, in: all)
        guard advice.isEmpty else { return advice }
        // `sdl.Shwo` is near the beginning of several names.
        let beginnings = Set(all.compactMap { $0.lastIndex(of: ".").map($0.prefix(upTo:)) })
        let near = Suggestion.closest(to: name, in: beginnings.map(String.init).sorted())
        let meant = near.map { near in all.filter { $0.hasPrefix(near + ".") } } ?? []
        guard (1...Self.meantMax).contains(meant.count) else {
            return "conform fields lists all messages"
        }
        return "did you mean \(meant.map { "\"\($0)\"" }.joined(separator: " or "))?"
    }

    /// Returns everything that a pattern may start with: `sdl`, `sdl.Show`, ...
    static func prefixes(of protocols: ProtocolRegistry) -> [String] {
        var prefixes: Set<String> = []
        for name in protocols.messageNames {
            var rest = name[...]
            while let dot = rest.lastIndex(of: ".") {
                rest = rest[..<dot]
                prefixes.insert(String(rest))
            }
        }
        return prefixes.sorted()
    }
}

/// The paths of a message's fields as suites write them, for suggestions.
private enum FieldNames {
    /// The maximum nesting of structures that is followed; the specifications need less.
    private static let depth = 6

    /// Returns the part of a path before its last name.
    static func level(of path: String) -> Substring {
        path.lastIndex(of: ".").map { path[..<$0] } ?? ""
    }

    /// Returns the paths of a message down to the depth of `path`.
    static func all(of fields: [FieldDescription], near path: FieldPath) -> [String] {
        var names: [String] = []
        for field in fields {
            guard let own = FieldPath(field.path) else { continue }
            collect(own.components, field.type, near: path.components, into: &names)
        }
        return names
    }

    /// Adds a field and its inner fields, no deeper than `wanted`.
    private static func collect(
        _ components: [FieldPath.Component], _ type: FieldType,
        near wanted: [FieldPath.Component], into names: inout [String]
    ) {
        names.append(FieldPath(components: components).description)
        guard components.count < min(wanted.count, depth) else { return }
        switch type {
        case .structure(_, let fields):
            for field in fields {
                collect(components + [.name(field.path)], field.type, near: wanted, into: &names)
            }
        case .array(let element, _):
            guard case .index = wanted[components.count] else {
                collect(components + [.index(0)], element, near: wanted, into: &names)
                return
            }
            collect(components + [wanted[components.count]], element, near: wanted, into: &names)
        default: break
        }
    }
}
