import Results
import SuiteLanguage
import TCPIP
import Testing
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

/// Two devices of one kind, and which of several connections a step means.
///
/// Each device is recognised by the address under which the head unit reaches it.
@Suite struct SeveralDevicesTests {
    private static let other = Endpoint(address: IPAddress(ipv4: 0x7F00_0002), port: 12_345)
    private static let parties = Parties(
        peers: [Cast.headUnit: "hu", other: "hu"], devicesByPeer: [other: "second"])

    private static func judge(
        _ steps: [Step], never rules: [NeverRule] = [], _ trace: [Line], flows: [Int: Int] = [:],
        devices: [String] = ["second"]
    ) -> Judgement {
        var testCase = testCase(steps, never: rules)
        testCase.devices = devices.map { DeviceDeclaration(name: $0, position: at(3)) }
        var messages = Line.messages(trace)
        for (index, flow) in flows { messages[index].flow = flow }
        return judged(testCase, on: messages, end: Cast.time(50), parties: Self.parties)
    }

    @Test("A step means the device that it names")
    func named() {
        let steps = [expect("sdl.A"), expect("sdl.A", from: "second")]
        let first = sent("sdl.A", 0.1)
        let second = sent("sdl.A", 0.2, to: Self.other)
        #expect(Self.judge(steps, [first, second]).verdict == .pass)
        let twice = Self.judge(steps, [first, sent("sdl.A", 0.2)])
        #expect(twice.verdict == .fail)
        #expect(twice.reason?.summary.contains("came again") == true)
    }

    private static let scripted = PeerKind(
        name: "tcp.server", summary: "A server.", protocolName: "tcp", defaultPort: 0,
        settings: [], actions: [], scriptMessage: "tcp.data")

    @Test("Only the connection on which a peer would send explains that it did not")
    func otherConnection() {
        func verdict(_ end: Line, flow: Int = 0, isScripted: Bool = false) -> Verdict {
            var testCase = testCase([
                expect("sdl.A"), expect("sdl.R", from: "hu", within: .seconds(1)),
            ])
            testCase.devices = [DeviceDeclaration(name: "second", position: at(3))]
            if isScripted {
                testCase.peers = [
                    PeerDeclaration(
                        name: "hu", kind: Self.scripted, settings: [:], position: at(2))
                ]
            }
            var messages = Line.messages([
                sent("tcp.SYN", 0.01, to: Self.other), sent("sdl.A", 0.1), end,
            ])
            messages[0].flow = 1
            messages[2].flow = flow
            return judged(
                testCase, on: messages, end: Cast.time(50), parties: Self.parties
            ).verdict
        }
        #expect(verdict(sent("tcp.FIN", 0.2)) == .fail)
        #expect(verdict(sent("tcp.RST", 0.2)) == .fail)
        #expect(verdict(sent("tcp.FIN", 0.2), flow: 2) == .inconclusive)
        #expect(verdict(sent("tcp.RST", 0.2, to: Self.other), flow: 1) == .inconclusive)
        // A peer without code may answer a device that sends no more.
        #expect(verdict(sent("tcp.FIN", 0.2), isScripted: true) == .inconclusive)
        #expect(verdict(sent("tcp.RST", 0.2), isScripted: true) == .fail)
    }

    @Test("Unexpected and forbidden messages are reported for each device, with its name")
    func forbidden() {
        let trace = [sent("sdl.A", 0.1), sent("sdl.B", 0.2, to: Self.other)]
        let stray = Self.judge([expect("sdl.A")], trace)
        #expect(stray.reason?.code == .unexpected)
        #expect(stray.reason?.summary.contains("sdl.B from second") == true)
        let broken = Self.judge([expect("sdl.A")], never: [never("sdl.B")], trace)
        #expect(broken.reason?.code == .absence)
        let spared = Self.judge(
            [expect("sdl.A"), expect("sdl.B", from: "second")],
            never: [never("sdl.B", from: "device")], trace)
        #expect(spared.verdict == .pass, "\(spared.reason?.summary ?? "")")
    }

    @Test("Each device must have been seen, and the end of each counts")
    func lives() {
        let unseen = Self.judge([expect("sdl.A")], [sent("sdl.A", 0.1)])
        #expect(unseen.verdict == .inconclusive)
        #expect(unseen.reason?.summary.contains("second") == true)
        let both = [sent("tcp.SYN", 0.05, to: Self.other), sent("sdl.A", 0.1)]
        #expect(Self.judge([expect("sdl.A")], both).verdict == .pass)
        let exit = event(
            "device.exited", 0.2, ["signal": 11, "device": "second", "log": ["boom"]])
        let crashed = Self.judge([expect("sdl.A")], both + [exit])
        #expect(crashed.reason?.code == .liveness)
        #expect(
            crashed.reason?.summary.contains("the device second was killed by signal 11") == true)
        #expect(crashed.reason?.summary.contains("its last output: \"boom\"") == true)
    }

    @Test("In a rule of each device, and in a state of each, device is the device of the scope")
    func ruleOfEach() {
        var ofRule = testCase(
            [], unexpected: .allow, quiet: .zero, timeout: .seconds(1000), checks: ["R-2"])
        ofRule.kind = .rule
        ofRule.isQuietToTheEnd = true
        var rule = Rule(
            id: "two", title: "At most two", scope: .device,
            trigger: pattern("sdl.A", from: "device"), testCase: ofRule)
        rule.holds = [
            ValueCondition(
                value: .template([.variable("said")]), matcher: equals(.integer(0)), position: at(5)
            )
        ]
        rule.reads = ["said"]
        let said = StateVariable(
            name: "said", scope: .device, starts: .literal(.integer(0)),
            updates: [
                StateUpdate(
                    pattern: pattern("sdl.A", from: "device"), operation: .count,
                    value: .literal(.integer(1)))
            ], position: at(4))
        var never = rule
        never.holds = []
        never.testCase.never = [NeverRule(pattern: pattern("sdl.B", from: "device"), checks: [])]
        func judgement(_ rule: Rule, _ trace: [Line]) -> Judgement {
            var testCase = testCase([expect("sdl.A")], unexpected: .allow)
            testCase.devices = [DeviceDeclaration(name: "second", position: at(3))]
            (testCase.rules, testCase.states) = ([rule], [said])
            return judged(
                testCase, on: Line.messages(trace), end: Cast.time(50), parties: Self.parties)
        }
        let first = sent("sdl.A", 0.1)
        let second = sent("sdl.A", 0.11, to: Self.other)
        let again = sent("sdl.A", 0.12, to: Self.other)
        #expect(judgement(rule, [first, second]).verdict == .pass)
        #expect(judgement(rule, [first, second]).rules.map(\.exercised) == [2])
        let broken = judgement(rule, [first, second, again])
        #expect(broken.verdict == .fail)
        #expect(broken.checks.contains(CheckResult(requirement: "R-2", verdict: .fail)))
        #expect(broken.reason?.explanation?.frames == [3])
        #expect(broken.reason?.summary.contains("of second") == true)
        let forbidden = sent("sdl.B", 0.13, to: Self.other)
        #expect(judgement(never, [first, second, sent("sdl.B", 0.13)]).verdict == .fail)
        #expect(
            judgement(never, [first, second, forbidden]).reason?.explanation?.frames == [2, 3])
        #expect(judgement(never, [first, forbidden]).verdict == .pass)
    }

    @Test("A step with \"on\" means the connection of the step that it names")
    func connections() {
        var first = expect("sdl.A", line: 11, id: "first")
        first.connection = nil
        var last = expect("sdl.B", line: 13)
        last.connection = "first"
        let steps = [first, expect("sdl.A", line: 12), last]
        let trace = [sent("sdl.A", 0.1), sent("sdl.A", 0.2), sent("sdl.B", 0.3)]
        let right = Self.judge(steps, trace, flows: [0: 5, 1: 6, 2: 5], devices: [])
        #expect(right.verdict == .pass, "\(right.reason?.summary ?? "")")
        let wrong = Self.judge(steps, trace, flows: [0: 5, 1: 6, 2: 6], devices: [])
        #expect(wrong.verdict == .fail)
    }

    @Test("A device that hangs does not pass, however late that is found")
    func hang() {
        let hung = event("device.hung", 30, ["probe": "its process is stopped"])
        let quiet = Self.judge([expect("sdl.A")], [sent("sdl.A", 0.1), hung], devices: [])
        #expect(quiet.verdict == .fail)
        #expect(quiet.reason?.code == .liveness)
        #expect(
            quiet.reason?.summary.contains("the device hangs: its process is stopped") == true)
        let missing = Self.judge(
            [expect("sdl.A"), expect("sdl.B")], [sent("sdl.A", 0.1), hung], devices: [])
        #expect(missing.reason?.code == .sequence)
        #expect(
            missing.reason?.summary.contains("the device hangs: its process is stopped") == true)
        var early = testCase([expect("sdl.A")])
        early.preamble = [expect("sdl.P")]
        let before = judged(
            early,
            on: Line.messages([sent("tcp.SYN", 0.1), event("device.hung", 1, ["probe": "x"])]),
            end: Cast.time(2))
        #expect(before.verdict == .inconclusive)
        #expect(before.reason?.code == .preamble)
    }
}
