import Results
import SuiteLanguage
import Trace
import Wire

/// Judges the rules of a case on everything that it sees, and keeps the states.
///
/// A message is judged by what was said before it: first the instances take it, then it may start
/// other instances, and then it changes the states. Memory is bounded by the limits below; what
/// they leave out makes the rules concerned inconclusive.
struct RuleSet: Sendable {
    let program: RuleProgram
    var states: StateStore
    var records: [RuleRecord]
    var instances: [RuleInstance] = []
    /// Instances that have failed; what comes later may still show that the machine was the cause.
    private var failed: [RuleInstance] = []
    var requests: RequestTable
    var seen: Set<Seen> = []
    /// The side of each connection that has sent its FIN first: whether it is the device.
    private var halfClosed: [Int: Bool] = [:]
    /// The sessions that have been opened on each connection.
    var sessions: [Int: Set<Int64>] = [:]
    /// The request on each connection that is to open a session.
    var openings: [Int: Opening] = [:]
    /// The devices that have ended.
    var gone: Set<String> = []
    /// The delays of the machine so far.
    private var stalls = MachineStallRecord()
    /// The last time at which a party said something or stopped owing something.
    var activity: Timestamp
    /// Changes with each of these.
    var activityCount = 1
    private var clock: Timestamp
    let beginning: Timestamp
    /// When time changes something.
    private(set) var nextDeadline: Timestamp?

    /// The largest number of instances that are judged at the same time.
    static let instanceCountMax = 4096
    /// The largest number of instances of a rule that are kept after they have failed.
    static let findingCountMax = 4

    init(_ program: RuleProgram, parties: Parties, start: Timestamp) {
        self.program = program
        states = StateStore(program)
        records = program.rules.map { _ in RuleRecord() }
        requests = RequestTable(program.protocols)
        activity = start
        clock = start
        beginning = start
        begin(.trace, at: start, parties)
        schedule()
    }

    /// The parties, as far as they are known so far.
    mutating func set(_ parties: Parties) {
        for index in instances.indices {
            instances[index].matcher.parties = parties.seen(in: instances[index].key)
        }
    }

    // MARK: - Messages

    /// Takes the next message; returns whether a state has changed.
    mutating func consume(_ message: TraceMessage, _ parties: Parties) -> Bool {
        advance(to: message.time)
        let isNamed = program.names.contains(message.name)
        let placed = PlacedMessage(message, parties: parties)
        if program.hasRest { record(placed) }
        if (message.content as? StreamBeginning)?.isBare == true { return false }
        recordUnread(placed)
        let isHeard = isNamed || !instances.isEmpty || program.readsScopes
        guard isHeard || message.name.isOfConnection else {
            recordRequest(placed)
            return false
        }
        let scopes = MessageScopes(placed, program, isSessionRead: isHeard)
        if placed.concernsParties, !placed.endsConnection {
            openSession(of: placed, scopes)
            beginScopes(scopes, at: message.time, parties)
        }
        // A device may end a connection that its peer has ended, whatever a rule forbids on it.
        if placed.endsConnection, placed.isFromDevice, let flow = message.flow,
            halfClosed[flow] == false
        {
            end(at: message.time) { $0.key.flow == flow && !$0.matcher.isOwing }
        }
        offer(placed, scopes)
        var isChanged = false
        if isNamed {
            trigger(by: placed, scopes, parties)
            let table = requests
            isChanged = states.update(by: placed, scopes, now: now(message.time)) {
                table.request(of: message)
            }
            if isChanged { bind() }
        }
        recordRequest(placed)
        if placed.endsConnection, let flow = message.flow { endConnection(flow, by: placed) }
        // What a process owes when it ends is owed no longer.
        if (message.content as? DeviceEvent)?.isWhole == true, let device = placed.sender {
            let devices = program.deviceNames
            end(at: message.time) { $0.isOwed(by: device, of: devices) }
        }
        if isUnsettled || program.hasRest { settle(at: message.time) }
        return isChanged
    }

    /// Ends what a connection owes; its states last until both sides have closed it.
    ///
    /// What a rule forbids is forbidden until the device can send nothing more.
    private mutating func endConnection(_ flow: Int, by message: PlacedMessage) {
        let isHalf = message.name == "tcp.FIN" && halfClosed[flow] != !message.isFromDevice
        let rules = program.rules
        let goesOn = isHalf && !message.isFromDevice
        end(at: message.time) {
            $0.key.flow == flow && !(goesOn && $0.onlyForbids(by: rules[$0.rule].rule))
        }
        guard !isHalf else {
            halfClosed[flow] = message.isFromDevice
            return
        }
        halfClosed[flow] = nil
        sessions[flow] = nil
        openings[flow] = nil
        states.end(flow)
        requests.end(flow)
        seen = seen.filter { $0.key.flow != flow }
    }

    private mutating func recordRequest(_ message: PlacedMessage) {
        guard program.readsRequests else { return }
        requests.consume(message)
        guard requests.isOverfull else { return }
        for index in program.rules.indices where program.rules[index].needsRequests {
            records[index].doubt = Self.tooManyRequests
        }
    }

    /// Makes everything doubtful that a message might have changed which a limit has hidden.
    private mutating func recordUnread(_ message: PlacedMessage) {
        guard message.isMalformed, let unread = message.content.unread else { return }
        let why = "\(unread.reason), in \(message.name)"
        for index in records.indices { records[index].doubt = records[index].doubt ?? why }
        states.doubtAll(why)
    }

    /// Passes a delay of the machine on to instances that have failed, after the case is over.
    mutating func recordLate(_ message: TraceMessage) {
        for index in failed.indices { _ = failed[index].matcher.consume(message) }
    }

    /// Offers a message to the instances of its scopes, and ends those that it ends.
    private mutating func offer(_ message: PlacedMessage, _ scopes: MessageScopes) {
        if stalls.record(message.message) { recordLate(message.message) }
        guard !instances.isEmpty else { return }
        let hears = program.rules.map {
            program.harnessPlaysPeers || message.name.isOfConnection
                || $0.names.contains(message.name)
        }
        var ending: Set<Int> = []
        for index in instances.indices {
            let instance = instances[index]
            let rule = program.rules[instance.rule].rule
            guard hears[instance.rule], isIn(instance.key, rule.scope, message, scopes) else {
                continue
            }
            _ = instances[index].matcher.consume(message.message)
            isUnsettled = true
            guard !rule.until.isEmpty, rule.until.contains(where: { $0.covers(message.name) })
            else { continue }
            let bindings = states.bindings(in: instance.key).merging(instance.trigger) { $1 }
            let seen = message.seen(in: instance.key)
            let why = rule.until.lazy.compactMap {
                $0.unread(in: seen) ?? $0.undecided(seen, bindings: bindings)
                    ?? $0.unreadableText(in: seen, bindings: bindings)
            }.first
            if let why { records[instance.rule].doubt = why }
            if rule.until.contains(where: { $0.means(seen, bindings: bindings) }) {
                ending.insert(index)
            }
        }
        guard !ending.isEmpty else { return }
        for index in ending.sorted(by: >) {
            finish(instances.remove(at: index), at: message.time)
        }
    }

    /// Whether a message concerns an instance with that key.
    ///
    /// What happens to a device concerns all connections, but no other device.
    private func isIn(
        _ key: ScopeKey, _ scope: RuleScope, _ message: PlacedMessage, _ scopes: MessageScopes
    ) -> Bool {
        guard message.message.source == nil else { return scopes.isIn(key, of: scope) }
        guard case .device(let name) = key, let sender = message.sender,
            program.harnessPlaysPeers
        else { return true }
        return name == sender
    }

    // MARK: - Triggers

    /// Starts the instances of rules that are triggered by the beginning of a scope.
    mutating func begin(_ key: ScopeKey, at time: Timestamp, _ parties: Parties) {
        for (index, prepared) in program.rules.enumerated()
        where prepared.rule.trigger == nil && prepared.rule.scope.includes(key) {
            guard seen.count < Self.instanceCountMax else {
                records[index].excess = Self.tooMany
                continue
            }
            guard seen.insert(Seen(rule: index, key: key)).inserted else { continue }
            start(index, key, at: time, frame: nil, [:], parties)
        }
    }

    private mutating func trigger(
        by message: PlacedMessage, _ scopes: MessageScopes, _ parties: Parties
    ) {
        for (index, prepared) in program.rules.enumerated() {
            guard let pattern = prepared.rule.trigger, pattern.covers(message.name),
                let key = scopes.key(prepared.rule.scope)
            else { continue }
            let seen = message.seen(in: key)
            let bindings = states.bindings(scopes)
            if let why = pattern.unread(in: seen) ?? pattern.undecided(seen, bindings: bindings)
                ?? pattern.unreadableText(in: seen, bindings: bindings)
            {
                records[index].excess = why
            }
            guard pattern.means(seen, bindings: bindings) else { continue }
            if let unread = message.content.unread {
                records[index].doubt = "\(unread.reason), in \(message.name)"
            }
            let known: [String: Value] = [
                "trigger": message.content.fields, "request": requests.request(of: message.message),
            ]
            start(
                index, key, at: message.time, frame: message.message.frames.last, known, parties)
        }
    }

    private mutating func start(
        _ index: Int, _ key: ScopeKey, at time: Timestamp, frame: Int?,
        _ known: [String: Value], _ parties: Parties
    ) {
        let prepared = program.rules[index]
        var known = known
        known[Rule.now] = now(time)
        let bindings = states.bindings(in: key).merging(known) { $1 }
        do throws(EvaluationError) {
            for condition in prepared.rule.conditions where try !condition.holds(bindings) {
                return
            }
        } catch {
            records[index].excess = error.description
            return
        }
        records[index].count += 1
        guard instances.count < Self.instanceCountMax else {
            records[index].excess = Self.tooMany
            return
        }
        var matcher = CaseMatcher(prepared.prepared, parties: parties.seen(in: key), start: time)
        matcher.bind(bindings)
        matcher.seed(stalls)
        var instance = RuleInstance(
            rule: index, number: records[index].count, key: key, start: time, frame: frame,
            matcher: matcher, trigger: known)
        let rule = prepared.rule
        examine(rule.holds, of: &instance, bindings, at: time, since: time, quiet: .zero)
        let isDone = rule.testCase.steps.isEmpty && rule.testCase.never.isEmpty
        if !rule.holds.isEmpty, isDone && rule.atRest.isEmpty || instance.matcher.hasFailed {
            finish(instance, at: time)
        } else {
            instances.append(instance)
            isUnsettled = true
        }
    }

    /// The seconds since the beginning of the trace, by the device's clock.
    func now(_ time: Timestamp) -> Value {
        .double((time - beginning) / .seconds(1) * program.timeScale.factor)
    }

    private static let tooMany =
        "more than \(instanceCountMax) instances of rules at the same time"
    private static let tooManyRequests =
        "more than \(RequestTable.countMax) requests wait for their answers"

    /// Gives the states their new values in all instances.
    private mutating func bind() {
        for index in instances.indices
        where !program.rules[instances[index].rule].rule.reads.isEmpty {
            instances[index].matcher.bind(states.bindings(in: instances[index].key))
        }
    }

    // MARK: - Time

    /// Advances time without a message.
    mutating func advance(to now: Timestamp) {
        clock = max(clock, now)
        while let deadline = nextDeadline, deadline <= clock {
            for index in instances.indices
            where instances[index].matcher.nextDeadline.map({ $0 <= deadline }) ?? false {
                _ = instances[index].matcher.advance(to: deadline)
            }
            settle(at: deadline)
            while let next = nextRest, next.time <= deadline { examine(next.index, at: deadline) }
            settle(at: deadline)
            if let next = nextDeadline, next <= deadline { break }
        }
    }

    /// Records the results of instances that are over, and when time changes something next.
    private mutating func settle(at time: Timestamp) {
        let wasOwing = isOwing
        for index in instances.indices.reversed() where instances[index].matcher.isFailedOrFinished
        {
            finish(instances.remove(at: index), at: time)
        }
        isUnsettled = false
        isOwing = program.hasRest && instances.contains(where: \.matcher.isOwing)
        if wasOwing, !isOwing { recordActivity(at: time) }
        schedule()
    }

    private var isOwing = false
    /// Whether an instance has begun, ended or received a message since the results were recorded.
    private var isUnsettled = true

    private mutating func schedule() {
        let next = instances.compactMap(\.matcher.nextDeadline).min()
        nextDeadline = [next, nextRest?.time].compactMap(\.self).min()
    }

    // MARK: - The end

    /// Ends instances without a verdict on what they still owe.
    mutating func end(at time: Timestamp, _ isEnded: (RuleInstance) -> Bool) {
        for index in instances.indices.reversed() where isEnded(instances[index]) {
            finish(instances.remove(at: index), at: time)
            isUnsettled = true
        }
    }

    private mutating func finish(_ instance: RuleInstance, at time: Timestamp) {
        var instance = instance
        let rule = program.rules[instance.rule].rule
        if instance.matcher.hasFailed {
            if failed.count(where: { $0.rule == instance.rule }) < Self.findingCountMax {
                failed.append(instance)
            } else {
                records[instance.rule].failed += 1
            }
            return
        }
        let judgement = instance.matcher.finish(at: time, cause: .endKnown)
        let isUnexamined =
            rule.testCase.steps.isEmpty && rule.testCase.never.isEmpty && !instance.wasExamined
        if instance.matcher.isLeftOpen
            || judgement.verdict == .pass
                && (isUnexamined || !instance.wasWatched(rule, until: time))
        {
            records[instance.rule].open += 1
        } else {
            add(judgement, of: instance)
        }
    }

    private mutating func add(_ judgement: Judgement, of instance: RuleInstance) {
        switch judgement.verdict {
        case .pass: records[instance.rule].passed += 1
        case .fail: records[instance.rule].failed += 1
        default: records[instance.rule].inconclusive += 1
        }
        guard judgement.verdict != .pass,
            records[instance.rule].findings.count < Self.findingCountMax
        else { return }
        records[instance.rule].findings.append((instance, judgement))
    }

    /// Ends judging.
    mutating func finish(at end: Timestamp) {
        advance(to: end)
        self.end(at: end) { _ in true }
        for var instance in failed.sorted(by: { $0.number < $1.number }) {
            add(instance.matcher.finish(at: end, cause: .endKnown), of: instance)
        }
        failed = []
    }
}
