import Suites
import Trace
import Wire

/// Judges one case on a trace, message by message.
///
/// The same type serves the live run and `check`: its judgement is a function of the case, the
/// parties, the messages in their order, the cause and time of the end, and nothing else. Calls of
/// `advance(to:)` between messages do not change it, as long as no message that is earlier than
/// the time given comes afterwards. Memory is bounded by the length of the case.
///
/// A case passes if there is a way through its steps that the trace fits. All ways that the trace
/// has left open are followed side by side; a case without `optional`, `either`, `anyOrder` and
/// `repeat` has one. Where there are none left, the one that came furthest explains the failure.
public struct CaseMatcher: Sendable {
    /// What is known of the trace's origin.
    public struct Options: Sendable, Hashable {
        /// Whether the peers are ours, as in a live run or a capture of one; then their lateness
        /// and their malformed messages are the harness's faults.
        public var harnessPlaysPeers: Bool
        /// Whether the trace holds `device.*` events; if not, device controls count as done.
        public var eventsRecorded: Bool
        /// Whether only the verdict and its sentence are wanted, so that nothing is kept for a report.
        public var isVerdictOnly = false
        /// Whether all of the trace is there: then attempts are looked at after one that broke a
        /// schedule, however late they come.
        public var isFinished = false

        /// Makes options; the default is a trace of ours.
        public init(harnessPlaysPeers: Bool = true, eventsRecorded: Bool = true) {
            self.harnessPlaysPeers = harnessPlaysPeers
            self.eventsRecorded = eventsRecorded
        }
    }

    /// What comes of one message.
    public struct Consumption: Sendable {
        /// What the harness has to do now.
        public var demands: [Demand] = []
        /// Whether the peer's automatic answer is withheld because a later `send` answers.
        public var withholdsAnswer = false
        /// The step that took the message; of several the one that comes first in the suite's
        /// order of preference.
        public var taken: StepReference?
    }

    /// How far judging has come.
    public enum Part: Sendable, Hashable {
        case preamble
        case body
        /// The closing window, or the short time after a failure.
        case closing
        case finished
    }

    private var context: MatchContext
    /// The ways that are open, in the order in which the suite prefers them.
    private var threads: [MatcherThread]
    /// Of the threads that have ended, the one to explain; a pass if there was one.
    @Boxed private var ended: MatcherThread?
    private var lastNumber = 0
    private var sawExit = false
    private var clock: Timestamp

    /// Prepares to judge `testCase`.
    ///
    /// - Parameters:
    ///   - testCase: The case.
    ///   - requirements: The suite's requirements, for citing.
    ///   - parties: Who is who in the trace.
    ///   - start: The moment that the first window counts from.
    ///   - options: What is known of the trace's origin.
    public init(
        testCase: TestCase, requirements: [Requirement], parties: Parties, start: Timestamp,
        options: Options = Options()
    ) {
        self.init(
            PreparedCase(testCase, requirements: requirements, options: options),
            parties: parties, start: start)
    }

    /// Prepares to judge a case on one trace.
    ///
    /// - Parameters:
    ///   - prepared: The case.
    ///   - parties: Who is who in the trace.
    ///   - start: The moment that the first window counts from.
    public init(_ prepared: PreparedCase, parties: Parties, start: Timestamp) {
        context = MatchContext(prepared, parties: parties, start: start)
        clock = start
        threads = [MatcherThread(context)]
        spread(at: start)
        nextDeadline = nextAlarm?.time
    }

    /// The part of the case that judging has reached; where that is open, the earlier one.
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
    /// Further messages are not looked at.
    public var isFinished: Bool {
        threads.isEmpty && !_ended.storage.isEmpty && _ended.storage[0].phase == .finished
    }

    /// Whether the case has failed, and only the waits after the one that broke its schedule are
    /// looked at.
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

    /// The names of the messages that the open ways wait for; `nil` if any may matter, as it does
    /// while it is watched what follows a failure.
    var awaitedNames: Set<String>? {
        guard ended == nil || isFinished else { return nil }
        var names: Set<String> = []
        for thread in threads {
            guard let own = thread.awaitedNames else { return nil }
            names.formUnion(own)
        }
        return names
    }

    /// Whether something was seen of each device on every open way: else any of its messages matters.
    var hasSeenDevices: Bool {
        threads.allSatisfy {
            $0.record.seenDevices.isSuperset(of: context.prepared.testCase.deviceNames)
        }
    }

    /// How many ways through the case are open.
    var wayCount: Int { threads.count }

    /// The next moment at which `advance(to:)` changes something; `nil` if only a message can.
    public private(set) var nextDeadline: Timestamp?

    /// Takes the next message of the trace.
    public mutating func consume(_ message: TraceMessage) -> Consumption {
        var result = Consumption(demands: advance(to: message.time))
        guard !isFinished else {
            noteHang(message)
            _ = ended?.record.stalls.note(message)
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
        spread(at: message.time)
        result.demands += heedAlarms()
        return result
    }

    /// Goes on with what a screen has seen by its head of a plain sequence of steps: the present step
    /// takes it, or it only shows the device.
    mutating func resume(_ message: TraceMessage, isTaken: Bool) {
        _ = advance(to: message.time)
        guard threads.count == 1 else { return }
        lastNumber = message.number
        threads[0].record.see(PlacedMessage(message, parties: context.parties))
        if isTaken { threads[0].complete(at: message.time, by: message) }
        spread(at: message.time)
        _ = heedAlarms()
    }

    /// Tells that time has come to `now` without a further message; a message that is earlier
    /// must not come afterwards.
    public mutating func advance(to now: Timestamp) -> [Demand] {
        clock = max(clock, now)
        guard let nextDeadline, nextDeadline <= clock else { return [] }
        return heedAlarms()
    }

    /// Who is who in the trace; of connections that have not been seen it may be learnt later.
    public var parties: Parties {
        get { context.parties }
        set {
            let context = MatchContext(context.prepared, parties: newValue, start: context.start)
            self.context = context
            ended?.context = context
            for index in threads.indices { threads[index].context = context }
        }
    }

    /// Takes note of a device that was found to hang when the case was over: it has not passed.
    private mutating func noteHang(_ message: TraceMessage) {
        guard message.name == DeviceEvent.hung else { return }
        let placed = PlacedMessage(message, parties: context.parties)
        ended?.noteHang(placed)
    }

    /// Ends judging: nothing more will come.
    ///
    /// An interrupted case on which no step was done yet is an `error`, any other interrupted case
    /// is `inconclusive`, both with the code `not-run`; what was already judged stands.
    ///
    /// What the capture does not show is not considered; see `Judgement.doubt`.
    ///
    /// - Parameters:
    ///   - end: When the trace ends.
    ///   - cause: Why.
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
    /// Does everything that time has made due, in the order of time.
    private mutating func heedAlarms() -> [Demand] {
        var demands: [Demand] = []
        while let next = nextAlarm, next.time <= clock {
            guard let index = next.thread else {
                _ = ended?.heed((next.time, next.kind))
                continue
            }
            if next.kind == .due, isRivalled(index, at: next.time) {
                threads[index].find(.ambiguous, at: next.time)
                threads = [threads[index]]
                ended = nil
            } else if let demand = threads[index].heed((next.time, next.kind)) {
                demands.append(demand)
            }
            spread(at: next.time)
        }
        nextDeadline = nextAlarm?.time
        return demands
    }

    /// The first alarm, and the thread that it belongs to; `nil` for the one that has ended.
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

    /// Whether an act is due on one thread while another may be the right one.
    private func isRivalled(_ index: Int, at time: Timestamp) -> Bool {
        guard threads.count > 1, threads[index].line?.isAct == true else { return false }
        return threads.indices.contains { $0 != index && !threads[$0].isOverdue(at: time) }
    }

    /// Follows every way that lies open, forgets threads that have come to the same, and parts from
    /// those that have ended.
    private mutating func spread(at time: Timestamp) {
        if threads.count == 1, threads[0].isOpen {
            let others = threads[0].branches.dropFirst()
            guard !others.isEmpty else {
                _ = threads[0].goOn(at: time)
                return
            }
        }
        retire()
        var spread: [MatcherThread] = []
        var places: [MatcherThread.EquivalenceKey: Int] = [:]
        for thread in threads {
            for way in thread.ways(at: time) {
                let equivalenceKey = way.equivalenceKey(at: time)
                if let place = places[equivalenceKey] {
                    if spread[place].patience < way.patience { spread[place] = way }
                    continue
                }
                places[equivalenceKey] = spread.count
                spread.append(way)
            }
            guard spread.count <= Limits.threadCountMax else {
                return giveUp(spread[0], at: time)
            }
        }
        threads = spread
    }

    private mutating func giveUp(_ thread: MatcherThread, at time: Timestamp) {
        var thread = thread
        thread.find(.tooManyWays, at: time)
        threads = []
        ended = thread
    }

    /// Parts from the threads that have ended; the first pass ends the case.
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
                thread.note(other)
                ended = thread
            } else {
                other.note(thread)
                ended = other
            }
        }
        threads.removeAll { !$0.isOpen }
    }
}

extension MatcherThread {
    /// This thread on every way that lies open.
    fileprivate func ways(at time: Timestamp) -> [MatcherThread] {
        guard !branches.isEmpty else { return [self] }
        return branches.map { branch in
            var way = self
            way.enter(branch, at: time)
            return way
        }
    }

    /// Whether this thread, which has ended too, explains the case better than another.
    fileprivate func isBetter(than other: MatcherThread) -> Bool {
        let (own, others) = (finding?.isOpenEnd == true, other.finding?.isOpenEnd == true)
        return own == others ? achievement > other.achievement : own
    }

    /// Remembers what another thread waited for that has come as far and ended by the same message.
    fileprivate mutating func note(_ other: MatcherThread) {
        guard let own = finding, let others = other.finding, own.isOpenEnd == others.isOpenEnd,
            own.message?.message.number == others.message?.message.number,
            configuration.takenCount == other.configuration.takenCount
        else { return }
        let known = own.otherLines + [own.line].compactMap(\.self)
        finding?.otherLines += (others.otherLines + [others.line].compactMap(\.self))
            .filter { !known.contains($0) }
    }
}
