import Results

/// The suites with their cases: a bar of their verdicts, and each case with its name and sign.
struct MatrixSection {
    /// In runs with more cases, only those that did not pass are shown one by one.
    private static let namedCountMax = 1000
    /// How many of them are shown for one suite.
    private static let openCountMax = 100

    let report: HTMLReport

    /// The section.
    var html: String {
        var order: [String] = report.run.header.suites.map(\.id)
        let suites = Dictionary(grouping: report.cases, by: \.suite)
        for result in report.cases where !order.contains(result.suite) {
            order.append(result.suite)
        }
        let titles = Dictionary(report.run.header.suites.map { ($0.id, $0.title) }) { first, _ in
            first
        }
        let items = order.compactMap { suite in
            suites[suite].map { item(suite, title: titles[suite] ?? "", $0) }
        }
        return """
            <section id="matrix" aria-labelledby="matrix-h">
            <h2 id="matrix-h">Suites and their cases</h2>
            \(items.joined(separator: "\n"))
            <p class="muted legend">\(legend)</p>
            </section>
            """
    }

    private func item(_ suite: String, title: String, _ cases: [CaseResult]) -> String {
        let passed = cases.count { $0.verdict == .pass }
        return """
            <div class="suite"><h3>\(HTMLText.plain(suite, limit: 200)) \
            <span class="muted">\(HTMLText.plain(title, limit: 200))</span></h3>
            <p class="share">\(Self.bar(cases)) \(passed) of \(cases.count) passed</p>
            \(groups(cases))</div>
            """
    }

    /// Returns the shares of the verdicts as a bar; the text next to it has the numbers.
    static func bar(_ cases: [CaseResult]) -> String {
        let counts = Dictionary(cases.map { (HTMLVerdict.word($0), 1) }, uniquingKeysWith: +)
        var x = 0.0
        let parts = HTMLVerdict.words.reversed().compactMap { word -> String? in
            guard let count = counts[word] else { return nil }
            let width = Double(count) / Double(max(1, cases.count)) * 300
            defer { x += width }
            let (left, right) = (NumberText.coordinate(x), NumberText.coordinate(width))
            return "<rect class=\"share-\(word)\" x=\"\(left)\" width=\"\(right)\" height=\"10\"/>"
        }
        return "<svg class=\"share-bar\" viewBox=\"0 0 300 10\" preserveAspectRatio=\"none\""
            + " aria-hidden=\"true\">\(parts.joined())</svg>"
    }

    /// Returns cases by their names; cases that differ only in parameters share one.
    private func groups(_ cases: [CaseResult]) -> String {
        var shown = cases
        var rest = ""
        if report.cases.count > Self.namedCountMax {
            let open = cases.filter { $0.verdict != .pass && $0.verdict != .skipped }
            shown = Array(open.prefix(Self.openCountMax))
            let more = open.count - shown.count
            if more > 0 { rest = "<p class=\"muted\">and \(more) more that did not pass</p>" }
        }
        var names: [String] = []
        var members: [String: [CaseResult]] = [:]
        for result in shown {
            let name = String(result.id.prefix { $0 != "[" })
            if members[name] == nil { names.append(name) }
            members[name, default: []].append(result)
        }
        guard !names.isEmpty else { return rest }
        let items = names.map { "<li>\(group($0, members[$0] ?? []))</li>" }
        return "<ul class=\"groups\">\(items.joined(separator: "\n"))</ul>\(rest)"
    }

    private func group(_ name: String, _ cases: [CaseResult]) -> String {
        let title = HTMLText.plain(name, limit: 120)
        if cases.count == 1, let only = cases.first, only.id == name {
            return link(only, "<span>\(title)</span>", label: nil)
        }
        let cells = cases.map { result in
            let parameters = result.id.dropFirst(name.count).dropFirst().dropLast()
            return link(
                result, "",
                label: "\(HTMLText.plain(String(parameters), limit: 120)): "
                    + HTMLVerdict.spoken(HTMLVerdict.word(result)))
        }
        return
            "<span class=\"group\">\(title)</span> <span class=\"cells\">\(cells.joined())</span>"
    }

    private func link(_ result: CaseResult, _ text: String, label: String?) -> String {
        let word = HTMLVerdict.word(result)
        let names = label.map { " title=\"\($0)\" aria-label=\"\($0)\"" } ?? ""
        let spoken =
            label == nil ? "<span class=\"hidden\">: \(HTMLVerdict.spoken(word))</span>" : ""
        return "<a class=\"cell\" href=\"\(report.target(CaseReference(result)))\"\(names)>"
            + "<i class=\"\(word)\" aria-hidden=\"true\">\(HTMLVerdict.sign(word))</i>"
            + "\(text)\(spoken)</a>"
    }

    private var legend: String {
        let present = Set(report.cases.map(HTMLVerdict.word))
        return HTMLVerdict.words.filter(present.contains)
            .map { "\(HTMLVerdict.sign($0)) \(HTMLVerdict.spoken($0))" }.joined(separator: " · ")
    }
}
