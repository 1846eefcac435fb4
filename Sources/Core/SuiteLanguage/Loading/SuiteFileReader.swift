/// Finds and reads the files that make up a suite.
struct SuiteFileReader {
    let findings: Findings
    /// The folders that are searched for includes after the folder of the including file.
    let searchPath: [String]
    /// Returns the text of a file.
    let read: (String) throws(InvalidInput) -> String

    /// Returns the parsed root of a file; `nil`, after a report, if it cannot be used.
    func root(of path: String) -> YAMLNode? {
        do throws(InvalidInput) {
            return try YAMLNode.parse(text: try read(path), file: path)
        } catch {
            findings.add(error)
            return nil
        }
    }

    /// Returns the root of a file that another file names.
    ///
    /// - Parameters:
    ///   - name: The path as it is written.
    ///   - position: Where it is written; the folder of that file is searched first.
    ///   - isSearched: Whether the search path is searched as well.
    func root(
        of name: String, namedAt position: SourcePosition, isSearched: Bool
    ) -> (path: String, node: YAMLNode)? {
        guard let (path, text) = text(of: name, namedAt: position, isSearched: isSearched) else {
            return nil
        }
        do throws(InvalidInput) {
            return (path, try YAMLNode.parse(text: text, file: path))
        } catch {
            findings.add(error)
            return nil
        }
    }

    /// Returns the path of a file that another file names; it is found as in `root`.
    func path(of name: String, namedAt position: SourcePosition, isSearched: Bool) -> String? {
        text(of: name, namedAt: position, isSearched: isSearched)?.path
    }

    private func text(
        of name: String, namedAt position: SourcePosition, isSearched: Bool
    ) -> (path: String, text: String)? {
        var reasons: [String] = []
        for path in candidates(name, namedAt: position, isSearched: isSearched) {
            do throws(InvalidInput) {
                return (path, try read(path))
            } catch {
                guard error.diagnostics.allSatisfy({ $0.code == "unreadable-file" }) else {
                    findings.add(error)
                    return nil
                }
                reasons += error.diagnostics.map(\.what)
            }
        }
        findings.report(
            "file-not-found", reasons.joined(separator: "; "), at: position,
            advice: "the path is relative to the file that contains it")
        return nil
    }

    private func candidates(
        _ name: String, namedAt position: SourcePosition, isSearched: Bool
    ) -> [String] {
        if name.hasPrefix("/") { return [name] }
        let own = position.file.lastIndex(of: "/").map { position.file[...$0] } ?? ""
        let folders = isSearched ? searchPath.map { $0.hasSuffix("/") ? $0 : $0 + "/" } : []
        return ([String(own)] + folders).map { SourcePath.simplified($0 + name) }
    }
}
