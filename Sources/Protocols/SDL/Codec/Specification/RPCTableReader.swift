/// Parses the RPC tables, entry by entry.
///
/// A table is text. An entry starts in the first column with its name and a colon; indented lines
/// continue it. A parameter is a name, a mark (`!` mandatory, `~` mandatory since a later version)
/// and a type: `B` Boolean, `I0:100` integer, `F-1:1` floating point, `S100` text of at most 100
/// characters, `S4:7` of 4 to 7, the name of an enumeration or structure, or `[type]1:8` an array
/// of 1 to 8 elements. Limits may be left out.
struct RPCTableReader {
    typealias Slice = ArraySlice<UInt8>

    /// The texts before and after the colon of an entry.
    typealias Entry = (head: Slice, body: Slice)

    /// The entries of enumerations by name; any other named type is a structure.
    var enumerations: [String: Slice] = [:]
    private(set) var problems: [String] = []

    /// Returns the entries of a table, in their order.
    mutating func entries(of table: String) -> [Entry] {
        let bytes = Array(table.utf8)
        var entries: [Entry] = []
        var start = 0
        while start < bytes.count {
            let end = Self.endOfEntry(in: bytes, from: start)
            let entry = bytes[start..<end]
            if let colon = entry.firstIndex(of: UInt8(ascii: ":")) {
                entries.append((entry[..<colon], entry[(colon + 1)...]))
            } else {
                problems.append("no colon in '\(entry.text)'")
            }
            start = end + 1
        }
        return entries
    }

    /// Returns the bodies of a table's entries, by their names.
    mutating func named(_ table: String) -> [String: Slice] {
        Dictionary(
            entries(of: table).map { ($0.head.text, $0.body) }, uniquingKeysWith: { $1 })
    }

    /// Returns the words of an enumeration, which are separated by blanks.
    static func words(of body: Slice) -> [String] {
        var words: [String] = []
        var rest = body
        while let (word, behind) = rest.firstWord {
            words.append(word.text)
            rest = behind
        }
        return words
    }

    /// Returns the name and id of a function; `nil` if the entry's header is not a function.
    mutating func function(_ head: Slice) -> (name: String, id: UInt32)? {
        guard let (name, behind) = head.firstWord, let (number, end) = behind.firstWord,
            end.firstWord == nil, let id = UInt32(number.text)
        else {
            problems.append("no function and id in '\(head.text)'")
            return nil
        }
        return (name.text, id)
    }

    /// Records every type that is neither an enumeration nor one of the structures as a problem.
    mutating func checkReferences(
        of parameters: [RPCSpecification.Parameter], to structures: [String: Slice]
    ) {
        for parameter in parameters {
            if case .structure(let name) = parameter.type, structures[name] == nil {
                problems.append("\(parameter.name): no type named \(name)")
            }
        }
    }

    /// Returns the offset of the line end that is not followed by an indented line.
    private static func endOfEntry(in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) {
            index = end + 1
            guard index < bytes.count, bytes[index] == UInt8(ascii: " ") else { return end }
        }
        return bytes.count
    }

    /// Returns the parameters of a message or the members of a structure.
    mutating func parameters(of body: Slice) -> [RPCSpecification.Parameter] {
        var parameters: [RPCSpecification.Parameter] = []
        var rest = body
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[item.endIndex...].dropFirst()
            guard let (name, behind) = item.firstWord else { continue }
            guard let (type, end) = behind.firstWord, end.firstWord == nil,
                let parameter = parameter(name, type)
            else {
                problems.append("not a parameter: '\(item.text)'")
                continue
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private func parameter(_ name: Slice, _ type: Slice) -> RPCSpecification.Parameter? {
        let presence: RPCSpecification.Presence =
            switch name.last {
            case UInt8(ascii: "!"): .mandatory
            case UInt8(ascii: "~"): .mandatoryLater
            default: .optional
            }
        var element = type
        var count: RPCSpecification.Bounds<Int>?
        if element.first == UInt8(ascii: "["),
            let end = element.lastIndex(of: UInt8(ascii: "]"))
        {
            count = Self.bounds(element[(end + 1)...]) { Int($0) }
            if count == nil { return nil }
            element = element[..<end].dropFirst()
        }
        guard let type = parameterType(element) else { return nil }
        return RPCSpecification.Parameter(
            name: (presence == .optional ? name : name.dropLast()).text, presence: presence,
            type: type, count: count)
    }

    private func parameterType(_ text: Slice) -> RPCSpecification.ParameterType? {
        let limits = text.dropFirst()
        guard limits.allSatisfy(Self.isPartOfLimits) else {
            let name = text.text
            return enumerations[name] == nil ? .structure(name) : .enumeration(name)
        }
        switch text.first {
        case UInt8(ascii: "B"): return limits.isEmpty ? .boolean : nil
        case UInt8(ascii: "I"): return Self.bounds(limits) { Int64($0) }.map { .integer($0) }
        case UInt8(ascii: "F"): return Self.bounds(limits) { Double($0) }.map { .float($0) }
        case UInt8(ascii: "S"): return Self.bounds(limits) { Int($0) }.map { .string($0) }
        default: return nil
        }
    }

    private static func isPartOfLimits(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Parses `a:b` with either side optional; a number alone is a maximum.
    private static func bounds<Number>(
        _ text: Slice, _ convert: (String) -> Number?
    ) -> RPCSpecification.Bounds<Number>? {
        let colon = text.firstIndex(of: UInt8(ascii: ":"))
        let low = colon.map { text[..<$0] } ?? []
        let high = colon.map { text[($0 + 1)...] } ?? text
        let bounds = RPCSpecification.Bounds(
            minimum: low.isEmpty ? nil : convert(low.text),
            maximum: high.isEmpty ? nil : convert(high.text))
        let isWhole =
            low.isEmpty == (bounds.minimum == nil) && high.isEmpty == (bounds.maximum == nil)
        return isWhole ? bounds : nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }

    /// The first word, delimited by blanks and line ends, and what follows it.
    fileprivate var firstWord: (word: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        var start = startIndex
        while start < endIndex, Self.isBlank(self[start]) { start += 1 }
        guard start < endIndex else { return nil }
        var end = start
        while end < endIndex, !Self.isBlank(self[end]) { end += 1 }
        return (self[start..<end], self[end...])
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
    }
}
