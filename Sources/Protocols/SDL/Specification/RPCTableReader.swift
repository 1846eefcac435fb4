/// Reads the RPC tables.
///
/// A table is text. An entry starts in the first column with its name and a colon; indented lines
/// continue it. A parameter is a name, a mark (`!` mandatory, `~` mandatory since a later version)
/// and a type: `B` Boolean, `I0:100` integer, `F-1:1` floating point, `S100` text of at most 100
/// characters, `S4:7` of 4 to 7, the name of an enumeration or structure, or `[type]1:8` an array
/// of 1 to 8 elements. Limits may be left out.
struct RPCTableReader {
    private(set) var enumerations: [String: [String]] = [:]
    private(set) var structures: [String: [RPCSpecification.Parameter]] = [:]
    private(set) var messages: [RPCSpecification.MessageKey: [RPCSpecification.Parameter]] = [:]
    private(set) var functionNames: [UInt32: String] = [:]
    private(set) var problems: [String] = []

    private typealias Slice = Substring.UTF8View

    /// Reads `Name: WORD WORD`.
    mutating func readEnumerations(_ table: String) {
        forEachEntry(of: table) { reader, head, body in
            reader.enumerations[String(Substring(head))] = reader.words(of: body)
        }
    }

    /// Reads `Name: parameter, parameter`; enumerations must have been read before.
    mutating func readStructures(_ table: String) {
        forEachEntry(of: table) { reader, head, body in
            reader.structures[String(Substring(head))] = reader.parameters(of: body)
        }
    }

    /// Reads `Function id: parameter, parameter`; enumerations must have been read before.
    mutating func readMessages(_ table: String, _ type: SDL.RPCType) {
        forEachEntry(of: table) { reader, head, body in
            guard let id = reader.readFunction(head) else { return }
            reader.messages[RPCSpecification.MessageKey(id, type)] = reader.parameters(of: body)
        }
    }

    /// Reads `Function id:`.
    mutating func readNames(_ table: String) {
        forEachEntry(of: table) { reader, head, _ in
            _ = reader.readFunction(head)
        }
    }

    /// Notes every name that is neither an enumeration nor a structure.
    mutating func checkReferences() {
        let lists = Array(structures.values) + Array(messages.values)
        for parameter in lists.joined() {
            if case .structure(let name) = parameter.type, structures[name] == nil {
                problems.append("\(parameter.name): no type named \(name)")
            }
        }
    }

    private mutating func readFunction(_ head: Slice) -> UInt32? {
        let parts = head.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, let id = UInt32(Substring(parts[1])) else {
            problems.append("no function and id in '\(Substring(head))'")
            return nil
        }
        functionNames[id] = String(Substring(parts[0]))
        return id
    }

    private mutating func forEachEntry(
        of table: String, _ body: (inout RPCTableReader, Slice, Slice) -> Void
    ) {
        let text = table[...].utf8
        var start = text.startIndex
        while start < text.endIndex {
            let end = endOfEntry(in: text, from: start)
            let entry = text[start..<end]
            if let colon = entry.firstIndex(of: UInt8(ascii: ":")) {
                body(&self, entry[..<colon], entry[entry.index(after: colon)...])
            } else {
                problems.append("no colon in '\(Substring(entry))'")
            }
            start = end < text.endIndex ? text.index(after: end) : end
        }
    }

    /// The line end that is not followed by an indented line.
    private func endOfEntry(in text: Slice, from start: Slice.Index) -> Slice.Index {
        var index = start
        while let end = text[index...].firstIndex(of: UInt8(ascii: "\n")) {
            index = text.index(after: end)
            guard index < text.endIndex, text[index] == UInt8(ascii: " ") else { return end }
        }
        return text.endIndex
    }

    private func words(of body: Slice) -> [String] {
        body.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            .map { String(Substring($0)) }
    }

    private mutating func parameters(of body: Slice) -> [RPCSpecification.Parameter] {
        body.split(separator: UInt8(ascii: ",")).compactMap { item in
            let parts = words(of: item)
            guard !parts.isEmpty else { return nil }
            guard parts.count == 2, let parameter = parameter(parts[0], parts[1]) else {
                problems.append("not a parameter: '\(Substring(item))'")
                return nil
            }
            return parameter
        }
    }

    private func parameter(_ name: String, _ type: String) -> RPCSpecification.Parameter? {
        var name = name
        var presence = RPCSpecification.Presence.optional
        switch name.last {
        case "!": presence = .mandatory
        case "~": presence = .mandatoryLater
        default: break
        }
        if presence != .optional { name.removeLast() }
        var element = type[...]
        var count: RPCSpecification.Bounds<Int>?
        if element.first == "[", let end = element.lastIndex(of: "]") {
            count = bounds(element[element.index(after: end)...]) { Int($0) }
            if count == nil { return nil }
            element = element[..<end].dropFirst()
        }
        guard let type = parameterType(element) else { return nil }
        return RPCSpecification.Parameter(
            name: name, presence: presence, type: type, count: count)
    }

    private func parameterType(_ text: Substring) -> RPCSpecification.ParameterType? {
        let name = String(text)
        if enumerations[name] != nil { return .enumeration(name) }
        let limits = text.dropFirst()
        let isBuiltIn = limits.allSatisfy { $0.isNumber || ":-.".contains($0) }
        guard isBuiltIn else { return .structure(name) }
        switch text.first {
        case "B": return limits.isEmpty ? .boolean : nil
        case "I": return bounds(limits) { Int64($0) }.map { .integer($0) }
        case "F": return bounds(limits) { Double($0) }.map { .float($0) }
        case "S": return bounds(limits) { Int($0) }.map { .string($0) }
        default: return nil
        }
    }

    /// `a:b` with either side optional; a number alone is a maximum.
    private func bounds<Number>(
        _ text: Substring, _ convert: (Substring) -> Number?
    ) -> RPCSpecification.Bounds<Number>? {
        guard !text.isEmpty else { return RPCSpecification.Bounds(minimum: nil, maximum: nil) }
        let sides = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = sides.map(convert)
        guard sides.count <= 2, zip(sides, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) else {
            return nil
        }
        return sides.count == 1
            ? RPCSpecification.Bounds(minimum: nil, maximum: numbers[0])
            : RPCSpecification.Bounds(minimum: numbers[0], maximum: numbers[1])
    }
}
