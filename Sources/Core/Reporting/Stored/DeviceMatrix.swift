import Results
import Wire

/// The runs of several devices side by side: the verdict on each requirement and case, by device.
public struct DeviceMatrix: Sendable {
    /// One device with its run.
    public struct Column: Sendable {
        /// The unique name of the device in the reports.
        public let label: String
        /// The folder of its reports, relative to the folder of the matrix.
        public let folder: String
        /// Its run.
        public let run: RunResult
    }

    /// The verdicts on one requirement or case, one for each device, in the order of the columns.
    struct Row {
        /// The requirement, or the case.
        let name: String
        /// The sentence of a requirement; the suite of a case.
        let text: String
        /// The words of `HTMLVerdict`; `nil` if it was not in the plan.
        let words: [String?]

        /// Whether all devices have the same verdict.
        var isSame: Bool { Set(words).count <= 1 }
    }

    /// The devices.
    public let columns: [Column]
    /// The requirements in the order of the catalogues.
    let requirements: [Row]
    /// The cases in the order of the plans.
    let cases: [(reference: CaseReference, row: Row)]

    /// Creates the matrix of several runs.
    ///
    /// - Parameter runs: The runs, each with the folder of its reports, relative to the folder of
    ///   the matrix.
    public init(_ runs: [(folder: String, run: RunResult)]) {
        var taken: [String: Int] = [:]
        columns = runs.map { folder, run in
            let label = run.header.device.label
            let count = (taken[label] ?? 0) + 1
            taken[label] = count
            return Column(
                label: count == 1 ? label : "\(label) (\(count))", folder: folder, run: run)
        }
        let coverages = runs.map { $0.run.coverage.rows }
        requirements = Self.union(coverages.map { $0.map(\.requirement) }).map { id in
            let rows = coverages.map { rows in rows.first { $0.requirement == id } }
            return Row(
                name: id, text: rows.lazy.compactMap { $0?.text }.first { !$0.isEmpty } ?? "",
                words: rows.map { row in row.map { $0.verdict.rawValue } })
        }
        let results = runs.map { run in
            Dictionary(run.run.casesInPlanOrder.map { (CaseReference($0), $0) }) { $1 }
        }
        let references = Self.union(
            runs.map { $0.run.casesInPlanOrder.map(CaseReference.init) })
        cases = references.map { reference in
            let row = Row(
                name: reference.id, text: reference.suite,
                words: results.map { $0[reference].map(HTMLVerdict.word) })
            return (reference, row)
        }
    }

    /// Returns the most severe of several exit statuses, with the precedence of a single run.
    public static func gravest(_ all: [ExitStatus]) -> ExitStatus {
        let order: [ExitStatus] = [
            .interrupted, .terminated, .invalid, .notConformant, .couldNotJudge, .reportFailed,
            .nothingExecuted,
        ]
        return order.first(where: all.contains) ?? (all.isEmpty ? .nothingExecuted : .conformant)
    }

    /// Returns the summary for people: one line for each device, then the differences.
    public func lines(style: Style = .plain) -> [String] {
        let width = columns.map { Columns.width(of: PlainText.line($0.label)) }.max() ?? 0
        let devices = columns.map { column in
            let outcome = Outcome.sentence(column.run, column.run.audit)
            return "\(Columns.padded(PlainText.line(column.label), to: width))  \(outcome)"
        }
        let odd = requirements.filter { !$0.isSame }
        let differing = odd.map { row in
            let verdicts = zip(columns, row.words).map { column, word in
                "\(PlainText.line(column.label)): \(word.map(HTMLVerdict.spoken) ?? "not planned")"
            }
            return "  \(style.paint(PlainText.line(row.name), .bold))  "
                + verdicts.joined(separator: ", ")
        }
        let head =
            odd.isEmpty
            ? "the devices have the same verdict on each requirement"
            : "the devices differ in \(NumberText.count(odd.count, "requirement")):"
        return devices + [head] + differing
    }

    /// Returns all elements of lists, each once, in the order of their first occurrence.
    private static func union<Element: Hashable>(_ lists: [[Element]]) -> [Element] {
        var seen: Set<Element> = []
        return lists.flatMap { $0 }.filter { seen.insert($0).inserted }
    }

    /// The matrix for programs.
    var json: Value {
        typealias Member = Value.Member
        func words(_ row: Row) -> Value {
            .array(row.words.map { $0.map(Value.string) ?? .null })
        }
        return .object([
            Member("conform-matrix", .integer(1)),
            Member(
                "devices",
                .array(
                    columns.map { column in
                        .object([
                            Member("label", .string(column.label)),
                            Member("role", .string(column.run.header.device.role)),
                            Member("reports", .string(column.folder)),
                            Member(
                                "exitCode",
                                .integer(
                                    Int64(exactly: (column.run.exit ?? .couldNotJudge).rawValue)
                                        ?? 3)),
                        ])
                    })),
            Member(
                "requirements",
                .array(
                    requirements.map { row in
                        .object([
                            Member("requirement", .string(row.name)),
                            Member("verdicts", words(row)),
                        ])
                    })),
            Member(
                "cases",
                .array(
                    cases.map { reference, row in
                        .object([
                            Member("suite", .string(reference.suite)),
                            Member("case", .string(reference.id)),
                            Member("verdicts", words(row)),
                        ])
                    })),
        ])
    }
}
