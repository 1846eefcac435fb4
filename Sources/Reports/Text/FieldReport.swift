import Suites
import Wire

/// What `conform fields` shows: messages, their fields, and what the fields are made of.
public enum FieldReport {
    /// Every message with its sentence, protocol by protocol.
    public static func overview(
        of registry: ProtocolRegistry, style: Style = .plain
    ) -> [String] {
        let protocols = registry.descriptions.filter { !$0.messages.isEmpty }
        let lines = protocols.flatMap { family in
            [style.paint(family.title, .bold)]
                + rows(
                    family.messages.sorted { $0.name < $1.name }.map { [$0.name, $0.summary] },
                    style)
                + [""]
        }
        let count = NumberText.count(registry.messageNames.count, "message")
        return lines + ["\(count); conform fields MESSAGE lists the fields of one"]
    }

    /// The fields of messages; then the structures and enumerations that they use, each once.
    public static func lines(_ reference: FieldReference, style: Style = .plain) -> [String] {
        var lines: [String] = []
        for message in reference.messages {
            lines.append(style.paint(message.description.name, .bold) + "  " + about(message))
            lines += rows(message.own.map(cells), style) + [""]
        }
        for (family, fields) in reference.common.sorted(by: { $0.key < $1.key }) {
            lines.append("every message of \(style.paint(family, .bold))")
            lines += rows(fields.map(cells), style) + [""]
        }
        for (name, members) in reference.structures.sorted(by: { $0.key < $1.key }) {
            lines += ["\(style.paint(name, .bold)), a structure"]
            lines += rows(members.map(cells), style) + [""]
        }
        for (name, words) in reference.enumerations.sorted(by: { $0.key < $1.key }) {
            let list = Columns.wrapped(words.joined(separator: ", "), to: style.width - 2)
            lines += ["\(style.paint(name, .bold)), one of"] + list.map { "  " + $0 } + [""]
        }
        return lines.isEmpty ? [] : lines.dropLast()
    }

    /// The page of all messages, in Markdown.
    public static func page(of registry: ProtocolRegistry) -> [String] {
        let reference = FieldReference(messages: registry.messageNames, of: registry)
        var lines = [
            "# Messages and fields", "",
            "Made by `conform fields --format markdown`. What suites name in `expect`, `send` and "
                + "`where`; `conform fields MESSAGE` shows one message on the terminal. A message "
                + "of any protocol also has the field `violation` (suite-language.md).",
        ]
        for family in registry.descriptions where !family.messages.isEmpty {
            let messages = reference.messages.filter {
                $0.description.name.hasPrefix(family.name + ".")
            }
            lines += ["", "## \(family.title) (`\(family.name)`)"]
            if let common = reference.common[family.name] {
                lines += ["", "Every message has:", ""] + table("field", common)
            }
            for message in messages {
                lines += ["", "### \(message.description.name)", "", about(message)]
                if !message.own.isEmpty { lines += [""] + table("field", message.own) }
            }
        }
        lines += ["", "## Structures"]
        for (name, members) in reference.structures.sorted(by: { $0.key < $1.key }) {
            lines += ["", "### \(name)", ""] + table("member", members)
        }
        lines += ["", "## Enumerations"]
        for (name, words) in reference.enumerations.sorted(by: { $0.key < $1.key }) {
            lines += ["", "### \(name) (enumeration)", ""]
            lines += [words.map { "`\($0)`" }.joined(separator: ", ")]
        }
        return lines
    }

    /// What it is, where it is specified, since when there is it, and what answers it.
    private static func about(_ message: FieldReference.Message) -> String {
        let description = message.description
        return [
            description.summary, description.specification + ".",
            message.description.since.map { "Since \($0)." },
            description.response.map { "Answered by \($0)." },
            description.senders.isEmpty
                ? nil : "Sent by \(description.senders.joined(separator: ", ")).",
        ].compactMap(\.self).joined(separator: " ")
    }

    private static func cells(_ field: FieldReference.Field) -> [String] {
        [field.path, field.type, field.remarks]
    }

    /// Indented rows whose columns begin below one another.
    private static func rows(_ rows: [[String]], _ style: Style) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { Columns.width(of: $0[column]) }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { Columns.padded($0, to: $1) }
            return "  " + String(cells.joined(separator: "  ").trimmedEnd)
        }
    }

    private static func table(_ title: String, _ fields: [FieldReference.Field]) -> [String] {
        ["| \(title) | value | |", "| --- | --- | --- |"]
            + fields.map { "| `\($0.path)` | \($0.type) | \($0.remarks) |" }
    }
}

extension String {
    /// Without the blanks at its end.
    fileprivate var trimmedEnd: Substring {
        lastIndex { $0 != " " }.map { self[...$0] } ?? ""
    }
}
