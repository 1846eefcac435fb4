import Wire

/// Replaces the draws of a node by values, in the order of the file.
struct DrawSubstitution {
    private let draws: [ExplorationDraw]
    private let choices: [UInt64]
    private var next = 0

    init(_ draws: [ExplorationDraw], _ choices: [UInt64]) {
        self.draws = draws
        self.choices = choices
    }

    /// Returns the node with values; `nil` if it is a draw that leaves its key out.
    mutating func filled(_ node: YAMLNode) -> YAMLNode? {
        if Self.isDraw(node) {
            defer { next += 1 }
            guard draws.indices.contains(next), choices.indices.contains(next) else { return nil }
            return draws[next].node(of: choices[next], at: node.position)
        }
        switch node.content {
        case .scalar: return node
        case .sequence(let elements):
            return YAMLNode(.sequence(filled(elements)), at: node.position)
        case .mapping(let entries):
            let values = entries.compactMap { entry -> YAMLNode.Entry? in
                filled(entry.value).map {
                    YAMLNode.Entry(key: entry.key, keyPosition: entry.keyPosition, value: $0)
                }
            }
            return YAMLNode(.mapping(values), at: node.position)
        }
    }

    /// Returns nodes with values; a step that is drawn may become several.
    mutating func filled(_ nodes: [YAMLNode]) -> [YAMLNode] {
        nodes.flatMap { node -> [YAMLNode] in
            guard let value = filled(node) else { return [] }
            return Self.isWrong(node) ? value.elements ?? [value] : [value]
        }
    }

    /// The keys that make a mapping a draw.
    static let keys = ["draw", "subset"]

    /// Whether a node is a draw: a step with `wrong` as its verb, or a mapping with `draw` or
    /// `subset`, and nothing that a draw lacks.
    static func isDraw(_ node: YAMLNode) -> Bool {
        guard let entries = node.entries, let first = entries.first else { return false }
        if isWrong(node) { return true }
        return keys.contains(first.key)
            && entries.allSatisfy { keys.contains($0.key) || ["min", "max"].contains($0.key) }
    }
}

extension DrawSubstitution {
    /// The verb of a step that sends a message which its description forbids.
    static let wrong = "wrong"

    /// Whether a node is a step that draws how a message is wrong.
    ///
    /// In a `send` the key of that name has a mapping of fields.
    static func isWrong(_ node: YAMLNode) -> Bool {
        guard let value = node[wrong] else { return false }
        return value.string != nil || value.elements != nil
    }
}

/// Gives the steps of an act names of their own, so that a run can contain the act more than once.
///
/// The first occurrence keeps its names.
struct ActRenaming {
    private let ids: Set<String>
    private let variables: Set<String>
    private let occurrence: Int

    /// - Parameter occurrence: How often the run has had the act before.
    init(_ steps: [YAMLNode], occurrence: Int) {
        ids = Set(StepReader.ids(in: steps))
        variables = Set(steps.flatMap(Self.saved))
        self.occurrence = occurrence
    }

    func renamed(_ steps: [YAMLNode]) -> [YAMLNode] {
        occurrence == 0 || ids.isEmpty && variables.isEmpty ? steps : steps.map { renamed($0) }
    }

    private static func saved(_ node: YAMLNode) -> [String] {
        let own = node["save"]?.entries?.map(\.key) ?? []
        return own + (node.elements ?? node.entries?.map(\.value) ?? []).flatMap(saved)
    }

    private func renamed(_ node: YAMLNode, under key: String = "") -> YAMLNode {
        switch node.content {
        case .scalar(.string(let text)):
            let isID = ["id", "since", "on"].contains(key) && ids.contains(text)
            let new = isID ? "\(text)-\(occurrence + 1)" : withVariables(text)
            return YAMLNode(.scalar(.string(new)), at: node.position)
        case .scalar: return node
        case .sequence(let elements):
            return YAMLNode(.sequence(elements.map { renamed($0) }), at: node.position)
        case .mapping(let entries):
            let changed = entries.map { entry in
                let isSaved = key == "save" && variables.contains(entry.key)
                return YAMLNode.Entry(
                    key: isSaved ? variable(entry.key) : withVariables(entry.key),
                    keyPosition: entry.keyPosition,
                    value: renamed(entry.value, under: entry.key))
            }
            return YAMLNode(.mapping(changed), at: node.position)
        }
    }

    private func variable(_ name: String) -> String { "\(name)_\(occurrence + 1)" }

    /// Returns a text whose `${name...}` refer to the variables of this occurrence.
    private func withVariables(_ text: String) -> String {
        guard text.contains("${") else { return text }
        var result = ""
        var rest = Substring(text)
        while let start = rest.range(of: "${") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            if variables.contains(name), !result.hasSuffix("$${") {
                result += variable(name)
                rest = rest.dropFirst(name.count)
            }
        }
        return result + rest
    }
}

extension Substring {
    /// Returns the range of the first occurrence of a text.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
