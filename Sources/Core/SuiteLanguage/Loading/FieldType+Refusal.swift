import Wire

extension FieldType {
    /// The reason why a field of this type can never have a value.
    struct Refusal {
        /// The reason, which continues after the field's name: `is an integer, not "x"`.
        let what: String
        var advice = ""
    }

    /// The type in words, with an article.
    var inWords: String {
        switch self {
        case .boolean: "a Boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "text"
        case .bytes: "bytes"
        case .duration: "a duration"
        case .enumeration(let name, _, _): "one of \(name)"
        case .structure: "a mapping"
        case .array: "a list"
        case .any: "anything"
        }
    }

    /// Returns why a scalar can never be a value of this type; `nil` if it can.
    func refusal(of value: Value) -> Refusal? {
        let wrong = "is \(inWords), not \(value.suiteText)"
        if case .any = self { return nil }
        if value == .null {
            return Refusal(what: wrong, advice: "write {present: false} for a field that is absent")
        }
        switch self {
        case .any: return nil
        case .boolean:
            return value.boolValue == nil
                ? Refusal(what: wrong, advice: "write true or false") : nil
        case .integer(let range):
            guard let number = value.wholeNumber else {
                let isQuoted = value.stringValue.flatMap { Int64($0) } != nil
                return Refusal(what: wrong, advice: isQuoted ? "write it without quotes" : "")
            }
            guard let range, !range.contains(number) else { return nil }
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            return Refusal(what: "is an integer from \(bounds), not \(number)")
        case .number:
            return value.numberValue == nil && !value.isWideInteger ? Refusal(what: wrong) : nil
        case .string(let maxLength):
            guard let text = value.stringValue else {
                return Refusal(what: wrong, advice: "put it in quotes")
            }
            guard let maxLength, text.unicodeScalars.count > maxLength else { return nil }
            return Refusal(what: "is text of at most \(maxLength) characters, this is longer")
        case .bytes:
            if case .bytes = value { return nil }
            return Refusal(what: wrong, advice: ByteNotationReader.advice)
        case .duration:
            guard value.stringValue.flatMap(Duration.init(suiteText:)) == nil else { return nil }
            return Refusal(
                what: wrong,
                advice: value.stringValue.map(Duration.suiteTextAdvice(on:))
                    ?? Duration.suiteTextAdvice)
        case .enumeration(_, let values, let numbers):
            guard value.stringValue.map(values.contains) != true else { return nil }
            if let numbers, let number = value.wholeNumber, !numbers.contains(number) {
                return nil
            }
            if values.contains(value.textInTemplate) {
                return Refusal(what: wrong, advice: "put it in quotes")
            }
            let advice = Suggestion.advice(for: value.textInTemplate, in: values)
            let examples =
                "write one of its values: \(values.prefix(3).joined(separator: ", ")), ..."
            return Refusal(what: wrong, advice: advice.isEmpty ? examples : advice)
        case .structure, .array: return Refusal(what: wrong, advice: form)
        }
    }

    /// How a value that is not a scalar is written; empty for scalars.
    var form: String {
        switch self {
        case .structure(_, let fields):
            "write {\(fields.first?.path ?? "name"): ...}; its keys are "
                + fields.prefix(12).map(\.path).joined(separator: ", ")
                + (fields.count > 12 ? ", ..." : "")
        case .array(.enumeration(_, let values, _), _):
            "write [\(Value.string(values.first ?? "").suiteText)]"
        case .array: "write a list, such as [a, b]"
        default: ""
        }
    }

    /// Returns the type at a path below a value of this type; `nil` if there is none.
    func member(at path: FieldPath) -> FieldType? { descending(path.components[...]) }

    /// The names of the members of a structure.
    var memberNames: [String] {
        if case .structure(_, let fields) = self { fields.map(\.path) } else { [] }
    }

    /// The type of a list's elements; `nil` if it is not known.
    var element: FieldType? {
        if case .array(let element, _) = self { element } else { nil }
    }

    /// Whether a value of this type can be a mapping.
    var mayBeMapping: Bool {
        switch self {
        case .structure, .any: true
        default: false
        }
    }

    /// Whether the matcher named `key` can ever hold for a value of this type.
    func admits(matcher key: String) -> Bool {
        switch (key, self) {
        case (_, .any): true
        case ("matches", .string), ("matches", .enumeration), ("matches", .bytes): true
        case ("matches", _): false
        case ("min", .enumeration(_, _, _?)), ("max", .enumeration(_, _, _?)): true
        case ("min", .integer), ("min", .number), ("max", .integer), ("max", .number): true
        case ("min", _), ("max", _): false
        case ("length", .string), ("length", .enumeration), ("length", .bytes), ("length", .array):
            true
        case ("length", _): false
        case ("contains", .string), ("contains", .enumeration), ("contains", .bytes),
            ("contains", .array):
            true
        case ("contains", _): false
        case ("where", .structure): true
        case ("where", _): false
        case ("hex", .bytes): true
        case ("hex", _): false
        case ("ascii", .bytes), ("ascii", .string), ("text", .bytes), ("text", .string): true
        case ("ascii", _), ("text", _): false
        case ("starts", .bytes), ("starts", .string), ("starts", .enumeration): true
        case ("ends", .bytes), ("ends", .string), ("ends", .enumeration): true
        case ("starts", _), ("ends", _): false
        case ("mask", .bytes), ("mask", .integer): true
        case ("mask", _): false
        case ("slice", .bytes), ("slice", .string), ("slice", .array): true
        case ("slice", _): false
        case ("some", .array), ("every", .array): true
        case ("some", _), ("every", _): false
        default: true
        }
    }

    /// The names of types that the `type` matcher accepts for values of this type.
    var typeNames: Set<String> {
        switch self {
        case .boolean: ["boolean", "null"]
        case .integer: ["integer", "number", "null"]
        case .number: ["integer", "number", "null"]
        case .enumeration(_, _, _?): ["string", "integer", "number", "null"]
        case .string, .enumeration, .duration: ["string", "null"]
        case .bytes: ["bytes", "null"]
        case .structure: ["object", "null"]
        case .array: ["array", "null"]
        case .any: FieldType.allTypeNames
        }
    }

    /// All type names of the `type` matcher.
    static let allTypeNames = Set(FieldTypeName.all)
}

extension Value {
    /// The number, if this is an integer or a double without a fraction.
    fileprivate var wholeNumber: Int64? {
        if case .double(let number) = self { return Int64(exactly: number) }
        return integerValue
    }
}
