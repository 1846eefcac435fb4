import Reporting

/// One option of a subcommand.
struct Option: Sendable {
    /// The long name with its dashes.
    let name: String
    /// The placeholder of its value in the help text; `nil` for a switch.
    let value: String?
    /// One sentence for the help text.
    let summary: String
    /// Whether it may be given more than once.
    let repeats: Bool
    /// A short name with its dash; `nil` for none.
    let short: String?
    /// Whether an empty value has a meaning.
    let takesNothing: Bool

    init(
        _ name: String, _ value: String? = nil, _ summary: String, repeats: Bool = false,
        short: String? = nil, takesNothing: Bool = false
    ) {
        self.takesNothing = takesNothing
        self.name = name
        self.short = short
        self.value = value
        self.summary = summary + (repeats ? "; may be repeated" : "")
        self.repeats = repeats
    }
}

extension Option {
    /// Returns the words that a placeholder lists, as in `isolated|host`.
    ///
    /// Empty if it names a kind of value, which is written in capitals.
    static func choices(in placeholder: String) -> [String] {
        let words = placeholder.filter { !"[]".contains($0) }.split(separator: "|")
        let areWords =
            words.count > 1
            && words.allSatisfy {
                $0.allSatisfy { $0.isLowercase || $0.isNumber || ".-".contains($0) }
            }
        return areWords ? words.map(String.init) : []
    }
}

/// Options of a subcommand that belong together, with an example.
struct OptionGroup: Sendable {
    /// The heading in the help text; empty if it is the only group.
    let title: String
    /// A command line, without the name of the program.
    let example: String
    /// The options, in the order of the help text.
    let options: [Option]
}

/// One subcommand: its name, operands and options, and what it does.
struct Command: Sendable {
    /// The word after `conform`.
    let name: String
    /// The operands in the usage line.
    let operands: String
    /// One sentence for the overview.
    let summary: String
    /// The options, in the order of the help text.
    let groups: [OptionGroup]
    /// Its subcommands; each is selected by the second word of its name.
    var subcommands: [Command] = []
    /// Runs the command and returns the exit code.
    let run: @Sendable (Arguments) throws -> Int32
}

extension Command {
    /// Creates a command with few options.
    init(
        name: String, operands: String, summary: String, example: String, options: [Option],
        run: @escaping @Sendable (Arguments) throws -> Int32
    ) {
        self.init(
            name: name, operands: operands, summary: summary,
            groups: [OptionGroup(title: "", example: example, options: options)], run: run)
    }

    /// The options of all groups.
    var options: [Option] { groups.flatMap(\.options) }

    /// Whether omitted settings are looked up in the project file.
    var takesProject: Bool {
        options.contains { $0.name == ParameterOptions.parameter.name }
    }

    /// The last word of its name.
    var word: String { String(name.split(separator: " ").last ?? "") }

    /// The text of `conform NAME --help`.
    var help: String {
        guard subcommands.isEmpty else { return helpOfGroup }
        let usage = ["conform", name, options.isEmpty ? "" : "[OPTION ...]", operands]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let width = options.map { Self.notation(of: $0).count }.max() ?? 0
        let sections = groups.map { group in
            let rows = Self.rows(
                group.options.map { (Self.notation(of: $0), $0.summary) }, width: width)
            let heading = group.title.isEmpty ? [] : ["\(group.title):"]
            let space = rows.isEmpty ? [] : [""]
            return [""] + heading + rows + space + ["  example: conform \(group.example)"]
        }
        return (["\(summary)", "", "usage: \(usage)"] + sections.joined()).joined(separator: "\n")
    }

    private static func notation(of option: Option) -> String {
        let short = option.short.map { "\($0), " } ?? ""
        return short + option.name + (option.value.map { " \($0)" } ?? "")
    }

    private var helpOfGroup: String {
        let lines = Self.rows(subcommands.map { ("\($0.name) \($0.operands)", $0.summary) })
        let head = ["\(summary)", "", "usage: conform \(name) \(operands)", ""]
        let end = ["", "conform \(name) WORD --help lists the options of one."]
        return (head + lines + end).joined(separator: "\n")
    }

    /// Returns names with their meanings in two columns, wrapped to the width of a terminal.
    ///
    /// - Parameter width: The least width of the names.
    static func rows(_ rows: [(name: String, meaning: String)], width: Int = 0) -> [String] {
        let margin = max(width, rows.map { $0.name.count }.max() ?? 0) + 4
        let room = Terminal.isTerminal ? Terminal.columns.map { max(30, $0 - margin) } : nil
        return rows.flatMap { row in
            (room.map { Columns.wrapped(row.meaning, to: $0) } ?? [row.meaning]).enumerated()
                .map { place, text in
                    Columns.padded(place == 0 ? "  \(row.name)" : "", to: margin) + text
                }
        }
    }
}
