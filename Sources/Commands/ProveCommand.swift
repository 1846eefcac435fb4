import Reports
import Runner
import Suites

extension Command {
    /// `conform prove`: whether the suites catch every mutant of the reference device.
    static let prove = Command(
        name: "prove", operands: "SUITE|DIR ...",
        summary: "Runs suites on every mutant of the reference device and tells who kills which.",
        options: CommonOptions.selection + [
            CommonOptions.jobs, CommonOptions.network, TimeScaleOption.option, CarrierOption.option,
            RunOptions.reports, PolicyOptions.known,
        ]
    ) { arguments in
        var options = try RunOptions.session(arguments)
        let suites = try CommonOptions.suites(arguments)
        options.known = try PolicyOptions.known(arguments, suites: suites.map(\.suite))
        let proof = MutationProof(
            suites: suites, selection: try CommonOptions.selection(arguments),
            device: Executable.device, options: options,
            parameters: try ParameterOptions.overrides(arguments, suites: suites.map(\.suite)),
            timeScale: try TimeScaleOption.timeScale(arguments),
            carrier: try CarrierOption.carrier(arguments))
        let console = ConsoleReport(style: Terminal.style, folder: options.folder)
        _ = try ReportFolder(creating: options.folder + "/reference")
        let outcome = try proof.run { progress in
            switch progress {
            case .result(let result): StandardOutput.print(console.line(result))
            case .mutant(let proof, let done, let total):
                StandardOutput.print(
                    ProofReport.line(proof, done: done, total: total, style: Terminal.style))
            }
        }
        for run in outcome.runs {
            var folder = try ReportFolder(creating: run.header.folder)
            try folder.begin(run)
            try folder.finish(run)
        }
        outcome.rows.flatMap(\.problems).flatMap(console.explanation)
            .forEach { StandardOutput.print($0) }
        ProofReport.lines(outcome.rows, style: Terminal.style).forEach { StandardOutput.print($0) }
        ProofReport.hidden(outcome.hidden).forEach { StandardOutput.print($0) }
        StandardOutput.print("reports: \(options.folder)")
        (options.known?.findings ?? []).forEach { StandardOutput.print($0) }
        if let interruption = outcome.interruption { return interruption.status.rawValue }
        guard options.known?.findings.isEmpty ?? true else {
            return ExitStatus.notConformant.rawValue
        }
        return (outcome.isProved ? ExitStatus.conformant : .notConformant).rawValue
    }
}
