extension SuiteReader {
    /// Warns of requirements that nothing checks, and of declarations that nothing uses.
    func warn(_ suite: Suite, _ states: [StateVariable]) {
        let covered = suite.checks
        for state in states where !scope.uses.names.contains(state.name) {
            findings.warn(
                "unused-state", "nothing reads \"${\(state.name)}\"", at: state.position,
                advice: "take it out")
        }
        for requirement in suite.requirements where !covered.contains(requirement.id) {
            findings.warn(
                "uncovered-requirement",
                "no case\(suite.rules.isEmpty ? "" : " or rule") of this suite checks \(requirement.id)",
                at: requirement.position)
        }
        warnOfUnused(shared.variables, "unused-variable", "${}") {
            scope.uses.names.contains($0)
        }
        warnOfUnused(shared.parameters, "unused-parameter", "${}") {
            scope.uses.names.contains($0)
        }
        warnOfUnused(shared.fragments, "unused-fragment", "use: ") {
            scope.uses.fragments.contains($0)
        }
    }

    /// Warns of declarations in the suite itself that nothing uses.
    private func warnOfUnused(
        _ entries: [(entry: YAMLNode.Entry, isOwn: Bool)], _ code: String, _ form: String,
        isUsed: (String) -> Bool
    ) {
        for (entry, isOwn) in entries where isOwn && !isUsed(entry.key) {
            let name = form == "${}" ? "${\(entry.key)}" : form + entry.key
            findings.warn(
                code, "nothing uses \"\(name)\"", at: entry.keyPosition, advice: "take it out")
        }
    }
}
