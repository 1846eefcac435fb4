import SuiteLanguage
import System

extension KnownFailureUpdate {
    /// Rewrites the file.
    ///
    /// - Returns: Whether its comments could be kept.
    /// - Throws: An error if the file cannot be read or written.
    public func write(to path: String) throws -> Bool {
        let place = try HeldFile(FilePath.resolved(path) ?? path)
        let old = place.contents.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let edited = edited(old, file: place.path)
        let text = edited ?? KnownFailures.text(kept + added)
        try place.replace(with: Array(text.utf8))
        return edited != nil || !old.contains("#")
    }

    /// Returns the text without the removed entries and with the new ones after the last entry.
    ///
    /// Everything else is unchanged. The result is `nil` if the text cannot be edited line by line.
    func edited(_ text: String, file: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let starts = (kept + removed).map { $0.position.line - 1 }.sorted()
        guard starts.allSatisfy({ lines.indices.contains($0) && lines[$0].isListItem }),
            Set(starts).count == starts.count,
            let head = lines.firstIndex(where: \.isEntriesKey)
        else { return nil }
        let blocks = starts.enumerated().map { index, start in
            let next = index + 1 < starts.count ? starts[index + 1] : lines.count
            return Self.block(from: start, to: next, in: lines)
        }
        let cut = Set(removed.map { $0.position.line - 1 })
        let indentation = starts.first.map { lines[$0].prefix { $0 == " " } } ?? "  "
        let end = blocks.last?.upperBound ?? head + 1
        var result: [String] = []
        for (index, line) in (lines + [""]).enumerated() {
            if index == end {
                result += added.flatMap {
                    KnownFailures.lines($0, indentation: String(indentation))
                }
            }
            guard index < lines.count,
                !zip(starts, blocks).contains(where: { cut.contains($0) && $1.contains(index) })
            else { continue }
            result.append(
                index == head ? (kept + added).isEmpty ? "entries: []" : "entries:" : line)
        }
        let edited = result.joined(separator: "\n") + "\n"
        return isWhole(edited, file: file) ? edited : nil
    }

    /// Returns the lines of an entry.
    ///
    /// The comment directly above it is included; blank lines and comments after it are not.
    private static func block(from start: Int, to next: Int, in lines: [String]) -> Range<Int> {
        var (first, end) = (start, next)
        while first > 0, lines[first - 1].isComment { first -= 1 }
        while end > start + 1, lines[end - 1].isComment || lines[end - 1].isBlank { end -= 1 }
        return first..<end
    }

    private func isWhole(_ text: String, file: String) -> Bool {
        let entries = try? KnownFailures.parse(text: text, file: file).entries
        return entries.map { $0.map(\.withoutPosition) } == (kept + added).map(\.withoutPosition)
    }
}

extension KnownFailures {
    /// Returns a complete file with these entries.
    static func text(_ entries: [Entry]) -> String {
        let head = "\(versionKey): 1\n"
        guard !entries.isEmpty else { return head + "entries: []\n" }
        let lines = entries.flatMap { self.lines($0, indentation: "  ") }
        return head + "entries:\n" + lines.joined(separator: "\n") + "\n"
    }

    fileprivate static func lines(_ entry: Entry, indentation: String) -> [String] {
        [
            "- case: \(quoted(entry.pattern.description))",
            "  check: \(quoted(entry.check))",
            "  reason: \(quoted(entry.reason))",
            "  issue: \(quoted(entry.issue))",
            "  owner: \(quoted(entry.owner))",
            "  expires: \(entry.expires)",
        ].map { indentation + $0 }
            + (entry.coversSuite ? [indentation + "  wholeSuite: true"] : [])
    }

    /// Returns a YAML scalar in double quotes.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _
            where scalar.properties.generalCategory == .control
                || ["\u{2028}", "\u{2029}", "\u{FEFF}"].contains(scalar):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension KnownFailures.Entry {
    fileprivate var withoutPosition: Self {
        var entry = self
        entry.position = SourcePosition(file: "", line: 0, column: 0)
        return entry
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
    fileprivate var isComment: Bool { first { !$0.isWhitespace } == "#" }
    fileprivate var isListItem: Bool { drop { $0 == " " }.hasPrefix("- ") }
    fileprivate var isEntriesKey: Bool {
        let text = split(separator: "#", omittingEmptySubsequences: false).first ?? ""
        return ["entries:", "entries:[]"].contains(String(text.filter { $0 != " " }))
    }
}
