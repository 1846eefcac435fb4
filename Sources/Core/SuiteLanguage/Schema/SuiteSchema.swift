import Wire

/// The JSON Schemas (draft 2020-12) of the files that people write, for editors.
///
/// They are generated from the descriptions that the loader uses to read these files. A schema
/// cannot check everything that the loader checks (names that other files declare, fields of
/// messages), but it accepts every file that loads.
public struct SuiteSchema: Sendable {
    /// The protocols and kinds of peers that suites may name.
    private let protocols: ProtocolRegistry

    /// Creates the schemas for a program with these protocols and kinds of peers.
    public init(_ protocols: ProtocolRegistry) {
        self.protocols = protocols
    }

    /// The schema of suite files.
    public var suite: Value { document(SuiteVocabulary.suite, example: Self.example) }

    /// A complete suite that loads together with the catalogues of the repository.
    private static let example = """
        {"conform": 1, "suite": "first", "title": "A first suite",
          "requirements": ["requirements/sdl-registration.yaml"],
          "device": {"role": "sdl.app"}, "peers": {"hu": {"is": "sdl.head-unit"}},
          "cases": [{"id": "registers", "title": "The app registers", "checks": ["REG-1"],
            "steps": [{"expect": "sdl.RegisterAppInterface.request", "within": "10s",
              "where": {"params.languageDesired": "EN-US"}}]}]}
        """

    /// The schema of the files that suites include.
    public var included: Value {
        document(
            SuiteVocabulary.included,
            example: """
                {"conform": 1, "peers": {"hu": {"is": "sdl.head-unit", "language": "EN-US"}},
                  "defaults": {"within": "10s", "unexpected": "allow"}}
                """)
    }

    /// The schema of catalogues of requirements.
    public var requirements: Value {
        document(
            CatalogueVocabulary.catalogue, hasVariables: false,
            example: """
                {"conform-requirements": 1, "document": "Requirements of my device",
                  "requirements": {"MY-1": {"text": "The device greets within a second.",
                    "ours": "a first requirement", "ways": {"nothing is sent": "first/greets"}}}}
                """)
    }

    /// The schema of files that describe a protocol together with a `.ksy` file.
    public var protocolFile: Value {
        document(
            ProtocolVocabulary.file, hasVariables: false,
            example: """
                {"conform-protocol": 1, "protocol": "mqtt", "ksy": "mqtt.ksy",
                  "message": "mqtt.{type}", "top": ["body"], "tcp": {"ports": [1883]}}
                """)
    }

    /// Returns the schema of the files whose root is described by `description`.
    ///
    /// - Parameters:
    ///   - description: The root.
    ///   - hasVariables: Whether `${name}` can replace values in such files.
    ///   - example: A file of that kind, as JSON.
    public func document(
        _ description: MappingDescription, hasVariables: Bool = true, example: String? = nil
    ) -> Value {
        var writer = SchemaWriter(protocols: protocols, hasVariables: hasVariables)
        let root = writer.mapping(description)
        let head = [
            Value.Member("$schema", "https://json-schema.org/draft/2020-12/schema"),
            Value.Member("$id", .string("urn:conform:schema:\(description.name):1")),
            Value.Member("title", .string("conform: \(description.subject)")),
        ]
        let examples = example.flatMap { try? Value(json: $0) }.map {
            [Value.Member("examples", .array([$0]))]
        }
        let definitions = Value.object(writer.definitions.sorted { $0.name < $1.name })
        return .object(
            head + (examples ?? []) + root.members + [Value.Member("$defs", definitions)])
    }
}

/// Turns descriptions into schemas and collects the definitions that these refer to.
struct SchemaWriter {
    /// The protocols and kinds of peers that files may name.
    let protocols: ProtocolRegistry
    /// Whether variables can replace values.
    let hasVariables: Bool
    /// The schemas by name, without duplicates.
    private(set) var definitions: [Value.Member] = []

    /// Returns the reference to the definition of a mapping.
    mutating func mapping(_ description: MappingDescription) -> Value {
        define(description.name) { writer in
            let properties = description.keys.map { key in
                Value.Member(key.name, writer.property(key))
            }
            let required = description.keys.filter(\.isRequired).map { Value.string($0.name) }
            let schema = [
                Value.Member("description", .string(description.summary)),
                Value.Member("type", "object"),
                Value.Member("properties", .object(properties)),
                Value.Member("required", .array(required)),
                Value.Member(
                    "anyOf",
                    .array(SchemaWriter.choices(description) + writer.alternatives(description))),
                Value.Member("allOf", .array(writer.fieldNames(description))),
                Value.Member("dependentSchemas", SchemaWriter.exclusions(description)),
                Value.Member("additionalProperties", .bool(false)),
            ]
            return schema.filter { $0.value != .array([]) && $0.value != .object([]) }
        }
    }

    /// Returns the schemas of which one must hold, because one of several keys must be present.
    private static func choices(_ description: MappingDescription) -> [Value] {
        description.oneOf.map { key in
            .object([Value.Member("required", .array([.string(key)]))])
        }
    }

    /// Returns the schemas of which one must hold: a key is present, or another has its stricter
    /// form.
    private mutating func alternatives(_ description: MappingDescription) -> [Value] {
        description.keys.flatMap { key -> [Value] in
            guard let stricter = key.stricter else { return [] }
            let strict = Value.Member(key.name, schema(of: stricter.form))
            return [
                .object([Value.Member("required", .array([.string(stricter.unless)]))]),
                .object([Value.Member("properties", .object([strict]))]),
            ]
        }
    }

    /// Returns the schema of keys that exclude others.
    private static func exclusions(_ description: MappingDescription) -> Value {
        .object(
            description.keys.filter { !$0.excludes.isEmpty }.map { key in
                let refused = key.excludes.map { Value.Member($0, .bool(false)) }
                return Value.Member(
                    key.name, .object([Value.Member("properties", .object(refused))]))
            })
    }

    mutating func property(_ key: KeyDescription) -> Value {
        let schema = self.schema(of: key.form, allowsVariables: key.allowsVariables)
        guard case .object(let members) = schema else { return schema }
        return .object([Value.Member("description", .string(key.summary))] + members)
    }

    /// Returns the schema of a value.
    mutating func schema(of form: ValueForm, allowsVariables: Bool = true) -> Value {
        let plain = plainSchema(of: form, allowsVariables: allowsVariables)
        guard hasVariables, allowsVariables, !form.takesAnyText else { return plain }
        return .object([
            Value.Member("if", reference(form.isScalar ? .template : .variable)),
            Value.Member("else", plain),
        ])
    }

    private mutating func plainSchema(of form: ValueForm, allowsVariables: Bool) -> Value {
        switch form {
        case .version: return .constant(.integer(1))
        case .text: return .type("string")
        case .name(let name): return .text(like: name.pattern)
        case .texts: return .byType(texts: [.type("string")], others: [.list(of: .type("string"))])
        case .word(let words): return .choice(of: words)
        case .boolean: return .type("boolean")
        case .number: return .type("number")
        case .integer(let range): return .integer(in: range)
        case .matching(let pattern): return .text(like: pattern)
        case .null: return .type("null")
        case .duration: return .text(like: TextForm.duration, as: ["300ms", "1.5s", "2m"])
        case .tolerance: return .text(like: TextForm.tolerance, as: ["50ms", "10%", "50ms 10%"])
        case .hexDigits: return .text(like: TextForm.hexDigits, as: ["0a ff"])
        case .bytes:
            return .byType(
                texts: [.text(like: TextForm.hexDigits, as: ["0a ff"])],
                others: [mapping(SuiteVocabulary.byteNotation)])
        case .bytesOfText:
            return .byType(
                texts: [.type("string")], others: [mapping(SuiteVocabulary.byteNotation)])
        case .bytesSent:
            return .byType(
                texts: [.type("string")], others: [mapping(SuiteVocabulary.sentNotation)])
        case .message(let place): return message(place)
        case .condition: return condition()
        case .peer(let isDeclared): return peer(isDeclared: isDeclared)
        case .action: return action()
        case .value: return .object([])
        case .mapping(let description): return mapping(description)
        case .named(let name, let value): return named(name, value)
        case .step: return step()
        case .list(let element, let atLeast, let atMost):
            return .list(of: schema(of: element), atLeast: atLeast, atMost: atMost)
        case .any(let forms):
            var (texts, others): ([Value], [Value]) = ([], [])
            for form in forms {
                let schema = plainSchema(of: form, allowsVariables: allowsVariables)
                if form.mayBeText { texts.append(schema) }
                if form.mayBeOtherThanText { others.append(schema) }
            }
            return .byType(texts: texts, others: others)
        }
    }

    private mutating func named(
        _ name: ValueForm.NameForm, _ value: ValueForm
    ) -> Value {
        var members = [Value.Member("type", "object")]
        if case .party = name {
            let device = reference(.configuration)
            members.append(Value.Member("properties", .object([Value.Member("device", device)])))
        }
        // Values under free names are resolved one by one, even if the mapping itself is literal.
        return .object(
            members + [
                Value.Member("propertyNames", .text(like: name.pattern)),
                Value.Member("additionalProperties", schema(of: value)),
            ])
    }

    /// Definitions that are not generated from a mapping's description.
    enum Definition: String {
        case template, variable, configuration
    }

    private mutating func reference(_ definition: Definition) -> Value {
        define(definition.rawValue) { writer in
            switch definition {
            case .template:
                [
                    Value.Member("description", "Text with ${...} in it."),
                    Value.Member("type", "string"),
                    Value.Member("pattern", .string(TextForm.template)),
                ]
            case .variable:
                [
                    Value.Member("description", "An expression that has the value: ${name}."),
                    Value.Member("type", "string"),
                    Value.Member("pattern", .string(TextForm.variable)),
                ]
            case .configuration:
                [
                    Value.Member("description", "What the device is configured with."),
                    Value.Member(
                        "anyOf", .array([.type("object"), writer.reference(.variable)])),
                ]
            }
        }
    }

    /// Returns the reference to a definition, which is created if it does not exist yet.
    mutating func define(
        _ name: String, _ members: (inout SchemaWriter) -> [Value.Member]
    ) -> Value {
        if !definitions.contains(where: { $0.name == name }) {
            // The name is reserved first, because definitions refer to themselves.
            definitions.append(Value.Member(name, .null))
            let schema = Value.object(members(&self))
            if let index = definitions.firstIndex(where: { $0.name == name }) {
                definitions[index].value = schema
            }
        }
        return .object([Value.Member("$ref", .string("#/$defs/\(name)"))])
    }
}
