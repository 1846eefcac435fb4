import Kaitai
import Protocols

/// The described protocols of a suite; each file is read once.
final class DescribedProtocols {
    private let files: SuiteFiles
    private var known: [String: DescribedProtocol] = [:]
    /// Every file that was read.
    private(set) var paths: [String] = []

    init(files: SuiteFiles) {
        self.files = files
    }

    /// The protocol that a file describes; `nil` if it cannot be used and that has been reported.
    func named(_ name: String, at position: SourcePosition) -> DescribedProtocol? {
        guard let path = files.path(of: name, namedAt: position, isSearched: true) else {
            return nil
        }
        if let known = known[path] { return known }
        do throws(InvalidInput) {
            let description = try KaitaiDescription.load(
                path: path, searchPaths: files.searchPath, source: files.read)
            description.warnings.forEach(files.findings.add)
            if let reason = description.unsupported {
                files.findings.report(
                    "unsupported", "the description needs what cannot be read: \(reason)",
                    at: position)
            }
            let made = DescribedProtocol(path: path, description: description)
            known[path] = made
            for file in description.sourceFiles where !paths.contains(file.path) {
                paths.append(file.path)
            }
            return made
        } catch {
            files.findings.add(error)
            return nil
        }
    }
}
