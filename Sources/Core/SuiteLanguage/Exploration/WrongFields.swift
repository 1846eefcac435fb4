import Wire

/// Derives what a field may not be, or may just be, from its type.
struct WrongFields {
    let message: String
    /// Whether a field can hold a value of another type.
    let isOpen: Bool
    /// Whether the bytes of a text are in the message as they are, so that others can replace them.
    let showsTexts: Bool
    private(set) var found: [WrongMessage] = []

    init(message: String, isOpen: Bool, showsTexts: Bool) {
        (self.message, self.isOpen, self.showsTexts) = (message, isOpen, showsTexts)
    }

    /// One value of a field.
    private struct Variant {
        /// The members between the field and what is varied.
        var path: [FieldPath.Component] = []
        var kind: String
        var phrase: String
        var value: Value
        var isAllowed = false
    }

    /// The limits of what is derived.
    private enum Limits {
        /// How many structures within each other are varied.
        static let depth = 3
        /// The most characters of a text, and of a list as a suite has it, and elements of a list.
        ///
        /// The whole step must fit an option of a pcapng file.
        static let characters = 16_000
        static let listCharacters = 48_000
        static let elements: Int64 = 1_100
        /// The first integer that a double cannot tell from its neighbour.
        static let exactMax: Int64 = 1 << 53
        /// How many lists are within each other in a deep value.
        static let nesting = 64
    }

    /// Adds the variants of a field of the message.
    mutating func add(_ field: FieldDescription) {
        guard let path = FieldPath(field.path) else { return }
        if !field.isFraming, isOpen || !field.isMandatory {
            found.append(
                WrongMessage(
                    message: message, id: "\(path).absent", sentence: "\(path) is absent",
                    isAllowed: !field.isMandatory, change: .remove(path)))
        }
        if showsTexts, !field.isFraming, case .string(let most) = field.type,
            most ?? .max >= Mark.lengthMax
        {
            addBytes(at: path, name: field.path)
        }
        for variant in variants(of: field.type, depth: Limits.depth, isFraming: field.isFraming) {
            let place = FieldPath(components: path.components + variant.path)
            found.append(
                WrongMessage(
                    message: message, id: "\(place).\(variant.kind)",
                    sentence: "\(place) \(variant.phrase)", isAllowed: variant.isAllowed,
                    change: .set(path, variant.value)))
        }
    }

    // MARK: - Bytes that no value can have

    /// Texts that stand in a message for as many bytes.
    private enum Mark {
        static let notText = "~!~!"
        static let close = "~>"
        static let open = "<~"
        /// How many characters a field must allow so that it can hold marks.
        static let lengthMax = 40
    }

    /// Adds a text that is not UTF-8, and for a text of JSON its member twice.
    private mutating func addBytes(at path: FieldPath, name: String) {
        func piece(_ mark: String, _ bytes: [UInt8]) -> Corruption.Replacement {
            Corruption.Replacement(bytes: Array(mark.utf8), replacement: bytes)
        }
        found.append(
            WrongMessage(
                message: message, id: "\(path).not-utf-8",
                sentence: "\(path) has bytes that are not UTF-8", isAllowed: false,
                change: .replace(
                    path, .string("a\(Mark.notText)"),
                    [piece(Mark.notText, [0xC3, 0x28, 0xFF, 0xFE])])))
        let member = name.split(separator: ".").last ?? ""
        let text = "a\(Mark.close),\(Mark.open)\(member)\(Mark.close):\(Mark.open)b"
        guard isOpen, text.count <= Mark.lengthMax else { return }
        found.append(
            WrongMessage(
                message: message, id: "\(path).twice",
                sentence: "\(path) has quotes that in JSON make it a member twice",
                isAllowed: false,
                change: .replace(
                    path, .string(text),
                    [
                        piece(Mark.close, [0x22, 0x20]), piece(Mark.open, [0x20, 0x22]),
                    ])))
    }

    // MARK: - Values of a type

    private func variants(of type: FieldType, depth: Int, isFraming: Bool = false) -> [Variant] {
        let others = isOpen ? otherTypes(than: type) : []
        switch type {
        case .boolean where isFraming:
            return [false, true].map {
                Variant(kind: "\($0)", phrase: "is \($0)", value: .bool($0))
            }
        case .boolean, .number, .duration: return others
        case .integer(let range):
            return others + (range.map { integers($0, isFraming: isFraming) } ?? [])
        case .string(let most): return others + texts(most)
        case .bytes:
            return others + [
                Variant(kind: "empty", phrase: "is empty", value: .bytes([])),
                Variant(
                    kind: "long", phrase: "has \(Limits.characters) bytes",
                    value: .bytes([UInt8](repeating: 0x61, count: Limits.characters))),
            ]
        case .enumeration(let name, let words, _):
            let unknown = Variant(
                kind: "unknown", phrase: "is a word that \(name) lacks",
                value: .string("CONFORM_UNKNOWN"))
            return others + (words.contains("CONFORM_UNKNOWN") ? [] : [unknown])
        case .structure(_, let fields):
            return others + backwards(type)
                + (depth > 0 ? members(fields, of: type, depth: depth - 1) : [])
        case .array(let element, let count):
            return others + (depth > 0 ? lists(element, count, depth: depth - 1) : [])
        case .any:
            guard isOpen else { return [] }
            let deep = (0..<Limits.nesting).reduce(Value.integer(1)) { value, _ in .array([value]) }
            return others + [
                Variant(
                    kind: "deep", phrase: "is a list in \(Limits.nesting - 1) lists", value: deep)
            ]
        }
    }

    private func otherTypes(than type: FieldType) -> [Variant] {
        var found = [Variant(kind: "null", phrase: "is null", value: .null)]
        switch type {
        case .any: return found
        case .string, .enumeration, .bytes, .duration:
            found.append(Variant(kind: "number", phrase: "is the number 7", value: .integer(7)))
            found.append(Variant(kind: "list", phrase: "is a list", value: .array([])))
        case .structure:
            found.append(Variant(kind: "text", phrase: "is a text", value: .string("seven")))
            found.append(Variant(kind: "list", phrase: "is a list", value: .array([])))
        case .array, .boolean, .integer, .number:
            found.append(Variant(kind: "text", phrase: "is a text", value: .string("seven")))
            found.append(Variant(kind: "mapping", phrase: "is a mapping", value: .object([])))
        }
        return found
    }

    private func integers(_ range: ClosedRange<Int64>, isFraming: Bool) -> [Variant] {
        let (least, most) = (range.lowerBound, range.upperBound)
        func variant(
            _ kind: String, _ number: Int64, _ phrase: String, isAllowed: Bool = false
        ) -> Variant {
            Variant(
                kind: kind, phrase: "is \(number), \(phrase)", value: .integer(number),
                isAllowed: isAllowed)
        }
        var found = [variant("least", least, "its minimum", isAllowed: !isFraming)]
        if most < .max {
            found.append(variant("greatest", most, "its maximum", isAllowed: !isFraming))
        }
        guard isOpen else { return found }
        if least > .min { found.append(variant("below", least - 1, "one below its minimum")) }
        if most < .max { found.append(variant("above", most + 1, "one above its maximum")) }
        if most < Limits.exactMax {
            found.append(
                variant("inexact", Limits.exactMax + 1, "which a double cannot represent"))
        }
        return found
    }

    private func texts(_ most: Int?) -> [Variant] {
        func text(_ kind: String, _ count: Int, _ phrase: String, isAllowed: Bool = false)
            -> Variant
        {
            Variant(
                kind: kind, phrase: "has \(count) characters, \(phrase)",
                value: .string(String(repeating: "a", count: count)), isAllowed: isAllowed)
        }
        var found = [
            Variant(kind: "empty", phrase: "is empty", value: .string("")),
            Variant(
                kind: "not-ascii", phrase: "has characters outside of ASCII",
                value: .string("\u{E4}\u{4E2D}\u{1F600}"), isAllowed: (most ?? 3) >= 3),
        ]
        if let most, most > 0, most < Limits.characters {
            found.append(text("longest", most, "its maximum", isAllowed: true))
            found.append(text("above", most + 1, "one above its maximum"))
        } else {
            found.append(text("long", Limits.characters, "which is very long"))
        }
        return found
    }

    /// Returns a structure with its members in the opposite order, if it has several.
    private func backwards(_ type: FieldType) -> [Variant] {
        guard isOpen, case .object(let members) = Self.plain(type), members.count > 1 else {
            return []
        }
        return [
            Variant(
                kind: "backwards", phrase: "has its members in the opposite order",
                value: .object(members.reversed()), isAllowed: true)
        ]
    }

    private func members(_ fields: [FieldDescription], of type: FieldType, depth: Int) -> [Variant]
    {
        let plain = Self.plain(type)
        var found: [Variant] = []
        for field in fields {
            guard let path = FieldPath(field.path) else { continue }
            if field.isMandatory {
                found.append(
                    Variant(
                        path: path.components, kind: "absent", phrase: "is absent",
                        value: plain.removing(path)))
            }
            for variant in variants(of: field.type, depth: depth) {
                var outer = variant
                outer.path = path.components + variant.path
                outer.value = plain.setting(path, to: variant.value)
                found.append(outer)
            }
        }
        return found
    }

    private func lists(
        _ element: FieldType, _ count: ClosedRange<Int>?, depth: Int
    ) -> [Variant] {
        let length = Self.plain(element).suiteText.utf8.count + 2
        func list(
            _ kind: String, _ number: Int, _ phrase: String, isAllowed: Bool = false
        ) -> Variant? {
            guard number * length <= Limits.listCharacters else { return nil }
            return Variant(
                kind: kind, phrase: "has \(number) element(s), \(phrase)",
                value: .array([Value](repeating: Self.plain(element), count: number)),
                isAllowed: isAllowed)
        }
        var found: [Variant] = []
        if let count {
            if count.lowerBound > 0 {
                found += [list("below", count.lowerBound - 1, "one below its minimum")]
                    .compactMap(\.self)
            }
            if count.upperBound < Limits.elements {
                found += [
                    list("longest", count.upperBound, "its maximum", isAllowed: true),
                    list("above", count.upperBound + 1, "one above its maximum"),
                ].compactMap(\.self)
            }
        }
        let number = max(1, count?.lowerBound ?? 1)
        guard number < Limits.elements else { return found }
        let plain = [Value](repeating: Self.plain(element), count: number - 1)
        return found
            + variants(of: element, depth: depth).map { variant in
                var outer = variant
                outer.path = [.index(0)] + variant.path
                outer.value = .array([variant.value] + plain)
                return outer
            }
    }

    /// The plainest value of a type that its description allows.
    static func plain(_ type: FieldType) -> Value {
        switch type {
        case .boolean: .bool(true)
        case .integer(let range):
            .integer(max(range?.lowerBound ?? 1, min(range?.upperBound ?? 1, 1)))
        case .number: .integer(1)
        case .string, .duration, .any: .string("a")
        case .bytes: .bytes([0])
        case .enumeration(_, let words, _): .string(words.first ?? "")
        case .structure(_, let fields):
            .object(
                fields.filter(\.isMandatory).map { Value.Member($0.path, plain($0.type)) })
        case .array(let element, let count):
            .array([Value](repeating: plain(element), count: max(1, count?.lowerBound ?? 1)))
        }
    }
}
