import Glibc
import SuiteLanguage

extension KnownFailures {
    /// The key of the version of the file format.
    static let versionKey = "conform-known-failures"

    /// Reads a list (YAML).
    ///
    /// - Throws: All errors in the file, each with its position.
    public static func load(path: String) throws(InvalidInput) -> KnownFailures {
        try read(try YAMLNode.load(path: path), file: path)
    }

    /// Reads a list, or creates an empty one if the file does not exist.
    public static func loadIfPresent(path: String) throws(InvalidInput) -> KnownFailures {
        access(path, F_OK) == 0 ? try load(path: path) : KnownFailures(file: path, entries: [])
    }

    /// Reads the text of a list; `file` is the file name in positions.
    static func parse(text: String, file: String) throws(InvalidInput) -> KnownFailures {
        try read(try YAMLNode.parse(text: text, file: file), file: file)
    }

    private static func read(_ node: YAMLNode, file: String) throws(InvalidInput) -> KnownFailures {
        let findings = Findings()
        var entries: [Entry] = []
        if findings.accepts(node, as: .knownFailures),
            var keys = YAMLMappingReader(
                node, subject: "list of known failures",
                advice: "write \(versionKey): 1, and entries: [] below", findings: findings),
            FileVersion.check(&keys, key: versionKey)
        {
            keys.require("entries", advice: "write entries: [] for an empty list")
            entries = (keys.list("entries") ?? []).compactMap { entry($0, findings) }
            keys.finish()
        }
        try findings.throwErrors()
        return KnownFailures(file: file, entries: entries)
    }

    private static func entry(_ node: YAMLNode, _ findings: Findings) -> Entry? {
        guard
            var keys = YAMLMappingReader(
                node, subject: "known failure",
                advice: "its keys are case, check, reason, issue, owner and expires",
                findings: findings)
        else { return nil }
        let pattern = required("case", of: &keys)
        let check = required("check", of: &keys)
        let reason = required("reason", of: &keys)
        let issue = issue(of: &keys)
        let owner = required("owner", of: &keys)
        let expires = date("expires", of: &keys)
        let coversSuite = keys.boolean("wholeSuite") ?? false
        keys.finish()
        guard let pattern, let check, let reason, let issue, let owner, let expires else {
            return nil
        }
        var entry = Entry(
            pattern: CasePattern(pattern), check: check, reason: reason, issue: issue,
            owner: owner, expires: expires, position: node.position)
        entry.coversSuite = coversSuite
        return entry
    }

    /// Reads where the failure is tracked: a link, or the id of an issue, which contains a number.
    private static func issue(of keys: inout YAMLMappingReader) -> String? {
        guard let text = required("issue", of: &keys) else { return nil }
        let isLink = text.hasPrefix("https://") || text.hasPrefix("http://")
        let isId = text.contains { $0.isNumber } && !text.contains { $0.isWhitespace }
        if isLink || isId || text == KnownFailureUpdate.placeholder { return text }
        keys.findings.report(
            "bad-value", "\"\(text)\" is not an issue", at: keys.node("issue")?.position,
            advice: "write a link, or the id that a tracker gives, such as ABC-12 or \"#12\"")
        return nil
    }

    private static func required(_ key: String, of keys: inout YAMLMappingReader) -> String? {
        keys.require(key)
        guard let text = keys.text(key) else { return nil }
        guard text.contains(where: { !$0.isWhitespace }) else {
            keys.findings.report(
                "bad-value", "\"\(key)\" of a known failure cannot be blank",
                at: keys.node(key)?.position)
            return nil
        }
        return text
    }

    private static func date(_ key: String, of keys: inout YAMLMappingReader) -> CalendarDate? {
        guard let text = required(key, of: &keys) else { return nil }
        if let date = CalendarDate(text) { return date }
        keys.findings.report(
            "bad-value", "\"\(key)\" is a day, not \"\(text)\"", at: keys.node(key)?.position,
            advice: "write it as YYYY-MM-DD")
        return nil
    }
}
