import Judge
import Results

/// In which way a case failed: by which rule, or by which kind of reason under which requirements.
enum FailureKind: Hashable {
    case rule(String)
    case own(ReasonCode, requirements: [String])
}

extension CaseResult {
    /// The ways in which the case failed, that of its reason first; empty unless it failed.
    var failureKinds: [FailureKind] {
        guard verdict == .fail, let reason else { return [] }
        let failed = (rules ?? []).filter { $0.verdict == .fail }
        let cited = Set((reason.explanation?.requirements ?? []).map(\.id))
        let stated = failed.first { !cited.isEmpty && cited.isSubset(of: $0.checks) }
        let own = FailureKind.own(reason.code, requirements: cited.sorted())
        let others = failed.map(\.rule).filter { $0 != stated?.rule }
        return [stated.map { .rule($0.rule) } ?? own] + others.map(FailureKind.rule)
    }

    /// The requirements that are broken by failing in that way.
    func requirements(of kind: FailureKind) -> [String] {
        switch kind {
        case .rule(let id): rules?.first { $0.rule == id }?.checks ?? []
        case .own(_, let requirements): requirements
        }
    }
}
