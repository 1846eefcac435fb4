import Glibc
import System
import YAML

extension Command {
    /// `conform docs`: shows where the documents mention a word.
    static let docs = Command(
        name: "docs", operands: "[WORD ...]",
        summary:
            "Prints what the documents say about words, such as an error code; by default their contents.",
        example: "docs known failures", options: [openPage]
    ) { arguments in
        let documents = try Documents()
        let word = arguments.operands.joined(separator: " ")
        guard !word.isEmpty else {
            let contents = documents.contents
            StandardOutput.document(try SourceFile.text(path: contents))
            return try opened(contents, arguments)
        }
        var passages = try documents.passages(on: word)
        // JUnit reports write the reason of a verdict with this prefix.
        let prefix = "conform."
        if passages.isEmpty, word.hasPrefix(prefix) {
            passages = try documents.passages(on: String(word.dropFirst(prefix.count)))
        }
        guard let first = passages.first else {
            throw UsageError("no document in \(documents.folder) says anything about \"\(word)\"")
        }
        for passage in passages.prefix(shown) {
            StandardOutput.print("\(passage.page):\(passage.line): \(passage.section)")
            StandardOutput.print("    " + passage.text)
        }
        if passages.count > shown {
            StandardOutput.print("\(passages.count - shown) more places")
        }
        return try opened(first.page, arguments)
    }

    private static let openPage = Option(
        "--open", nil, "also opens the first page in the program that shows such files")

    /// How many places are printed.
    private static let shown = 10

    private static func opened(_ page: String, _ arguments: Arguments) throws -> Int32 {
        guard arguments.has(openPage.name) else { return 0 }
        guard let path = FilePath.resolved(page) else {
            throw UsageError("\(page) is not there any more")
        }
        StandardOutput.print("opened \(page) with \(try Browser.open(path))")
        return 0
    }
}

/// The documents that are installed with this program.
struct Documents {
    /// A line of a page.
    struct PageLine {
        let page: String
        /// The number of the line, from 1.
        let line: Int
        /// The heading above it.
        let section: String
        let text: String
        /// How well it matches; less is better.
        fileprivate let rank: Int
    }

    /// The folder of the documents.
    let folder: String
    /// The page that lists the others.
    let contents: String

    /// Finds them next to the installed program, or in the source tree in which it was built.
    init() throws(UsageError) {
        var parent = ProgramArguments.executablePath
        while let slash = parent.lastIndex(of: "/") {
            parent = String(parent[..<slash])
            for name in ["share/doc/conform/Documentation", "Documentation"]
            where access("\(parent)/\(name)/README.md", R_OK) == 0 {
                folder = "\(parent)/\(name)"
                contents = "\(parent)/\(name)/README.md"
                return
            }
        }
        throw UsageError("the documents are not next to this program; install the whole package")
    }

    /// Returns the lines that mention a word, or all of several: headings first, each with the
    /// paragraph below it, then those that have it as code.
    func passages(on word: String) throws -> [PageLine] {
        let sought = word.lowercased()
        let parts = Self.parts(of: sought)
        var found: [PageLine] = []
        for page in try pages() {
            var section = ""
            let lines = try SourceFile.text(path: page).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                let isHeading = line.hasPrefix("#")
                if isHeading { section = String(line.drop { $0 == "#" || $0 == " " }) }
                let text = line.lowercased()
                let isWhole = text.contains(sought)
                guard isWhole || !parts.isEmpty && parts.allSatisfy(text.contains) else { continue }
                let below = isHeading ? lines[(number + 1)...].first { !$0.isEmpty } : nil
                let rank = isHeading ? 0 : text.contains("`\(sought)`") ? 1 : 2
                found.append(
                    PageLine(
                        page: page, line: number + 1, section: section,
                        text: ([line] + (below.map { [$0] } ?? [])).joined(separator: "\n    "),
                        rank: isWhole ? rank : rank + 3))
            }
        }
        let best = found.map(\.rank).min()
        return found.filter { $0.rank == best || best == 0 && $0.rank == 1 }
            .sorted { ($0.rank, $0.page, $0.line) < ($1.rank, $1.page, $1.line) }
    }

    /// Returns the words of several that a line must have, in any order and as singular or plural;
    /// none for one word.
    private static func parts(of text: String) -> [Substring] {
        let words: [Substring] = text.split(separator: " ").filter { $0.count > 2 }
        guard words.count > 1 else { return [] }
        return words.map { word in word.last == "s" ? word.dropLast() : word }
    }

    /// Returns the pages that the contents list and that exist.
    private func pages() throws(InvalidInput) -> [String] {
        let links = try SourceFile.text(path: contents).split(separator: "](").dropFirst()
            .map { link in link.prefix { $0 != ")" } }
        return [contents]
            + Set(links.filter { $0.hasSuffix(".md") && !$0.hasPrefix("../") }).sorted()
            .map { "\(folder)/\($0)" }.filter { access($0, R_OK) == 0 }
    }
}
