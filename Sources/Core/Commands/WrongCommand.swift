import Reporting
import SuiteLanguage
import System

extension Command {
    private static let suite = Option(
        "--suite", "SUITE", "a suite, whose own descriptions of protocols are known too")

    /// `conform wrong`: lists what the description of a message forbids.
    static let wrongMessages = Command(
        name: "wrong", operands: "MESSAGE ...",
        summary: "Lists what the description of a message forbids, as an exploration draws it.",
        example: "wrong sdl.Show.request", options: [suite]
    ) { arguments in
        guard !arguments.operands.isEmpty else {
            throw UsageError("no message is named; conform fields lists the messages")
        }
        let suite = try arguments.value(suite.name).map {
            try SuiteLoader(arguments.protocols).load(path: $0, searchPath: arguments.searchPath)
        }
        let known = suite?.cases.first?.known ?? KnownMessages(arguments.protocols)
        for operand in arguments.operands {
            let names =
                known.family(of: operand) != nil && known.message(named: operand) != nil
                ? [operand] : try FieldReference.names(operand, of: arguments.protocols)
            for name in names {
                let wrong = known.wrongMessages(name)
                let allowed = wrong.count(where: \.isAllowed)
                let width = wrong.map { Columns.width(of: $0.id) }.max() ?? 0
                StandardOutput.print(Terminal.style.paint(name, .bold))
                for one in wrong {
                    let id = Columns.padded(one.id, to: width)
                    let remark = one.isAllowed ? " (allowed)" : ""
                    StandardOutput.print("  \(id)  \(one.sentence)\(remark)")
                }
                StandardOutput.print(
                    "\(NumberText.count(wrong.count, "way")), \(allowed) of them allowed")
            }
        }
        return 0
    }
}
