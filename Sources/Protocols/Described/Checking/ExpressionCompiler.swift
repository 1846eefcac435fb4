import YAML

/// Resolves the names in expressions and determines their types.
struct ExpressionCompiler {
    let names: Names
    let enumerations: [Enumeration]
    let sources: [ExpressionSource]
    /// Whether `null` denotes a missing value, which the rules of descriptions do not allow.
    var allowsNull = false
    /// The type of `_parent` for each type; `nil` if objects of several types, or none, create it.
    var parents: [TypeID?]
    private var fieldTypes: [[StaticType?]]
    private var inProgress: Set<FieldKey> = []

    private struct FieldKey: Hashable {
        var type: TypeID
        var slot: Int
    }

    /// A resolved expression with its type.
    struct Compiled {
        var expression: Expression
        var type: StaticType
        /// The field that it reads.
        var field: (type: TypeID, slot: Int)?
    }

    /// An error in an expression.
    struct Refusal: Error {
        var code: String
        var what: String
        var advice = ""
    }

    /// The place of an expression: the type that contains it and the type of `_`.
    struct Scope {
        var type: TypeID
        var item: StaticType?
    }

    init(names: Names, enumerations: [Enumeration], sources: [ExpressionSource]) {
        self.names = names
        self.enumerations = enumerations
        self.sources = sources
        parents = Array(repeating: nil, count: names.types.count)
        fieldTypes = names.types.map { Array(repeating: nil, count: $0.fields.count) }
    }

    /// Returns the type of a field's value, an array if it repeats.
    mutating func type(of slot: Int, in type: TypeID) -> StaticType {
        let field = names.types[type].fields[slot]
        let element = elementType(of: slot, in: type)
        if case .once = field.repetition { return element }
        return .array(element)
    }

    /// Returns the type of a field's value, or of its elements if it repeats.
    mutating func elementType(of slot: Int, in type: TypeID) -> StaticType {
        if let known = fieldTypes[type][slot] { return known }
        let key = FieldKey(type: type, slot: slot)
        guard inProgress.insert(key).inserted, inProgress.count < 200 else { return .any }
        defer { inProgress.remove(key) }
        let field = names.types[type].fields[slot]
        let found =
            field.enumeration.map(StaticType.enumeration) ?? staticType(of: field.type)
        fieldTypes[type][slot] = found
        return found
    }

    private mutating func staticType(of type: FieldType) -> StaticType {
        switch type {
        case .integer(let width, _, _): return width == 1 ? .byte : .integer
        case .float: return .float
        case .bits(let count, _): return count == 1 ? .bool : .integer
        case .bytes: return .bytes
        case .string: return .string
        case .object(let type, _, _): return .object(type)
        case .opaque, .any: return .any
        case .bool: return .bool
        case .anyObject: return .anyObject
        case .stream: return .stream
        case .array(let element): return .array(staticType(of: element))
        case .computed(let id):
            let source = sources[id]
            let compiled = try? compile(source.syntax, in: Scope(type: source.scope))
            return compiled?.type ?? .any
        case .choice(_, let cases, let otherwise):
            let types = (cases.map(\.type) + (otherwise.map { [$0] } ?? [])).map {
                staticType(of: $0)
            }
            return types.dropFirst().reduce(types.first ?? .any) { $0.joined($1) }
        }
    }

    /// Resolves an expression.
    mutating func compile(_ syntax: Syntax, in scope: Scope) throws(Refusal) -> Compiled {
        switch syntax {
        case .integer(let number):
            return Compiled(
                expression: .constant(.integer(number)),
                type: (0...255).contains(number) ? .byte : .integer)
        case .float(let number):
            return Compiled(expression: .constant(.float(number)), type: .float)
        case .bool(let flag): return Compiled(expression: .constant(.bool(flag)), type: .bool)
        case .string(let text): return Compiled(expression: .constant(.string(text)), type: .string)
        case .format(let parts): return try format(parts, in: scope)
        case .list(let elements): return try list(elements, in: scope)
        case .name(let name): return try self.name(name, in: scope)
        case .enumMember(let path, let isAbsolute, let member):
            return try enumMember(path, isAbsolute, member, in: scope)
        case .size(let type, let inBits): return try size(of: type, inBits: inBits, in: scope)
        case .unary(let symbol, let operand): return try unary(symbol, operand, in: scope)
        case .binary(let symbol, let left, let right):
            return try binary(symbol, left, right, in: scope)
        case .conditional(let condition, let first, let second):
            let condition = try compile(condition, in: scope)
            try require(.bool, condition.type, "the condition of ? :")
            let (first, second) = (try compile(first, in: scope), try compile(second, in: scope))
            return Compiled(
                expression: .conditional(condition.expression, first.expression, second.expression),
                type: first.type.joined(second.type))
        case .attribute(let base, let name): return try attribute(name, of: base, in: scope)
        case .call(let base, let name, let arguments):
            return try call(name, of: base, arguments, in: scope)
        case .index(let base, let index):
            let (base, index) = (try compile(base, in: scope), try compile(index, in: scope))
            try require(.integer, index.type, "an index")
            return Compiled(
                expression: .element(base.expression, index.expression),
                type: try elementType(of: base.type))
        case .cast(let base, let target):
            return try cast(base, to: target, in: scope)
        }
    }

    /// Throws if a value has another type than the required one.
    func require(
        _ wanted: StaticType, _ found: StaticType, _ subject: String
    ) throws(Refusal) {
        if found == .any || wanted == found || wanted.isInteger && found.isInteger { return }
        if wanted == .float && found.isNumber { return }
        throw Refusal(
            code: "ksy-type",
            what: "\(subject) is \(describe(wanted)), not \(describe(found))")
    }

    private func elementType(of type: StaticType) throws(Refusal) -> StaticType {
        switch type {
        case .array(let element): return element
        case .bytes: return .byte
        case .any: return .any
        default:
            throw Refusal(
                code: "ksy-type", what: "[ ] takes an array or bytes, this is \(describe(type))")
        }
    }

    /// Returns a type in words, with an article.
    func describe(_ type: StaticType) -> String {
        switch type {
        case .byte, .integer: "an integer"
        case .float: "a number"
        case .bool: "a Boolean"
        case .string: "text"
        case .bytes: "bytes"
        case .array(let element): "an array of which each element is \(describe(element))"
        case .object(let type):
            "an object of type \(names.types[type].path.joined(separator: "::"))"
        case .anyObject: "an object of a type that is not known"
        case .enumeration(let id): "a value of the enumeration \(enumerations[id.index].name)"
        case .stream: "a stream"
        case .any: "of a type that is not known"
        }
    }
}

extension ExpressionCompiler {
    private mutating func format(
        _ parts: [Syntax], in scope: Scope
    ) throws(Refusal) -> Compiled {
        var compiled: [Expression] = []
        for part in parts {
            let piece = try compile(part, in: scope)
            switch piece.type {
            case .string, .any: compiled.append(piece.expression)
            case .byte, .integer, .float: compiled.append(.method(.toText, piece.expression, []))
            default:
                throw Refusal(
                    code: "ksy-type",
                    what: "{ } takes text or a number, this is \(describe(piece.type))")
            }
        }
        return Compiled(expression: .format(compiled), type: .string)
    }

    private mutating func list(
        _ elements: [Syntax], in scope: Scope
    ) throws(Refusal) -> Compiled {
        var compiled: [Compiled] = []
        for element in elements { compiled.append(try compile(element, in: scope)) }
        let expressions = compiled.map(\.expression)
        guard let first = compiled.first else {
            return Compiled(expression: .list([]), type: .array(.any))
        }
        if compiled.allSatisfy({ $0.type == .byte }) {
            return Compiled(expression: ExpressionCompiler.bytes(expressions), type: .bytes)
        }
        let type = compiled.dropFirst().reduce(first.type) { $0.joined($1.type) }
        return Compiled(expression: .list(expressions), type: .array(type))
    }

    private static func bytes(_ elements: [Expression]) -> Expression {
        var bytes: [UInt8] = []
        for element in elements {
            guard case .constant(.integer(let number)) = element, let byte = UInt8(exactly: number)
            else { return .byteList(elements) }
            bytes.append(byte)
        }
        return .constant(.bytes(bytes))
    }

    private mutating func name(_ name: String, in scope: Scope) throws(Refusal) -> Compiled {
        if let slot = names.types[scope.type].slots[name] {
            var compiled = Compiled(expression: .slot(slot), type: type(of: slot, in: scope.type))
            compiled.field = (scope.type, slot)
            return compiled
        }
        switch name {
        case "_": return Compiled(expression: .item, type: try item(of: scope))
        case "_index": return Compiled(expression: .index, type: .integer)
        case "_root", "_parent", "_io", "_sizeof":
            return try builtIn(name, of: Compiled(expression: .current, type: .object(scope.type)))
        case "null" where allowsNull: return Compiled(expression: .constant(.none), type: .any)
        default: break
        }
        let known = Array(names.types[scope.type].slots.keys).sorted()
        guard name.isIdentifier else {
            throw Refusal(
                code: "ksy-name", what: "\"\(name)\" is not a field name",
                advice: "names are lower-case letters, digits and _; text needs quotes of its own")
        }
        throw Refusal(
            code: "ksy-unknown-field",
            what:
                "\(names.types[scope.type].path.joined(separator: "::")) has no field \"\(name)\"",
            advice: Suggestion.advice(for: name, in: known))
    }

    private func item(of scope: Scope) throws(Refusal) -> StaticType {
        if let item = scope.item { return item }
        throw Refusal(
            code: "ksy-name", what: "\"_\" has no value here",
            advice: "it is the element in repeat-until and the value in valid")
    }

    /// Resolves `_root`, `_parent`, `_io` or `_sizeof` of an object.
    private mutating func builtIn(_ name: String, of base: Compiled) throws(Refusal) -> Compiled {
        let type: TypeID? = if case .object(let type) = base.type { type } else { nil }
        switch name {
        case "_root":
            let root = type.map { names.files[names.types[$0].file].top }
            return Compiled(
                expression: .root(base.expression), type: root.map(StaticType.object) ?? .anyObject)
        case "_parent":
            let parent = type.flatMap { parents[$0] }
            return Compiled(
                expression: .parent(base.expression),
                type: parent.map(StaticType.object) ?? .anyObject)
        case "_io": return Compiled(expression: .stream(base.expression), type: .stream)
        default:
            var sizes = TypeSizes(names: names, sources: sources)
            let bits: Int?
            if let field = base.field {
                bits = sizes.bits(of: names.types[field.type].fields[field.slot])
            } else {
                bits = type.flatMap { sizes.bits(of: $0) }
            }
            guard let bits else {
                throw Refusal(
                    code: "ksy-size", what: "its size is not known before bytes are read",
                    advice: "_sizeof is for what always has the same size")
            }
            return Compiled(expression: .constant(.integer(Int128((bits + 7) / 8))), type: .integer)
        }
    }

    private mutating func attribute(
        _ name: String, of base: Syntax, in scope: Scope
    ) throws(Refusal) -> Compiled {
        let compiled = try compile(base, in: scope)
        if name == "_sizeof" { return try builtIn(name, of: compiled) }
        if case .object(let type) = compiled.type, let slot = names.types[type].slots[name] {
            var result = Compiled(
                expression: .field(compiled.expression, name: name, type: type, slot: slot),
                type: self.type(of: slot, in: type))
            result.field = (type, slot)
            return result
        }
        if compiled.type.isObject || compiled.type == .any,
            ["_root", "_parent", "_io"].contains(name)
        {
            return try builtIn(name, of: compiled)
        }
        return try method(name, of: compiled, [], isCall: false)
    }

    private mutating func enumMember(
        _ path: [String], _ isAbsolute: Bool, _ member: String, in scope: Scope
    ) throws(Refusal) -> Compiled {
        guard let id = names.enumeration(path, isAbsolute: isAbsolute, from: scope.type) else {
            throw Refusal(
                code: "ksy-unknown-enum",
                what: "there is no enumeration \"\(path.joined(separator: "::"))\"",
                advice: Suggestion.advice(
                    for: path.last ?? "", in: names.enumerationNames(from: scope.type)))
        }
        guard let number = enumerations[id.index].numbers[member] else {
            throw Refusal(
                code: "ksy-unknown-member",
                what: "the enumeration \"\(enumerations[id.index].name)\" has no \"\(member)\"",
                advice: Suggestion.advice(
                    for: member, in: enumerations[id.index].members.map(\.name)))
        }
        return Compiled(expression: .constant(.enumerator(number, of: id)), type: .enumeration(id))
    }

    private mutating func size(
        of reference: TypeReference, inBits: Bool, in scope: Scope
    ) throws(Refusal) -> Compiled {
        var sizes = TypeSizes(names: names, sources: sources)
        let bits: Int?
        if let number = reference.path.first.flatMap(BuiltInType.number), reference.path.count == 1
        {
            bits = sizes.bits(of: number)
        } else {
            bits = sizes.bits(of: try userType(reference, from: scope.type))
        }
        guard let bits else {
            throw Refusal(
                code: "ksy-size",
                what: "the size of \"\(reference.text)\" is not known before bytes are read")
        }
        return Compiled(
            expression: .constant(.integer(Int128(inBits ? bits : (bits + 7) / 8))), type: .integer)
    }

    private func userType(
        _ reference: TypeReference, from scope: TypeID
    ) throws(Refusal) -> TypeID {
        if let type = names.type(
            reference.path, isAbsolute: reference.isAbsolute, from: scope)
        {
            return type
        }
        throw Refusal(
            code: "ksy-unknown-type", what: "there is no type \"\(reference.text)\"",
            advice: Suggestion.advice(
                for: reference.path.last ?? "", in: names.typeNames(from: scope)))
    }

    private mutating func cast(
        _ base: Syntax, to target: TypeReference, in scope: Scope
    ) throws(Refusal) -> Compiled {
        let element: StaticType
        switch target.path.count == 1 ? target.path[0] : "" {
        case "bytes": element = .bytes
        case "str", "strz": element = .string
        case "bool", "b1": element = .bool
        case "struct": element = .anyObject
        case "io": element = .stream
        case "any": element = .any
        case let name:
            if let number = BuiltInType.number(name) {
                element = staticType(of: number)
            } else {
                element = .object(try userType(target, from: scope.type))
            }
        }
        if element == .bytes, !target.isArray, case .list(let elements) = base {
            var compiled: [Expression] = []
            for item in elements { compiled.append(try compile(item, in: scope).expression) }
            return Compiled(expression: ExpressionCompiler.bytes(compiled), type: .bytes)
        }
        var result = try compile(base, in: scope)
        result.type = target.isArray ? .array(element) : element
        return result
    }
}

extension String {
    /// Whether this is a valid name in a description: `^[a-z][a-z0-9_]*$`.
    var isIdentifier: Bool {
        guard let first = utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return false
        }
        return utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}
