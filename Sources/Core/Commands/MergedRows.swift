import Reporting
import Results
import System

/// `conform report merge --rows`: merges the rows of the parts of a fleet into one file.
enum MergedRows {
    static let rows = Option(
        "--rows", "FILE",
        "the results are files of rows, as conform check --rows writes them: write those that count "
            + "into this one")
    static let expected = Option(
        "--from-file", "LIST|-",
        "with --rows: a list of captures that must have rows, one on a line")

    static let options = [rows, expected]

    /// How many captures or cases are listed by name.
    private static let namedMax = 20

    static func merge(into path: String, _ arguments: Arguments) throws -> ExitStatus {
        let place = FilePath.resolved(path)
        if let same = arguments.operands.first(where: {
            $0 == path || place != nil && FilePath.resolved($0) == place
        }) {
            throw UsageError("\(same) would be replaced by the merged rows; give another file")
        }
        let merge = try RowMerge(arguments.operands)
        let missing = merge.missing(
            of: try arguments.value(expected.name).map { list in
                try CaptureOptions.groups(CaptureList.listed(in: list), arguments)
            } ?? [])
        try merge.write(to: path)
        StandardOutput.print(
            "\(path): \(text(merge.counts)); "
                + NumberText.count(merge.captureCount, "capture")
                + " by \(NumberText.count(merge.cases.count, "case"))")
        let broken = merge.cases.filter { Set($0.value.keys) != [.pass] }
        for (name, counts) in broken.sorted(by: { $0.key < $1.key }).prefix(namedMax) {
            StandardOutput.print("  \(name): \(text(counts))")
        }
        if broken.count > namedMax {
            StandardOutput.print(
                "  and \(broken.count - namedMax) more cases that did not all pass")
        }
        if merge.repeatedCount > 0 {
            StandardOutput.print(
                "judged again: \(NumberText.count(merge.repeatedCount, "capture")); "
                    + "the latest complete rows count")
        }
        notify(merge.cutOff, "its rows are incomplete; judge it again")
        notify(missing, "it has no row; judge it")
        let isWhole = merge.cutOff.isEmpty && missing.isEmpty
        return DeviceMatrix.gravest([merge.exit] + (isWhole ? [] : [.nothingExecuted]))
    }

    private static func text(_ counts: [Verdict: Int]) -> String {
        let parts = Verdict.allCases.compactMap { verdict in
            counts[verdict].map { "\($0) \(verdict.rawValue)" }
        }
        return parts.isEmpty ? "no row" : parts.joined(separator: ", ")
    }

    private static func notify(_ captures: [String], _ flaw: String) {
        for name in captures.prefix(namedMax) { StandardError.print("conform: \(name): \(flaw)") }
        if captures.count > namedMax {
            StandardError.print("conform: and \(captures.count - namedMax) more captures")
        }
    }
}
