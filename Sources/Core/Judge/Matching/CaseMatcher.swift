import SuiteLanguage
import Trace
import Wire

/// Judges one case on a trace, message by message.
///
/// The same type serves the live run and `check`. Its judgement is a function only of the case, the
/// parties, the messages in their order, and the cause and time of the end. Calls of `advance(to:)`
/// between messages do not change it, as long as no message that is earlier than the time given
/// comes afterwards. Memory is bounded by the length of the case.
///
/// A case passes if there is a path through its steps that the trace fits. All possible paths are
/// followed in parallel, each by a `MatcherThread`. A case without `optional`, `either`, `anyOrder`
/// and `repeat` has only one. If none is left, the one that came furthest explains the failure.
public struct CaseMatcher: Sendable {
    /// The origin of the trace.
    public struct Options: Sendable, Hashable {
        /// Whether the harness plays the peers, as in a live run or its capture.
        ///
        /// If it does, their lateness and their malformed messages are the harness's faults.
        public var harnessPlaysPeers: Bool
        /// Whether the trace contains `device.*` events; if not, device controls count as done.
        public var eventsRecorded: Bool
        /// Whether only the verdict and its sentence are wanted, so that no evidence is kept.
        public var isVerdictOnly = false
        /// Whether the trace is complete.
        ///
        /// If so, attempts are examined after one that broke a schedule, however late they come.
        public var isFinished = false
        /// Whether it judges a rule, which holds whatever a peer sends.
        var isOfRule = false

        /// Creates options; the default is a trace of `conform`.
        public init(harnessPlaysPeers: Bool = true, eventsRecorded: Bool = true) {
            self.harnessPlaysPeers = harnessPlaysPeers
            self.eventsRecorded = eventsRecorded
        }
    }

    /// The result of consuming one message.
    public struct Consumption: Sendable {
        /// What the harness must do now.
        public var demands: [Demand] = []
        /// Whether the peer's automatic answer is withheld because a later `send` answers.
        public var withholdsAnswer = false
        /// The step that took the message.
        ///
        /// If several threads took it, this is the step that the suite prefers.
        public var taken: StepReference?
    }

    /// The part of the case that judging has reached.
    public enum Part: Sendable, Hashable {
        case preamble
        case body
        /// The closing window, or the short time after a failure.
        case closing
        case finished
    }

    private var context: MatchContext
    /// The open threads, in the order in which the suite prefers them.
    private(set) var threads: [MatcherThread]
    /// The ended thread that explains the case; a pass if there was one.
    @Boxed private(set) var ended: MatcherThread?
    private var lastNumber = 0
    private var sawExit = false
    private var clock: Timestamp

    /// Prepares to judge a case on one trace.
    ///
    /// - Parameters:
    ///   - prepared: The case.
    ///   - parties: The parties of the trace.
    ///   - start: The moment that the first window counts from.
    public init(_ prepared: PreparedCase, parties: Parties, start: Timestamp) {
        context = MatchContext(prepared, parties: parties, start: start)
        clock = start
        threads = [MatcherThread(context)]
        fork(at: start)
        nextDeadline = nextAlarm?.time
    }

    /// The part of the case that judging has reached; the earlier one if threads differ.
    public var part: Part {
        if isFinished { return .finished }
        let running = threads.lazy.compactMap { thread in
            thread.phase == .running ? thread.line?.reference.part : nil
        }
        if running.contains(.preamble) { return .preamble }
        return running.contains(.body) ? .body : .closing
    }

    /// Whether the case is over: failed, or the closing window has passed.
    ///
    /// Further messages are ignored.
    public var isFinished: Bool {
        threads.isEmpty && !_ended.storage.isEmpty && _ended.storage[0].phase == .finished
    }

    /// Whether the case has failed by breaking a schedule and only its further waits are examined.
    var isFollowed: Bool {
        guard threads.isEmpty, !_ended.storage.isEmpty else { return false }
        return _ended.storage[0].isScheduleWatched && _ended.storage[0].finding?.message != nil
    }

    /// When the case was decided; `nil` while it is not over.
    var decidedAt: Timestamp? {
        isFinished ? ended.flatMap { $0.finding?.time ?? $0.passedAt } : nil
    }

    /// The case.
    var prepared: PreparedCase { context.prepared }

    /// The names of the messages that the open threads wait for; `nil` if any message may matter.
    ///
    /// Any message may matter while messages after a failure are recorded.
    var awaitedNames: Set<String>? {
        guard ended == nil || isFinished else { return nil }
        var names: Set<String> = []
        for thread in threads {
            guard let own = thread.awaitedNames else { return nil }
            names.formUnion(own)
        }
        return names
    }

    /// Whether every thread has seen each device; if not, any of its messages matters.
    var hasSeenDevices: Bool {
        threads.allSatisfy {
            $0.record.seenDevices.isSuperset(of: context.prepared.testCase.deviceNames)
        }
    }

    /// Whether its threads have seen no device.
    var hasSeenNoDevice: Bool {
        (threads + [ended].compactMap(\.self)).allSatisfy { $0.record.seenDevices.isEmpty }
    }

    /// The number of open threads.
    var threadCount: Int { threads.count }

    /// The next moment at which `advance(to:)` changes something; `nil` if only a message can.
    public private(set) var nextDeadline: Timestamp?

    /// Takes the next message of the trace.
    public mutating func consume(_ message: TraceMessage) -> Consumption {
        var result = Consumption(demands: advance(to: message.time))
        guard !isFinished else {
            recordHang(message)
            _ = ended?.record.stalls.record(message)
            return result
        }
        let placed = PlacedMessage(message, parties: context.parties)
        lastNumber = message.number
        sawExit = sawExit || placed.name == DeviceEvent.exited
        _ = ended?.consume(placed)
        for index in threads.indices {
            guard let taken = threads[index].consume(placed) else { continue }
            let line = context.prepared.program.lines[taken]
            result.taken = result.taken ?? line.reference
            result.withholdsAnswer = result.withholdsAnswer || line.isAnsweredBySend
        }
        fork(at: message.time)
        result.demands += fireDueTimers()
        return result
    }

    /// Continues with a message of a plain sequence of steps that a screen has seen by its headers.
    ///
    /// The present step takes it, or it only shows the device.
    mutating func resume(_ message: TraceMessage, isTaken: Bool) {
        _ = advance(to: message.time)
        guard threads.count == 1 else { return }
        lastNumber = message.number
        threads[0].record.see(PlacedMessage(message, parties: context.parties))
        if isTaken { threads[0].complete(at: message.time, by: message) }
        fork(at: message.time)
        _ = fireDueTimers()
    }

    /// Advances time to `now` without a message; an earlier message must not come afterwards.
    public mutating func advance(to now: Timestamp) -> [Demand] {
        clock = max(clock, now)
        guard let nextDeadline, nextDeadline <= clock else { return [] }
        return fireDueTimers()
    }

    /// The parties of the trace; those of connections that have not been seen may be learnt later.
    public var parties: Parties {
        get { context.parties }
        set {
            let context = MatchContext(context.prepared, parties: newValue, start: context.start)
            self.context = context
            ended?.context = context
            for index in threads.indices { threads[index].context = context }
        }
    }

    /// Records a device that was found to hang after the case was over: it has not passed.
    private mutating func recordHang(_ message: TraceMessage) {
        guard message.name == DeviceEvent.hung else { return }
        let placed = PlacedMessage(message, parties: context.parties)
        ended?.recordHang(placed)
    }

    /// Gives variables their values, as far as the messages so far determine them.
    mutating func bind(_ values: [String: Value]) {
        for index in threads.indices { threads[index].bind(values) }
    }

    /// Passes on the delays of the machine that were found before judging begins.
    mutating func seed(_ stalls: MachineStallRecord) {
        for index in threads.indices { threads[index].record.stalls = stalls }
    }

    /// Whether every thread waits for something that a step demands.
    var isOwing: Bool {
        !threads.isEmpty && threads.allSatisfy { $0.phase == .running }
    }

    /// The parties whose messages its threads wait for.
    var awaitedSenders: [String] { threads.compactMap(\.awaited?.sender) }

    /// The first lateness of the harness; `nil` if there was none.
    var lateness: LatenessWatch.Lateness? {
        (ended?.record ?? threads.first?.record)?.lateness.first
    }

    /// Whether nothing was found until judging was ended, but not everything was done either.
    var isLeftOpen: Bool {
        switch ended?.finding?.kind {
        case .captureEnded, .unended, .interrupted: true
        default: false
        }
    }

    /// Fails the case because of the state at rest.
    mutating func fail(_ failure: Finding.RestFailure, at time: Timestamp, since: Timestamp) {
        for index in threads.indices { threads[index].fail(failure, at: time, since: since) }
        fork(at: time)
        nextDeadline = nextAlarm?.time
    }

    /// Ends judging: nothing more will come.
    ///
    /// An interrupted case in which no step was done yet is an `error`. Any other interrupted case
    /// is `inconclusive`. Both have the code `not-run`. What was already judged stays valid.
    ///
    /// Parts of the traffic that were not captured are not considered; see `Judgement.doubt`.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why it ends.
    public mutating func finish(at end: Timestamp, cause: EndCause) -> Judgement {
        _ = advance(to: end)
        if case .deviceExited(let exit) = cause, !sawExit {
            _ = consume(exit.event(number: lastNumber + 1, at: end))
        }
        for index in threads.indices {
            if let kind = threads[index].kindOfEnd(at: end, cause) {
                threads[index].find(kind, at: end)
            } else {
                threads[index].phase = .finished
            }
        }
        retire()
        ended?.phase = .finished
        return (ended ?? MatcherThread(context)).judgement(at: end)
    }
}

// MARK: - The set of threads

extension CaseMatcher {
    /// Executes all due alarms in the order of time.
    private mutating func fireDueTimers() -> [Demand] {
        var demands: [Demand] = []
        while let next = nextAlarm, next.time <= clock {
            guard let index = next.thread else {
                _ = ended?.handle((next.time, next.kind))
                continue
            }
            if next.kind == .due, isRivalled(index, at: next.time) {
                threads[index].find(.ambiguous, at: next.time)
                threads = [threads[index]]
                ended = nil
            } else if let demand = threads[index].handle((next.time, next.kind)) {
                demands.append(demand)
            }
            fork(at: next.time)
        }
        nextDeadline = nextAlarm?.time
        return demands
    }

    /// The first alarm, and the index of its thread; `nil` for the thread that has ended.
    private var nextAlarm: (time: Timestamp, kind: MatcherThread.Alarm, thread: Int?)? {
        var first: (time: Timestamp, kind: MatcherThread.Alarm, thread: Int?)?
        for index in threads.indices {
            guard let alarm = threads[index].alarm else { continue }
            if let earlier = first, earlier.time <= alarm.time { continue }
            first = (alarm.time, alarm.kind, index)
        }
        if !_ended.storage.isEmpty, let alarm = _ended.storage[0].alarm,
            first.map({ alarm.time < $0.time }) ?? true
        {
            first = (alarm.time, alarm.kind, nil)
        }
        return first
    }

    /// Whether an act is due on one thread while another thread may be the right one.
    private func isRivalled(_ index: Int, at time: Timestamp) -> Bool {
        guard threads.count > 1, threads[index].line?.isAct == true else { return false }
        return threads.indices.contains { $0 != index && !threads[$0].isOverdue(at: time) }
    }

    /// Follows all branches, merges threads with the same equivalence key, and retires ended threads.
    private mutating func fork(at time: Timestamp) {
        if threads.count == 1, threads[0].isOpen {
            let others = threads[0].branches.dropFirst()
            guard !others.isEmpty else {
                _ = threads[0].enterNextStep(at: time)
                // A line may be done at once by what has come before.
                guard threads[0].isOpen, threads[0].branches.isEmpty else {
                    return fork(at: time)
                }
                return
            }
        }
        retire()
        var forked: [MatcherThread] = []
        var places: [MatcherThread.EquivalenceKey: Int] = [:]
        for thread in threads {
            for fork in thread.forks(at: time) {
                let equivalenceKey = fork.equivalenceKey(at: time)
                if let place = places[equivalenceKey] {
                    if forked[place].patience < fork.patience { forked[place] = fork }
                    continue
                }
                places[equivalenceKey] = forked.count
                forked.append(fork)
            }
            guard forked.count <= Limits.threadCountMax else {
                return giveUp(forked[0], at: time)
            }
        }
        threads = forked
        if threads.contains(where: { !$0.branches.isEmpty || !$0.isOpen }) { self.fork(at: time) }
    }

    private mutating func giveUp(_ thread: MatcherThread, at time: Timestamp) {
        var thread = thread
        thread.find(.tooManyThreads, at: time)
        threads = []
        ended = thread
    }

    /// Removes the threads that have ended; the first pass ends the case.
    private mutating func retire() {
        if let pass = threads.first(where: \.isPassed) {
            ended = pass
            threads = []
            return
        }
        for var thread in threads where !thread.isOpen {
            guard var other = ended else {
                ended = thread
                continue
            }
            if thread.isBetter(than: other) {
                thread.record(other)
                ended = thread
            } else {
                other.record(thread)
                ended = other
            }
        }
        threads.removeAll { !$0.isOpen }
    }
}
