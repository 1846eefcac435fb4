import Glibc
import Runner
import Suites

extension Command {
    /// `conform lint`: everything that is wrong with suites, without running anything.
    static let lint = Command(
        name: "lint", operands: "SUITE|DIR ...",
        summary: "Reads suites and tells what is wrong with them.",
        options: [CommonOptions.searchPath, ParameterOptions.parameter]
    ) { arguments in
        var (errors, warnings) = (0, 0)
        let parameters = try ParameterOptions.values(arguments)
        var suites: [Suite] = []
        for path in try SuiteFiles.expand(arguments.operands) {
            do throws(InvalidInput) {
                let suite = try SuiteLoader.load(
                    path: path, searchPath: arguments.all(CommonOptions.searchPath.name),
                    parameters: parameters)
                suites.append(suite)
                suite.warnings.forEach { StandardOutput.print("\($0)") }
                warnings += suite.warnings.count
                StandardOutput.print("\(path): \(count(suite.cases.count, "case"))")
                if let remark = unchecked(in: suite) { StandardOutput.print("\(path): \(remark)") }
            } catch {
                error.diagnostics.forEach { StandardOutput.print("\($0)") }
                errors += error.diagnostics.count { $0.severity == .error }
                warnings += error.diagnostics.count { $0.severity == .warning }
            }
        }
        if errors == 0 { _ = try ParameterOptions.overrides(arguments, suites: suites) }
        StandardOutput.print("\(count(errors, "error")), \(count(warnings, "warning"))")
        return errors == 0 ? 0 : ExitStatus.invalid.rawValue
    }

    /// Tells of cases whose steps could not be read, because parameters have no value.
    private static func unchecked(in suite: Suite) -> String? {
        let cases = suite.cases.filter { !$0.missingParameters.isEmpty }
        let names = Set(cases.flatMap(\.missingParameters)).sorted()
        guard let first = names.first else { return nil }
        return "\(count(cases.count, "case")) not looked into, for want of a value of "
            + "\(names.joined(separator: ", ")); give --parameter \(first)=VALUE"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
