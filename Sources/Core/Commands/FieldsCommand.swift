import Reporting
import SuiteLanguage
import System

extension Command {
    private static let format = Option(
        "--format", "text|markdown", "text for a terminal (default), or the page of all messages")

    /// `conform fields`: lists messages and their fields.
    static let messageFields = Command(
        name: "fields", operands: "[MESSAGE ...]",
        summary: "Lists messages, or the fields of some: type, range, words, since when.",
        example: "fields sdl.Show.request", options: [format]
    ) { arguments in
        switch arguments.value(format.name) ?? "text" {
        case "text":
            let names = try arguments.operands.flatMap {
                try FieldReference.names($0, of: arguments.protocols)
            }
            let lines =
                names.isEmpty
                ? FieldReport.overview(of: arguments.protocols, style: Terminal.style)
                : FieldReport.lines(
                    FieldReference(messages: names, of: arguments.protocols),
                    style: Terminal.style)
            lines.forEach { StandardOutput.print($0) }
        case "markdown":
            guard arguments.operands.isEmpty else {
                throw UsageError("\(format.name) markdown is the page of all messages; name none")
            }
            FieldReport.page(of: arguments.protocols).forEach { StandardOutput.print($0) }
        case let other:
            throw UsageError("\(format.name) takes text or markdown, not \"\(other)\"")
        }
        return 0
    }
}
