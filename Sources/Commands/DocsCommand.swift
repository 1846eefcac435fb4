import Files
import Glibc
import Processes
import YAML

extension Command {
    /// `conform docs`: where the documents speak of a word.
    static let docs = Command(
        name: "docs", operands: "[WORD]",
        summary:
            "Prints what the documents say of a word, such as an error code; their contents without one.",
        options: [openPage]
    ) { arguments in
        guard arguments.operands.count <= 1 else {
            throw UsageError("conform docs takes one word; put several into quotes")
        }
        let documents = try Documents()
        guard let word = arguments.operands.first else {
            let contents = documents.contents
            StandardOutput.document(try SourceFile.text(path: contents))
            return try opened(contents, arguments)
        }
        var passages = try documents.passages(on: word)
        // As JUnit has the reason of a verdict.
        let prefix = "conform."
        if passages.isEmpty, word.hasPrefix(prefix) {
            passages = try documents.passages(on: String(word.dropFirst(prefix.count)))
        }
        guard let first = passages.first else {
            throw UsageError("no document in \(documents.folder) says anything of \"\(word)\"")
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
        "--open", nil, "opens the first page in the program that shows such files, too.")

    /// So many places are printed.
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

/// The documents that came with this program.
struct Documents {
    /// A line of a page.
    struct PageLine {
        let page: String
        /// Counted from 1.
        let line: Int
        /// The heading above it.
        let section: String
        let text: String
        /// How well it fits; less is better.
        fileprivate let rank: Int
    }

    /// Where they are.
    let folder: String
    /// The page that lists the others.
    let contents: String

    /// Finds them beside the installed program, or in the source tree that it was built in.
    init() throws(UsageError) {
        var parent = ProgramArguments.executablePath
        while let slash = parent.lastIndex(of: "/") {
            parent = String(parent[..<slash])
            for (name, contents) in [
                ("share/doc/conform", "contents.md"), ("Documentation", "README.md"),
            ] where access("\(parent)/\(name)/\(contents)", R_OK) == 0 {
                folder = "\(parent)/\(name)"
                self.contents = "\(parent)/\(name)/\(contents)"
                return
            }
        }
        throw UsageError("the documents are not beside this program; install the package whole")
    }

    /// The lines that speak of a word: headings first, then those that have it as code.
    func passages(on word: String) throws -> [PageLine] {
        let sought = word.lowercased()
        var found: [PageLine] = []
        for page in try pages() {
            var section = ""
            let lines = try SourceFile.text(path: page).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                let isHeading = line.hasPrefix("#")
                if isHeading { section = String(line.drop { $0 == "#" || $0 == " " }) }
                let text = line.lowercased()
                guard text.contains(sought) else { continue }
                found.append(
                    PageLine(
                        page: page, line: number + 1, section: section, text: String(line),
                        rank: isHeading ? 0 : text.contains("`\(sought)`") ? 1 : 2))
            }
        }
        let best = found.map(\.rank).min()
        return found.filter { $0.rank == best || best == 0 && $0.rank == 1 }
            .sorted { ($0.rank, $0.page, $0.line) < ($1.rank, $1.page, $1.line) }
    }

    /// The pages that the contents list, and are there.
    private func pages() throws(InvalidInput) -> [String] {
        let links = try SourceFile.text(path: contents).split(separator: "](").dropFirst()
            .map { link in link.prefix { $0 != ")" } }
        return [contents]
            + Set(links.filter { $0.hasSuffix(".md") && !$0.contains("/") }).sorted()
            .map { "\(folder)/\($0)" }.filter { access($0, R_OK) == 0 }
    }
}
