import Glibc
import Judge
import Offline
import Reporting
import Results
import System

/// The captures that are given to a check, and those that are left for it.
enum CaptureList {
    /// What precedes the path of a list among the captures.
    private static let listMark = "@"
    static let shard = Option(
        ShardOption.option.name, "I/N",
        "only the I-th of N parts of the captures; auto: both from the CI engine, auto/N: "
            + "I from it"
    )
    static let rows = Option(
        "--rows", "[resume=]FILE",
        "a row for each judged case, written as captures are judged: JSON Lines, or CSV if the name "
            + "ends in .csv; resume=FILE: leave out the captures that the file has concluded")
    private static let resuming = "resume="

    /// The largest size of a list in bytes.
    private static let sizeMax = 1 << 30

    /// Returns the captures that the command line and the list name.
    static func names(_ arguments: Arguments) throws -> [String] {
        let operands = arguments.operands.dropFirst()
        guard !hasListFromInput(arguments) || !operands.contains("-") else {
            throw UsageError("the standard input (-) is a capture or the list; it cannot be both")
        }
        return try operands.flatMap { operand in
            operand.hasPrefix(listMark) ? try listed(in: String(operand.dropFirst())) : [operand]
        }
    }

    /// Returns whether the standard input names captures.
    static func hasListFromInput(_ arguments: Arguments) -> Bool {
        arguments.operands.contains(listMark + "-")
    }

    /// Returns whether captures that a file of rows has concluded are left out.
    static func isResuming(_ arguments: Arguments) -> Bool {
        arguments.value(rows.name)?.hasPrefix(resuming) == true
    }

    /// Returns the captures that a list names.
    static func listed(in path: String) throws(UsageError) -> [String] {
        let bytes: [UInt8]
        do throws(FileError) {
            let input =
                path == "-"
                ? try NamedInput(copying: STDIN_FILENO, path: "standard input")
                : try NamedInput(path)
            bytes = try input.contents(limit: sizeMax)
        } catch {
            throw UsageError("the list \(path): \(error.attempt): \(error.cause)")
        }
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return String(decoding: end, as: UTF8.self)
        }.filter { !$0.isEmpty }
    }

    /// Returns the captures of the wanted part, which depends only on their names.
    ///
    /// A capture that a list names twice is judged once.
    static func part(
        _ captures: [[String]], _ arguments: Arguments
    ) throws(UsageError) -> [[String]] {
        let shard = try arguments.value(shard.name).map(ShardOption.shard)
        let isListed =
            arguments.has(rows.name) || arguments.operands.contains { $0.hasPrefix(listMark) }
        var known: Set<String> = []
        return captures.filter { paths in
            let name = EarlierRows.name(of: paths)
            return shard?.holds(named: name) != false
                && (known.insert(name).inserted || !isListed)
        }
    }

    /// Returns the requested file of rows.
    ///
    /// - Parameter neutral: The options that do not affect verdicts.
    static func rowFile(
        _ arguments: Arguments, _ check: CaptureCheck, _ captures: [[String]],
        known: KnownFailurePolicy?, neutral: [Option]
    ) throws -> RowFile? {
        guard let value = arguments.value(rows.name) else { return nil }
        let resumes = isResuming(arguments)
        let path = resumes ? String(value.dropFirst(resuming.count)) : value
        guard !path.isEmpty else {
            throw UsageError("\(rows.name) \(value) names no file")
        }
        let unmeant = Set(([shard, rows] + neutral).map(\.name))
        let words = CaptureOptions.withoutThreads(arguments)
            .words(of: Command.check.options.filter { !unmeant.contains($0.name) })
        return try RowFile(
            path, order: check.inputDigest(words, known: known),
            resuming: resumes ? captures : nil)
    }

    /// Prints how many captures an earlier process has judged, if any.
    static func notify(_ rows: RowFile, left: Int, of count: Int) {
        guard !rows.earlier.counts.isEmpty else { return }
        let verdicts = Verdict.allCases.compactMap { verdict in
            rows.earlier.counts[verdict].map { "\($0) \(verdict.rawValue)" }
        }
        StandardOutput.print(
            "resumed: \(count - left) of \(count) captures are concluded "
                + "(\(verdicts.joined(separator: ", "))); \(left) left")
    }
}

extension EarlierRows {
    /// Returns the exit status from the verdicts of the earlier process and of this one.
    func exit(with now: ExitStatus, isNothingLeft: Bool) -> ExitStatus {
        guard !counts.isEmpty else { return now }
        return isNothingLeft ? exit : DeviceMatrix.gravest([exit, now])
    }
}
