import Wire

/// Loads suites: turns YAML files into typed suites, or reports everything that is wrong with them.
///
/// The language is described in `Documentation/suite-language.md` and the pages that it names.
public struct SuiteLoader: Sendable {
    /// The protocols and kinds of peers that suites may name.
    private let protocols: ProtocolRegistry

    /// Creates a loader for a program with these protocols and kinds of peers.
    public init(_ protocols: ProtocolRegistry) {
        self.protocols = protocols
    }

    /// Loads a suite with its catalogues and includes.
    ///
    /// - Parameters:
    ///   - path: The suite file.
    ///   - searchPath: The folders that are searched for includes after the folder of the including
    ///     file.
    ///   - parameters: Values of the suite's parameters by name; those that the suite does not
    ///     declare are ignored.
    /// - Throws: All findings of all files, if one of them is an error.
    public func load(
        path: String, searchPath: [String] = [], parameters: [String: Value] = [:]
    ) throws(InvalidInput) -> Suite {
        try load(
            path: path, searchPath: searchPath, parameters: parameters, read: SourceFile.text)
    }

    /// Loads a protocol that a file describes together with a `.ksy` file.
    ///
    /// - Throws: All findings of both files, if one of them is an error.
    public func loadProtocol(path: String) throws(InvalidInput) -> NamedProtocol {
        let findings = Findings()
        let files = SuiteFileReader(findings: findings, searchPath: [], read: SourceFile.text)
        let made = files.root(of: path).flatMap {
            DescribedProtocols(files: files, protocols: protocols).read($0, path: path)
        }
        try findings.throwErrors()
        guard let made else { throw InvalidInput(findings.diagnostics) }
        return made
    }

    /// Loads a suite whose files are read by `read`.
    package func load(
        path: String, searchPath: [String] = [], parameters: [String: Value] = [:],
        read: @escaping (String) throws(InvalidInput) -> String
    ) throws(InvalidInput) -> Suite {
        let findings = Findings()
        let texts = TextFingerprint()
        func readNoted(_ path: String) throws(InvalidInput) -> String {
            let text = try read(path)
            texts.add(text)
            return text
        }
        var reader = SuiteReader(
            files: SuiteFileReader(findings: findings, searchPath: searchPath, read: readNoted),
            protocols: protocols, parameters: parameters)
        let suite = reader.suite(path: path)
        try findings.throwErrors()
        guard var suite else { throw InvalidInput(findings.diagnostics) }
        suite.fingerprint = texts.value
        return suite
    }
}

/// A hash of texts in their order (FNV-1a).
private final class TextFingerprint {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    func add(_ text: String) {
        // Each text is followed by a byte that no text contains.
        for byte in Array(text.utf8) + [0xff] {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
    }

    var value: String { String(hash, radix: 16) }
}
