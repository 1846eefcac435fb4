import SuiteLanguage
import Trace
import Wire

/// A recorded suite as YAML, with the condition that each line came from.
struct RecordedSuiteText {
    /// The text so far, line by line.
    private(set) var lines: [String] = []
    /// The conditions by the line that they are on, counted from 1.
    private(set) var places: [Int: RecordedSteps.Refusal] = [:]

    /// The complete text.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Adds a line.
    mutating func add(_ line: String) { lines.append(line) }

    /// Adds steps under a key such as `steps`.
    ///
    /// - Parameters:
    ///   - recorded: The steps.
    ///   - slots: The slots of its plain steps, in order.
    ///   - within: The default window, which is not written.
    mutating func add(
        _ recorded: [RecordedLine], slots: ArraySlice<Int>, usual within: Duration
    ) {
        var slots = slots
        for line in recorded {
            switch line {
            case .plain(let step):
                add(step, slots.popFirst(), "      - ", within)
            case .optional(let steps):
                add("      - optional:  # not in every capture")
                for step in steps { add(step, slots.popFirst(), "          - ", within) }
            case .anyOrder(let lists):
                add("      - anyOrder:  # not in the same order in every capture")
                for list in lists {
                    let isList = list.count > 1
                    for (number, step) in list.enumerated() {
                        let lead = number == 0 ? "- - " : "  - "
                        add(
                            step, slots.popFirst(), "          " + (isList ? lead : "- "), within)
                    }
                }
            }
        }
    }

    private mutating func add(
        _ step: RecordedStep, _ slot: Int?, _ lead: String, _ usual: Duration
    ) {
        add("\(lead)expect: \(step.message)")
        let inner = String(repeating: " ", count: lead.count)
        if let from = step.from { add("\(inner)from: \(Value.string(from).suiteText)") }
        if !step.saves.isEmpty {
            let saves = step.saves.map { "\($0.variable): \(Value.string("\($0.path)").suiteText)" }
            add("\(inner)save: {\(saves.joined(separator: ", "))}")
        }
        if let after = step.after { add("\(inner)after: \(after.suiteText)") }
        if step.within != usual { add("\(inner)within: \(step.within.suiteText)") }
        if let check = step.check { add("\(inner)checks: [\(check)]") }
        guard !step.rules.isEmpty else { return }
        add("\(inner)where:")
        for rule in step.rules {
            add("\(inner)  \(Value.string("\(rule.path)").suiteText): \(rule.rule.suiteText)")
            if let slot {
                places[lines.count] = RecordedSteps.Refusal(slot: slot, path: rule.path)
            }
        }
    }
}
