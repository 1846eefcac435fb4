import Wire

extension StepReader {
    /// The fragment whose steps are being read, or the case itself.
    struct Frame {
        /// The prefix of the ids and saved variables of its steps: `first.` or nothing.
        var prefix = ""
        /// The enclosing uses of fragments, the innermost first.
        var uses: [FragmentUse] = []
        /// The ids of its steps as they are written, for the advice on `since`.
        var ids: [String] = []
    }

    /// Reads a step that is replaced by the steps of a fragment.
    mutating func use(_ node: YAMLNode, _ reader: inout YAMLMappingReader) -> [Step] {
        let name = reader.text("use")
        let nameNode = reader.node("use")
        let id = id(in: &reader)
        let note = reader.text("note")
        let given = reader.mapping("with") ?? []
        reader.finish()
        guard let name, let nameNode, let fragment = fragment(name, at: nameNode.position),
            let inner = scope(of: fragment, given: given, at: nameNode.position, id: id)
        else {
            past.exchange.skip()
            return []
        }
        let use = FragmentUse(fragment: name, position: nameNode.position)
        var steps = self.steps(of: fragment, as: use, in: inner)
        if let note, !steps.isEmpty, steps[0].note == nil { steps[0].note = note }
        return steps
    }

    /// Returns the fragment of that name, if it may be used here.
    private func fragment(_ name: String, at position: SourcePosition) -> Fragment? {
        scope.uses.fragments.insert(name)
        guard let fragment = fragments[name] else {
            findings.report(
                "unknown-fragment", "there is no fragment \"\(name)\"", at: position,
                advice: fragments.isEmpty
                    ? "declare it under \"fragments\""
                    : Suggestion.advice(for: name, in: fragments.keys.sorted()))
            return nil
        }
        let chain = frame.uses.map(\.fragment)
        if chain.contains(name) {
            findings.report(
                "fragment-cycle", "the fragment \"\(name)\" uses itself", at: position,
                advice: "it does so through \(chain.reversed().joined(separator: ", "))")
            return nil
        }
        guard chain.count < FragmentReader.depthMax,
            fragmentStepCount <= FragmentReader.stepsMax
        else {
            findings.report(
                "fragment-limit",
                "a case has at most \(FragmentReader.stepsMax) steps of fragments, "
                    + "and \(FragmentReader.depthMax) inside of one another", at: position)
            return nil
        }
        return fragment
    }

    /// Returns the variables inside a use: the suite's variables and the arguments.
    private func scope(
        of fragment: Fragment, given: [YAMLNode.Entry], at position: SourcePosition, id: String?
    ) -> VariableScope? {
        var inner = suiteScope
        inner.uses = VariableScope.UseLog()
        inner.prefix = id.map { $0 + "." } ?? frame.prefix
        let known = fragment.arguments.map(\.name)
        var isComplete = true
        for entry in given where !known.contains(entry.key) {
            isComplete = false
            findings.report(
                "unknown-argument",
                "the fragment \"\(fragment.name)\" has no argument \"\(entry.key)\"",
                at: entry.keyPosition,
                advice: known.isEmpty
                    ? "it takes no arguments" : Suggestion.advice(for: entry.key, in: known))
        }
        for argument in fragment.arguments {
            let entry = given.first { $0.key == argument.name }
            let source = entry == nil ? inner.logging(to: scope.uses) : scope
            guard let node = entry?.value ?? argument.fallback else {
                isComplete = false
                findings.report(
                    "missing-argument",
                    "the fragment \"\(fragment.name)\" needs \"\(argument.name)\"", at: position,
                    advice: "write with: {\(argument.name): ...}")
                continue
            }
            let reader = ValueReader(scope: source, misfit: .argument)
            guard let value = reader.expression(node, type: nil, name: argument.name) else {
                isComplete = false
                continue
            }
            inner.bind(argument.name, to: value)
        }
        return isComplete ? inner : nil
    }

    /// Reads the steps of a fragment in a frame of its own.
    private mutating func steps(
        of fragment: Fragment, as use: FragmentUse, in inner: VariableScope
    ) -> [Step] {
        let (outerPast, outerScope, outerFrame) = (past, scope, frame)
        frame = Frame(
            prefix: inner.prefix, uses: [use] + outerFrame.uses,
            ids: StepReader.ids(in: fragment.steps))
        findings.uses.insert(use.position, at: 0)
        scope = inner
        past.ids = []
        past.saved = []
        fragmentStepCount += fragment.steps.count
        let steps = self.steps(fragment.steps)
        findings.uses.removeFirst()
        let innerPast = past
        recordUses(inner.uses, of: fragment, in: outerScope.uses)
        (scope, frame) = (outerScope, outerFrame)
        past.ids = outerPast.ids + innerPast.ids
        past.saved = outerPast.saved.union(innerPast.saved)
        refuseTakenNames(innerPast.saved, of: use, inner.prefix)
        return steps
    }

    /// Passes on which names of the suite a fragment has used, and warns of unused arguments.
    private func recordUses(
        _ inner: VariableScope.UseLog, of fragment: Fragment, in outer: VariableScope.UseLog
    ) {
        for argument in fragment.arguments
        where !inner.names.contains(argument.name) && inner.missing.isEmpty {
            findings.warn(
                "unused-argument",
                "the fragment \"\(fragment.name)\" does not use \"${\(argument.name)}\"",
                at: argument.position, advice: "take it out")
        }
        outer.names.formUnion(inner.names.subtracting(fragment.arguments.map(\.name)))
        outer.fragments.formUnion(inner.fragments)
        outer.missing.formUnion(inner.missing)
    }

    /// Reports saved variables of a fragment whose names are already taken.
    private func refuseTakenNames(_ saved: Set<String>, of use: FragmentUse, _ prefix: String) {
        let own = saved.map { String($0.dropFirst(scope.prefix.count)) }
        let first = own.map { String($0.prefix { $0 != "." }) }
        for name in Set(first).sorted() where scope.isTaken(name) {
            findings.report(
                "duplicate-variable",
                "the fragment \"\(use.fragment)\" saves \"\(name)\", "
                    + "which is a variable here already", at: use.position,
                advice: prefix == scope.prefix
                    ? "give the use an \"id\", so that it saves \"id.\(name)\""
                    : "choose another \"id\"")
        }
    }
}

extension VariableScope {
    /// Returns the same scope with another log of uses.
    fileprivate func logging(to uses: UseLog) -> VariableScope {
        var scope = self
        scope.uses = uses
        return scope
    }

    /// Binds an argument to its value, replacing any outer variable of that name.
    fileprivate mutating func bind(_ name: String, to value: ValueExpression) {
        missing[name] = nil
        if case .literal(let value) = value {
            late[name] = nil
            values[name] = value
        } else {
            values[name] = nil
            late[name] = value
        }
    }
}
