import BuiltInProtocols
import Testing
import Trace
import Wire

@testable import Judge
@testable import SuiteLanguage

@Suite("Judging by headers alone")
struct CaseScreenTests {
    private static let names = [
        "sdl.StartService", "sdl.StartServiceACK", "sdl.Show.request", "sdl.Show.response",
        "sdl.OnHMIStatus.notification", "sdl.Heartbeat",
    ]

    /// Returns a made-up case of one device and one peer.
    private func made(_ generator: inout PropertyTests.Generator) -> TestCase {
        func step(_ line: Int) -> Step {
            let isFromPeer = Bool.random(using: &generator)
            return expect(
                Self.names[Int.random(in: 0..<4, using: &generator)], line: line,
                from: isFromPeer ? "hu" : "device",
                where: Int.random(in: 0..<4, using: &generator) == 0
                    ? ["params.n": equals(1)] : [:],
                within: .seconds(Int.random(in: 1...4, using: &generator)),
                after: Int.random(in: 0..<5, using: &generator) == 0 ? .milliseconds(300) : nil)
        }
        var result = testCase(
            preamble: (0..<Int.random(in: 0...1, using: &generator)).map(step),
            (2..<Int.random(in: 3...5, using: &generator)).map(step),
            never: Int.random(in: 0..<3, using: &generator) == 0 ? [never("sdl.Heartbeat")] : [],
            ignore: Bool.random(using: &generator) ? [pattern("sdl.OnHMIStatus.notification")] : [],
            unexpected: Bool.random(using: &generator) ? .fail : .allow,
            timeout: .seconds(Int.random(in: 6...60, using: &generator)))
        result.peers.removeLast()
        return result
    }

    /// Returns a trace that does what the case demands, except for a few mistakes.
    private func trace(_ testCase: TestCase, _ generator: inout PropertyTests.Generator) -> [Line] {
        var seconds = 0.0
        var lines: [Line] = []
        for step in testCase.preamble + testCase.steps {
            guard case .expect(let name) = step.verb else { continue }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                lines.append(
                    sent(Self.names.randomElement(using: &generator) ?? "", seconds + 0.1))
            }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                lines.append(hu("sdl.OnHMIStatus.notification", seconds + 0.2))
            }
            seconds += Double(Int.random(in: 3...15, using: &generator)) / 10
            let params: Value = [
                "n": .integer(Int64.random(in: 0...9, using: &generator) < 8 ? 1 : 2)
            ]
            lines.append(
                step.from == "hu" ? hu(name, seconds, params) : sent(name, seconds, params))
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            lines.append(sent("sdl.Heartbeat", seconds + 0.15))
        }
        return lines
    }

    @Test("The matcher passes whatever the screen passes")
    func screenedPassesArePasses() throws {
        var generator = PropertyTests.Generator(seed: 6)
        var passCount = 0
        for _ in 0..<1_500 {
            let testCase = made(&generator)
            let lines = trace(testCase, &generator)
            var screen = try #require(CaseScreen(PreparedCase(testCase, requirements: [])))
            var progress = CaseScreen.Progress(start: Cast.start.nanoseconds)
            for message in Line.messages(lines) {
                let code = try #require(ProtocolRegistry.builtIn.code(ofMessage: message.name))
                screen.consume(
                    code, isFromCaller: message.source == Cast.device,
                    at: message.time.nanoseconds, &progress, content: message.content)
            }
            let end = Double(Int.random(in: 1...200, using: &generator)) / 10
            guard screen.isPassed(progress, at: Cast.time(end).nanoseconds) else { continue }
            passCount += 1
            let judgement = judged(
                testCase, on: Line.messages(lines), end: Cast.time(end),
                options: CaseMatcher.Options(harnessPlaysPeers: false, eventsRecorded: false))
            #expect(judgement.verdict == .pass, "\(testCase.steps) on \(lines)")
        }
        #expect(passCount > 150, "the screen must be good for something")
    }

    @Test("A message in several frames whose fields are not in its header is left to the matcher")
    func severalFrames() throws {
        let call: [UInt8] = [0, 0, 0, 0x0D, 0, 0, 0, 1, 0, 0, 0, 9] + Array(#"{"a":[1]}"#.utf8)
        let single: [UInt8] = [0x51, 7, 0, 1, 0, 0, 0, 21, 0, 0, 0, 3] + call
        let first: [UInt8] = [0x52, 7, 0, 1, 0, 0, 0, 8, 0, 0, 0, 3] + call
        let header = MessageHeader(
            code: try #require(ProtocolRegistry.builtIn.code(ofMessage: "sdl.Show.request")),
            byteCount: single.count,
            correlation: 1, body: .json(24..<single.count))
        var testCase = testCase([
            expect("sdl.Show.request", where: ["params.a[0]": equals(1)])
        ])
        testCase.peers.removeLast()
        for (unit, isPassed) in [(single, true), (first, false)] {
            var screen = try #require(CaseScreen(PreparedCase(testCase, requirements: [])))
            var progress = CaseScreen.Progress(start: Cast.start.nanoseconds)
            screen.consume(
                header, unit.span.bytes, isSound: true, isFromCaller: true,
                at: Cast.time(1).nanoseconds, &progress)
            #expect(progress.isUndecided == !isPassed)
            #expect(screen.isPassed(progress, at: Cast.time(60).nanoseconds) == isPassed)
        }
    }

    @Test("A case that is more than a plain sequence is left to the matcher")
    func othersAreLeft() {
        var plain = testCase([expect("sdl.StartService")])
        #expect(CaseScreen(PreparedCase(plain, requirements: [])) == nil, "two peers")
        plain.peers.removeLast()
        #expect(CaseScreen(PreparedCase(plain, requirements: [])) != nil)
        for step in [
            sending("sdl.StartServiceACK"), act("hu", "close"), pause(.seconds(1)),
            Step(verb: .group(.optional([expect("sdl.Show.request")])), position: at(3)),
            expect("sdl.Show.request", where: ["params.a": variable("b")]),
        ] {
            var other = plain
            other.steps.append(step)
            #expect(CaseScreen(PreparedCase(other, requirements: [])) == nil)
        }
    }
}
