/// Scripts that let shells complete the words of `conform`.
struct CompletionScript {
    let commands: [Command]

    private var names: [String] { commands.map(\.name) }

    /// The script for bash 4 and later.
    ///
    /// Words that are neither options nor known are completed as files.
    var bash: String {
        let perCommand = commands.map { command in
            let words = command.words.joined(separator: " ")
            let options = (command.allOptions.map(\.name) + ["--help"]).joined(separator: " ")
            let kind = command.takesCases ? " kind=\(CompletionValues.cases)" : ""
            return "        *:\(command.name)) words='\(words)' options='\(options)'\(kind) ;;"
        }
        return """
            _conform() {
                # Bash cuts words at = and : too; here they are whole.
                local word given=() current before='' kind='' words='' options=''
                for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
                    case "$word:$before" in
                        =:*|::*|*:=|*::) given[${#given[@]}-1]+=$word ;;
                        *) given+=("$word") ;;
                    esac
                    before=$word
                done
                current="${given[${#given[@]}-1]}"
                if [ "${#given[@]}" -eq 2 ]; then
                    words='\(names.joined(separator: " "))' options='--help --version'
                else
                    case "${given[${#given[@]}-2]}:${given[1]}" in
            \((bashValues + perCommand).joined(separator: "\n"))
                    esac
                fi
                case "$current" in -*) words="$options" kind='' ;; esac
                local candidates
                mapfile -t candidates < <(printf '%s\\n' $words
                    [ -z "$kind" ] || conform \(CompletionValues.command) "$kind" "${given[@]:1}" 2>/dev/null)
                # Nothing of a candidate is expanded: compgen -W would run what is in it.
                local cut="${current%"${current##*[=:]}"}"
                COMPREPLY=()
                for word in "${candidates[@]}"; do
                    case "$word" in
                        '') ;;
                        "$current"*) COMPREPLY+=("${word#"$cut"}") ;;
                    esac
                done
            }
            complete -o default -F _conform conform
            """
    }

    /// The words that complete the value of an option, or nothing of our own.
    private var bashValues: [String] {
        commands.flatMap { command in
            command.allOptions.compactMap { option -> String? in
                guard let value = option.value else { return nil }
                let words = Option.choices(in: value).joined(separator: " ")
                let kind = option.hasListedValues ? " kind=\(option.name)" : ""
                return "        \(option.name):\(command.name)) words='\(words)'\(kind) ;;"
            }
        }
    }

    /// The script for zsh; to be evaluated, or saved as `_conform` in a folder of `fpath`.
    var zsh: String {
        let list = commands.map { "        \(quoted("\($0.name):\($0.summary)", "'\\''"))" }
        let perCommand = commands.map { command -> String in
            let specifications =
                (command.allOptions + [Option("--help", nil, "Lists the options.")])
                .map(zshArgument)
            let choices = command.words
            let place = command.subcommands.isEmpty ? "*" : "1"
            let first = "'\(place):operand:(\(choices.joined(separator: " ")))'"
            let rest =
                command.takesCases
                ? "'1:suite:_files' '*:case: _conform_values \(CompletionValues.cases)'"
                : "'*:operand:_files'"
            let operand =
                choices.isEmpty ? rest : first + (command.subcommands.isEmpty ? "" : " " + rest)
            let words = (specifications + [operand]).joined(separator: " \\\n                ")
            return "        \(command.name)) shift words; (( CURRENT-- ))\n"
                + "            _arguments \(words) ;;"
        }
        return """
            #compdef conform
            _conform_values() {
                local -a values
                values=("${(@f)$(conform \(CompletionValues.command) $1 "${(@Q)words}" 2>/dev/null)}")
                (( $#values )) && [[ -n $values[1] ]] && compadd -a values
            }
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
            option.hasListedValues
                ? ":\(placeholder): _conform_values \(option.name)"
                : choices.isEmpty
                    ? ":\(placeholder):_files" : ":value:(\(choices.joined(separator: " ")))"
        }
        return quoted("*\(option.name)[\(summary)]\(value ?? "")", "'\\''")
    }

    /// The script for fish.
    var fish: String {
        let lines = commands.flatMap { command -> [String] in
            let start = "complete -c conform -n '__fish_seen_subcommand_from \(command.name)'"
            let choices = command.words.joined(separator: " ")
            let files = command.subcommands.isEmpty ? "-f " : ""
            let operands =
                command.takesCases
                ? ["\(start) -a '\(fishValues(CompletionValues.cases))'"]
                : choices.isEmpty ? [] : ["\(start) \(files)-a '\(choices)'"]
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
            option.hasListedValues
                ? (option.name == DeviceOption.option.name ? " -r" : " -x")
                    + " -a '\(fishValues(option.name))'"
                : choices.isEmpty ? " -r -F" : " -x -a '\(choices.joined(separator: " "))'"
        }
        return "-l \(option.name.dropFirst(2))\(value ?? "") -d \(quoted(option.summary, "\\'"))"
    }

    private func fishValues(_ kind: String) -> String {
        "(conform \(CompletionValues.command) \(kind) (commandline -opc) 2>/dev/null)"
    }

    /// Returns a text in single quotes, with `quote` in place of each single quote.
    private func quoted(_ text: String, _ quote: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote)
            + "'"
    }
}

extension Option {
    /// Whether its values are looked up in the available suites.
    fileprivate var hasListedValues: Bool { CompletionValues.kinds.contains(name) && value != nil }
}

extension Command {
    /// Whether its operands after the first are cases of the suite in the first.
    fileprivate var takesCases: Bool { operands.hasSuffix("[CASE ...]") }

    /// The words that its first operand may be; empty if it is a file.
    fileprivate var words: [String] {
        subcommands.isEmpty ? Option.choices(in: operands) : subcommands.map(\.word)
    }

    /// Its options and those of its subcommands, each once.
    fileprivate var allOptions: [Option] {
        (options + subcommands.flatMap(\.options)).reduce(into: []) { unique, option in
            if !unique.contains(where: { $0.name == option.name }) { unique.append(option) }
        }
    }
}
