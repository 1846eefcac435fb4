/// Operations on numbers; none of them traps.
enum Arithmetic {
    static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    static func float(_ value: KaitaiValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }

    static func unary(
        _ symbol: UnaryOperator, _ value: KaitaiValue
    ) throws(KaitaiError) -> KaitaiValue {
        switch (symbol, value) {
        case (.not, .bool(let flag)): return .bool(!flag)
        case (.invert, .integer(let number)): return .integer(~number)
        case (.minus, .integer(let number)):
            let (result, isOver) = Int128(0).subtractingReportingOverflow(number)
            return try checked(result, isOver)
        case (.minus, .float(let number)): return .float(-number)
        case (.plus, .integer), (.plus, .float): return value
        case (_, .none):
            throw KaitaiError(code: .null, what: "\"\(symbol.rawValue)\" is applied to nothing")
        default:
            throw KaitaiError(
                code: .type, what: "\"\(symbol.rawValue)\" does not take \(value.kindInWords)")
        }
    }

    static func binary(
        _ symbol: BinaryOperator, _ left: KaitaiValue, _ right: KaitaiValue
    ) throws(KaitaiError) -> KaitaiValue {
        if case .integer(let left) = left, case .integer(let right) = right {
            return try integers(symbol, left, right)
        }
        guard let first = float(left), let second = float(right) else {
            throw KaitaiError(
                code: left == .none || right == .none ? .null : .type,
                what:
                    "\"\(symbol.rawValue)\" does not take \(left.kindInWords) and \(right.kindInWords)"
            )
        }
        switch symbol {
        case .add: return .float(first + second)
        case .subtract: return .float(first - second)
        case .multiply: return .float(first * second)
        case .divide: return .float(first / second)
        case .remainder:
            let rest = first.truncatingRemainder(dividingBy: second)
            return .float(rest != 0 && (rest < 0) != (second < 0) ? rest + second : rest)
        default: throw KaitaiError(code: .type, what: "\"\(symbol.rawValue)\" takes integers")
        }
    }

    private static func integers(
        _ symbol: BinaryOperator, _ left: Int128, _ right: Int128
    ) throws(KaitaiError) -> KaitaiValue {
        switch symbol {
        case .add:
            let (result, isOver) = left.addingReportingOverflow(right)
            return try checked(result, isOver)
        case .subtract:
            let (result, isOver) = left.subtractingReportingOverflow(right)
            return try checked(result, isOver)
        case .multiply:
            let (result, isOver) = left.multipliedReportingOverflow(by: right)
            return try checked(result, isOver)
        case .divide, .remainder: return try divided(symbol, left, right)
        case .bitAnd: return .integer(left & right)
        case .bitOr: return .integer(left | right)
        case .bitXor: return .integer(left ^ right)
        case .shiftRight:
            guard (0...127).contains(right) else {
                throw KaitaiError(code: .overflow, what: "a shift by \(right) bits is not possible")
            }
            return .integer(left >> right)
        case .shiftLeft:
            guard (0...126).contains(right), (left << right) >> right == left else {
                throw KaitaiError(code: .overflow, what: "\(left) << \(right) does not fit")
            }
            return .integer(left << right)
        default: throw KaitaiError(code: .type, what: "\"\(symbol.rawValue)\" takes other values")
        }
    }

    /// Divides, rounding down; the remainder has the sign of the divisor.
    private static func divided(
        _ symbol: BinaryOperator, _ left: Int128, _ right: Int128
    ) throws(KaitaiError) -> KaitaiValue {
        guard right != 0 else { throw KaitaiError(code: .division, what: "division by zero") }
        let (quotient, isOver) = left.dividedReportingOverflow(by: right)
        if isOver { return try checked(quotient, true) }
        let remainder = left - quotient * right
        let isBelow = remainder != 0 && (remainder < 0) != (right < 0)
        if symbol == .divide { return .integer(isBelow ? quotient - 1 : quotient) }
        return .integer(isBelow ? remainder + right : remainder)
    }

    private static func checked(_ number: Int128, _ isOver: Bool) throws(KaitaiError) -> KaitaiValue
    {
        if isOver { throw KaitaiError(code: .overflow, what: "the number does not fit 128 bits") }
        return .integer(number)
    }
}
