import Wire

@testable import SuiteLanguage

/// Validates values against a JSON Schema, with the keywords that the published schemas use.
struct SchemaCheck {
    let root: Value
    private var patterns: [String: TextPattern] = [:]

    /// A keyword that this validator does not support.
    ///
    /// A schema that uses one is not checked at all.
    struct UnknownKeyword: Error { let name: String }

    init(_ root: Value) throws {
        self.root = root
        try read(root)
    }

    /// Returns the problems of a value, each with its path; empty if it is valid.
    func problems(_ value: Value) -> [String] { problems(value, root, at: "") }

    private static let values: Set<String> = [
        "$schema", "$id", "examples", "title", "$ref", "description", "type", "required", "enum",
        "const", "pattern",
        "minItems", "maxItems", "minProperties", "maxProperties", "minimum", "maximum",
        "maxLength",
    ]
    private static let maps: Set<String> = [
        "properties", "patternProperties", "$defs", "dependentSchemas",
    ]
    private static let schemas: Set<String> = [
        "additionalProperties", "propertyNames", "items", "not", "if", "then", "else",
    ]

    /// Checks the keywords of a schema and compiles its patterns.
    private mutating func read(_ schema: Value) throws {
        guard case .object(let members) = schema else { return }
        for member in members {
            if Self.schemas.contains(member.name) {
                try read(member.value)
            } else if Self.maps.contains(member.name) {
                for inner in member.value.members {
                    if member.name == "patternProperties" { try compile(inner.name) }
                    try read(inner.value)
                }
            } else if member.name == "anyOf" || member.name == "allOf" {
                for choice in elements(member.value) { try read(choice) }
            } else if !Self.values.contains(member.name) {
                throw UnknownKeyword(name: member.name)
            } else if member.name == "pattern", let pattern = member.value.stringValue {
                try compile(pattern)
            }
        }
    }

    private mutating func compile(_ pattern: String) throws {
        patterns[pattern] = try TextPattern(pattern)
    }

    private func problems(_ value: Value, _ schema: Value, at path: String) -> [String] {
        if case .bool(let accepts) = schema { return accepts ? [] : ["\(path): not allowed"] }
        return schema.members.flatMap { keyword -> [String] in
            let holds: Bool
            switch keyword.name {
            case "$ref": return problems(value, definition(keyword.value), at: path)
            case "properties", "patternProperties", "additionalProperties", "propertyNames",
                "items":
                return below(value, schema, keyword, at: path)
            case "dependentSchemas":
                return keyword.value.members.filter { value[$0.name] != nil }.flatMap {
                    problems(value, $0.value, at: path)
                }
            case "allOf":
                return elements(keyword.value).flatMap { problems(value, $0, at: path) }
            case "if":
                let branch = problems(value, keyword.value, at: path).isEmpty ? "then" : "else"
                return schema[branch].map { problems(value, $0, at: path) } ?? []
            case "then", "else": return []
            case "anyOf": return alternatives(value, keyword.value, at: path)
            case "not": holds = !problems(value, keyword.value, at: path).isEmpty
            case "type": holds = isOfType(value, keyword.value)
            case "enum": holds = elements(keyword.value).contains { $0.isEqual(to: value) }
            case "const": holds = keyword.value.isEqual(to: value)
            case "required":
                holds = elements(keyword.value).allSatisfy { name in
                    guard case .object = value else { return true }
                    return value[name.stringValue ?? ""] != nil
                }
            case "pattern": holds = value.stringValue.map { find(keyword.value, in: $0) } ?? true
            default: holds = isWithin(value, keyword)
            }
            return holds ? [] : ["\(path): \(keyword.name) \(keyword.value.jsonText().prefix(60))"]
        }
    }

    private func below(
        _ value: Value, _ schema: Value, _ keyword: Value.Member, at path: String
    ) -> [String] {
        if keyword.name == "items" {
            guard case .array(let elements) = value else { return [] }
            return elements.enumerated().flatMap {
                problems($0.element, keyword.value, at: "\(path)[\($0.offset)]")
            }
        }
        return value.members.flatMap { member -> [String] in
            let own = "\(path).\(member.name)"
            let property = schema["properties"]?[member.name]
            let patterns = (schema["patternProperties"]?.members ?? []).filter {
                find(.string($0.name), in: member.name)
            }
            switch keyword.name {
            case "properties": return property.map { problems(member.value, $0, at: own) } ?? []
            case "patternProperties":
                return patterns.flatMap { problems(member.value, $0.value, at: own) }
            case "propertyNames":
                return problems(.string(member.name), keyword.value, at: "\(own) (name)")
            default:
                guard property == nil, patterns.isEmpty else { return [] }
                return problems(member.value, keyword.value, at: own)
            }
        }
    }

    private func alternatives(_ value: Value, _ choices: Value, at path: String) -> [String] {
        var found: [[String]] = []
        for choice in elements(choices) {
            let problems = problems(value, choice, at: path)
            if problems.isEmpty { return [] }
            found.append(problems)
        }
        let nearest = found.filter { $0.contains { !$0.hasPrefix("\(path): ") } }
        return ["\(path): no alternative fits"] + (nearest.min { $0.count < $1.count } ?? [])
    }

    private func isOfType(_ value: Value, _ names: Value) -> Bool {
        let own: [String] =
            switch value {
            case .null: ["null"]
            case .bool: ["boolean"]
            case .integer: ["integer", "number"]
            case .double(let number):
                number == number.rounded() ? ["integer", "number"] : ["number"]
            case .string, .bytes: ["string"]
            case .array: ["array"]
            case .object: ["object"]
            }
        let wanted = names.stringValue.map { [$0] } ?? elements(names).compactMap(\.stringValue)
        return wanted.contains { own.contains($0) }
    }

    private func isWithin(_ value: Value, _ keyword: Value.Member) -> Bool {
        guard let bound = keyword.value.numberValue else { return true }
        let size: Double?
        switch (keyword.name, value) {
        case ("minItems", .array(let elements)), ("maxItems", .array(let elements)):
            size = Double(elements.count)
        case ("minProperties", .object(let members)), ("maxProperties", .object(let members)):
            size = Double(members.count)
        case ("maxLength", .string(let text)): size = Double(text.unicodeScalars.count)
        case ("minimum", _), ("maximum", _): size = value.numberValue
        default: size = nil
        }
        guard let size else { return true }
        return keyword.name.hasPrefix("min") ? size >= bound : size <= bound
    }

    private func find(_ pattern: Value, in text: String) -> Bool {
        patterns[pattern.stringValue ?? ""]?.search(text) == .found
    }

    private func definition(_ reference: Value) -> Value {
        let name = String((reference.stringValue ?? "").dropFirst("#/$defs/".count))
        return root["$defs"]?[name] ?? .bool(false)
    }

    private func elements(_ value: Value) -> [Value] {
        if case .array(let elements) = value { elements } else { [] }
    }
}
