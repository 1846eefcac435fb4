import Live
import Offline
import SuiteLanguage
import System
import Wire

/// The option that sets parameters of suites.
enum ParameterOptions {
    static let parameter = Option(
        "--parameter", "NAME=VALUE",
        "a value for a parameter of the suites, over that of the device profile", repeats: true)

    /// Returns the values that the option sets, and those of the project for other parameters.
    static func values(_ arguments: Arguments) throws(UsageError) -> [String: Value] {
        (arguments.project?.parameters ?? [:]).merging(try given(arguments)) { $1 }
    }

    private static func given(_ arguments: Arguments) throws(UsageError) -> [String: Value] {
        var values: [String: Value] = [:]
        for text in arguments.all(parameter.name) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("\(parameter.name) takes NAME=VALUE, not \"\(text)\"")
            }
            let name = String(parts[0])
            guard values[name] == nil else {
                throw UsageError("\(parameter.name) \(name) is given twice; give it once")
            }
            do throws(InvalidInput) {
                values[name] = try YAMLNode.parse(text: String(parts[1]), file: name).value
            } catch {
                throw UsageError(
                    "the value of \(parameter.name) \(text) does not parse: "
                        + (error.diagnostics.first?.what ?? ""))
            }
        }
        return values
    }

    /// Returns the overrides that the options make for these suites.
    ///
    /// - Parameter common: Names of parameters that the command itself has.
    /// - Throws: `UsageError` if no suite declares one of the names.
    static func overrides(
        _ arguments: Arguments, suites: [Suite], besides common: Set<String> = []
    ) throws(UsageError) -> ParameterOverrides {
        let given = try given(arguments)
        let known = Set(suites.flatMap(\.parameters).map(\.name)).sorted()
        if let name = given.keys.sorted().first(where: {
            !known.contains($0) && !common.contains($0)
        }) {
            let advice = known.isEmpty ? "they have none" : Suggestion.advice(for: name, in: known)
            throw UsageError(
                "the suites have no parameter \"\(name)\""
                    + (advice.isEmpty ? "" : "; \(advice)"))
        }
        return ParameterOverrides(
            values: try values(arguments).filter { known.contains($0.key) },
            searchPath: arguments.searchPath)
    }

    /// Reports parameters of a device profile that no suite of the run declares.
    ///
    /// One profile serves several suites, so only a name that looks misspelt causes a warning.
    static func warnOfUnknown(_ plan: RunPlan) {
        let known = Set(plan.suites.flatMap(\.parameters).map(\.name))
        let given = plan.profiles.values.flatMap { $0.parameters.objectValue ?? [] }.map(\.name)
        for name in Set(given).subtracting(known).sorted() {
            let what = "the device profile gives a parameter \"\(name)\" that no suite here has"
            if let closest = Suggestion.closest(to: name, in: known.sorted()) {
                StandardError.print("conform: warning: \(what); did you mean \"\(closest)\"?")
            } else {
                StandardError.print("conform: note: \(what)")
            }
        }
    }
}
