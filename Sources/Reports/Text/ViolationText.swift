import Results

/// What reports say of messages that break the specification of their protocol.
enum ViolationText {
    /// How many violations of which party there were in how many cases; `nil` if there were none.
    static func line(_ cases: [CaseResult]) -> String? {
        var parties: [(name: String, isDevice: Bool, count: Int, cases: Int)] = []
        for result in cases {
            var seen: Set<String> = []
            for violation in result.violations ?? [] {
                let known = parties.firstIndex { $0.name == violation.party }
                let index = known ?? parties.count
                if known == nil { parties.append((violation.party, violation.isOfDevice, 0, 0)) }
                parties[index].count += violation.count
                if seen.insert(violation.party).inserted { parties[index].cases += 1 }
            }
        }
        guard !parties.isEmpty else { return nil }
        // Whatever order the cases ended in.
        parties.sort { $0.name < $1.name }
        let texts = (parties.filter(\.isDevice) + parties.filter { !$0.isDevice }).map { party in
            "\(party.name): \(NumberText.count(party.count, "violation")) in "
                + NumberText.count(party.cases, "case")
        }
        return "protocol: " + texts.joined(separator: "; ")
    }

    /// One kind of violation in a case.
    static func text(_ violation: ProtocolViolation) -> String {
        let frame = violation.frames.first.map { ", frame \($0)" } ?? ""
        let first = violation.count > 1 ? "\(violation.count) times, first " : ""
        return "\(violation.party): \(violation.text) (\(first)\(violation.message)\(frame))"
    }
}
