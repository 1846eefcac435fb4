import Results

/// The section with the command, device, suites and machine of the run, and the next command.
struct RunSection {
    let report: HTMLReport

    /// The section.
    var html: String {
        let header = report.run.header
        let environment = header.environment
        var rows: [(String, String)] = [
            ("Command", HTMLText.command(header.command.joined(separator: " "))),
            ("Device", HTMLText.plain("\(header.device.label) (\(header.device.role))")),
        ]
        if let scale = TimeScaleText.line(header) {
            rows.append(("Time scale", HTMLText.plain(scale)))
        }
        rows += [
            ("Suites", header.suites.map { HTMLText.code($0.file) }.joined(separator: "<br>")),
            ("Started", header.started.utc),
            ("Duration", NumberText.length(report.run.seconds)),
            ("Seed", "\(header.seed)"),
            ("conform", HTMLText.plain(header.version)),
            (
                "Machine",
                HTMLText.plain(
                    "\(environment.host), \(environment.system), Linux \(environment.kernel), "
                        + NumberText.count(environment.cores, "core"))
            ),
            ("Isolation", HTMLText.plain(environment.isolation)),
        ]
        if let exit = report.run.exit {
            rows.append(("Exit code", "\(exit.rawValue), \(exit.word)"))
        }
        rows.append(("Next", HTMLText.command(Outcome.next(report.run))))
        let cells = rows.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>" }
        return """
            <section id="run" aria-labelledby="run-h">
            <h2 id="run-h">The run</h2>
            <table class="compare"><caption class="hidden">The run</caption>
            \(cells.joined(separator: "\n"))
            </table>
            \(RunTimeLine(report).html)
            \(notJudged)
            \(digests)
            </section>
            """
    }

    /// The files on which the verdicts depend.
    private var digests: String {
        guard let digests = report.run.header.digests, !digests.isEmpty else { return "" }
        let rows = digests.prefix(1000).map {
            "<tr><td>\(HTMLText.plain($0.kind.rawValue))</td><td>\(HTMLText.code($0.path))</td>"
                + "<td>\(HTMLText.code($0.sha256))</td></tr>"
        }
        return
            "<h3 class=\"digests\">Digests</h3><div class=\"scroll digests\" tabindex=\"0\" role=\"group\""
            + " aria-label=\"Digests\"><table><caption class=\"hidden\">Digests of the files on which the"
            + " verdicts depend</caption><thead><tr><th scope=\"col\">Kind</th>"
            + "<th scope=\"col\">File</th><th scope=\"col\">SHA-256</th></tr></thead>"
            + "<tbody>\(rows.joined())</tbody></table></div>"
    }

    private var notJudged: String {
        let audit = report.audit
        guard !audit.skipped.isEmpty else { return "" }
        let rows = audit.skipped.sorted { $0.key < $1.key }.prefix(200).map {
            "<tr><td class=\"number\">\($0.value)</td><td>\(HTMLText.plain($0.key))</td></tr>"
        }
        return "<h3>Not applicable</h3><table><caption class=\"hidden\">Why cases do not apply"
            + "</caption><thead><tr><th scope=\"col\">Cases</th><th scope=\"col\">Reason</th></tr>"
            + "</thead><tbody>\(rows.joined())</tbody></table>"
    }
}
