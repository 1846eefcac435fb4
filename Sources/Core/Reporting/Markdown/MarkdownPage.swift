/// The maximum length of a page of Markdown in bytes of UTF-8, by the place that shows it.
enum MarkdownLimit {
    /// GitHub accepts 1 MiB for each step's part of a job page; a step may write more than this.
    static let jobPage = 1_000_000
    /// GitHub accepts 65 536 characters in a comment, GitLab a million.
    ///
    /// There are at least as many bytes as characters, and some space is left for text around the
    /// page.
    static let comment = 64_000
}

/// A page of Markdown that never exceeds its limit.
///
/// Entries that do not fit are omitted, and the page says how many.
struct MarkdownPage {
    private let limit: Int
    private var parts: [String] = []
    private var size = 0
    /// The space that is reserved for remarks about omitted entries.
    private static let reserve = 400

    init(limit: Int) {
        self.limit = limit
    }

    /// The whole page.
    var text: String { parts.joined(separator: "\n\n") + "\n" }

    /// Returns whether the given number of bytes fits.
    private func fits(_ bytes: Int) -> Bool { size + bytes + Self.reserve <= limit }

    /// Adds a complete part; returns whether it fitted.
    @discardableResult
    mutating func append(_ lines: [String]) -> Bool {
        let part = lines.joined(separator: "\n")
        guard !part.isEmpty, fits(part.utf8.count + 2) else { return part.isEmpty }
        parts.append(part)
        size += part.utf8.count + 2
        return true
    }

    /// Adds a part that consists of a heading and as many entries as fit.
    ///
    /// - Parameters:
    ///   - heading: The lines before the entries.
    ///   - entries: The lines of each entry; of a lazy collection only the shown entries are
    ///     evaluated.
    ///   - most: The maximum number of entries.
    ///   - closing: The lines after the entries.
    ///   - rest: Returns short lines that state how many entries were omitted.
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
