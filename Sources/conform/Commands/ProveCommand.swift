import Reports
import Runner
import Suites

extension Command {
    /// `conform prove`: whether the suites catch every mutant of the reference device.
    static let prove = Command(
        name: "prove", operands: "SUITE|DIR ...",
        summary: "Runs suites on every mutant of the reference device: which are killed, by which case.",
        options: CommonOptions.selection + [CommonOptions.jobs, CommonOptions.network, reports]
    ) { arguments in
        let folder = try arguments.value(reports.name) ?? ReportFolder.freshName(in: "Reports")
        let proof = MutationProof(
            suites: try CommonOptions.suites(arguments),
            selection: CommonOptions.selection(arguments), device: Executable.device,
            options: try RunCommand.options(arguments, folder: folder))
        let (outcome, interruption) = try proof.run { mutant, result in
            print(ConsoleReport.line(for: result, of: mutant ?? "reference", style: Terminal.style))
        }
        print(ConsoleReport.proof(outcome, style: Terminal.style), terminator: "")
        if let interruption { return interruption.status.rawValue }
        return (outcome.isProven ? ExitStatus.conformant : .notConformant).rawValue
    }

    private static let reports = Option(
        "--reports", "DIR", "where the captures go (default: a new folder in Reports/)")
}
