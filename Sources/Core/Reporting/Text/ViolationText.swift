import Results

/// The text of reports about messages that violate the specification of their protocol.
enum ViolationText {
    /// Returns the number of violations and of affected cases for each party; `nil` if there are
    /// none.
    ///
    /// - Parameters:
    ///   - cases: The cases.
    ///   - header: Their run. In a live run the peers are those of `conform`, and break the
    ///     specification where a suite wants it: they are not counted.
    static func line(_ cases: [CaseResult], of header: RunHeader) -> String? {
        let playsPeers = header.command.dropFirst().first == "run"
        var parties: [(name: String, isDevice: Bool, count: Int, cases: Int)] = []
        for result in cases {
            var seen: Set<String> = []
            for violation in result.violations ?? [] where violation.isOfDevice || !playsPeers {
                let known = parties.firstIndex { $0.name == violation.party }
                let index = known ?? parties.count
                if known == nil { parties.append((violation.party, violation.isOfDevice, 0, 0)) }
                parties[index].count += violation.count
                if seen.insert(violation.party).inserted { parties[index].cases += 1 }
            }
        }
        guard !parties.isEmpty else { return nil }
        // The order must not depend on the order in which cases ended.
        parties.sort { $0.name < $1.name }
        let texts = (parties.filter(\.isDevice) + parties.filter { !$0.isDevice }).map { party in
            "\(party.name): \(NumberText.count(party.count, "violation")) in "
                + NumberText.count(party.cases, "case")
        }
        return "protocol: " + texts.joined(separator: "; ")
    }

    /// Returns the text of one kind of violation in a case.
    static func text(_ violation: ProtocolViolation) -> String {
        let frame = violation.frames.first.map { ", frame \($0)" } ?? ""
        let first = violation.count > 1 ? "\(violation.count) times, first " : ""
        return "\(violation.party): \(violation.text) (\(first)\(violation.message)\(frame))"
    }
}
