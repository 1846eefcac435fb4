import Wire

extension ExpressionFunction {
    /// The maximum number of digits that a number can be padded to.
    private static let digitsMax: Int64 = 64

    /// Applies the function to values, whose number has been checked.
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
            if case .bytes(let bytes) = first, values.count == 1 { return .string(bytes.hexDigits) }
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
            if case .bytes(let bytes) = first { return .integer(try integer(of: bytes, in: whole)) }
            guard let number = first.stringValue.flatMap({ Int64($0) }) else {
                throw whole.failure("\(first.inWords) is no integer")
            }
            return .integer(number)
        case .seconds:
            guard let duration = Duration(suiteText: try text(first, in: whole)) else {
                throw whole.failure("\(first.inWords) is not a duration")
            }
            return .double(duration / .seconds(1))
        case .text:
            if case .bytes(let bytes) = first, let text = String(validating: bytes, as: UTF8.self) {
                return .string(text)
            }
            return .string(first.textInTemplate)
        case .bytes:
            if values.count == 1, let octets = first.octets { return .bytes(octets) }
            return .bytes(try filled(values, in: whole))
        case .unhex:
            let digits = try text(first, in: whole)
            return .bytes(try ByteExpression([.text(digits)], .hex).evaluate([:]))
        case .join:
            var joined: [UInt8] = []
            for value in values { joined += try octets(value, in: whole) }
            return .bytes(joined)
        case .replace: return .string(try replaced(values, in: whole))
        case .base64: return .string(Base64.text(of: try octets(first, in: whole)))
        case .sum8: return .integer(Int64(try octets(first, in: whole).reduce(0, &+)))
        case .crc16:
            let name = values.count > 1 ? try text(values[1], in: whole) : "arc"
            guard let check = CyclicCheck.crc16[name] else {
                throw whole.failure(
                    "there is no crc16 \"\(name)\"; "
                        + "there are \(CyclicCheck.crc16.keys.sorted().joined(separator: ", "))")
            }
            return .integer(Int64(check.value(of: try octets(first, in: whole))))
        case .crc32:
            return .integer(Int64(CyclicCheck.crc32.value(of: try octets(first, in: whole))))
        case .md5: return .bytes(MD5.hash(of: try octets(first, in: whole)))
        case .sha1: return .bytes(SHA1.hash(of: try octets(first, in: whole)))
        case .get, .has, .entry, .merge, .insert, .remove, .set, .keys, .values, .pluck, .equal,
            .both, .either, .not, .choose, .find, .first, .common, .except, .without,
            .flat, .less:
            return try collected(values, in: whole)
        case .sha256: return .bytes(SHA256.hash(of: try octets(first, in: whole)))
        }
    }

    /// Returns a text with every occurrence of a part replaced by another text.
    private func replaced(
        _ values: [Value], in whole: TemplateExpression
    ) throws(EvaluationError) -> String {
        var rest = try text(values[0], in: whole).unicodeScalars[...]
        let part = try text(values[1], in: whole).unicodeScalars
        let other = try text(values[2], in: whole).unicodeScalars
        guard !part.isEmpty else { throw whole.failure("\"replace\" replaces no empty text") }
        let (partCount, otherCount) = (part.count, other.count)
        var result = String.UnicodeScalarView()
        var count = 0
        while let first = rest.first {
            let isPart = rest.starts(with: part)
            if isPart { result.append(contentsOf: other) } else { result.append(first) }
            rest = rest.dropFirst(isPart ? partCount : 1)
            count += isPart ? otherCount : 1
            guard count <= Self.bytesMax else {
                throw whole.failure(
                    "\"replace\" gives at most \(Self.bytesMax) characters", isLimit: true)
            }
        }
        return String(result)
    }

    /// The maximum number of bytes that one call of `bytes` returns.
    private static let bytesMax: Int64 = 1 << 20

    /// Returns the given number of bytes with the given value, 0 if none is given.
    private func filled(
        _ values: [Value], in whole: TemplateExpression
    ) throws(EvaluationError) -> [UInt8] {
        let count = try integer(values[0], in: whole)
        let byte = values.count > 1 ? try integer(values[1], in: whole) : 0
        guard (0...Self.bytesMax).contains(count), let byte = UInt8(exactly: byte) else {
            throw whole.failure(
                "\"bytes\" gives 0 to \(Self.bytesMax) bytes, each from 0 to 255", isLimit: true)
        }
        return [UInt8](repeating: byte, count: Int(count))
    }

    /// Returns the bytes of a value: UTF-8 for a text, the bytes in the notation for a mapping.
    private func octets(
        _ value: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> [UInt8] {
        if let octets = value.octets { return octets }
        if let members = value.objectValue, members.count == 1, let member = members.first,
            let notation = ByteExpression.Notation(rawValue: member.name),
            let text = member.value.stringValue
        {
            return try ByteExpression([.text(text)], notation).evaluate([:])
        }
        throw whole.failure("\"\(rawValue)\" takes bytes or a text, not \(value.inWords)")
    }

    /// Returns the number that bytes represent, most significant byte first.
    private func integer(
        of bytes: [UInt8], in whole: TemplateExpression
    ) throws(EvaluationError) -> Int64 {
        guard (1...8).contains(bytes.count),
            let number = Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        else { throw whole.failure("these \(bytes.count) bytes are no number of 63 bits") }
        return number
    }

    /// Returns a part of a text in Unicode scalars, or of a list; without a count it extends to the
    /// end.
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
