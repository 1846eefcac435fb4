import Protocols

/// Loads suites: YAML files become typed suites, or everything that is wrong with them.
///
/// The language is described in `Documentation/suite-language.md`.
public enum SuiteLoader {
    /// Loads a suite with its catalogues and includes.
    ///
    /// - Parameters:
    ///   - path: The suite file.
    ///   - searchPath: Folders in which includes are looked for after the including file's own.
    ///   - parameters: Values of the suite's parameters by name; those that the suite does not
    ///     declare are passed over.
    /// - Throws: All findings of all files, if one of them is an error.
    public static func load(
        path: String, searchPath: [String] = [], parameters: [String: Value] = [:]
    ) throws(InvalidInput) -> Suite {
        try load(
            path: path, searchPath: searchPath, parameters: parameters, read: SourceFile.text)
    }

    /// Loads a suite whose files `read` gives.
    package static func load(
        path: String, searchPath: [String] = [], parameters: [String: Value] = [:],
        read: @escaping (String) throws(InvalidInput) -> String
    ) throws(InvalidInput) -> Suite {
        let findings = Findings()
        var reader = SuiteReader(
            files: SuiteFiles(findings: findings, searchPath: searchPath, read: read),
            parameters: parameters)
        let suite = reader.suite(path: path)
        try findings.throwErrors()
        guard let suite else { throw InvalidInput(findings.diagnostics) }
        return suite
    }
}
