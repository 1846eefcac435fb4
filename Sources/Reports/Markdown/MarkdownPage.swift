/// How long a page of Markdown may be, in bytes of UTF-8, so that the page it goes to takes it.
enum MarkdownLimit {
    /// GitHub takes 1 MiB for each step's part of a job page; a step may write more than we do.
    static let jobPage = 1_000_000
    /// GitHub takes 65 536 characters in a comment, GitLab a million.
    ///
    /// Bytes are never fewer than characters, and some room is left for words around it.
    static let comment = 64_000
}

/// A page of Markdown that never grows beyond its limit: what does not fit is left out, and the
/// page says how much.
struct MarkdownPage {
    private let limit: Int
    private var parts: [String] = []
    private var size = 0
    /// What any remark about things left out may take.
    private static let reserve = 400

    init(limit: Int) {
        self.limit = limit
    }

    /// The whole page.
    var text: String { parts.joined(separator: "\n\n") + "\n" }

    /// Whether more of some length fits.
    private func fits(_ bytes: Int) -> Bool { size + bytes + Self.reserve <= limit }

    /// Adds a part as a whole; answers whether it fitted.
    @discardableResult
    mutating func append(_ lines: [String]) -> Bool {
        let part = lines.joined(separator: "\n")
        guard !part.isEmpty, fits(part.utf8.count + 2) else { return part.isEmpty }
        parts.append(part)
        size += part.utf8.count + 2
        return true
    }

    /// Adds a part made of a heading and as many entries as fit.
    ///
    /// - Parameters:
    ///   - heading: The lines before the entries.
    ///   - entries: The lines of each entry; if they are lazy, only those are made that are shown.
    ///   - most: The most entries to show.
    ///   - closing: The lines after the entries.
    ///   - rest: The lines that tell how many entries were left out; short ones.
    mutating func append(
        heading: [String], entries: some Collection<[String]>, most: Int = .max,
        closing: [String] = [], rest: (Int) -> [String]
    ) {
        guard !entries.isEmpty else { return }
        var lines = heading
        var bytes = (heading + closing).reduce(2) { $0 + $1.utf8.count + 1 }
        var shown = 0
        for entry in entries.prefix(most) {
            let length = entry.reduce(0) { $0 + $1.utf8.count + 1 }
            guard fits(bytes + length) else { break }
            bytes += length
            lines += entry
            shown += 1
        }
        lines += shown < entries.count ? rest(entries.count - shown) : []
        lines += closing
        let part = lines.joined(separator: "\n")
        guard size + part.utf8.count + 2 <= limit else { return }
        parts.append(part)
        size += part.utf8.count + 2
    }
}
