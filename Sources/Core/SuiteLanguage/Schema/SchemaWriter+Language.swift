import Wire

extension SchemaWriter {
    /// Returns the schema of the message names that a place allows.
    mutating func message(_ place: ValueForm.MessageForm) -> Value {
        switch place {
        case .expected:
            define("message") { writer in
                SchemaWriter.names(
                    "The name of a message.", writer.protocols.messageNames,
                    or: TextForm.freeMessage(beside: writer.protocols))
            }
        case .sent:
            define("sendable-message") { writer in
                let names = writer.protocols.messageNames.filter { name in
                    writer.protocols.peers.contains { $0.canSend(name) }
                }
                return SchemaWriter.names(
                    "A message that a peer can send.", names,
                    or: TextForm.ownMessage(beside: writer.protocols))
            }
        case .pattern:
            define("message-pattern") { writer in
                let patterns = MessageVocabulary.prefixes(of: writer.protocols).map { $0 + ".*" }
                return SchemaWriter.names(
                    "The name of a message, or the start of names and .* for any rest.",
                    writer.protocols.messageNames + patterns,
                    or: TextForm.freePattern(beside: writer.protocols))
            }
        }
    }

    private static func names(
        _ summary: String, _ names: [String], or pattern: String?
    ) -> [Value.Member] {
        let description = Value.Member("description", .string(summary))
        let choice =
            pattern.map { Value.choice(of: names, orLike: $0) } ?? Value.choice(of: names)
        return [description] + choice.members
    }

    /// Returns the schema of a value or of a mapping of matchers; a mapping must not mix both.
    mutating func condition() -> Value {
        define("condition") { writer in
            let matcher = writer.mapping(SuiteVocabulary.matcher)
            let isMatcher = SchemaWriter.has(anyOf: SuiteVocabulary.matcher.keyNames)
            return [
                Value.Member("description", "The value of the field, or matchers."),
                Value.Member("if", isMatcher), Value.Member("then", matcher),
            ]
        }
    }

    /// Returns the schema of a mapping with at least one of these keys.
    private static func has(anyOf keys: [String]) -> Value {
        let required = keys.map { key in
            Value.object([Value.Member("required", .array([.string(key)]))])
        }
        return .object([
            Value.Member("type", "object"), Value.Member("anyOf", .array(required)),
        ])
    }

    /// Returns the schema of a step.
    ///
    /// The verb decides which other keys are allowed. Steps that contain other steps refer back to
    /// this schema.
    mutating func step() -> Value {
        define("step") { writer in
            let verbs = SuiteVocabulary.verbs
            let descriptions = verbs.map(SuiteVocabulary.step)
            return [
                Value.Member("description", "One step of a case."),
                Value.Member("type", "object"),
                Value.Member(
                    "properties",
                    .object(
                        zip(verbs, descriptions).map { verb, step in
                            Value.Member(
                                verb,
                                .object([Value.Member("description", .string(step.summary))]))
                        })),
                // For a step without a verb the error names its key and the verbs.
                Value.Member("minProperties", .integer(1)),
                Value.Member("if", SchemaWriter.has(anyOf: verbs)),
                Value.Member(
                    "else", .object([Value.Member("propertyNames", .choice(of: verbs))])),
                Value.Member(
                    "allOf",
                    .array(zip(verbs, descriptions).map { .with($0, writer.mapping($1)) })),
            ]
        }
    }

    /// Returns the schema of the settings of a peer of any kind.
    mutating func peer(isDeclared: Bool) -> Value {
        let kinds = protocols.peers.map { kind in
            define(kind.name + (isDeclared ? "" : "-settings")) { writer in
                var settings = (PeerReader.commonSettings(of: kind) + kind.settings).map {
                    setting in
                    let isStream = setting.path == PeerDeclaration.streamSetting
                    return Value.Member(
                        setting.path,
                        isStream
                            ? writer.mapping(SuiteVocabulary.stream)
                            : writer.schema(of: setting.type))
                }
                if kind.isScripted {
                    settings += SuiteVocabulary.script.map {
                        Value.Member($0.name, writer.property($0))
                    }
                }
                let name = Value.Member(
                    "is", .anyOf([.constant(.string(kind.name)), .text(like: TextForm.template)]))
                return [
                    Value.Member("description", .string(kind.summary)),
                    Value.Member("type", "object"),
                    Value.Member(
                        "properties", .object((isDeclared ? [name] : []) + settings)),
                    Value.Member("additionalProperties", .bool(false)),
                ]
            }
        }
        guard isDeclared else { return .anyOf(kinds) }
        return define("peer") { writer in
            let names = writer.protocols.peers.map(\.name)
            let kind = Value.choice(of: names, orLike: TextForm.template)
            let choices = zip(names, kinds).map { name, kind in
                let isKind = Value.object([Value.Member("is", .constant(.string(name)))])
                return Value.object([
                    Value.Member(
                        "if",
                        .object([
                            Value.Member("type", "object"),
                            Value.Member("required", .array(["is"])),
                            Value.Member("properties", isKind),
                        ])),
                    Value.Member("then", kind),
                ])
            }
            // Without "is" it is a peer that an included file declares.
            return [
                Value.Member("description", "A peer; what it plays says what it may be set to."),
                Value.Member("type", "object"),
                Value.Member("if", .object([Value.Member("required", .array(["is"]))])),
                Value.Member(
                    "then",
                    .object([
                        Value.Member("properties", .object([Value.Member("is", kind)])),
                        Value.Member("allOf", .array(choices)),
                    ])),
                Value.Member("else", .anyOf(kinds)),
            ]
        }
    }

    /// Returns the schema of `do`: an action of a kind of peer, or a control of the device.
    mutating func action() -> Value {
        define("action") { writer in
            let actions = writer.protocols.peers.flatMap(\.actions)
            let bare = actions.filter { $0.argument == nil || $0.isArgumentOptional }.map(\.name)
            let stated = writer.arguments(of: actions)
            let ownTold = DeviceAction.all.compactMap { action in
                action.argument.map { type in
                    let forms =
                        action.name == DeviceAction.damage ? DeviceAction.damageForms : [type]
                    return Value.Member(
                        TextForm.deviceAction(action.name),
                        .anyOf(forms.map { writer.schema(of: $0) }))
                }
            }
            let controls = [Value.Member(TextForm.otherControl, .object([]))]
            let mapping = Value.object([
                Value.Member("type", "object"),
                Value.Member(
                    "patternProperties",
                    .object(
                        stated + ownTold + controls + [
                            Value.Member(
                                TextForm.furtherControl(except: actions.map(\.name)), .object([]))
                        ])),
                Value.Member("additionalProperties", .bool(false)),
                Value.Member("minProperties", .integer(1)),
                Value.Member("maxProperties", .integer(1)),
            ])
            let needy = actions.filter { $0.argument != nil && !$0.isArgumentOptional }.map(\.name)
            let texts = [
                TextForm.action(bare), TextForm.bareControl,
                TextForm.furtherControl(except: needy),
            ].map { Value.text(like: $0) }
            return [
                Value.Member("description", "An action of a peer, or a control of the device.")
            ] + Value.byType(texts: texts, others: [mapping]).members
        }
    }

    /// Returns the schemas of the arguments of each action.
    ///
    /// An action that several kinds of peers have accepts the arguments of any of them.
    private mutating func arguments(of actions: [PeerAction]) -> [Value.Member] {
        var stated: [(name: String, forms: [Value])] = []
        for action in actions {
            guard let form = action.argument.map({ schema(of: $0) }) else { continue }
            if let index = stated.firstIndex(where: { $0.name == action.name }) {
                if !stated[index].forms.contains(form) { stated[index].forms.append(form) }
            } else {
                stated.append((action.name, [form]))
            }
        }
        return stated.map { Value.Member(TextForm.action([$0.name]), .anyOf($0.forms)) }
    }

    /// Returns the schema of a setting or an argument of that type; variables may replace it and
    /// its parts.
    mutating func schema(of type: FieldType) -> Value {
        if case .any = type { return .object([]) }
        let plain: Value
        switch type {
        case .any: plain = .object([])
        case .boolean: plain = .type("boolean")
        case .integer(let range):
            plain = range.map(Value.integer(in:)) ?? .type("integer")
        case .number: plain = .type("number")
        case .string(let maxLength):
            let bound = maxLength.map { [Value.Member("maxLength", .integer(Int64($0)))] }
            plain = .object([Value.Member("type", "string")] + (bound ?? []))
        case .bytes: plain = mapping(SuiteVocabulary.byteNotation)
        case .duration: plain = .text(like: TextForm.duration)
        case .enumeration(_, let values, _): plain = .choice(of: values)
        case .structure(_, let fields):
            let properties = fields.map { Value.Member($0.path, schema(of: $0.type)) }
            plain = .object([
                Value.Member("type", "object"),
                Value.Member("properties", .object(properties)),
                Value.Member(
                    "patternProperties",
                    .object([Value.Member(TextForm.template, .object([]))])),
                Value.Member("additionalProperties", .bool(false)),
                Value.Member(
                    "required", .array(fields.filter(\.isMandatory).map { .string($0.path) })),
            ])
        case .array(let element, let count):
            plain = .list(
                of: schema(of: element), atLeast: count?.lowerBound ?? 0,
                atMost: count?.upperBound)
        }
        return .object([
            Value.Member("if", .text(like: TextForm.template)), Value.Member("else", plain),
        ])
    }
}
