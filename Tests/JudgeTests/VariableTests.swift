import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// `save` and the use of saved values.
@Suite struct VariableTests {
    static let echo = testCase([
        expect("sdl.A", save: ["id": "params.appID"]),
        expect("sdl.B", line: 12, where: ["params.appID": variable("id")]),
    ])

    /// The saved value plus one.
    static let next = ValueExpression.template([
        .expression(.arithmetic(.variable("id"), .plus, .literal(1)))
    ])

    static let scenarios: [Scenario] = [
        Scenario(
            "a saved value is found again", echo,
            [sent("sdl.A", 0.1, ["appID": "x7"]), sent("sdl.B", 0.2, ["appID": "x7"])], .pass),
        Scenario(
            "another value than the saved one fails and shows it", echo,
            [sent("sdl.A", 0.1, ["appID": "x7"]), sent("sdl.B", 0.2, ["appID": "x8"])], .fail,
            .field, ["with params.appID x7 within 5s, got params.appID x8"]),
        Scenario(
            "an absent field fails", echo,
            [sent("sdl.A", 0.1, ["appID": "x7"]), sent("sdl.B", 0.2)], .fail, .field,
            ["got no params.appID"]),
        Scenario(
            "several wrong fields are all named",
            testCase([
                expect("sdl.A", where: ["params.n": equals(1), "params.t": equals("x")])
            ]), [sent("sdl.A", 0.1, ["n": 2, "t": "y"])], .fail, .field,
            ["with params.n 1 and params.t x", "got params.n 2 and params.t y"]),
        Scenario(
            "a variable that got no value is an error of the suite", echo,
            [sent("sdl.A", 0.1), sent("sdl.B", 0.2, ["appID": "x7"])], .error, .setup,
            ["step 2 (suite.yaml:12): the variable id has no value"]),
        Scenario(
            "a send of a variable without a value is an error of the suite",
            testCase([sending("sdl.N", with: ["params.id": .template([.variable("id")])])]), [],
            .error, .setup, ["the variable id has no value"]),
        Scenario(
            "what cannot be computed from a saved value is an error that names the step",
            testCase([
                expect("sdl.A", save: ["id": "params.n"]),
                expect("sdl.B", line: 12, where: ["params.n": .equals(next)]),
            ]), [sent("sdl.A", 0.1, ["n": "x"]), sent("sdl.B", 0.2, ["n": 2])], .error, .setup,
            [
                "step 2 (suite.yaml:12): \"${id + 1}\" has no value: \"+\" takes numbers, "
                    + "not the text \"x\""
            ]),
        Scenario(
            "what can be computed from a saved value is compared",
            testCase([
                expect("sdl.A", save: ["id": "params.n"]),
                expect("sdl.B", where: ["params.n": .equals(next)]),
            ]), [sent("sdl.A", 0.1, ["n": 1]), sent("sdl.B", 0.2, ["n": 3])], .fail, .field,
            ["with params.n 2 within 5s, got params.n 3"]),
        Scenario(
            "a send of what cannot be computed is an error that names the step",
            testCase([
                expect("sdl.A", save: ["id": "params.n"]),
                sending("sdl.N", with: ["params.n": next]),
            ]), [sent("sdl.A", 0.1, ["n": "x"])], .error, .setup, ["\"${id + 1}\" has no value"]),
        Scenario(
            "a rule that cannot be computed is an error, not silence",
            testCase(
                [expect("sdl.A", save: ["id": "params.n"]), expect("sdl.B")],
                never: [never("sdl.X", where: ["params.n": .equals(next)])],
                ignore: [pattern("sdl.X")]),
            [sent("sdl.A", 0.1, ["n": "x"]), sent("sdl.X", 0.2, ["n": 2])], .error, .setup,
            ["\"${id + 1}\" has no value"]),
        Scenario(
            "a rule about what has not been saved yet keeps silent",
            testCase(
                [expect("sdl.A", save: ["id": "params.n"]), expect("sdl.B")],
                never: [never("sdl.X", where: ["params.n": .equals(next)])],
                ignore: [pattern("sdl.X")]),
            [
                sent("sdl.X", 0.05, ["n": 2]), sent("sdl.A", 0.1, ["n": 1]),
                sent("sdl.B", 0.2),
            ], .pass),
        Scenario(
            "never and ignore know variables",
            testCase(
                [expect("sdl.A", save: ["id": "params.n"]), expect("sdl.B")],
                never: [never("sdl.X", where: ["params.n": variable("id")])],
                ignore: [pattern("sdl.X")]),
            [
                sent("sdl.A", 0.1, ["n": 1]), sent("sdl.X", 0.2, ["n": 2]),
                sent("sdl.X", 0.3, ["n": 1]),
            ], .fail, .absence, ["sdl.X came 200 ms after step 1 (frame 3)"]),
        Scenario(
            "a send with other fields is not the one demanded",
            testCase([sending("sdl.N", with: ["params.n": .literal(1)]), expect("sdl.A")]),
            [hu("sdl.N", 0.01, ["n": 2]), hu("sdl.N", 0.02, ["n": 1]), sent("sdl.A", 0.1)], .pass),
        Scenario(
            "a send without a field is not the message that has it",
            testCase([sending("sdl.N", without: ["params.n"], within: .seconds(1))]),
            [hu("sdl.N", 0.01, ["n": 2])], .inconclusive, .sequence,
            ["peer hu did not send", "the nearest was sdl.N with params.n 2"]),
        Scenario(
            "a send is found by what it saved before",
            testCase([
                expect("sdl.A", save: ["id": "params.n"]),
                sending("sdl.N", with: ["params.n": .template([.variable("id")])]),
            ]),
            [sent("sdl.A", 0.1, ["n": 5]), hu("sdl.N", 0.11, ["n": 5])], .pass),
    ]

    @Test("Saved values can be used in later conditions", arguments: scenarios)
    func variables(_ scenario: Scenario) {
        scenario.verify()
    }
}
