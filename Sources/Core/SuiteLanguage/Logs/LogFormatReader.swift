import Wire

/// The keys of log formats.
enum LogVocabulary {
    /// The keys of a format file.
    static let format = MappingDescription(
        "log-format", subject: "log format",
        summary: "How the records of a log become messages.",
        keys: [
            KeyDescription("conform-log", .version, "Version of the format.", isRequired: true),
            KeyDescription("title", .text, "What the log is, for people."),
            KeyDescription(
                "record", .text, "A regular expression that a record is; a line without it."),
            KeyDescription(
                "time", .text,
                "A regular expression whose group \"time\" is the time of a record.",
                isRequired: true),
            KeyDescription(
                "messages", .list(.mapping(message), atLeast: 1),
                "The records that are messages, tried in this order.", isRequired: true),
        ])

    /// The keys of one kind of record.
    static let message = MappingDescription(
        "log-message", subject: "log message", summary: "Records that are one message.",
        keys: [
            KeyDescription(
                "message", .matching("^log\\."), "The name of the message: log. and a word.",
                isRequired: true),
            KeyDescription(
                "matches", .text,
                "A regular expression that is found in the record; its named groups are fields.",
                isRequired: true),
        ])
}

/// Reads a log format file.
struct LogFormatReader {
    let findings: Findings

    /// Reads the root; `nil`, after a report, if it cannot be used.
    func read(_ root: YAMLNode) -> LogFormat? {
        guard findings.accepts(root, as: .logFormat),
            var reader = YAMLMappingReader(root, as: LogVocabulary.format, findings: findings),
            FileVersion.check(&reader, key: "conform-log")
        else { return nil }
        reader.require("time", advice: "write an expression with a group (?<time>...)")
        reader.require("messages")
        let title = reader.text("title") ?? ""
        let record = reader.has("record") ? pattern("record", in: &reader) : nil
        let time = pattern("time", in: &reader)
        if let time, !time.groupNames.contains("time") {
            findings.report(
                "bad-pattern", "\"time\" has no group of that name",
                at: reader.node("time")?.position, advice: "write (?<time>...) around the time")
        }
        let entries = (reader.list("messages") ?? []).compactMap(entry)
        reader.finish()
        guard let time else { return nil }
        return LogFormat(title: title, entries: entries, record: record, time: time)
    }

    private func entry(_ node: YAMLNode) -> LogFormat.Entry? {
        guard
            var reader = YAMLMappingReader(node, as: LogVocabulary.message, findings: findings)
        else { return nil }
        reader.require("message")
        reader.require("matches")
        let name = reader.text("message")
        let position = reader.node("message")?.position
        let pattern = pattern("matches", in: &reader)
        reader.finish()
        guard let name, let pattern else { return nil }
        guard MessageVocabulary.isLogMessage(name) else {
            findings.report(
                "bad-name", "\"\(name)\" cannot be a message of a log", at: position,
                advice: "write log. and a word")
            return nil
        }
        return LogFormat.Entry(message: name, pattern: pattern)
    }

    private func pattern(_ key: String, in reader: inout YAMLMappingReader) -> TextPattern? {
        guard let source = reader.text(key) else { return nil }
        do throws(TextPattern.CompileError) {
            return try TextPattern(source)
        } catch {
            findings.report(
                "bad-pattern", "\(error), at character \(error.offset + 1) of the pattern",
                at: reader.node(key)?.position, advice: "patterns are written as PCRE2 does")
            return nil
        }
    }
}

extension SuiteSchema {
    /// The JSON schema of log formats.
    public var logFormat: Value {
        document(
            LogVocabulary.format, hasVariables: false,
            example: #"""
                {"conform-log": 1, "title": "A client's console", "time": "^(?<time>\\S+ \\S+) ",
                  "messages": [{"message": "log.attempt",
                    "matches": "attempt (?<number>\\d+) starts"}]}
                """#)
    }
}
