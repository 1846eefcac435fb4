import Wire

/// A value of the document and its path.
struct DocumentNode {
    let path: String
    let value: Value

    var isNull: Bool { value == .null }

    func expected(_ what: String) -> ConfigurationError {
        ConfigurationError(key: path, problem: "expected \(what), found \(value.jsonText())")
    }

    /// Returns the key of that name; throws an error that names all keys if there is none.
    func known<Key>(_ name: String, as keys: Key.Type) throws(ConfigurationError) -> Key
    where Key: CaseIterable & RawRepresentable<String> {
        if let key = Key(rawValue: name) { return key }
        let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
        throw ConfigurationError(key: path, problem: "unknown; the keys are \(names)")
    }

    /// Returns the members of an object; throws if a name occurs twice.
    func members() throws(ConfigurationError) -> [(String, DocumentNode)] {
        guard let members = value.objectValue else { throw expected("an object") }
        var nodes: [(String, DocumentNode)] = []
        for member in members {
            let memberPath = path.isEmpty ? member.name : "\(path).\(member.name)"
            guard !nodes.contains(where: { $0.0 == member.name }) else {
                throw ConfigurationError(key: memberPath, problem: "given twice")
            }
            nodes.append((member.name, DocumentNode(path: memberPath, value: member.value)))
        }
        return nodes
    }

    func elements() throws(ConfigurationError) -> [DocumentNode] {
        guard let elements = value.arrayValue else { throw expected("an array") }
        return elements.enumerated().map {
            DocumentNode(path: "\(path)[\($0.offset)]", value: $0.element)
        }
    }

    func text() throws(ConfigurationError) -> String {
        guard let text = value.stringValue else { throw expected("a string") }
        return text
    }

    func texts() throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for element in try elements() { texts.append(try element.text()) }
        return texts
    }

    func flag() throws(ConfigurationError) -> Bool {
        guard let flag = value.boolValue else { throw expected("true or false") }
        return flag
    }

    func count() throws(ConfigurationError) -> Int {
        guard let number = value.integerValue, (0...86_400_000).contains(number) else {
            throw expected("an integer from 0 to 86400000")
        }
        return Int(number)
    }
}
