/// Finds and reads the files that make up a suite.
struct SuiteFileReader {
    let findings: Findings
    /// Folders in which includes are looked for after the including file's own.
    let searchPath: [String]
    /// Gives the text of a file.
    let read: (String) throws(InvalidInput) -> String

    /// The parsed root of a file; `nil` if it cannot be used and that has been reported.
    func root(of path: String) -> YAMLNode? {
        do throws(InvalidInput) {
            return try YAMLNode.parse(text: try read(path), file: path)
        } catch {
            findings.add(error)
            return nil
        }
    }

    /// The root of a file that another file names.
    ///
    /// - Parameters:
    ///   - name: The path as it is written.
    ///   - position: Where it is written; its file's folder is looked into first.
    ///   - isSearched: Whether the search path is looked into as well.
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

    /// The path of a file that another file names; as `root` finds it.
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
            advice: "the path is relative to the file that it stands in")
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
