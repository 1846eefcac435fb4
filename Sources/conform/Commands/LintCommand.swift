import Glibc
import Runner
import Suites

extension Command {
    /// `conform lint`: everything that is wrong with suites, without running anything.
    static let lint = Command(
        name: "lint", operands: "SUITE|DIR ...",
        summary: "Reads suites and tells what is wrong with them.",
        options: [CommonOptions.searchPath]
    ) { arguments in
        var (errors, warnings) = (0, 0)
        for path in try SuiteFiles.expand(arguments.operands) {
            do throws(InvalidInput) {
                let suite = try SuiteLoader.load(
                    path: path, searchPath: arguments.all(CommonOptions.searchPath.name))
                suite.warnings.forEach { StandardOutput.print("\($0)") }
                warnings += suite.warnings.count
                StandardOutput.print("\(path): \(count(suite.cases.count, "case"))")
            } catch {
                error.diagnostics.forEach { StandardOutput.print("\($0)") }
                errors += error.diagnostics.count { $0.severity == .error }
                warnings += error.diagnostics.count { $0.severity == .warning }
            }
        }
        StandardOutput.print("\(count(errors, "error")), \(count(warnings, "warning"))")
        return errors == 0 ? 0 : ExitStatus.invalid.rawValue
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
