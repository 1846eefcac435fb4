import SuiteLanguage
import System

extension Command {
    /// `conform completion`: prints a script that lets a shell complete commands and options.
    static let completion = Command(
        name: "completion", operands: "bash|zsh|fish",
        summary: "Prints a script with which a shell completes commands and options.",
        example: "completion bash", options: []
    ) { arguments in
        guard arguments.operands.count == 1 else {
            throw UsageError("conform completion takes one shell: bash, zsh or fish")
        }
        let script = CompletionScript(commands: Program.commands)
        switch arguments.operands[0] {
        case "bash": StandardOutput.print(script.bash)
        case "zsh": StandardOutput.print(script.zsh)
        case "fish": StandardOutput.print(script.fish)
        default:
            let shell = arguments.operands[0]
            throw UsageError(
                "there is no completion for \"\(shell)\"; "
                    + Suggestion.advice(for: shell, in: ["bash", "zsh", "fish"]))
        }
        return 0
    }
}
