import Live
import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    /// `conform prove`: checks whether the suites catch every mutant of the reference device.
    static let prove = Command(
        name: "prove", operands: SuiteFiles.operands,
        summary:
            "Runs suites on every mutant of the reference device and shows which case kills which.",
        example: "prove Suites/registration-language.yaml --mutant 'forgets-*'",
        options: CommonOptions.selection + [
            ParameterOptions.parameter, CommonOptions.jobs, CommonOptions.network,
            TimeScaleOption.option, RunOptions.reports, PolicyOptions.known, mutants, thorough,
        ]
    ) { arguments in
        var options = try RunOptions.session(arguments)
        let suites = try CommonOptions.suites(arguments)
        let loaded = suites.map(\.suite)
        options.known = try PolicyOptions.known(arguments, suites: loaded)
        var proof = MutationProof(
            suites: suites, selection: CommonOptions.selection(arguments),
            device: Executable.device, options: options,
            parameters: try ParameterOptions.overrides(
                arguments, suites: loaded, besides: [CarrierParameter.name]),
            timeScale: try TimeScaleOption.timeScale(arguments),
            carrier: try CarrierParameter.carrier(arguments, suites: loaded))
        proof.isThorough = arguments.has(thorough.name)
        proof.mutants = try wantedMutants(arguments)
        if !proof.mutants.isEmpty, try proof.relevantMutants().isEmpty {
            throw UsageError(
                "no case of these suites checks what the mutants of \(mutants.name) break")
        }
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
            try folder.publish(run)
        }
        outcome.rows.flatMap(\.problems).flatMap(console.explanation)
            .forEach { StandardOutput.print($0) }
        ProofReport.lines(outcome.rows, style: Terminal.style).forEach { StandardOutput.print($0) }
        ProofReport.hidden(outcome.hidden).forEach { StandardOutput.print($0) }
        if !proof.isThorough {
            StandardOutput.print(
                "each mutant was run until a case that claims it failed; "
                    + "\(thorough.name) shows what else fails")
        }
        StandardOutput.print("reports: \(options.folder)")
        (options.known?.findings ?? []).forEach { StandardOutput.print($0) }
        if let interruption = outcome.interruption { return interruption.status.rawValue }
        guard options.known?.findings.isEmpty ?? true else {
            return ExitStatus.notConformant.rawValue
        }
        return (outcome.isProved ? ExitStatus.conformant : .notConformant).rawValue
    }

    static let mutants = Option(
        "--mutant", "PATTERN", "only mutants that match (* any characters, ? one)",
        repeats: true)
    private static let thorough = Option(
        "--thorough", nil,
        "run each mutant on all cases, and not only until one that claims it has failed")

    /// Returns the patterns of the wanted mutants; empty for all.
    private static func wantedMutants(_ arguments: Arguments) throws -> [CasePattern] {
        let patterns = arguments.all(mutants.name).map(CasePattern.init)
        guard !patterns.isEmpty else { return [] }
        let names = try DeviceOption.mutants()
        if let idle = patterns.first(where: { !names.contains(where: $0.matches) }) {
            throw UsageError.unknownMutant(idle.description, among: names)
        }
        return patterns
    }
}
