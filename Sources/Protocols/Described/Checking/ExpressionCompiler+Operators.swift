import YAML

extension ExpressionCompiler {
    mutating func unary(
        _ symbol: UnaryOperator, _ operand: Syntax, in scope: Scope
    ) throws(Refusal) -> Compiled {
        let value = try compile(operand, in: scope)
        switch symbol {
        case .not: try require(.bool, value.type, "the operand of \"not\"")
        case .invert: try require(.integer, value.type, "the operand of \"~\"")
        case .minus, .plus: try require(.float, value.type, "the operand of \"\(symbol.rawValue)\"")
        }
        if case .constant(.integer(let number)) = value.expression, symbol == .minus {
            return Compiled(expression: .constant(.integer(0 - number)), type: .integer)
        }
        let type: StaticType = value.type == .byte ? .integer : value.type
        return Compiled(expression: .unary(symbol, value.expression), type: type)
    }

    mutating func binary(
        _ symbol: BinaryOperator, _ left: Syntax, _ right: Syntax, in scope: Scope
    ) throws(Refusal) -> Compiled {
        let (left, right) = (try compile(left, in: scope), try compile(right, in: scope))
        return Compiled(
            expression: .binary(symbol, left.expression, right.expression),
            type: try type(of: symbol, left.type, right.type))
    }

    private func type(
        of symbol: BinaryOperator, _ left: StaticType, _ right: StaticType
    ) throws(Refusal) -> StaticType {
        switch symbol {
        case .or, .and:
            try require(.bool, left, "the left side of \"\(symbol.rawValue)\"")
            try require(.bool, right, "the right side of \"\(symbol.rawValue)\"")
            return .bool
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            try requireComparable(
                left, right, isOrdered: symbol != .equal && symbol != .notEqual)
            return .bool
        case .bitOr, .bitXor, .bitAnd, .shiftLeft, .shiftRight:
            try require(.integer, left, "the left side of \"\(symbol.rawValue)\"")
            try require(.integer, right, "the right side of \"\(symbol.rawValue)\"")
            return .integer
        case .add where left == .string && (right == .string || right == .any): return .string
        case .add where left == .any && right == .string: return .string
        case .add, .subtract, .multiply, .divide, .remainder:
            try require(.float, left, "the left side of \"\(symbol.rawValue)\"")
            try require(.float, right, "the right side of \"\(symbol.rawValue)\"")
            if left == .any || right == .any { return .any }
            return left.isInteger && right.isInteger ? .integer : .float
        }
    }

    /// Throws if two values cannot be compared.
    func requireComparable(
        _ left: StaticType, _ right: StaticType, isOrdered: Bool
    ) throws(Refusal) {
        guard left.isComparable(with: right) else {
            throw Refusal(
                code: "ksy-comparison",
                what: "\(describe(left)) cannot be compared with \(describe(right))")
        }
        if isOrdered, case .enumeration = left {
            throw Refusal(
                code: "ksy-comparison", what: "values of an enumeration have no order",
                advice: "compare their numbers with .to_i")
        }
    }

    mutating func call(
        _ name: String, of base: Syntax, _ arguments: [Syntax], in scope: Scope
    ) throws(Refusal) -> Compiled {
        let compiled = try compile(base, in: scope)
        var values: [Compiled] = []
        for argument in arguments { values.append(try compile(argument, in: scope)) }
        return try method(name, of: compiled, values, isCall: true)
    }

    /// Resolves a method call and checks its arguments.
    func method(
        _ name: String, of base: Compiled, _ arguments: [Compiled], isCall: Bool
    ) throws(Refusal) -> Compiled {
        guard let method = Method(rawValue: name), let form = form(of: method, on: base.type) else {
            let subject = describe(base.type)
            throw Refusal(
                code: "ksy-unknown-field",
                what: "\(subject) has no \"\(name)\"", advice: advice(name, base.type))
        }
        var arguments = arguments
        if method == .toText, base.type == .bytes {
            guard arguments.count == 1, case .constant(.string(let name)) = arguments[0].expression
            else {
                throw Refusal(
                    code: "ksy-arguments", what: "\"to_s\" of bytes takes the name of an encoding",
                    advice: "write it as text: to_s(\"UTF-8\")")
            }
            arguments[0] = Compiled(
                expression: .constant(.string(Encoding.canonicalName(name))), type: .string)
        } else {
            guard form.arguments.contains(arguments.count) else {
                throw Refusal(
                    code: "ksy-arguments",
                    what: "\"\(name)\" does not take \(arguments.count) arguments")
            }
            for argument in arguments { try require(.integer, argument.type, "its argument") }
        }
        return Compiled(
            expression: .method(method, base.expression, arguments.map(\.expression)),
            type: form.result)
    }

    private func advice(_ name: String, _ type: StaticType) -> String {
        guard case .object(let id) = type else {
            return type == .anyObject || type == .any
                ? "give the type with .as<type>" : ""
        }
        return Suggestion.advice(for: name, in: names.types[id].slots.keys.sorted())
    }

    private func form(
        of method: Method, on type: StaticType
    ) -> (arguments: ClosedRange<Int>, result: StaticType)? {
        switch (type, method) {
        case (.byte, .toText), (.integer, .toText), (.float, .toText), (.bytes, .toText),
            (.any, .toText):
            return (0...0, .string)
        case (.string, .toInteger): return (0...1, .integer)
        case (.float, .toInteger), (.bool, .toInteger), (.enumeration, .toInteger),
            (.byte, .toInteger), (.integer, .toInteger), (.any, .toInteger):
            return (0...0, .integer)
        case (.string, .length), (.bytes, .size), (.bytes, .length), (.array, .size),
            (.array, .length), (.stream, .size), (.stream, .position), (.any, .size),
            (.any, .length):
            return (0...0, .integer)
        case (.string, .reverse): return (0...0, .string)
        case (.string, .substring): return (2...2, .string)
        case (.bytes, .first), (.bytes, .last), (.bytes, .min), (.bytes, .max):
            return (0...0, .byte)
        case (.array(let element), .first), (.array(let element), .last),
            (.array(let element), .min), (.array(let element), .max):
            return (0...0, element)
        case (.stream, .isAtEnd): return (0...0, .bool)
        default: return nil
        }
    }
}
