import Wire
import YAML

extension KaitaiDescription {
    /// Reads a `.ksy` file and what it imports, and checks them.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - searchPaths: Folders of imports that begin with `/`.
    ///   - companions: Names of files of the same folder whose types and enumerations expressions
    ///     from outside may name.
    ///   - source: Gives the text of a file.
    /// - Throws: Everything that is wrong, each finding with its position.
    public static func load(
        path: String, searchPaths: [String] = [], companions: [String] = [],
        source: @escaping (String) throws(InvalidInput) -> String = Self.text
    ) throws(InvalidInput) -> KaitaiDescription {
        let loader = DescriptionLoader(searchPaths: searchPaths, source: source)
        let top = loader.file(at: path, importedAt: nil)
        if let top {
            for name in companions {
                loader.importFile(name, into: loader.types[top].file, at: nil)
            }
        }
        loader.readFields()
        let description = top.map { loader.description(top: $0) }
        try loader.findings.throwErrors()
        guard let description else { throw InvalidInput(loader.findings.diagnostics) }
        return description
    }

    /// The text of a file.
    public static func text(path: String) throws(InvalidInput) -> String {
        try SourceFile.text(path: path)
    }
}

/// Reads the files of one description.
///
/// First all files with their types and enumerations, then the fields, whose types can then be
/// found by name; expressions are resolved last. It is confined to the load that made it.
final class DescriptionLoader {
    let findings = Findings()
    var types: [TypeModel] = []
    var enumerations: [Enumeration] = []
    var sources: [ExpressionSource] = []
    var files: [DescribedFile] = []
    /// What the fields of each type are read from.
    var nodes: [YAMLNode] = []
    var pending: [PendingCall] = []

    private let searchPaths: [String]
    private let source: (String) throws(InvalidInput) -> String
    private var fileIndex: [String: Int] = [:]

    init(
        searchPaths: [String], source: @escaping (String) throws(InvalidInput) -> String
    ) {
        self.searchPaths = searchPaths
        self.source = source
    }

    var names: Names { Names(types: types, files: files) }

    /// The top type of a file, which is read unless it has been.
    @discardableResult
    func file(at path: String, importedAt position: SourcePosition?) -> TypeID? {
        let path = SourcePath.simplified(path)
        if let known = fileIndex[path] { return files[known].top }
        guard files.count < KaitaiLimits.files else {
            findings.report(
                "ksy-limit", "more than \(KaitaiLimits.files) files belong to it", at: position)
            return nil
        }
        do throws(InvalidInput) {
            let text = try source(path)
            let node = try YAMLNode.parse(text: text, file: path, schema: .text)
            return register(node, path: path, sha256: SHA256.hash(of: text))
        } catch {
            let isUnreadable = error.diagnostics.first?.code == "unreadable-file"
            if isUnreadable, let position {
                findings.report(
                    "ksy-import", "there is nothing to import at \"\(path)\"", at: position,
                    advice: "an import is the path of a file without .ksy")
            } else {
                findings.add(error)
            }
            return nil
        }
    }

    private func register(_ node: YAMLNode, path: String, sha256: [UInt8]) -> TypeID? {
        guard node.entries != nil else {
            findings.report(
                "wrong-type", "a description is a mapping, this is \(node.kindInWords)",
                at: node.position, advice: "it begins with \"meta:\"")
            return nil
        }
        let id = identifier(node["meta"]?["id"], "meta/id")
        if node["meta"]?["id"] == nil, node["meta"]?.entries != nil || node["meta"] == nil {
            findings.report(
                "missing-key", "the description has no \"meta/id\"",
                at: node["meta"]?.position ?? node.position,
                advice: "it is the name of the format")
        }
        let index = files.count
        files.append(DescribedFile(path: path, sha256: sha256, top: types.count))
        fileIndex[path] = index
        let top = addType(
            id ?? "_", node: node, file: index, enclosing: nil, position: node.position)
        importFiles(of: node, into: index)
        return top
    }

    private func importFiles(of node: YAMLNode, into file: Int) {
        guard let imports = node["meta"]?["imports"] else { return }
        guard let elements = imports.elements else {
            findings.report(
                "wrong-type", "\"imports\" takes a list, this is \(imports.kindInWords)",
                at: imports.position)
            return
        }
        for element in elements {
            guard let name = text(element, "an import") else { continue }
            importFile(name, into: file, at: element.position)
        }
    }

    func importFile(_ name: String, into file: Int, at position: SourcePosition?) {
        guard let path = place(of: name, from: files[file].path) else {
            findings.report(
                "ksy-import", "there is no \"\(name).ksy\" in the folders of imports", at: position,
                advice: searchPaths.isEmpty
                    ? "a name without / is searched beside the file" : "")
            return
        }
        if let top = self.file(at: path, importedAt: position) {
            files[file].imports[types[top].name] = top
        }
    }

    /// The path of what is imported.
    private func place(of name: String, from file: String) -> String? {
        guard name.hasPrefix("/") else {
            let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
            return "\(folder)\(name).ksy"
        }
        return searchPaths.map { "\($0)\(name).ksy" }.first { path in
            do throws(InvalidInput) {
                _ = try source(path)
                return true
            } catch {
                return false
            }
        }
    }

    /// A type that no file describes, if a file of its name is beside: that file's.
    func opaqueType(_ name: String, from scope: TypeID) -> TypeID? {
        let file = types[scope].file
        guard let path = place(of: name, from: files[file].path) else { return nil }
        if let known = fileIndex[SourcePath.simplified(path)] { return files[known].top }
        do throws(InvalidInput) {
            _ = try source(path)
        } catch {
            return nil
        }
        return self.file(at: path, importedAt: nil)
    }
}

extension DescriptionLoader {
    /// Text of a scalar; anything else is reported.
    func text(_ node: YAMLNode, _ subject: String) -> String? {
        if let text = node.string { return text }
        findings.report(
            "wrong-type", "\(subject) takes text, this is \(node.kindInWords)", at: node.position)
        return nil
    }

    func bool(_ node: YAMLNode?, _ key: String) -> Bool? {
        guard let node else { return nil }
        switch node.string {
        case "true": return true
        case "false": return false
        default:
            findings.report(
                "wrong-type", "\"\(key)\" takes true or false", at: node.position)
            return nil
        }
    }

    /// An integer as YAML 1.1 and expressions write them.
    func integer(_ text: String) -> Int128? {
        var digits = text.replacing("_", with: "")
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        let radix =
            digits.hasPrefix("0x")
            ? 16
            : digits.hasPrefix("0o")
                ? 8
                : digits.hasPrefix("0b") ? 2 : 10
        if radix != 10 { digits.removeFirst(2) }
        guard let first = digits.first, first != "+", first != "-",
            let number = Int128(digits, radix: radix)
        else { return nil }
        return isNegative ? 0 - number : number
    }

    func byte(_ node: YAMLNode?, _ key: String) -> UInt8? {
        guard let node else { return nil }
        if let number = node.string.flatMap(integer), let byte = UInt8(exactly: number) {
            return byte
        }
        findings.report(
            "bad-value", "\"\(key)\" is a byte, from 0 to 255", at: node.position)
        return nil
    }

    /// A name as descriptions have them.
    func identifier(_ node: YAMLNode?, _ subject: String) -> String? {
        guard let node, let name = text(node, "\"\(subject)\"") else { return nil }
        return checkIdentifier(name, subject, at: node.position) ? name : nil
    }

    func checkIdentifier(_ name: String, _ subject: String, at position: SourcePosition) -> Bool {
        if name.isIdentifier { return true }
        findings.report(
            "ksy-name", "\"\(name)\" is no name for \(subject)", at: position,
            advice: "a name is lower-case letters, digits and _, and begins with a letter")
        return false
    }

    /// Reports each key that a mapping may not have.
    func checkKeys(of node: YAMLNode, known: Set<String>, subject: String) {
        for entry in node.entries ?? [] where !known.contains(entry.key) {
            if entry.key.hasPrefix("-") { continue }
            findings.report(
                "unknown-key", "unknown key \"\(entry.key)\" in \(subject)", at: entry.keyPosition,
                advice: Suggestion.advice(for: entry.key, in: known.sorted()))
        }
    }
}
