/// Suites that are used together, in one call.
extension Collection<Suite> {
    /// Errors for the suites that have the name of an earlier one.
    ///
    /// Captures and reports name a case by its suite and its id, so two suites of one name would
    /// write to the same files.
    public var duplicates: [Diagnostic] {
        var files: [String: String] = [:]
        return compactMap { suite in
            guard let first = files[suite.id] else {
                files[suite.id] = suite.file
                return nil
            }
            let isSame = first == suite.file
            return Diagnostic(
                "duplicate-suite",
                isSame
                    ? "this suite is named twice in the command"
                    : "the suite in \(first) has the name \"\(suite.id)\", too",
                at: SourcePosition(file: suite.file, line: 1, column: 1),
                advice: isSame ? "name it once" : "give one of them another name after \"suite:\"")
        }
    }

    /// The suites without the warnings that another one of them makes void.
    ///
    /// A requirement of a catalogue that several suites share is covered if one of them checks it,
    /// and is reported once if none does.
    public var judgedTogether: [Suite] {
        guard count > 1 else { return Array(self) }
        let covered = Set(
            flatMap { suite in
                let checked = suite.checks
                return suite.requirements.filter { checked.contains($0.id) }.map(\.position)
            })
        var reported: Set<SourcePosition> = []
        return map { suite in
            var suite = suite
            suite.warnings.removeAll { warning in
                guard warning.code == "uncovered-requirement", let position = warning.position
                else { return false }
                return covered.contains(position) || !reported.insert(position).inserted
            }
            return suite
        }
    }
}
