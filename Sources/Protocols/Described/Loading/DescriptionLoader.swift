import Wire
import YAML

extension KaitaiDescription {
    /// Reads a `.ksy` file and its imports, and checks them.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - searchPaths: Folders of imports that begin with `/`.
    ///   - companions: Names of files in the same folder whose types and enumerations may be
    ///     named in expressions from outside.
    ///   - source: Returns the text of a file.
    /// - Throws: All errors, each with its position.
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

    /// Returns the text of a file.
    public static func text(path: String) throws(InvalidInput) -> String {
        try SourceFile.text(path: path)
    }
}

/// Loads the files of one description.
///
/// It reads all files with their types and enumerations first. It reads the fields next, because
/// their types can then be found by name. It resolves expressions last. It is confined to the load
/// that created it.
final class DescriptionLoader {
    let findings = Findings()
    var types: [TypeModel] = []
    var enumerations: [Enumeration] = []
    var sources: [ExpressionSource] = []
    var files: [DescribedFile] = []
    /// The YAML node of each type, from which its fields are read.
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

    /// Returns the top type of a file; reads the file if it has not been read.
    @discardableResult
    func file(at path: String, importedAt position: SourcePosition?) -> TypeID? {
        let path = SourcePath.simplified(path)
        if let known = fileIndex[path] { return files[known].top }
        guard files.count < KaitaiLimits.files else {
            findings.report(
                "ksy-limit", "more than \(KaitaiLimits.files) files in all", at: position)
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
                    ? "a name without / is searched in the folder of the file" : "")
            return
        }
        if let top = self.file(at: path, importedAt: position) {
            files[file].imports[types[top].name] = top
        }
    }

    /// Returns the path of an imported file.
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

    /// Returns the top type of the file with the name of an opaque type, if there is such a file.
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
    /// Returns the text of a scalar; reports anything else.
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

    /// Returns an integer in the notation of YAML 1.1 or of expressions.
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

    /// Returns a valid name of a description; reports anything else.
    func identifier(_ node: YAMLNode?, _ subject: String) -> String? {
        guard let node, let name = text(node, "\"\(subject)\"") else { return nil }
        return checkIdentifier(name, subject, at: node.position) ? name : nil
    }

    func checkIdentifier(_ name: String, _ subject: String, at position: SourcePosition) -> Bool {
        if name.isIdentifier { return true }
        findings.report(
            "ksy-name", "\"\(name)\" is not a valid name for \(subject)", at: position,
            advice: "a name is lower-case letters, digits and _, and begins with a letter")
        return false
    }

    /// Reports each key that a mapping may not have, except keys that begin with `-`.
    func checkKeys(of node: YAMLNode, known: Set<String>, subject: String) {
        for entry in node.entries ?? [] where !known.contains(entry.key) {
            if entry.key.hasPrefix("-") { continue }
            findings.report(
                "unknown-key", "unknown key \"\(entry.key)\" in \(subject)", at: entry.keyPosition,
                advice: Suggestion.advice(for: entry.key, in: known.sorted()))
        }
    }
}
