import Protocols

extension ExpressionFunction {
    /// Digits that a written number may be filled up to.
    private static let digitsMax: Int64 = 64

    /// What the function makes of values, whose number has been checked.
    func applied(
        to values: [Value], in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        let first = values[0]
        switch self {
        case .lower: return .string(try text(first, in: whole).lowercased())
        case .upper: return .string(try text(first, in: whole).uppercased())
        case .length:
            guard let length = first.length else {
                throw whole.failure("\(first.inWords) has no length")
            }
            return .integer(length)
        case .slice: return try slice(values, in: whole)
        case .hex:
            let number = try integer(first, in: whole)
            guard number >= 0 else { throw whole.failure("\"hex\" takes no negative number") }
            let digits = values.count > 1 ? try count(values[1], in: whole) : 1
            return .string(Self.filled(String(number, radix: 16), to: digits))
        case .padded:
            let number = try integer(first, in: whole)
            let digits = Self.filled(
                String(number.magnitude), to: try count(values[1], in: whole))
            return .string((number < 0 ? "-" : "") + digits)
        case .integer:
            if case .integer = first { return first }
            if case .double(let number) = first, let whole = Int64(exactly: number) {
                return .integer(whole)
            }
            guard let number = first.stringValue.flatMap({ Int64($0) }) else {
                throw whole.failure("\(first.inWords) is no integer")
            }
            return .integer(number)
        case .text: return .string(first.textInTemplate)
        }
    }

    /// A part of a text in Unicode scalars, or of a list; to the end without a count.
    private func slice(
        _ values: [Value], in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        guard let length = values[0].length else {
            throw whole.failure("\"slice\" takes a text or a list, not \(values[0].inWords)")
        }
        let first = try integer(values[1], in: whole)
        let count = values.count > 2 ? try integer(values[2], in: whole) : length - first
        let (end, overflow) = first.addingReportingOverflow(count)
        guard first >= 0, count >= 0, !overflow, end <= length else {
            throw whole.failure("it has \(length) characters or elements, numbered from 0")
        }
        let range = Int(first)..<Int(end)
        switch values[0] {
        case .string(let text):
            var part = String.UnicodeScalarView()
            part.append(contentsOf: Array(text.unicodeScalars)[range])
            return .string(String(part))
        case .bytes(let bytes): return .bytes(Array(bytes[range]))
        default: return .array(Array((values[0].arrayValue ?? [])[range]))
        }
    }

    private func text(_ value: Value, in whole: TemplateExpression) throws(EvaluationError)
        -> String
    {
        if let text = value.stringValue { return text }
        throw whole.failure("\"\(rawValue)\" takes a text, not \(value.inWords)")
    }

    private func integer(
        _ value: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> Int64 {
        if let number = value.integerValue { return number }
        throw whole.failure("\"\(rawValue)\" takes an integer, not \(value.inWords)")
    }

    private func count(_ value: Value, in whole: TemplateExpression) throws(EvaluationError) -> Int
    {
        let number = try integer(value, in: whole)
        guard (1...Self.digitsMax).contains(number) else {
            throw whole.failure("\"\(rawValue)\" writes 1 to \(Self.digitsMax) digits")
        }
        return Int(number)
    }

    private static func filled(_ digits: String, to count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
