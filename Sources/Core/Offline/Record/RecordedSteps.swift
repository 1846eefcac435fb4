import SuiteLanguage
import Trace
import Wire

/// One plain step of a recorded suite.
struct RecordedStep {
    /// The message.
    let message: String
    /// The peer that sends it; `nil` for the device.
    let from: String?
    /// The requirement that it judges; `nil` for those of the case.
    var check: String?
    /// The latest time.
    var within: Duration
    /// The earliest time; `nil` where the captures show none.
    var after: Duration?
    /// Variables by name, with the fields that they take their values from.
    var saves: [(variable: String, path: FieldPath)] = []
    /// What is demanded of fields, sorted by path.
    var rules: [(path: FieldPath, rule: FieldRule)] = []
}

/// Steps in the order in which the suite lists them.
enum RecordedLine {
    case plain(RecordedStep)
    case optional([RecordedStep])
    case anyOrder([[RecordedStep]])
}

/// Turns a sequence into steps with time windows, conditions, and variables.
struct RecordedSteps {
    private let sequence: GoldenSequence
    private let traces: [GoldenTrace]
    private let known: KnownMessages
    /// Conditions that the loader refuses, by slot.
    private let refused: Set<Refusal>
    private var saves: [Int: [(variable: String, path: FieldPath)]] = [:]
    private var variables: Set<String> = []
    /// The number of the last variable with a name and a number.
    private var counts: [String: Int] = [:]
    /// The slots so far whose steps are certain to have been done and hold a value, by capture.
    private var holders: [Int: [Value: [Int]]] = [:]
    /// The answers to requests of peers so far.
    private var answers: Set<String> = []
    /// When the last step was done in each capture.
    private var last: [Timestamp]

    /// A condition that the loader refuses.
    struct Refusal: Hashable {
        let slot: Int
        let path: FieldPath
    }

    /// The slot that each plain step was made from, in the order of the steps.
    private(set) var slots: [Int] = []

    init(_ plan: RecordingPlan, refused: Set<Refusal>) {
        sequence = plan.sequence
        traces = plan.traces
        known = plan.known
        self.refused = refused
        last = plan.traces.map(\.start)
    }

    /// Returns the steps of a range of slots; must be called for one range after the other.
    ///
    /// - Parameters:
    ///   - range: The slots.
    ///   - check: Returns the requirement that a message of the device judges.
    mutating func lines(
        _ range: Range<Int>, check: (String) -> String?
    ) -> [RecordedLine] {
        sequence.items(range).map { item in
            switch item {
            case .always(let slot):
                let step = step(slot, check)
                recordDone(slot)
                return .plain(step)
            case .optional(let slots): return .optional(slots.map { step($0, check) })
            case .anyOrder(let lists):
                let before = last
                var after = last
                let steps = lists.map { slots in
                    last = before
                    defer { after = zip(after, last).map { max($0, $1) } }
                    return slots.map { step($0, check) }
                }
                last = after
                lists.flatMap(\.self).forEach { recordDone($0) }
                return .anyOrder(steps)
            }
        }
    }

    /// Adds the variables that steps save, where the captures contain their values.
    ///
    /// It must be called on the finished lines.
    func withSaves(_ lines: [RecordedLine], from first: Int) -> [RecordedLine] {
        var place = first
        func add(_ step: RecordedStep) -> RecordedStep {
            var step = step
            step.saves = saves[slots[place]] ?? []
            place += 1
            return step
        }
        return lines.map { line in
            switch line {
            case .plain(let step): .plain(add(step))
            case .optional(let steps): .optional(steps.map(add))
            case .anyOrder(let lists): .anyOrder(lists.map { $0.map(add) })
            }
        }
    }

    private mutating func step(_ slot: Int, _ check: (String) -> String?) -> RecordedStep {
        slots.append(slot)
        let key = sequence.slots[slot].key
        let events = sequence.slots[slot].events
        let isDevice = key.party == Step.device
        var gaps: [Duration] = []
        for (capture, event) in events {
            gaps.append(max(.zero, event.time - last[capture]))
            last[capture] = event.time
        }
        let window = StepWindow(gaps: gaps, isRepeated: traces.count > 1)
        var step = RecordedStep(
            message: key.message, from: isDevice ? nil : key.party,
            check: isDevice ? check(key.message) : nil, within: window.within, after: window.after)
        guard isDevice else { return step }
        step.rules = rules(slot).sorted { "\($0.path)" < "\($1.path)" }
        return step
    }

    // MARK: conditions

    private mutating func rules(_ slot: Int) -> [(path: FieldPath, rule: FieldRule)] {
        let key = sequence.slots[slot].key
        let contents = sequence.slots[slot].events.mapValues { $0.content(known) }
        guard let first = contents.values.first else { return [] }
        let paths = first.keys.filter { path in contents.values.allSatisfy { $0[path] != nil } }
            .sorted { "\($0)" < "\($1)" }
        var rules: [(path: FieldPath, rule: FieldRule)] = []
        for path in paths where !refused.contains(Refusal(slot: slot, path: path)) {
            let values = contents.mapValues { $0[path] ?? .null }
            let isVolatile = values.values.contains { Volatility.isVolatile(path, $0) }
            if isVolatile, let variable = variable(holding: values, before: slot) {
                rules.append((path, .variable(variable)))
            } else if let rule = Generalisation.rule(
                path, values.sorted { $0.key < $1.key }.map(\.value), of: key.message, known)
            {
                rules.append((path, rule))
            }
        }
        return rules + answer(slot)
    }

    /// Returns rules by which a device's answer has the identifier of the request that it answers.
    private mutating func answer(_ slot: Int) -> [(path: FieldPath, rule: FieldRule)] {
        let key = sequence.slots[slot].key
        guard answers.contains(key.message) else { return [] }
        let identifiers = sequence.slots[slot].events.mapValues { $0.identifiers(known) }
        guard let paths = identifiers.values.first?.keys.sorted(by: { "\($0)" < "\($1)" }) else {
            return []
        }
        var rules: [(path: FieldPath, rule: FieldRule)] = []
        for path in paths where !refused.contains(Refusal(slot: slot, path: path)) {
            let values = identifiers.mapValues { $0[path] ?? .null }
            guard let variable = variable(holding: values, before: slot, answering: key.message)
            else { continue }
            rules.append((path, .variable(variable)))
        }
        return rules
    }

    // MARK: values that are handed on

    /// The largest number of messages that are examined for one value.
    private static let holdersMax = 256

    /// Records that the step of a slot is certain to have been done.
    private mutating func recordDone(_ slot: Int) {
        let key = sequence.slots[slot].key
        if key.party != Step.device, let answer = known.message(named: key.message)?.response {
            answers.insert(answer)
        }
        for (capture, event) in sequence.slots[slot].events {
            for value in Set(contents(of: event).values) {
                holders[capture, default: [:]][value, default: []].append(slot)
            }
        }
    }

    private func contents(of event: GoldenTrace.Event) -> [FieldPath: Value] {
        event.content(known).merging(event.identifiers(known)) { $1 }
    }

    /// Returns the variable that holds these values in their captures; `nil` if there is none.
    ///
    /// Only a step that is certain to have been done can save it.
    ///
    /// - Parameter message: If given, only steps of requests that this message answers are used.
    private mutating func variable(
        holding values: [Int: Value], before slot: Int, answering message: String? = nil
    ) -> String? {
        guard let first = values.min(by: { $0.key < $1.key }) else { return nil }
        let earlier = holders[first.key]?[first.value] ?? []
        for earlier in earlier.suffix(Self.holdersMax).reversed() {
            let source = sequence.slots[earlier]
            if let message {
                let answer = known.message(named: source.key.message)?.response
                guard source.key.party != Step.device, answer == message else { continue }
            }
            let held = source.events.mapValues(contents)
            guard let candidates = held[first.key] else { continue }
            let path = candidates.keys.sorted { "\($0)" < "\($1)" }.first { path in
                known.fieldType(of: path, inMessage: source.key.message) != nil
                    && values.allSatisfy { capture, value in held[capture]?[path] == value }
            }
            if let path { return variable(for: path, of: earlier) }
        }
        return nil
    }

    private mutating func variable(for path: FieldPath, of slot: Int) -> String {
        if let known = saves[slot]?.first(where: { $0.path == path }) { return known.variable }
        var base = "value"
        if case .name(let name)? = path.components.last {
            let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            if plain.first?.isLetter == true { base = plain }
        }
        var name = base
        while !variables.insert(name).inserted {
            let number = counts[base, default: 1] + 1
            counts[base] = number
            name = "\(base)\(number)"
        }
        saves[slot, default: []].append((name, path))
        return name
    }
}

/// The time window of a recorded message.
struct StepWindow {
    /// The latest time.
    let within: Duration
    /// The earliest time; `nil` where the captures show none.
    let after: Duration?

    /// The windows that people usually write.
    private static let common: [Duration] = [
        1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1800, 3600,
    ].map { .seconds($0) }
    /// A gap is intended, not chance, if it is at least this long and the captures agree on it.
    private static let purposeMin: Duration = .milliseconds(500)
    private static let agreement = 0.25

    /// Creates a window.
    ///
    /// The latest time is twice the longest gap and half a second, rounded up. The earliest is set
    /// only if several captures agree on a gap.
    init(gaps: [Duration], isRepeated: Bool) {
        let longest = gaps.max() ?? .zero
        let shortest = gaps.min() ?? .zero
        let needed = longest * 2 + .milliseconds(500)
        within = Self.common.first { $0 >= needed } ?? needed
        let agrees = longest - shortest <= longest * Self.agreement
        guard isRepeated, gaps.count > 1, shortest >= Self.purposeMin, agrees else {
            after = nil
            return
        }
        let tenths = (shortest * 0.8).wholeNanoseconds / 100_000_000
        after = .milliseconds(tenths * 100)
    }
}
