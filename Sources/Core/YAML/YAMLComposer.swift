import Wire

/// Builds the node of a document from libyaml's events.
///
/// A syntax error ends the parse. Duplicate keys, unknown tags and similar errors are all
/// collected.
struct YAMLComposer: ~Copyable {
    private var events: YAMLEvents
    private let file: String
    private let schema: YAMLSchema
    private var anchors: [String: Anchored] = [:]
    private var openAnchors: Set<String> = []
    private var nodeCount = 0
    private var diagnostics: [Diagnostic] = []

    /// The node that an alias refers to, and the number of its nodes.
    private struct Anchored {
        var node: YAMLNode
        var size: Int
        var height: Int
    }

    init(text: String, file: String, schema: YAMLSchema) throws(InvalidInput) {
        self.events = try YAMLEvents(text: text, file: file)
        self.schema = schema
        self.file = file
    }

    /// Parses the only document of the text.
    mutating func document() throws(InvalidInput) -> YAMLNode {
        var root = YAMLNode(.scalar(.null), at: SourcePosition(file: file, line: 1, column: 1))
        var documents = 0
        do throws(InvalidInput) {
            while true {
                let event = try events.next()
                if case .streamEnd = event.kind { break }
                guard case .documentStart = event.kind else { continue }
                documents += 1
                guard documents == 1 else {
                    report(
                        "yaml-syntax", "a second document starts here", event,
                        advice: "write each into a file of its own")
                    break
                }
                root = try node(startingWith: try events.next(), depth: 0).node
            }
        } catch {
            throw InvalidInput(diagnostics + error.diagnostics)
        }
        guard diagnostics.isEmpty else { throw InvalidInput(diagnostics) }
        return root
    }

    private mutating func node(
        startingWith event: YAMLEvent, depth: Int
    ) throws(InvalidInput) -> Anchored {
        try count(1, depth: depth, at: event)
        if let anchor = event.anchor { openAnchors.insert(anchor) }
        var result: Anchored
        switch event.kind {
        case .alias(let name): return try resolve(name, depth: depth, at: event)
        case .scalar(let text, let isPlain):
            let value = scalar(text, isPlain: isPlain, of: event)
            result = Anchored(
                node: YAMLNode(.scalar(value), at: position(of: event)), size: 1, height: 0)
        case .sequenceStart: result = try sequence(from: event, depth: depth)
        default: result = try mapping(from: event, depth: depth)
        }
        if let anchor = event.anchor {
            openAnchors.remove(anchor)
            anchors[anchor] = result
        }
        return result
    }

    private mutating func sequence(
        from start: YAMLEvent, depth: Int
    ) throws(InvalidInput) -> Anchored {
        checkTag(of: start, allowed: "tag:yaml.org,2002:seq")
        var elements: [YAMLNode] = []
        var size = 1
        var height = 0
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { break }
            let element = try node(startingWith: event, depth: depth + 1)
            elements.append(element.node)
            size += element.size
            height = max(height, element.height + 1)
        }
        return Anchored(
            node: YAMLNode(.sequence(elements), at: position(of: start)), size: size,
            height: height)
    }

    private mutating func mapping(
        from start: YAMLEvent, depth: Int
    ) throws(InvalidInput) -> Anchored {
        checkTag(of: start, allowed: "tag:yaml.org,2002:map")
        var entries: [YAMLNode.Entry] = []
        var places: [String: SourcePosition] = [:]
        var size = 1
        var height = 0
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { break }
            let key = try self.key(startingWith: event, depth: depth + 1)
            let value = try node(startingWith: try events.next(), depth: depth + 1)
            size += value.size + 1
            height = max(height, value.height + 1)
            guard let key else { continue }
            let place = position(of: event)
            if let first = places[key] {
                report(
                    "duplicate-key", "duplicate key \"\(key)\"", event,
                    advice: "it is at \(first) already; remove one of them")
                continue
            }
            places[key] = place
            entries.append(YAMLNode.Entry(key: key, keyPosition: place, value: value.node))
        }
        return Anchored(
            node: YAMLNode(.mapping(entries), at: position(of: start)), size: size,
            height: height)
    }

    /// Returns the text of a key; `nil`, after a report, for a key that is not a scalar.
    private mutating func key(
        startingWith event: YAMLEvent, depth: Int
    ) throws(InvalidInput) -> String? {
        let node = try node(startingWith: event, depth: depth).node
        if case .scalar(let text, _) = event.kind { return text }
        if let text = node.string { return text }
        report("complex-key", "a key must be text, this is \(node.kindInWords)", event)
        return nil
    }

    private mutating func resolve(
        _ name: String, depth: Int, at event: YAMLEvent
    ) throws(InvalidInput) -> Anchored {
        guard !openAnchors.contains(name), var target = anchors[name] else {
            let what =
                openAnchors.contains(name)
                ? "alias \"*\(name)\" is inside the node that it refers to"
                : "alias \"*\(name)\" refers to no anchor before it"
            report(
                "yaml-alias", what, event,
                advice: Suggestion.advice(for: name, in: anchors.keys.sorted()))
            return Anchored(
                node: YAMLNode(.scalar(.null), at: position(of: event)), size: 1, height: 0)
        }
        try count(target.size - 1, depth: depth + target.height, at: event)
        target.node.position = position(of: event)
        return target
    }

    private mutating func scalar(_ text: String, isPlain: Bool, of event: YAMLEvent) -> Value {
        switch event.tag {
        case nil:
            guard isPlain else { return .string(text) }
        case "!", "tag:yaml.org,2002:str":
            return .string(text)
        case let tag?:
            report(
                "yaml-tag", "tag \"\(tag)\" has no meaning here", event,
                advice: "remove it; quotes turn a number into text")
            return .null
        }
        let value = CoreSchema.value(ofPlain: text)
        if schema == .text { return value == .null ? .null : .string(text) }
        if let value { return value }
        report(
            "yaml-number", "the number \(text) does not fit 64 bits", event,
            advice: "put it in quotes if it is text")
        return .null
    }

    private mutating func checkTag(of event: YAMLEvent, allowed: String) {
        guard let tag = event.tag, tag != allowed, tag != "!" else { return }
        report("yaml-tag", "tag \"\(tag)\" has no meaning here", event, advice: "take it out")
    }

    private mutating func count(
        _ more: Int, depth: Int, at event: YAMLEvent
    ) throws(InvalidInput) {
        nodeCount += more
        if nodeCount > YAMLLimits.nodes {
            report(YAMLLimits.code, "more than \(YAMLLimits.nodes) nodes, aliases included", event)
        } else if depth > YAMLLimits.depth {
            report(YAMLLimits.code, "nested more than \(YAMLLimits.depth) deep", event)
        } else {
            return
        }
        throw InvalidInput([])
    }

    private func position(of event: YAMLEvent) -> SourcePosition {
        SourcePosition(file: file, line: event.line, column: event.column)
    }

    private mutating func report(
        _ code: String, _ what: String, _ event: YAMLEvent, advice: String = ""
    ) {
        diagnostics.append(Diagnostic(code, what, at: position(of: event), advice: advice))
    }
}
