import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// The order, presence and absence of messages.
@Suite struct SequenceTests {
    static let abc = testCase([
        expect("sdl.A", line: 11), expect("sdl.B", line: 12), expect("sdl.C", line: 13),
    ])
    static let two = testCase(
        [expect("sdl.A"), expect("sdl.B")], never: [never("sdl.Bad", checks: ["R-2"])])
    static let reached = testCase(
        preamble: [expect("sdl.P", line: 5)], [expect("sdl.A", line: 11)],
        never: [never("sdl.Bad")])
    static let shows = testCase([
        expect("sdl.S", where: ["params.n": equals(1)]),
        expect("sdl.S", where: ["params.n": equals(2)]),
    ])

    static let order: [Scenario] = [
        Scenario(
            "all in order passes", abc,
            [sent("sdl.A", 0.1), sent("sdl.B", 0.2), sent("sdl.C", 0.3)], .pass),
        Scenario(
            "swapped messages fail", abc,
            [sent("sdl.B", 0.1), sent("sdl.A", 0.2), sent("sdl.C", 0.3)], .fail, .sequence,
            [
                "step 1 (suite.yaml:11): expected sdl.A within 5s",
                "step 2's message sdl.B came before",
            ]
        ),
        Scenario(
            "a missing message is seen at the next one", abc,
            [sent("sdl.A", 0.1), sent("sdl.C", 0.3)], .fail, .sequence,
            [
                "step 2 (suite.yaml:12)",
                "step 3's message sdl.C came before it 200 ms after step 1 (frame 2)",
            ]
        ),
        Scenario(
            "a missing last message fails at its deadline", abc,
            [sent("sdl.A", 0.1), sent("sdl.B", 0.2)], .fail, .sequence,
            ["step 3 (suite.yaml:13): expected sdl.C within 5s, nothing came"]),
        Scenario(
            "a message twice fails", abc,
            [sent("sdl.A", 0.1), sent("sdl.A", 0.2), sent("sdl.B", 0.3)], .fail, .sequence,
            ["step 2", "step 1's message sdl.A came again 100 ms after step 1 (frame 2)"]),
        Scenario(
            "a message nobody expects fails", abc,
            [sent("sdl.A", 0.1), sent("sdl.X", 0.2), sent("sdl.B", 0.3)], .fail, .unexpected,
            ["step 2", "unexpected sdl.X 100 ms after step 1 (frame 2)"]),
        Scenario(
            "the second of two like messages came first", shows,
            [sent("sdl.S", 0.1, ["n": 2]), sent("sdl.S", 0.2, ["n": 1])], .fail, .sequence,
            [
                "step 1", "expected sdl.S with params.n 1",
                "step 2's message sdl.S with params.n 2 came before",
            ]),
        Scenario(
            "the first of two like messages came again", shows,
            [sent("sdl.S", 0.1, ["n": 1]), sent("sdl.S", 0.2, ["n": 1])], .fail, .sequence,
            [
                "step 2", "expected sdl.S with params.n 2",
                "step 1's message sdl.S with params.n 1 came again",
            ]),
        Scenario(
            "neither of two like messages is a field failure", shows,
            [sent("sdl.S", 0.1, ["n": 3])], .fail, .field,
            ["with params.n 1 within 5s, got params.n 3, 100 ms after the case began (frame 1)"]),
        Scenario(
            "wrong fields are not what a later step without conditions expects",
            testCase([expect("sdl.S", where: ["params.n": equals(1)]), expect("sdl.S")]),
            [sent("sdl.S", 0.1, ["n": 3])], .fail, .field, ["got params.n 3"]),
        Scenario(
            "wrong fields are not what an earlier step without conditions took",
            testCase([expect("sdl.S"), expect("sdl.S", where: ["params.n": equals(1)])]),
            [sent("sdl.S", 0.1), sent("sdl.S", 0.2, ["n": 3])], .fail, .field, ["got params.n 3"]),
        Scenario(
            "a pattern with a star takes any of its messages",
            testCase([expect("sdl.*"), expect("sdl.B")]),
            [sent("sdl.Whatever", 0.1), sent("sdl.B", 0.2)], .pass),
        Scenario(
            "peers' messages that no step takes are passed over", abc,
            [
                hu("sdl.N", 0.05), sent("sdl.A", 0.1), hu("sdl.B", 0.15), sent("sdl.B", 0.2),
                sent("sdl.C", 0.3),
            ], .pass),
        Scenario(
            "strangers are passed over", abc,
            [
                sent("sdl.A", 0.1), stranger("sdl.Bad", 0.15), sent("sdl.B", 0.2),
                sent("sdl.C", 0.3), stranger("tcp.data", 0.4),
            ], .pass),
        Scenario(
            "the same message to another peer is not it",
            testCase([expect("sdl.A", to: "hu"), expect("sdl.B")]),
            [sent("sdl.A", 0.1, to: Cast.second)], .fail, .unexpected, ["unexpected sdl.A"]),
        Scenario(
            "the message to the right peer is it",
            testCase([expect("sdl.A", to: "hu2")]), [sent("sdl.A", 0.1, to: Cast.second)], .pass),
        Scenario(
            "an empty trace is missing its first message", abc, [], .fail, .sequence,
            ["step 1", "nothing came"]),
    ]

    @Test("The order of messages decides the verdict", arguments: order)
    func inOrder(_ scenario: Scenario) { scenario.verify() }

    static let rules: [Scenario] = [
        Scenario(
            "never in the body fails and cites the rule", two,
            [sent("sdl.A", 0.1), sent("sdl.Bad", 0.2), sent("sdl.B", 0.3)], .fail, .absence,
            ["step 2", "sdl.Bad came 100 ms after step 1 (frame 2), which never (suite.yaml:50)"]),
        Scenario(
            "a field that never names is named with its value",
            testCase(
                [expect("sdl.A"), expect("sdl.B")],
                never: [
                    never(
                        "sdl.Bad",
                        where: [
                            "params.size": .minimum(.literal(214)), "params.kind": equals("x"),
                        ])
                ]),
            [sent("sdl.A", 0.1), sent("sdl.Bad", 0.2, ["size": 283, "kind": "x"])], .fail,
            .absence, ["forbids: params.kind x and params.size 283 ({min: 214})"]),
        Scenario(
            "never in the closing window fails", two,
            [sent("sdl.A", 0.1), sent("sdl.B", 0.2), sent("sdl.Bad", 0.4)], .fail, .absence,
            ["closing window after step 2", "sdl.Bad came 200 ms after step 2 (frame 3)"]),
        Scenario(
            "never after the closing window is not seen", two,
            [sent("sdl.A", 0.1), sent("sdl.B", 0.2), sent("sdl.Bad", 0.400_000_001)], .pass),
        Scenario(
            "never in the preamble is only unexpected", reached,
            [sent("sdl.Bad", 0.1), sent("sdl.P", 0.2), sent("sdl.A", 0.3)], .inconclusive,
            .preamble, ["step 1 (suite.yaml:5, preamble)", "unexpected sdl.Bad"]),
        Scenario(
            "a message that a step takes breaks a rule that is narrower",
            testCase(
                [expect("sdl.A"), expect("sdl.B")],
                never: [never("sdl.A", where: ["params.n": equals(2)])]),
            [sent("sdl.A", 0.1, ["n": 2]), sent("sdl.B", 0.2)], .fail, .absence,
            ["step 1", "forbids"]),
        Scenario(
            "a step that asks for what a rule forbids allows its message",
            testCase(
                [expect("sdl.A", where: ["params.n": equals(12)])],
                never: [never("sdl.A", where: ["params.n": .minimum(.literal(10))])]),
            [sent("sdl.A", 0.1, ["n": 12])], .pass),
        Scenario(
            "a step that only bounds a field does not allow what a rule forbids",
            testCase(
                [expect("sdl.A", where: ["params.n": .minimum(.literal(1))])],
                never: [never("sdl.A", where: ["params.n": .minimum(.literal(10))])]),
            [sent("sdl.A", 0.1, ["n": 12])], .fail, .absence, ["step 1"]),
        Scenario(
            "never sees only what no step took",
            testCase([expect("sdl.A")], never: [never("sdl.A")]), [sent("sdl.A", 0.1)], .pass),
        Scenario(
            "never on the message a step has taken means a second one",
            testCase([expect("sdl.A")], never: [never("sdl.A")]),
            [sent("sdl.A", 0.1), sent("sdl.A", 0.2)], .fail, .absence, ["sdl.A came"]),
        Scenario(
            "never means the device unless it says whom", two,
            [sent("sdl.A", 0.1), hu("sdl.Bad", 0.2), sent("sdl.B", 0.3)], .pass),
        Scenario(
            "never of a peer's message",
            testCase([expect("sdl.A")], never: [never("sdl.NAK", from: "hu")]),
            [sent("sdl.A", 0.1), hu("sdl.NAK", 0.2)], .fail, .absence, ["sdl.NAK came"]),
        Scenario(
            "the awaited message with wrong fields is a field failure, whatever never says of it",
            testCase(
                [expect("sdl.A", where: ["params.n": equals(1)])], never: [never("sdl.A")]),
            [sent("sdl.A", 0.1, ["n": 2])], .fail, .field, ["got params.n 2"]),
        Scenario(
            "never with conditions of its own goes before wrong fields",
            testCase(
                [expect("sdl.A", where: ["params.n": equals(1)])],
                never: [never("sdl.A", where: ["params.n": equals(2)])]),
            [sent("sdl.A", 0.1, ["n": 2])], .fail, .absence),
        Scenario(
            "wrong fields that are ignored do not escape never",
            testCase(
                [expect("sdl.A", where: ["params.n": equals(1)])], never: [never("sdl.A")],
                ignore: [pattern("sdl.A")]),
            [sent("sdl.A", 0.1, ["n": 2])], .fail, .absence),
        Scenario(
            "a peer's message with wrong fields does not escape never",
            testCase(
                [expect("sdl.R", from: "hu", where: ["params.n": equals(1)])],
                never: [never("sdl.R", from: "hu")]),
            [hu("sdl.R", 0.1, ["n": 2])], .fail, .absence),
        Scenario(
            "where the unexpected is allowed, never forbids wrong fields too",
            testCase(
                [expect("sdl.A", where: ["params.n": equals(1)])], never: [never("sdl.A")],
                unexpected: .allow),
            [sent("sdl.A", 0.1, ["n": 2])], .fail, .absence),
        Scenario(
            "never with a condition that does not hold",
            testCase(
                [expect("sdl.A")], never: [never("sdl.X", where: ["params.n": equals(2)])],
                ignore: [pattern("sdl.X")]),
            [sent("sdl.A", 0.1), sent("sdl.X", 0.2, ["n": 1])], .pass),
        Scenario(
            "never goes before ignore",
            testCase([expect("sdl.A")], never: [never("sdl.X")], ignore: [pattern("sdl.*")]),
            [sent("sdl.A", 0.1), sent("sdl.X", 0.2)], .fail, .absence),
        Scenario(
            "a never rule on tcp.FIN does not make tcp.SYN unexpected",
            testCase([expect("sdl.A")], never: [never("tcp.FIN")]),
            [sent("tcp.SYN", 0.05), sent("sdl.A", 0.1)], .pass),
        Scenario(
            "a never rule on tcp.FIN sees a FIN",
            testCase([expect("sdl.A")], never: [never("tcp.FIN")]),
            [sent("sdl.A", 0.1), sent("tcp.FIN", 0.2)], .fail, .absence, ["tcp.FIN came"]),
        Scenario(
            "a case of never alone passes if the device was there",
            testCase([], never: [never("sdl.Bad")], ignore: [pattern("sdl.A")]),
            [sent("sdl.A", 0.1)], .pass),
        Scenario(
            "a case of never alone does not pass if the device was started and never seen",
            testCase([], never: [never("sdl.Bad")]), [event("device.started", 0.1)],
            .inconclusive, .preamble, ["nothing of the device"]),
        Scenario(
            "a case of never alone does not pass on an empty trace",
            testCase([], never: [never("sdl.Bad")]), [], .inconclusive, .preamble,
            ["nothing of the device"]),
        Scenario(
            "a case with nothing to judge does not pass",
            testCase(preamble: [expect("sdl.A")], []), [sent("sdl.A", 0.1)], .inconclusive,
            .setup, ["nothing was judged"]),
    ]

    @Test("Never rules fail what they forbid, while they hold", arguments: rules)
    func neverRules(_ scenario: Scenario) { scenario.verify() }

    static let tolerated: [Scenario] = [
        Scenario(
            "an ignored message is harmless",
            testCase([expect("sdl.A"), expect("sdl.B")], ignore: [pattern("sdl.Heartbeat")]),
            [sent("sdl.A", 0.1), sent("sdl.Heartbeat", 0.2), sent("sdl.B", 0.3)], .pass),
        Scenario(
            "ignore with another sender does not count",
            testCase([expect("sdl.A")], ignore: [pattern("sdl.X", from: "hu")]),
            [sent("sdl.X", 0.1)], .fail, .unexpected),
        Scenario(
            "ignore with a condition that does not hold does not count",
            testCase([expect("sdl.A")], ignore: [pattern("sdl.X", where: ["params.n": equals(1)])]),
            [sent("sdl.X", 0.1, ["n": 2])], .fail, .unexpected),
        Scenario(
            "unexpected: allow lets any message pass",
            testCase([expect("sdl.A"), expect("sdl.B")], unexpected: .allow),
            [
                sent("sdl.X", 0.05), sent("sdl.A", 0.1), sent("sdl.A", 0.2),
                sent("sdl.B", 0.3), sent("sdl.Y", 0.4),
            ], .pass),
        Scenario(
            "unexpected: allow still misses what does not come",
            testCase(
                [expect("sdl.A", where: ["params.n": equals(1)], within: .seconds(1))],
                unexpected: .allow),
            [sent("sdl.A", 0.1, ["n": 2])], .fail, .sequence,
            ["no sdl.A with params.n 1 came; one with params.n 2 did, 100 ms after the case"]),
        Scenario(
            "an unexpected message in the closing window fails",
            testCase([expect("sdl.A")], quiet: .seconds(2)),
            [sent("sdl.A", 0.1), sent("sdl.X", 1.5)], .fail, .unexpected,
            ["closing window after step 1", "silence for 2s", "sdl.X 1.400 s after step 1"]),
        Scenario(
            "a message that comes again in the closing window is unexpected",
            testCase([expect("sdl.A")]), [sent("sdl.A", 0.1), sent("sdl.A", 0.2)], .fail,
            .unexpected, ["step 1's message sdl.A came again"]),
        Scenario(
            "an ignored message in the closing window is harmless",
            testCase([expect("sdl.A")], ignore: [pattern("sdl.X")]),
            [sent("sdl.A", 0.1), sent("sdl.X", 0.2)], .pass),
        Scenario(
            "transport is not judged where no step expects it",
            testCase([expect("sdl.A")]),
            [sent("tcp.SYN", 0.01), sent("sdl.A", 0.1), sent("tcp.FIN", 0.2)], .pass),
        Scenario(
            "transport is judged where a step expects it",
            testCase([expect("tcp.SYN"), expect("sdl.A")]),
            [sent("tcp.SYN", 0.01), sent("tcp.RST", 0.05), sent("sdl.A", 0.1)], .fail,
            .unexpected, ["unexpected tcp.RST"]),
        Scenario(
            "the trace of a do does not make transport judged",
            testCase([act("hu", "close"), expect("sdl.A")]),
            [hu("tcp.FIN", 0.01), sent("tcp.FIN", 0.02), sent("sdl.A", 0.1)], .pass),
        Scenario(
            "bytes of the device that do not decode fail",
            testCase([expect("sdl.A")]), [sent("tcp.data", 0.1)], .fail, .malformed,
            ["the device sent bytes that do not decode as sdl: tcp.data 100 ms after the case"]),
        Scenario(
            "a malformed unit of the device fails in the closing window too",
            testCase([expect("sdl.A")]), [sent("sdl.A", 0.1), sent("sdl.malformed", 0.2)],
            .fail, .malformed, ["closing window"]),
        Scenario(
            "a malformed unit fails even where the unexpected is allowed",
            testCase([expect("sdl.A")], unexpected: .allow), [sent("sdl.malformed", 0.1)], .fail,
            .malformed),
        Scenario(
            "a malformed unit that is ignored is harmless",
            testCase([expect("sdl.A")], ignore: [pattern("sdl.malformed")]),
            [sent("sdl.malformed", 0.05), sent("sdl.A", 0.1)], .pass),
        Scenario(
            "a malformed unit that is expected is taken",
            testCase([expect("sdl.malformed")]), [sent("sdl.malformed", 0.05)], .pass),
        Scenario(
            "a malformed unit in the preamble is inconclusive", reached,
            [sent("sdl.malformed", 0.05)], .inconclusive, .preamble),
        Scenario(
            "a malformed unit of our peer is an error of the harness",
            testCase([expect("sdl.A")]), [hu("sdl.malformed", 0.05)], .error, .malformed,
            ["peer hu sent bytes"]),
        Scenario(
            "a malformed unit of a foreign peer is nobody's fault",
            testCase([expect("sdl.A")]), [hu("sdl.malformed", 0.05)],
            options: .init(harnessPlaysPeers: false), .inconclusive, .malformed),
    ]

    @Test("Ignored and allowed messages are harmless, malformed ones are not", arguments: tolerated)
    func toleratedMessages(_ scenario: Scenario) { scenario.verify() }

    static let scenarios = order + rules + tolerated
}
