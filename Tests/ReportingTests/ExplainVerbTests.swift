import BuiltInProtocols
import Testing
import Wire

@testable import Reporting
@testable import SuiteLanguage

@Suite("Explanations of verbs")
struct ExplainVerbTests {
    /// A step of each verb, and the words that its explanation must contain.
    private static let steps: [(verb: String, text: String, words: [String])] = [
        ("expect", "expect: sdl.Show.request", ["1. The device must send sdl.Show.request"]),
        (
            "send", "{send: sdl.OnHMIStatus.notification, corrupt: {truncate: 4}, segments: 2}",
            [
                "1. conform makes hu send sdl.OnHMIStatus.notification", "corrupted bytes: ",
                "truncate: 4", "in segments of 2 byte(s)",
            ]
        ),
        (
            "send", "{send: {bytes: \"de ad be ef\"}}",
            ["1. conform makes hu send 4 raw byte(s), deadbeef"]
        ),
        ("do", "do: hu.close", ["1. Action of hu: close"]),
        ("do", "do: second.background", ["1. Command to second: background"]),
        ("wait", "wait: 300ms", ["1. conform waits 300ms"]),
        (
            "lost", "{lost: bytes, where: {length: 12}, within: 1s}",
            [
                "1. The device must send bytes that do not decode", "in which length is 12",
                "within 1s",
            ]
        ),
        (
            "backoff", "backoff: {model: linear, base: 1s, step: 2s, cap: 5s, attempts: 3}",
            [
                "1. The device's attempts, each tcp.SYN, must follow the schedule", "linear",
                "base: 1s", "step: 2s", "cap: 5s", "attempts: 3",
            ]
        ),
        (
            "collect",
            "{collect: [{message: sdl.Show.request, save: {x: params.mainField1}}], quiet: 1s}",
            [
                "1. In any order and any number of messages, there must come sdl.Show.request",
                "its params.mainField1 is saved as ${x}, the latest value",
                "the device has been silent for 1s",
            ]
        ),
        (
            "optional", "optional: [{expect: sdl.Show.request}]",
            ["All of these, or none:", "1. The device must send sdl.Show.request"]
        ),
        (
            "either", "either: [{expect: sdl.Show.request}, {expect: sdl.Alert.request}]",
            ["Exactly one of these:", "2. The device must send sdl.Alert.request"]
        ),
        (
            "anyOrder", "anyOrder: [{expect: sdl.Show.request}, {expect: sdl.Alert.request}]",
            ["in any order", "2. The device must send sdl.Alert.request"]
        ),
        (
            "repeat", "repeat: {times: 3, steps: [{expect: sdl.Show.request}]}",
            ["3 times:", "1. The device must send sdl.Show.request"]
        ),
        (
            "repeat",
            "repeat: {until: sdl.Alert.request, max: 2, steps: [{expect: sdl.Show.request}]}",
            [
                "Any number of rounds, at most 2:", "until this comes, which ends the repetition:",
                "2. The device must send sdl.Alert.request",
            ]
        ),
        (
            "use", "{use: greeting, with: {shown: Hello}}",
            [
                "1. The device must send sdl.Show.request in which params.mainField1 is Hello",
                "From the fragment greeting (suite.yaml:10, used in line",
            ]
        ),
    ]

    @Test("Each verb is described in a sentence", arguments: steps)
    func stated(verb: String, text: String, words: [String]) throws {
        let step = text.hasPrefix("{") || !text.contains(": ") ? text : "{\(text)}"
        let suite = """
            conform: 1
            suite: words
            requirements: [catalogue.yaml]
            device: {role: sdl.app}
            peers: {hu: {is: sdl.head-unit}}
            fragments:
              greeting:
                arguments: {shown: }
                steps:
                  - expect: sdl.Show.request
                    where: {params.mainField1: "${shown}"}
            cases:
              - id: one
                checks: [A-1]
                devices: {second: {role: sdl.app}}
                steps:
                  - \(step)
            """
        let catalogue = """
            conform-requirements: 1
            document: An example
            source: https://example.org/
            requirements:
              A-1: {section: "1", text: It does., wire: It does.}
            """
        let loaded = try SuiteLoader(.builtIn).load(path: "suite.yaml") {
            (path) throws(InvalidInput) in
            path == "suite.yaml" ? suite : catalogue
        }
        let testCase = try #require(loaded.cases.first)
        let lines = CaseInWords.lines(of: testCase, in: loaded)
        let stated = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        for words in words { #expect(stated.contains(words), "\(stated)") }
    }

    @Test("No verb is left out")
    func complete() {
        #expect(Set(Self.steps.map(\.verb)) == Set(SuiteVocabulary.verbs))
    }
}
