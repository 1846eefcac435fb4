import Live
import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    private static let coverage = Option(
        "--coverage", nil,
        "each requirement, its rules (with --times RUN how often they were exercised), the ways to "
            + "break it, and the cases that would notice")

    private static let times = Option(
        "--times", "RUN", "with --coverage: the reports of a run that exercised the rules")

    private static let format = Option(
        "--format", "text|json", "text (default), or the plan as JSON, for programs")

    /// `conform list`: prints the plan, without running anything.
    static let list = Command(
        name: "list", operands: SuiteFiles.operands,
        summary: "Prints what a run would do: cases, checks, and what would be skipped.",
        groups: [
            OptionGroup(
                title: "Which cases", example: "list Suites/ --case 'change-*' --tag '!long'",
                options: CommonOptions.selection + [LastRun.option, ShardOption.option]),
            OptionGroup(
                title: "The device", example: "list Suites/ --device device.yaml",
                options: [DeviceOption.option, ParameterOptions.parameter]),
            OptionGroup(
                title: "Explorations", example: "list Suites/ --explore 100 --seed 7",
                options: ExploreOptions.all + [SeedOption.option]),
            OptionGroup(
                title: "What is printed", example: "list Suites/ --coverage --times Reports/ci",
                options: [format, coverage, times]),
        ]
    ) { arguments in
        let form = arguments.value(format.name) ?? "text"
        guard ["text", "json"].contains(form) else {
            throw UsageError("\(format.name) takes text or json, not \"\(form)\"")
        }
        if arguments.has(coverage.name) {
            guard form == "text" else {
                throw UsageError("\(coverage.name) has no JSON; leave out \(format.name)")
            }
            return try listCoverage(arguments)
        }
        guard !arguments.has(times.name) else {
            throw UsageError("\(times.name) goes with \(coverage.name); add it")
        }
        let plan = try CommonOptions.plan(arguments)
        let status = plan.entries.isEmpty ? ExitStatus.nothingExecuted.rawValue : 0
        if form == "json" {
            StandardOutput.document(try document(of: plan).text())
            return status
        }
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
        return status
    }

    private static func document(of plan: RunPlan) -> PlanFile {
        PlanFile(
            suites: plan.suites.map { SuiteSummary($0) },
            cases: plan.entries.map {
                PlanFile.Case(
                    PlannedCase($0), tags: $0.testCase.tags, skip: $0.skipReason?.summary)
            })
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
