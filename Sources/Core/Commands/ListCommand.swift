import Live
import Processes
import Reporting
import Results
import SuiteLanguage

extension Command {
    private static let coverage = Option(
        "--coverage", nil,
        "each requirement, its rules (with --times RUN how often they were exercised), the ways to "
            + "break it, and the cases that would notice")

    private static let times = Option(
        "--times", "RUN", "with --coverage: the reports of a run that exercised the rules")

    /// `conform list`: prints the plan, without running anything.
    static let list = Command(
        name: "list", operands: SuiteFiles.operands,
        summary: "Prints what a run would do: cases, checks, and what would be skipped.",
        groups: [
            OptionGroup(
                "Which cases", example: "list Suites/ --case 'change-*' --tag '!long'",
                CommonOptions.selection + [LastRun.option, ShardOption.option]),
            OptionGroup(
                "The device", example: "list Suites/ --device device.yaml",
                [DeviceOption.option, ParameterOptions.parameter]),
            OptionGroup(
                "Explorations", example: "list Suites/ --explore 100 --seed 7",
                ExploreOptions.all + [SeedOption.option]),
            OptionGroup(
                "Coverage", example: "list Suites/ --coverage --times Reports/ci",
                [coverage, times]),
        ]
    ) { arguments in
        if arguments.has(coverage.name) { return try listCoverage(arguments) }
        let plan = try CommonOptions.plan(arguments)
        PlanReport.lines(
            suites: plan.suites.map { SuiteSummary($0) },
            planned: plan.entries.map { PlannedCase($0) },
            isWhole: plan.entries.count == plan.suites.reduce(0) { $0 + $1.cases.count },
            skips: plan.entries.compactMap { entry in
                entry.skipReason.map { PlanReport.Skip(PlannedCase(entry), reason: $0.summary) }
            }, style: Terminal.style
        ).forEach { StandardOutput.print($0) }
        if let shard = plan.shard {
            let elsewhere = shard.plan.count - plan.entries.count
            StandardOutput.print(
                "shard \(shard.label): \(plan.entries.count) of \(shard.plan.count) cases, "
                    + "\(elsewhere) in the other shards")
        }
        return plan.entries.isEmpty ? ExitStatus.nothingExecuted.rawValue : 0
    }

    /// Prints the ways to break requirements.
    ///
    /// A way that no case would notice is an error in its catalogue.
    private static func listCoverage(_ arguments: Arguments) throws -> Int32 {
        let coverage = WayCoverage(suites: try CommonOptions.suites(arguments).map(\.suite))
        let run = try arguments.value(times.name).map { try StoredRun($0).run }
        CoverageReport.lines(coverage, rules: run?.ruleCoverage, style: Terminal.style)
            .forEach { StandardOutput.print($0) }
        guard coverage.findings.isEmpty else { throw InvalidInput(coverage.findings) }
        return 0
    }
}
