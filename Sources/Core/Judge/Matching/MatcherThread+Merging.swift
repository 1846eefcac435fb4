import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Everything that further judging depends on, except for how long a message may take to come.
    struct EquivalenceKey: Hashable {
        let state: StepSequence.State?
        let isOverdue: Bool
        let isPersonAwaited: Bool
        let earliest: Timestamp?
        let due: Timestamp?
        let isReleased: Bool
        let latest: Timestamp?
        let bindings: [String: Value]
        let referenced: [Int: Configuration.Reference]
        let groupOrigins: [Int: Timestamp]
        let announcedExits: [String: Int]
        let schedule: ScheduleFollower?
        let beside: [Int: ScheduleFollower]
        let collection: Gathering?
        let ruleOrigin: Timestamp?
        let crowds: [Int: Crowd]
    }

    /// Returns the thread's equivalence key at `time`; threads with the same one differ only in `patience`.
    func equivalenceKey(at time: Timestamp) -> EquivalenceKey {
        let isMessage = if case .expect = line?.goal { true } else { false }
        return EquivalenceKey(
            state: configuration.state, isOverdue: isOverdue(at: time),
            isPersonAwaited: attempt.map {
                personTime?.isPending == true
                    && personTime?.deadlineOrigin(of: $0.origin) != nil
            } ?? false,
            earliest: attempt?.window.earliest, due: isMessage ? nil : attempt?.due,
            isReleased: attempt?.isReleased ?? false,
            latest: isMessage ? nil : attempt?.window.latest, bindings: configuration.bindings,
            referenced: configuration.referenced, groupOrigins: configuration.groupOrigins,
            announcedExits: announcedExits, schedule: attempt?.schedule,
            beside: beside,
            collection: attempt?.collection,
            ruleOrigin: testCase.never.allSatisfy(\.appliesAtOnce)
                ? nil : configuration.bodyStart,
            crowds: crowds)
    }

    /// How long the thread can still become a pass, for comparing threads of the same equivalence key.
    ///
    /// The thread with the largest number can become a pass whenever the others can.
    var patience: Int64 {
        if case .closing(let since) = phase { return -since.nanoseconds }
        return attempt?.window.latest.nanoseconds ?? 0
    }

    /// How much of the case is done, and how much its failure explains.
    ///
    /// The thread with the largest value is the one that explains the case.
    var achievement: (Int, Int, Int, Int, Int) {
        let done = configuration.doneLines.map { program.lines[$0] }
        let forcedCount = done.count { !$0.isSpare }
        let conditionCount = done.reduce(0) { $0 + $1.step.conditions.count }
        let isForced = configuration.position.map { !program.lines[$0].isSpare } ?? true
        return (
            configuration.takenCount, finding?.significance ?? 0, forcedCount, conditionCount,
            isForced ? 1 : 0
        )
    }
}

extension Finding {
    /// How closely the message that broke it resembles the demanded one.
    fileprivate var significance: Int {
        switch kind {
        case .fieldsDiffer, .early, .late, .schedule: 1
        default: 0
        }
    }

    /// Whether the case might have become a pass with a longer trace.
    var isOpenEnd: Bool {
        switch kind {
        case .captureEnded, .unended, .timeout, .interrupted, .undecided: true
        default: false
        }
    }
}
