extension KaitaiReading {
    /// Returns the value of an expression.
    mutating func evaluate(_ id: ExpressionID, _ frame: Frame) throws(KaitaiError) -> KaitaiValue {
        try evaluate(description.expressions[id], frame)
    }

    mutating func evaluate(
        _ expression: Expression, _ frame: Frame
    ) throws(KaitaiError) -> KaitaiValue {
        switch expression {
        case .constant(let value): return value
        case .slot(let slot):
            let place = objects[frame.object].base + slot
            if slots[place].state == .read { return slots[place].value }
        default: break
        }
        stepsLeft -= 1
        guard stepsLeft > 0 else {
            throw KaitaiError(
                code: .limit, what: "expressions take more than \(limits.steps) steps")
        }
        guard evaluationDepth < limits.evaluationDepth else {
            throw KaitaiError(
                code: .limit,
                what: "expressions are nested more than \(limits.evaluationDepth) deep")
        }
        evaluationDepth += 1
        defer { evaluationDepth -= 1 }
        return try compute(expression, frame)
    }

    private mutating func compute(
        _ expression: Expression, _ frame: Frame
    ) throws(KaitaiError) -> KaitaiValue {
        switch expression {
        case .constant(let value): return value
        case .slot(let slot): return try value(slot, of: frame.object)
        case .field(let base, let name, let type, let slot):
            return try field(name, type, slot, of: try object(base, frame))
        case .current: return .object(ObjectID(index: frame.object))
        case .parent(let base):
            return related(objects[try object(base, frame)].parent)
        case .root(let base): return related(objects[try object(base, frame)].root)
        case .stream(let base):
            return .stream(StreamID(index: objects[try object(base, frame)].stream))
        case .item: return frame.item
        case .index: return .integer(Int128(frame.index))
        case .format(let parts):
            var result = ""
            for part in parts { result += try string(part, frame) }
            try produce(result.utf8.count)
            return .string(result)
        case .list(let elements):
            var values: [KaitaiValue] = []
            for element in elements { values.append(try evaluate(element, frame)) }
            return .array(values)
        case .byteList(let elements): return .bytes(try byteList(elements, frame))
        case .unary(let symbol, let operand):
            return try Arithmetic.unary(symbol, try evaluate(operand, frame))
        case .binary(let symbol, let left, let right):
            return try binary(symbol, left, right, frame)
        case .conditional(let condition, let first, let second):
            return try evaluate(try bool(condition, frame) ? first : second, frame)
        case .element(let base, let index):
            return try element(of: try evaluate(base, frame), at: try evaluate(index, frame))
        case .method(let method, let base, let arguments):
            return try call(method, on: try evaluate(base, frame), arguments, frame)
        }
    }

    private func related(_ object: Int?) -> KaitaiValue {
        object.map { .object(ObjectID(index: $0)) } ?? .none
    }

    private mutating func field(
        _ name: String, _ type: TypeID, _ slot: Int, of object: Int
    ) throws(KaitaiError) -> KaitaiValue {
        let actual = objects[object].type
        if actual == type { return try value(slot, of: object) }
        guard let other = description.types[actual].slots[name] else {
            throw KaitaiError(
                code: .type,
                what:
                    "\(description.types[actual].path.joined(separator: "::")) has no field \"\(name)\""
            )
        }
        return try value(other, of: object)
    }

    private mutating func object(
        _ expression: Expression, _ frame: Frame
    ) throws(KaitaiError) -> Int {
        switch try evaluate(expression, frame) {
        case .object(let id): return id.index
        case .none: throw KaitaiError(code: .null, what: "there is no object")
        case let other:
            throw KaitaiError(
                code: .type, what: "an object is needed, this is \(other.kindInWords)")
        }
    }

    private mutating func bool(_ expression: Expression, _ frame: Frame) throws(KaitaiError) -> Bool
    {
        guard case .bool(let flag) = try evaluate(expression, frame) else {
            throw KaitaiError(code: .type, what: "a Boolean is needed")
        }
        return flag
    }

    private mutating func string(
        _ expression: Expression, _ frame: Frame
    ) throws(KaitaiError) -> String {
        switch try evaluate(expression, frame) {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .float(let number): return String(number)
        case .none: throw KaitaiError(code: .null, what: "there is no text")
        case let other:
            throw KaitaiError(code: .type, what: "text is needed, this is \(other.kindInWords)")
        }
    }

    private mutating func byteList(
        _ elements: [Expression], _ frame: Frame
    ) throws(KaitaiError) -> [UInt8] {
        var bytes: [UInt8] = []
        for element in elements {
            guard case .integer(let number) = try evaluate(element, frame),
                let byte = UInt8(exactly: number)
                    ?? Int8(exactly: number).map(UInt8.init(bitPattern:))
            else {
                throw KaitaiError(
                    code: .overflow, what: "an element of a byte string is not a byte")
            }
            bytes.append(byte)
        }
        return bytes
    }

    private mutating func binary(
        _ symbol: BinaryOperator, _ left: Expression, _ right: Expression, _ frame: Frame
    ) throws(KaitaiError) -> KaitaiValue {
        switch symbol {
        case .or: return .bool(try bool(left, frame) ? true : try bool(right, frame))
        case .and: return .bool(try bool(left, frame) ? try bool(right, frame) : false)
        default: break
        }
        let (left, right) = (try evaluate(left, frame), try evaluate(right, frame))
        switch symbol {
        case .equal: return .bool(equals(left, right))
        case .notEqual: return .bool(!equals(left, right))
        case .less: return .bool(try order(left, right) < 0)
        case .lessOrEqual: return .bool(try order(left, right) <= 0)
        case .greater: return .bool(try order(left, right) > 0)
        case .greaterOrEqual: return .bool(try order(left, right) >= 0)
        default:
            if symbol == .add, case .string(let first) = left, case .string(let second) = right {
                try produce(first.utf8.count + second.utf8.count)
                return .string(first + second)
            }
            return try Arithmetic.binary(symbol, left, right)
        }
    }

    private func element(
        of value: KaitaiValue, at index: KaitaiValue
    ) throws(KaitaiError) -> KaitaiValue {
        guard case .integer(let number) = index else {
            throw KaitaiError(code: .type, what: "an index is an integer")
        }
        let place = Int(exactly: number) ?? -1
        switch value {
        case .array(let elements) where elements.indices.contains(place): return elements[place]
        case .bytes(let bytes) where bytes.indices.contains(place):
            return .integer(Int128(bytes[place]))
        case .array, .bytes: throw KaitaiError(code: .index, what: "there is no element \(number)")
        case .none: throw KaitaiError(code: .null, what: "there is no array")
        default:
            throw KaitaiError(code: .type, what: "[ ] takes an array, this is \(value.kindInWords)")
        }
    }

    /// Whether two values are equal; an enumerator equals its number.
    func equals(_ left: KaitaiValue, _ right: KaitaiValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left == right
        case (.integer(let left), .enumerator(let right, _)),
            (.enumerator(let left, _), .integer(let right)),
            (.enumerator(let left, _), .enumerator(let right, _)):
            return left == right
        case (.float(let left), .integer(let right)), (.integer(let right), .float(let left)):
            return left == Double(right)
        case (.string(let left), .string(let right)):
            return left.unicodeScalars.elementsEqual(right.unicodeScalars)
        default: return left == right
        }
    }

    /// Compares two values: negative if the left one is less, positive if it is greater.
    func order(_ left: KaitaiValue, _ right: KaitaiValue) throws(KaitaiError) -> Int {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return Arithmetic.order(left, right)
        case (.string(let left), .string(let right)):
            let (left, right) = (
                left.unicodeScalars.map(\.value), right.unicodeScalars.map(\.value)
            )
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.bytes(let left), .bytes(let right)):
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.bool(let left), .bool(let right)):
            return Arithmetic.order(left ? 1 : 0, right ? 1 : 0)
        case (.enumerator(let left, _), .enumerator(let right, _)):
            return Arithmetic.order(left, right)
        default:
            guard let first = Arithmetic.float(left), let second = Arithmetic.float(right) else {
                throw KaitaiError(
                    code: left == .none || right == .none ? .null : .type,
                    what: "\(left.kindInWords) cannot be compared with \(right.kindInWords)")
            }
            return Arithmetic.order(first, second)
        }
    }

    /// Returns a value as messages show it.
    func text(of value: KaitaiValue) -> String {
        switch value {
        case .none: "nothing"
        case .bool(let flag): String(flag)
        case .integer(let number): String(number)
        case .float(let number): String(number)
        case .string(let text): "\"\(text.prefix(80))\""
        case .bytes(let bytes):
            bytes.prefix(32).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
                + (bytes.count > 32 ? "..." : "")
        case .enumerator(let number, let id):
            description.name(of: number, in: id) ?? String(number)
        default: value.kindInWords
        }
    }
}
