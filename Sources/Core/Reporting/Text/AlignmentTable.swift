import Results

/// Expected and actual messages side by side, one row each, with the first divergence marked.
///
///         time   frame  expected                       | actual
///       +0.000       3  sdl.StartService               = sdl.StartService
///     > +0.412      12  sdl.ChangeRegistration.request < (did not come)
struct AlignmentTable {
    var rows: [AlignmentRow]
    var width: Int

    private static let head = "      time  frame  "

    /// Returns the lines of the table; empty without rows.
    func lines() -> [String] {
        guard !rows.isEmpty else { return [] }
        let rows = shortened
        let room = max(20, width - Self.head.count - 3)
        let longest = rows.map { Columns.width(of: Self.expected($0)) }.max() ?? 0
        let column = min(max(longest, 8), room / 2)
        let first = rows.firstIndex { $0.mark == .missing || $0.mark == .extra }
        let title = Self.head + Columns.padded("expected", to: column) + " | actual"
        return [title]
            + rows.enumerated().flatMap { row in
                lines(
                    of: row.element, isDivergence: row.offset == first, column: column,
                    rest: max(10, room - column))
            }
    }

    /// The rows, in which an attempt of a `backoff` step after the first one is a number.
    private var shortened: [AlignmentRow] {
        var counts: [String: Int] = [:]
        return rows.map { row in
            guard let step = row.expected, step.hasPrefix("backoff: {") else { return row }
            counts[step, default: 0] += 1
            guard let count = counts[step], count > 1 else { return row }
            var short = row
            short.expected = "backoff: attempt \(count)"
            return short
        }
    }

    private func lines(
        of row: AlignmentRow, isDivergence: Bool, column: Int, rest: Int
    ) -> [String] {
        let left = Columns.wrapped(Self.expected(row), to: column)
        let right = Columns.wrapped(Self.actual(row), to: rest)
        let time = row.seconds.map { "+" + NumberText.seconds($0) } ?? ""
        let frame = row.frames.first.map { row.frames.count > 1 ? "\($0)+" : "\($0)" } ?? ""
        let head =
            (isDivergence ? ">" : " ") + Self.right(time, 9) + Self.right(frame, 7) + "  "
        return (0..<max(left.count, right.count)).map { index in
            let start = index == 0 ? head : Columns.blanks(Self.head.count)
            let expected = Columns.padded(index < left.count ? left[index] : "", to: column)
            let actual = index < right.count ? " " + right[index] : ""
            return start + expected + " " + (index == 0 ? Self.sign(row.mark) : "|") + actual
        }
    }

    private static func right(_ text: String, _ width: Int) -> String {
        Columns.blanks(width - text.utf8.count) + text
    }

    private static func sign(_ mark: AlignmentRow.Mark) -> String {
        switch mark {
        case .match: "="
        case .missing: "<"
        case .extra: ">"
        case .ignored: "~"
        case .notReached, .unjudged: "."
        }
    }

    private static func expected(_ row: AlignmentRow) -> String {
        switch row.mark {
        case .extra: PlainText.line(row.expected ?? "(nothing)")
        case .ignored: PlainText.line(row.expected ?? "(ignored)")
        case .match, .missing, .notReached, .unjudged: PlainText.line(row.expected ?? "")
        }
    }

    private static func actual(_ row: AlignmentRow) -> String {
        switch row.mark {
        case .missing: PlainText.line(row.actual ?? "(did not come)")
        case .notReached: PlainText.line(row.actual ?? "(not reached)")
        case .match, .extra, .ignored: PlainText.line(row.actual ?? "")
        case .unjudged: PlainText.line("(not judged) " + (row.actual ?? ""))
        }
    }
}
