import Wire

extension ValueExpression {
    /// The maximum size of a text with the values of variables in it.
    private static let textBytesMax = 16 << 20

    /// Returns the value with all variables replaced.
    ///
    /// A template that consists of a single expression has the value and type of that expression.
    /// In a longer text the value is written as in the suite language, texts without quotes.
    ///
    /// - Throws: Why there is no value: the first variable that `bindings` lacks, or the first
    ///   expression that cannot be computed.
    public func evaluate(_ bindings: [String: Value]) throws(EvaluationError) -> Value {
        switch self {
        case .literal(let value):
            return value
        case .template(let parts):
            if parts.count == 1, case .expression(let expression) = parts[0] {
                return try expression.evaluate(bindings)
            }
            var text = ""
            for part in parts {
                switch part {
                case .text(let piece): text += piece
                case .expression(let expression):
                    text += try expression.evaluate(bindings).textInTemplate
                    guard text.utf8.count <= Self.textBytesMax else {
                        throw EvaluationError(
                            "a text grows beyond \(Self.textBytesMax) bytes", isLimit: true)
                    }
                }
            }
            return .string(text)
        case .array(let elements):
            var values: [Value] = []
            for element in elements { values.append(try element.evaluate(bindings)) }
            return .array(values)
        case .object(let members):
            var values: [Value.Member] = []
            for member in members {
                values.append(Value.Member(member.name, try member.value.evaluate(bindings)))
            }
            return .object(values)
        case .bytes(let bytes):
            return .bytes(try bytes.evaluate(bindings))
        }
    }

    /// The value, if it does not refer to any variable.
    public var literalValue: Value? {
        do throws(EvaluationError) { return try evaluate([:]) } catch { return nil }
    }
}

extension Value {
    /// The text of the value inside a longer text.
    var textInTemplate: String { stringValue ?? suiteText }

    /// Whether two values are equal as suites define it.
    ///
    /// Numbers are compared by value, objects by members regardless of order, and texts by their
    /// characters as they are encoded: a letter with an accent is not the letter and its accent.
    public func isEqual(to other: Value) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)):
            return left == right && left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .double(let right)):
            return right == Double(left)
                && Int64(exactly: right) == left
        case (.double, .integer), (.double, .string): return other.isEqual(to: self)
        case (.string, .double(let right)):
            return isWideInteger && wholeNumber != nil && wholeNumber == Int128(exactly: right)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let left), .object(var right)):
            guard left.count == right.count else { return false }
            for member in left {
                let match = right.firstIndex {
                    $0.name == member.name && $0.value.isEqual(to: member.value)
                }
                guard let match else { return false }
                right.remove(at: match)
            }
            return true
        default: return self == other
        }
    }

    /// Compares numbers: negative, 0 or positive; `nil` unless both are numbers.
    ///
    /// A text that stands for an integer beyond 63 bits is a number.
    func compared(to other: Value) -> Int? {
        if let left = wholeNumber, let right = other.wholeNumber {
            return left == right ? 0 : left < right ? -1 : 1
        }
        guard let left = anyNumber, let right = other.anyNumber, !left.isNaN, !right.isNaN
        else { return nil }
        return left == right ? 0 : left < right ? -1 : 1
    }

    /// Whether it is the text of an integer beyond 63 bits, which has no other form.
    var isWideInteger: Bool {
        guard case .string(let text) = self, text.utf8.count >= 19 else { return false }
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return digits.first != UInt8(ascii: "0")
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && Int64(text) == nil
    }

    /// The integer of at most 127 bits that it is or stands for.
    private var wholeNumber: Int128? {
        switch self {
        case .integer(let number): Int128(number)
        case .double(let number): Int128(exactly: number)
        case .string(let text): isWideInteger ? Int128(text) : nil
        default: nil
        }
    }

    private var anyNumber: Double? {
        if case .string(let text) = self { isWideInteger ? Double(text) : nil } else { numberValue }
    }
}
