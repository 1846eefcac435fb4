import BuiltInProtocols
import PeerKit
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

/// Returns the position of a made-up step: in `suite.yaml`, column 7.
func at(_ line: Int) -> SourcePosition {
    SourcePosition(file: "suite.yaml", line: line, column: 7)
}

/// Returns a step that waits for a message.
func expect(
    _ name: String, line: Int = 10, id: String? = nil, from: String = "device",
    to: String? = nil, where conditions: [String: ValueMatcher] = [:],
    save: [String: String] = [:], within: Duration = .seconds(5), since: String? = nil,
    after: Duration? = nil, at exact: Duration? = nil, tolerance: Tolerance = Tolerance(),
    checks: [String] = []
) -> Step {
    Step(
        verb: .expect(name), position: at(line), id: id, from: from, to: to,
        conditions: conditions.sorted { $0.key < $1.key }.compactMap(condition),
        saves: save.sorted { $0.key < $1.key }.compactMap { entry in
            FieldPath(entry.value).map { Step.Save(variable: entry.key, path: $0) }
        }, within: within, since: since, after: after, at: exact, tolerance: tolerance,
        checks: checks)
}

/// Returns a step in which the head unit sends.
func sending(
    _ name: String, line: Int = 20, with fields: [String: ValueExpression] = [:],
    without: [String] = [], answering: Int? = nil, after: Duration? = nil,
    within: Duration = .seconds(5), id: String? = nil, tolerance: Tolerance = Tolerance()
) -> Step {
    let replaced = fields.sorted { $0.key < $1.key }.compactMap { entry in
        FieldPath(entry.key).map { FieldAssignment(path: $0, value: entry.value) }
    }
    let removed = without.compactMap { FieldPath($0) }.map { FieldAssignment(path: $0, value: nil) }
    return Step(
        verb: .send(name, overrides: replaced + removed, answering: answering), position: at(line),
        id: id, from: "hu", within: within, after: after, tolerance: tolerance)
}

/// Returns a step in which a peer or the upper tester acts.
func act(_ party: String, _ name: String, _ argument: Value = .null, line: Int = 30) -> Step {
    Step(
        verb: .perform(Step.Action(party: party, name: name, arguments: .literal(argument))),
        position: at(line), from: party)
}

/// Returns a step that lets time pass.
func pause(_ duration: Duration, line: Int = 40) -> Step {
    Step(verb: .wait(duration), position: at(line))
}

/// Returns a `never` rule.
func never(
    _ name: String, from: String? = nil, where conditions: [String: ValueMatcher] = [:],
    checks: [String] = []
) -> NeverRule {
    NeverRule(pattern: pattern(name, from: from, where: conditions, line: 50), checks: checks)
}

/// Returns an `ignore` entry.
func pattern(
    _ name: String, from: String? = nil, where conditions: [String: ValueMatcher] = [:],
    line: Int = 60
) -> MessagePattern {
    MessagePattern(
        message: name, from: from,
        conditions: conditions.sorted { $0.key < $1.key }.compactMap(condition),
        position: at(line))
}

/// Returns a matcher for exactly that value.
func equals(_ value: Value) -> ValueMatcher { .equals(.literal(value)) }

/// Returns a matcher for the value of that variable.
func variable(_ name: String) -> ValueMatcher { .equals(.template([.variable(name)])) }

private func condition(_ entry: (key: String, value: ValueMatcher)) -> FieldCondition? {
    FieldPath(entry.key).map {
        FieldCondition(path: $0, matcher: entry.value, position: at(11))
    }
}

/// Returns a case that judges `R-1` with the head unit and a second one.
func testCase(
    preamble: [Step] = [], _ steps: [Step], never rules: [NeverRule] = [],
    ignore: [MessagePattern] = [], unexpected: UnexpectedPolicy = .fail,
    quiet: Duration = .milliseconds(200), timeout: Duration = .seconds(60),
    checks: [String] = ["R-1"]
) -> TestCase {
    TestCase(
        id: "case", title: "A case", position: at(1), checks: checks,
        peers: ["hu", "hu2"].map {
            PeerDeclaration(
                name: $0, kind: PeerModule.headUnit.kind, settings: .object([]), position: at(2))
        }, preamble: preamble, steps: steps, never: rules, ignore: ignore, unexpected: unexpected,
        quiet: quiet, timeout: timeout, known: KnownMessages(.builtIn))
}

/// The requirements of every made-up suite.
let requirements = (1...4).map {
    Requirement(
        id: "R-\($0)", text: "Sentence \($0).", source: "Document \($0)", wire: "", position: at(70)
    )
}
