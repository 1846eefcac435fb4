import Results

extension RunMerge {
    /// Returns the runs with distinct names for cases that were judged on different captures.
    ///
    /// The name of the capture is appended to the name of such a case, as `conform check` of
    /// several captures does it.
    static func apart(_ runs: [StoredRun]) -> [StoredRun] {
        var captures: [CaseReference: Set<String>] = [:]
        for result in runs.lazy.flatMap(\.run.cases) {
            guard let capture = result.subject?.capture else { continue }
            captures[CaseReference(result), default: []].insert(capture)
        }
        let shared = captures.filter { $0.value.count > 1 }
        return shared.isEmpty ? runs : runs.map { named($0, shared: Set(shared.keys)) }
    }

    private static func named(_ stored: StoredRun, shared: Set<CaseReference>) -> StoredRun {
        var stored = stored
        var names: [CaseReference: String] = [:]
        for index in stored.run.cases.indices {
            let reference = CaseReference(stored.run.cases[index])
            guard shared.contains(reference),
                let capture = stored.run.cases[index].subject?.capture
            else { continue }
            names[reference] = "\(reference.id)@\(capture)"
            stored.run.cases[index].id = "\(reference.id)@\(capture)"
        }
        for index in stored.run.header.planned.indices {
            if let name = names[stored.run.header.planned[index].reference] {
                stored.run.header.planned[index].id = name
            }
        }
        return stored
    }
}
