/// Scripts with which shells complete the words of `conform`.
struct CompletionScript {
    let commands: [Command]

    private var names: [String] { commands.map(\.name) }

    /// For bash 4 and later; what is neither an option nor a known word is completed as a file.
    var bash: String {
        let perCommand = commands.map { command in
            let words = command.words.joined(separator: " ")
            let options = (command.allOptions.map(\.name) + ["--help"]).joined(separator: " ")
            return "        *:\(command.name)) words='\(words)' options='\(options)' ;;"
        }
        return """
            _conform() {
                local current="${COMP_WORDS[COMP_CWORD]}" words='' options=''
                if [ "$COMP_CWORD" -eq 1 ]; then
                    words='\(names.joined(separator: " "))' options='--help --version'
                else
                    case "${COMP_WORDS[COMP_CWORD-1]}:${COMP_WORDS[1]}" in
            \((bashValues + perCommand).joined(separator: "\n"))
                    esac
                fi
                case "$current" in -*) words="$options" ;; esac
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            }
            complete -o default -F _conform conform
            """
    }

    /// What follows an option that takes a value: one of its words, or nothing of our own.
    private var bashValues: [String] {
        let lines = commands.flatMap(\.allOptions).compactMap { option -> String? in
            guard let value = option.value else { return nil }
            let words = Option.choices(in: value).joined(separator: " ")
            return "        \(option.name):*) words='\(words)' ;;"
        }
        return lines.reduce(into: []) { unique, line in
            if !unique.contains(line) { unique.append(line) }
        }
    }

    /// For zsh; to be evaluated, or saved as `_conform` in a folder of `fpath`.
    var zsh: String {
        let list = commands.map { "        \(quoted("\($0.name):\($0.summary)", "'\\''"))" }
        let perCommand = commands.map { command -> String in
            let specifications =
                (command.allOptions + [Option("--help", nil, "Tells the options.")])
                .map(zshArgument)
            let choices = command.words
            let place = command.subcommands.isEmpty ? "*" : "1"
            let first = "'\(place):operand:(\(choices.joined(separator: " ")))'"
            let rest = "'*:operand:_files'"
            let operand =
                choices.isEmpty ? rest : first + (command.subcommands.isEmpty ? "" : " " + rest)
            let words = (specifications + [operand]).joined(separator: " \\\n                ")
            return "        \(command.name)) shift words; (( CURRENT-- ))\n"
                + "            _arguments \(words) ;;"
        }
        return """
            #compdef conform
            _conform() {
                local -a commands
                commands=(
            \(list.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                case ${words[2]} in
            \(perCommand.joined(separator: "\n"))
                esac
            }
            if [ "${funcstack[1]}" = _conform ]; then _conform "$@"; else compdef _conform conform; fi
            """
    }

    private func zshArgument(_ option: Option) -> String {
        var summary = ""
        for character in option.summary {
            if "[]:\\".contains(character) { summary += "\\" }
            summary.append(character)
        }
        let choices = Option.choices(in: option.value ?? "")
        let value = option.value.map { placeholder in
            choices.isEmpty
                ? ":\(placeholder):_files" : ":value:(\(choices.joined(separator: " ")))"
        }
        return quoted("*\(option.name)[\(summary)]\(value ?? "")", "'\\''")
    }

    /// For fish.
    var fish: String {
        let lines = commands.flatMap { command -> [String] in
            let start = "complete -c conform -n '__fish_seen_subcommand_from \(command.name)'"
            let choices = command.words.joined(separator: " ")
            let files = command.subcommands.isEmpty ? "-f " : ""
            let operands = choices.isEmpty ? [] : ["\(start) \(files)-a '\(choices)'"]
            return [
                "complete -c conform -n __fish_use_subcommand -f -a \(command.name) -d "
                    + quoted(command.summary, "\\'")
            ] + operands + command.allOptions.map { "\(start) \(fishArgument($0))" }
        }
        return lines.joined(separator: "\n")
    }

    private func fishArgument(_ option: Option) -> String {
        let choices = Option.choices(in: option.value ?? "")
        let value = option.value.map { _ in
            choices.isEmpty ? " -r -F" : " -x -a '\(choices.joined(separator: " "))'"
        }
        return "-l \(option.name.dropFirst(2))\(value ?? "") -d \(quoted(option.summary, "\\'"))"
    }

    /// A text in single quotes, in which `quote` stands for a single quote.
    private func quoted(_ text: String, _ quote: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote)
            + "'"
    }
}

extension Command {
    /// The words that its first operand may be; none where it is a file.
    fileprivate var words: [String] {
        subcommands.isEmpty ? Option.choices(in: operands) : subcommands.map(\.word)
    }

    /// Its options and those of what it is divided into, each once.
    fileprivate var allOptions: [Option] {
        (options + subcommands.flatMap(\.options)).reduce(into: []) { unique, option in
            if !unique.contains(where: { $0.name == option.name }) { unique.append(option) }
        }
    }
}
