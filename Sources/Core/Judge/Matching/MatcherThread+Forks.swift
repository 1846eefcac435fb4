import Trace
import Wire

/// The paths of a thread, and the choice among threads that have ended.
extension MatcherThread {
    /// Returns a copy of this thread for each branch.
    func forks(at time: Timestamp) -> [MatcherThread] {
        guard !branches.isEmpty else { return [self] }
        return branches.map { branch in
            var fork = self
            fork.enter(branch, at: time)
            return fork
        }
    }

    /// Whether this ended thread explains the case better than another ended one.
    func isBetter(than other: MatcherThread) -> Bool {
        let (own, others) = (finding?.isOpenEnd == true, other.finding?.isOpenEnd == true)
        return own == others ? achievement > other.achievement : own
    }

    /// Records the line of another thread that came equally far and ended by the same message.
    mutating func record(_ other: MatcherThread) {
        guard let own = finding, let others = other.finding, own.isOpenEnd == others.isOpenEnd,
            own.message?.message.number == others.message?.message.number,
            configuration.takenCount == other.configuration.takenCount
        else { return }
        let known = own.otherLines + [own.line].compactMap(\.self)
        finding?.otherLines += (others.otherLines + [others.line].compactMap(\.self))
            .filter { !known.contains($0) }
    }
}
