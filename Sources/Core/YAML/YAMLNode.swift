import Wire

/// A node of a YAML file together with its position.
///
/// Scalars are resolved by the YAML 1.2 core schema: only `true` and `false` are Booleans, and
/// quoted scalars are always text.
public struct YAMLNode: Sendable, Hashable {
    /// The content of a node.
    public enum Content: Sendable, Hashable {
        /// Null, a Boolean, a number or text; never an array, an object or bytes.
        case scalar(Value)
        case sequence([YAMLNode])
        /// Keys and values in file order; no key appears twice.
        case mapping([Entry])
    }

    /// One key of a mapping and its value.
    public struct Entry: Sendable, Hashable {
        /// The key as it is written, without quotes.
        public var key: String
        /// The position of the key.
        public var keyPosition: SourcePosition
        /// The value under the key.
        public var value: YAMLNode

        /// Creates an entry.
        public init(key: String, keyPosition: SourcePosition, value: YAMLNode) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }

        /// Whether the key is text after a comma in a mapping within braces: `{text: Well, then}`.
        public var isRestOfText: Bool {
            if case .scalar(.null) = value.content { key.contains(" ") } else { false }
        }
    }

    /// The content of the node.
    public var content: Content
    /// The position where it starts; for the target of an alias, the position of the alias.
    public var position: SourcePosition

    /// Creates a node.
    public init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    /// Parses a text that holds one YAML document; an empty text is a null scalar.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: The file name in positions.
    ///   - schema: The resolution of plain scalars.
    /// - Throws: Everything that is wrong with the text, each finding with its position.
    public static func parse(
        text: String, file: String, schema: YAMLSchema = .core
    ) throws(InvalidInput) -> YAMLNode {
        var composer = try YAMLComposer(text: text, file: file, schema: schema)
        return try composer.document()
    }

    /// Reads and parses a UTF-8 file of at most `YAMLLimits.fileBytes`.
    ///
    /// - Throws: Why the file cannot be read, or everything that is wrong with its text.
    public static func load(
        path: String, schema: YAMLSchema = .core
    ) throws(InvalidInput) -> YAMLNode {
        try parse(text: try SourceFile.text(path: path), file: path, schema: schema)
    }
}

/// The resolution of plain scalars.
public enum YAMLSchema: Sendable {
    /// The core schema of YAML 1.2: Booleans and numbers of 64 bits.
    case core
    /// Null as in the core schema; everything else is text, as it is written.
    case text
}

extension YAMLNode {
    /// The value without positions; mappings become objects in file order.
    public var value: Value {
        switch content {
        case .scalar(let value): value
        case .sequence(let elements): .array(elements.map(\.value))
        case .mapping(let entries):
            .object(entries.map { Value.Member($0.key, $0.value.value) })
        }
    }

    /// The value under a key, if this is a mapping that has it.
    public subscript(key: String) -> YAMLNode? {
        entries?.first { $0.key == key }?.value
    }

    /// The keys and values, if this is a mapping.
    public var entries: [Entry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }

    /// The elements, if this is a sequence.
    public var elements: [YAMLNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    /// The text, if this is a scalar that is text.
    public var string: String? {
        if case .scalar(let value) = content { value.stringValue } else { nil }
    }

    /// The kind of content in words, with an article: `text`, `an integer`, `a list`, `a mapping`.
    public var kindInWords: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(.null): "empty"
        case .scalar(.bool): "a Boolean"
        case .scalar(.integer): "an integer"
        case .scalar(.double): "a number"
        case .scalar: "text"
        }
    }
}

/// Limits on input files, so that no file can exhaust the memory or the stack.
public enum YAMLLimits {
    /// The size of a file in bytes; a suite of thousands of cases needs a tenth of it.
    public static let fileBytes = 4 << 20
    /// The nesting of mappings and sequences; hand-written files stay below 20.
    public static let depth = 64
    /// The number of nodes of a document; every alias counts as the nodes that it refers to.
    public static let nodes = 200_000
    /// The code of the finding that a file exceeds one of them.
    public static let code = "yaml-limit"
}
