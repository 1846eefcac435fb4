import Wire

/// The completions that editors offer under `where`: the fields of the message of the same mapping.
///
/// A schema does not refuse other names, because paths go deeper than it lists.
extension SchemaWriter {
    /// The maximum depth of structures that are followed.
    private static let depth = 1

    /// Returns the schemas with the fields of the message that a mapping names; none if it names no
    /// message.
    mutating func fieldNames(_ description: MappingDescription) -> [Value] {
        let names = description.keys.filter { key in
            switch key.form {
            case .message(.expected), .message(.pattern): true
            default: false
            }
        }.map(\.name)
        guard let key = names.first, description.keyNames.contains("where") else { return [] }
        let fields = define("fields-by-\(key)") { writer in
            let families = writer.protocols.descriptions.filter { !$0.messages.isEmpty }
            return [
                Value.Member("description", "The fields of the message."),
                Value.Member(
                    "allOf", .array(families.map { writer.fieldNames(of: $0, key) })),
            ]
        }
        return [.with("where", fields)]
    }

    private mutating func fieldNames(of family: ProtocolDescription, _ key: String) -> Value {
        // Messages are grouped by their first letter, so that not every name is compared with every
        // message.
        let start = family.name.count + 1
        let letters = Dictionary(grouping: family.messages) { $0.name.dropFirst(start).prefix(1) }
        let messages = define("fields-by-\(key)-of-\(family.name)") { writer in
            let choices = letters.sorted { $0.key < $1.key }.map { letter, messages in
                let those = messages.map { message in
                    Self.choice(
                        key, .constant(.string(message.name)),
                        writer.fieldNames(of: message, in: family))
                }
                return Self.choice(
                    key, .text(like: "^\(family.name)[.]\(letter)"),
                    .object([Value.Member("allOf", .array(those))]))
            }
            return [Value.Member("allOf", .array(choices))]
        }
        return Self.choice(key, .text(like: "^\(family.name)[.]"), messages)
    }

    private static func choice(_ key: String, _ name: Value, _ schema: Value) -> Value {
        .object([
            Value.Member(
                "if",
                .object([
                    Value.Member("required", .array([.string(key)])),
                    Value.Member("properties", .object([Value.Member(key, name)])),
                ])),
            Value.Member("then", schema),
        ])
    }

    private mutating func fieldNames(
        of message: MessageDescription, in family: ProtocolDescription
    ) -> Value {
        define("fields-\(message.name)") { writer in
            let common = writer.define("fields-\(family.name)") { writer in
                writer.properties(family.fields)
            }
            let named = Value.object(
                [Value.Member("allOf", .array([common]))]
                    + writer.properties(message.fields))
            return [
                Value.Member("description", .string(message.summary)),
                Value.Member("properties", .object([Value.Member("where", named)])),
            ]
        }
    }

    private mutating func properties(
        _ fields: [FieldDescription]
    ) -> [Value.Member] {
        var properties: [Value.Member] = []
        for field in fields {
            add(field, path: field.path, depth: Self.depth, to: &properties)
        }
        return [Value.Member("properties", .object(properties))]
    }

    private mutating func add(
        _ field: FieldDescription, path: String, depth: Int, to fields: inout [Value.Member]
    ) {
        let reference = FieldReference.Field(field, path: path)
        let text = [reference.type, reference.remarks].filter { !$0.isEmpty }
        var members = [Value.Member("description", .string(text.joined(separator: "; ")))]
        if case .enumeration(let name, let words, _) = field.type {
            let words = define("words-of-\(name)") { _ in
                [Value.Member("anyOf", .array([.choice(of: words), .bool(true)]))]
            }
            members += words.members
        }
        fields.append(Value.Member(path, .object(members)))
        guard depth > 0, case .structure(_, let inner) = field.type else { return }
        for member in inner {
            add(member, path: "\(path).\(member.path)", depth: depth - 1, to: &fields)
        }
    }
}
