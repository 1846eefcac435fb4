import Reports
import Runner

extension Command {
    /// `conform list`: the plan, without running anything.
    static let list = Command(
        name: "list", operands: "SUITE|DIR ...",
        summary: "Prints what a run would do: cases, checks, and what would be skipped.",
        options: CommonOptions.selection + CommonOptions.device
    ) { arguments in
        let plan = try CommonOptions.plan(arguments)
        print(ConsoleReport.plan(plan), terminator: "")
        return plan.entries.isEmpty ? ExitStatus.nothingExecuted.rawValue : 0
    }
}
