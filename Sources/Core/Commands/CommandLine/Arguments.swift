import SuiteLanguage
import Wire

/// The words of a command line, sorted into operands and a subcommand's options.
struct Arguments {
    /// The protocols and kinds of peers of the program.
    let protocols: ProtocolRegistry
    /// The operands, in order.
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    /// The project file that completed the command line; `nil` if there is none.
    var project: ProjectFile?

    /// Sorts the words; it recognises `--name value`, `--name=value` and `--`.
    init(
        _ words: some Sequence<String>, for command: Command, _ protocols: ProtocolRegistry
    ) throws(UsageError) {
        self.protocols = protocols
        var words = Array(words)[...]
        var prefixes: [(option: String, prefix: String)] = []
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let given = String(parts[0])
            guard
                let option = command.options.first(where: { $0.name == given || $0.short == given })
            else {
                guard let removed = RemovedOption.named(given, of: command),
                    let instead = removed.words(
                        inline: parts.dropFirst().first.map(String.init), followedBy: &words)
                else { throw UsageError.unknownOption(given, command: command) }
                words = ArraySlice(instead + words)
                removed.prefixed.map { prefixes.append($0) }
                continue
            }
            let name = option.name
            guard option.repeats || values[name] == nil else {
                throw UsageError("\(name) is given twice; give it once")
            }
            values[name, default: []].append(
                try Self.value(of: option, inline: parts.dropFirst().first, from: &words))
        }
        for (option, prefix) in prefixes {
            values[option] = values[option]?.map { prefix + $0 } ?? [prefix]
        }
        if operands.contains("") {
            throw UsageError(
                "an operand of conform \(command.name) is empty; does it name a variable without a "
                    + "value?")
        }
        if command.operands.isEmpty, let operand = operands.first {
            throw UsageError("\(command.name) takes no operand; remove \"\(operand)\"")
        }
    }

    private static func value(
        of option: Option, inline: Substring?, from words: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let placeholder = option.value else {
            guard inline == nil else {
                throw UsageError("\(option.name) takes no value")
            }
            return ""
        }
        let text = inline.map(String.init) ?? words.popFirst()
        guard let text, !text.isEmpty || option.takesNothing else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(placeholder)")
        }
        return text
    }

    /// Returns the given options as words of a command line.
    func words(of options: [Option]) -> [String] {
        options.flatMap { option in
            all(option.name).flatMap { option.value == nil ? [option.name] : [option.name, $0] }
        }
    }

    /// Sets the values of an option, whatever it had; without values the option is removed.
    mutating func set(_ option: Option, to given: [String]) {
        values[option.name] = given.isEmpty ? nil : given
    }

    /// Sets the operands that a command line leaves out.
    mutating func setOperands(_ words: [String]) { operands = words }

    /// Folders that are searched for included files.
    var searchPath: [String] { project?.includes ?? [] }

    /// Returns whether a switch was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the last value given for an option.
    func value(_ name: String) -> String? { values[name]?.last }

    /// Returns every value given for an option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns the value of an option as a whole number of at least `minimum`.
    func number(_ name: String, minimum: Int) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), number >= minimum else {
            throw UsageError("\(name) takes a whole number of at least \(minimum), not \"\(text)\"")
        }
        return number
    }
}

/// An error in a command line.
struct UsageError: Error, CustomStringConvertible {
    /// What is wrong and what to do.
    let description: String

    init(_ description: String) { self.description = description }

    static func unknownOption(_ name: String, command: Command) -> UsageError {
        if let removed = RemovedOption.named(name, of: command) {
            return UsageError("\(name) is not an option any more; \(removed.instead)")
        }
        let advice =
            Suggestion.closest(to: name, in: command.options.map(\.name)).map {
                "did you mean \($0)?"
            } ?? "see conform \(command.name) --help"
        return UsageError("unknown option \(name); \(advice)")
    }

    static func unknownMutant(_ name: String, among names: [String]) -> UsageError {
        let advice =
            Suggestion.closest(to: name, in: names).map { "did you mean \($0)?" }
            ?? "there are: \(names.joined(separator: ", "))"
        return UsageError("the reference device has no mutant \(name); \(advice)")
    }

    static func unknownSubcommand(_ word: String, of group: Command) -> UsageError {
        let words = group.subcommands.map(\.word)
        let advice =
            Suggestion.closest(to: word, in: words).map { "did you mean \($0)?" }
            ?? "there are: \(words.joined(separator: ", "))"
        return UsageError("conform \(group.name) has no \"\(word)\"; \(advice)")
    }

    static func unknownCommand(_ name: String, among commands: [Command]) -> UsageError {
        let advice =
            Suggestion.closest(to: name, in: commands.map(\.name)).map {
                "did you mean \($0)?"
            } ?? "see conform --help"
        return UsageError("unknown command \(name); \(advice)")
    }
}
