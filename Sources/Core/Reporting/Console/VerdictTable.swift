import Results
import SuiteLanguage

/// The table of cases by captures: the verdict of each case on each capture or connection.
///
/// Captures with the same verdict for every case share a row. Cases with the same verdict on every
/// capture share a column. So a hundred captures fit on a few screens.
struct VerdictTable {
    /// Where a case was judged.
    private struct Place: Hashable {
        let capture: String
        let connection: String?
    }

    /// Names that share a row or a column, and their common verdicts.
    private struct Group<Name> {
        var names: [Name]
        let verdicts: [Mark]
    }

    private let rows: [Group<Place>]
    private let columns: [Group<String>]
    private let counts: [Mark: Int]

    /// How many names of one row or column are listed; the reports have all.
    private static let namesMax = 120
    /// How many columns are on one line, in tens.
    private static let tensMax = 5

    /// Groups the results that name the capture on which they were judged.
    init(_ results: [CaseResult]) {
        var places: [Place] = []
        var cases: [String] = []
        var marks: [Place: [String: Mark]] = [:]
        var known: Set<String> = []
        var counts: [Mark: Int] = [:]
        for result in results {
            guard let subject = result.subject else { continue }
            let place = Place(capture: subject.capture, connection: subject.connection)
            let mark = Mark(result)
            if known.insert(subject.testCase).inserted { cases.append(subject.testCase) }
            if marks[place] == nil { places.append(place) }
            marks[place, default: [:]][subject.testCase, default: mark].worsen(by: mark)
            counts[mark, default: 0] += 1
        }
        let columns = Self.groups(cases) { name in
            places.map { marks[$0]?[name] ?? .absent }
        }
        let rows = Self.groups(places) { place in
            columns.map { marks[place]?[$0.names[0]] ?? .absent }
        }
        self.columns = columns
        self.rows = rows.enumerated().sorted {
            ($0.element.verdicts.map(\.rawValue).min() ?? 0, $0.offset)
                < ($1.element.verdicts.map(\.rawValue).min() ?? 0, $1.offset)
        }.map(\.element)
        self.counts = counts
    }

    private static func groups<Name: Hashable>(
        _ names: [Name], verdicts: (Name) -> [Mark]
    ) -> [Group<Name>] {
        var places: [[Mark]: Int] = [:]
        var groups: [Group<Name>] = []
        for name in names {
            let verdicts = verdicts(name)
            if let place = places[verdicts] {
                groups[place].names.append(name)
            } else {
                places[verdicts] = groups.count
                groups.append(Group(names: [name], verdicts: verdicts))
            }
        }
        return groups
    }

    /// Returns the table; empty if no result names the capture on which it was judged.
    func lines(_ style: Style) -> [String] {
        guard !rows.isEmpty else { return [] }
        let captures = Set(rows.flatMap(\.names).map(\.capture))
        let folder = CommonFolder.of(captures)
        let legend = Mark.allCases.filter { mark in
            rows.contains { $0.verdicts.contains(mark) }
        }
        var lines = [
            "",
            NumberText.count(columns.reduce(0) { $0 + $1.names.count }, "case") + " by "
                + NumberText.count(captures.count, "capture")
                + (folder.isEmpty ? "" : " in \(PlainText.line(folder))"),
            legend.map { style.paint(String($0.sign), $0.ink) + " " + $0.word }
                .joined(separator: "   "),
        ]
        lines += columns.enumerated().flatMap { number, column in
            hanging(Self.right("\(number + 1)", 4) + "  ", column.names, style)
        }
        lines += [heading] + rows.flatMap { row($0, below: folder, style) }
        return lines + ["totals: \(totals)"]
    }

    /// `1272 verdicts: 12 fail, 1260 pass`.
    private var totals: String {
        let parts = Mark.allCases.compactMap { mark in
            counts[mark].map { "\($0) \(mark.word)" }
        }
        return NumberText.count(counts.values.reduce(0, +), "verdict") + ": "
            + parts.joined(separator: ", ")
    }

    // MARK: - Rows

    private static let margin = 8

    /// The number of the first column of each ten.
    private var heading: String {
        let tens = Swift.min(Self.tensMax, (columns.count + 9) / 10)
        let numbers = (0..<tens).map { Columns.padded("\($0 * 10 + 1)", to: 10) }
        var text = Columns.blanks(Self.margin) + numbers.joined(separator: " ")
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Returns the verdicts of a row with its captures.
    private func row(
        _ row: Group<Place>, below folder: String, _ style: Style
    ) -> [String] {
        let perLine = Self.tensMax * 10
        let pieces = stride(from: 0, to: row.verdicts.count, by: perLine).map { start in
            row.verdicts[start..<Swift.min(start + perLine, row.verdicts.count)]
        }
        let width = pieces[0].count + (pieces[0].count - 1) / 10
        let names = Self.names(row.names, below: folder)
        let room = style.width - Self.margin - width - 2
        let isBeside = pieces.count == 1 && room >= 30
        let listed = Columns.wrapped(
            Self.listed(names), to: isBeside ? room : style.width - Self.margin)
        var lines = pieces.enumerated().map { number, piece in
            let count = number == 0 ? "\(row.names.count) x" : ""
            return Self.right(count, Self.margin - 2) + "  " + Self.signs(piece, style)
        }
        guard isBeside else { return lines + listed.map { Columns.blanks(Self.margin) + $0 } }
        lines[0] += "  " + listed[0]
        return lines
            + listed.dropFirst().map { Columns.blanks(Self.margin + width + 2) + $0 }
    }

    private static func signs(_ marks: ArraySlice<Mark>, _ style: Style) -> String {
        marks.enumerated().reduce(into: "") { text, entry in
            if entry.offset > 0, entry.offset % 10 == 0 { text += " " }
            text += style.paint(String(entry.element.sign), entry.element.ink)
        }
    }

    private func hanging(_ margin: String, _ names: [String], _ style: Style) -> [String] {
        let room = style.width - margin.utf8.count
        return Columns.wrapped(Self.listed(names), to: room).enumerated().map { number, piece in
            (number == 0 ? margin : Columns.blanks(margin.utf8.count)) + piece
        }
    }

    // MARK: - Names

    /// Returns the captures of a row; connections of one capture are listed together.
    private static func names(_ places: [Place], below folder: String) -> [String] {
        var order: [String] = []
        var connections: [String: [String]] = [:]
        for place in places {
            if connections[place.capture] == nil { order.append(place.capture) }
            connections[place.capture, default: []] += [place.connection].compactMap(\.self)
        }
        return order.map { capture in
            let name = CommonFolder.name(capture, below: folder)
            let parts = connections[capture] ?? []
            return switch parts.count {
            case 0: name
            case 1...3: "\(name) (\(parts.joined(separator: ", ")))"
            default: "\(name) (\(parts.count) connections, the first \(parts[0]))"
            }
        }
    }

    private static func listed(_ names: [String]) -> String {
        let more = names.count - namesMax
        return names.prefix(namesMax).map(PlainText.line).joined(separator: ", ")
            + (more > 0 ? " and \(more) more, see the reports" : "")
    }

    private static func right(_ text: String, _ width: Int) -> String {
        Columns.blanks(width - text.utf8.count) + text
    }
}

/// A verdict as one character; the most severe first.
private enum Mark: Int, CaseIterable {
    case fail, error, none, inconclusive, flaky, notRun, known, pass, skipped, absent

    init(_ result: CaseResult) {
        self =
            switch result.verdict {
            case .fail: .fail
            case .error: .error
            case .none: .none
            case .inconclusive: .inconclusive
            case .flaky: .flaky
            case .known: .known
            case .pass: .pass
            case .skipped: result.reason?.code == .notRun ? .notRun : .skipped
            }
    }

    mutating func worsen(by other: Mark) {
        if other.rawValue < rawValue { self = other }
    }

    var sign: Character {
        switch self {
        case .fail: "F"
        case .error: "E"
        case .none: "!"
        case .inconclusive: "?"
        case .flaky: "~"
        case .notRun: "o"
        case .known: "k"
        case .pass: "."
        case .skipped: "-"
        case .absent: "_"
        }
    }

    var word: String {
        switch self {
        case .none: "no verdict"
        case .notRun: "not run"
        case .absent: "not judged there"
        case .fail, .error, .inconclusive, .flaky, .known, .pass, .skipped: "\(self)"
        }
    }

    var ink: Style.Colour {
        switch self {
        case .fail, .error: .red
        case .none, .inconclusive, .flaky, .known: .yellow
        case .pass: .green
        case .notRun, .skipped: .blue
        case .absent: .faint
        }
    }
}
