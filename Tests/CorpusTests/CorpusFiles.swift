import FoundationEssentials
import Glibc

/// The files of the corpus, next to this file.
enum CorpusFiles {
    /// The folder that holds a folder for each construct of the language.
    static let root: String = {
        guard let file = realpath(#filePath, nil) else { return "" }
        defer { free(file) }
        let folder = String(cString: file).split(separator: "/").dropLast()
        return folder.map { "/" + $0 }.joined() + "/Corpus"
    }()

    /// The root folder of the repository.
    static var repository: String {
        root.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    }

    /// Returns the text of a file of the corpus.
    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
    }

    /// The names of all suites of the corpus as `construct/name`, sorted.
    static let suites: [String] = names(in: root).sorted().flatMap { construct in
        names(in: "\(root)/\(construct)").filter { $0.hasSuffix(".yaml") }.sorted()
            .map { "\(construct)/\($0.dropLast(".yaml".count))" }
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
