/// The values that a field may have, as far as a description determines them.
public indirect enum KaitaiShape: Sendable {
    case boolean
    case integer(ClosedRange<Int128>?)
    case number
    case text
    case bytes
    /// A member of an enumeration, or a number that none of them has.
    case enumeration(name: String, members: [String], numbers: [Int128])
    case object(name: String, [Member])
    case array(of: KaitaiShape)
    /// A value of several kinds or of an unknown kind, with the fields of the possible objects.
    case any([Member]?)

    /// A field of an object.
    public struct Member: Sendable {
        /// The id of the field.
        public let name: String
        /// The values that the field may have.
        public let shape: KaitaiShape
        /// Whether every such object has it.
        public let isAlwaysThere: Bool
    }

    /// The fields of a value that may be an object; `nil` if it has none.
    public var members: [Member]? {
        switch self {
        case .object(_, let members): members
        case .any(let members): members
        default: nil
        }
    }

    /// Returns the shape of values that have one of two shapes.
    fileprivate func joined(_ other: KaitaiShape) -> KaitaiShape {
        switch (self, other) {
        case (.boolean, .boolean), (.number, .number), (.text, .text), (.bytes, .bytes):
            return self
        case (.integer(let left), .integer(let right)):
            guard let left, let right else { return .integer(nil) }
            return .integer(
                min(left.lowerBound, right.lowerBound)...max(left.upperBound, right.upperBound))
        case (.enumeration(let left, _, _), .enumeration(let right, _, _)) where left == right:
            return self
        case (.array(let left), .array(let right)): return .array(of: left.joined(right))
        case (.object(let left, let mine), .object(let right, let others)):
            let name = left == right ? left : "\(left) or \(right)"
            return .object(name: name, Self.joined(mine, others))
        default:
            if case .any(nil) = self { return self }
            if case .any(nil) = other { return other }
            return .any(Self.joined(members ?? [], other.members ?? []))
        }
    }

    private static func joined(_ left: [Member], _ right: [Member]) -> [Member] {
        let shared = left.map { mine in
            guard let other = right.first(where: { $0.name == mine.name }) else {
                return Member(name: mine.name, shape: mine.shape, isAlwaysThere: false)
            }
            return Member(
                name: mine.name, shape: mine.shape.joined(other.shape),
                isAlwaysThere: mine.isAlwaysThere && other.isAlwaysThere)
        }
        return shared
            + right.filter { other in !left.contains { $0.name == other.name } }.map {
                Member(name: $0.name, shape: $0.shape, isAlwaysThere: false)
            }
    }
}

extension KaitaiDescription {
    /// Returns the shape of the top object.
    ///
    /// - Parameter choice: A field of the top object and the member of its enumeration that the
    ///   field
    ///   has; where that field decides the type of another one, the other types do not count.
    public func shape(where choice: (field: String, is: String)? = nil) -> KaitaiShape {
        var maker = ShapeMaker(description: self)
        if let choice, let slot = types[top].slots[choice.field],
            let id = types[top].fields[slot].enumeration,
            let number = enumerations[id.index].numbers[choice.is]
        {
            maker.choice = (slot, .enumerator(number, of: id))
        }
        return maker.object(top)
    }
}

/// Builds shapes of bounded depth and number.
private struct ShapeMaker {
    let description: KaitaiDescription
    var choice: (slot: Int, value: KaitaiValue)?
    /// The types around the current one, outermost first.
    private var around: [TypeID] = []
    private var left = 20_000

    private static let depthMax = 12

    init(description: KaitaiDescription) { self.description = description }

    mutating func object(_ type: TypeID) -> KaitaiShape {
        let model = description.types[type]
        guard around.count < Self.depthMax, !around.contains(type), left > 0 else {
            return .any(nil)
        }
        around.append(type)
        defer { around.removeLast() }
        var members: [KaitaiShape.Member] = []
        for (slot, field) in model.fields.enumerated()
        where field.isNamed && field.role != .parameter {
            left -= 1
            let isSure = field.condition == nil && field.role == .sequence
            members.append(
                KaitaiShape.Member(
                    name: field.id, shape: shape(of: field, type, slot),
                    isAlwaysThere: isSure && !field.type.mayBeAbsent))
        }
        return .object(name: model.name, members)
    }

    private mutating func shape(of field: Field, _ type: TypeID, _ slot: Int) -> KaitaiShape {
        let element: KaitaiShape
        if let id = field.enumeration {
            element = shape(of: id)
        } else {
            element = shape(of: field.type, type, slot)
        }
        if case .once = field.repetition { return element }
        return .array(of: element)
    }

    private func shape(of id: EnumerationID) -> KaitaiShape {
        let enumeration = description.enumerations[id.index]
        return .enumeration(
            name: enumeration.name, members: enumeration.members.map(\.name),
            numbers: enumeration.members.map(\.number))
    }

    private mutating func shape(of field: FieldType, _ type: TypeID, _ slot: Int) -> KaitaiShape {
        switch field {
        case .integer(let width, let isSigned, _):
            let bits = Int128(width * 8)
            return .integer(
                isSigned
                    ? -(1 << (bits - 1))...((1 << (bits - 1)) - 1) : 0...((1 << bits) - 1))
        case .bits(1, _): return .boolean
        case .bits(let count, _): return .integer(0...((Int128(1) << Int128(count)) - 1))
        case .float: return .number
        case .bytes: return .bytes
        case .string: return .text
        case .object(let inner, _, _): return object(inner)
        case .choice(let on, let cases, let otherwise):
            return shape(of: taken(on, cases, otherwise, in: type), field, type, slot)
        case .computed: return shape(of: description.fieldTypes[type][slot])
        case .bool: return .boolean
        case .opaque, .anyObject, .stream, .any, .array: return .any(nil)
        }
    }

    /// Returns the types that a switch may select.
    private func taken(
        _ on: ExpressionID, _ cases: [(key: ExpressionID, type: FieldType)],
        _ otherwise: FieldType?, in type: TypeID
    ) -> [FieldType] {
        let all = cases.map(\.type) + (otherwise.map { [$0] } ?? [])
        guard let choice, around.count == 1,
            case .slot(choice.slot) = description.expressions[on]
        else { return all }
        for one in cases {
            guard case .constant(let value) = description.expressions[one.key] else { return all }
            if value == choice.value { return [one.type] }
        }
        return otherwise.map { [$0] } ?? []
    }

    private mutating func shape(
        of alternatives: [FieldType], _ field: FieldType, _ type: TypeID, _ slot: Int
    ) -> KaitaiShape {
        var found: KaitaiShape?
        for one in alternatives {
            let shape = shape(of: one, type, slot)
            found = found.map { $0.joined(shape) } ?? shape
        }
        guard let found else { return .any([]) }
        // Perhaps no case fits: then there are plain bytes, or nothing.
        return field.mayBeAbsent && alternatives.count > 1 ? .any(found.members ?? []) : found
    }

    private mutating func shape(of type: StaticType) -> KaitaiShape {
        switch type {
        case .byte, .integer: .integer(nil)
        case .float: .number
        case .bool: .boolean
        case .string: .text
        case .bytes: .bytes
        case .array(let element): .array(of: shape(of: element))
        case .object(let inner): object(inner)
        case .enumeration(let id): shape(of: id)
        case .anyObject, .stream, .any: .any(nil)
        }
    }
}

extension KaitaiDescription {
    /// Returns every text that an expression may produce; `nil` if they are not known.
    ///
    /// They are known for a member of an enumeration, a Boolean, and the constants of `? :`.
    public func texts(of expression: KaitaiExpression) -> [String]? {
        switch expression.type {
        case .bool: return ["true", "false"]
        case .enumeration(let id):
            return enumerations[id.index].members.map(\.name)
        default: return constants(of: expression.expression)
        }
    }

    private func constants(of expression: Expression) -> [String]? {
        switch expression {
        case .constant(.string(let text)): return [text]
        case .conditional(_, let first, let second):
            guard let first = constants(of: first), let second = constants(of: second) else {
                return nil
            }
            return first + second.filter { !first.contains($0) }
        default: return nil
        }
    }

    /// Whether an expression produces a member of an enumeration.
    ///
    /// Its value may then also be a number without a name.
    public func isEnumeration(_ expression: KaitaiExpression) -> Bool {
        if case .enumeration = expression.type { true } else { false }
    }

    /// Returns the field value with which an expression produces a text; `nil` if not simple.
    public func fields(
        giving text: String, by expression: KaitaiExpression
    ) -> (path: [String], value: KaitaiValue)? {
        switch expression.type {
        case .enumeration(let id):
            guard let path = path(expression.expression),
                let number = enumerations[id.index].numbers[text]
            else { return nil }
            return (path, .enumerator(number, of: id))
        case .bool:
            return path(expression.expression).map { ($0, .bool(text == "true")) }
        default: break
        }
        guard case .conditional(let condition, let first, let second) = expression.expression
        else { return nil }
        let isFirst = constants(of: first) == [text]
        guard isFirst || constants(of: second) == [text] else { return nil }
        if let path = path(condition) { return (path, .bool(isFirst)) }
        guard isFirst, case .binary(.equal, let left, .constant(let value)) = condition,
            let path = path(left)
        else { return nil }
        return (path, value)
    }

    /// Returns the path of the field that an expression consists of; `nil` for any other.
    private func path(_ expression: Expression) -> [String]? {
        switch expression {
        case .slot(let slot):
            let field = types[top].fields[slot]
            return field.role == .sequence ? [field.id] : nil
        case .field(let base, let name, let type, let slot):
            guard types[type].fields[slot].role == .sequence else { return nil }
            return path(base).map { $0 + [name] }
        default: return nil
        }
    }
}
