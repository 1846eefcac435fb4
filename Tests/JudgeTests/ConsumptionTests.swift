import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// What the matcher reports to a live harness, step by step.
@Suite struct ConsumptionTests {
    static func matcher(_ testCase: TestCase) -> CaseMatcher {
        Scenario("", testCase, [], .none).matcher
    }

    static func message(_ line: Line, number: Int = 1) -> TraceMessage {
        var message = Line.messages([line])[0]
        message.number = number
        message.frames = [number]
        return message
    }

    @Test("A send is demanded once, with its values and the message that it answers")
    func send() throws {
        var matcher = Self.matcher(
            testCase(
                preamble: [expect("sdl.Show.request", save: ["n": "params.n"])],
                [
                    sending(
                        "sdl.Show.response", with: ["params.n": .template([.variable("n")])],
                        without: ["params.info"], answering: 0)
                ]))
        #expect(matcher.advance(to: Cast.time(0.05)).isEmpty)
        #expect(matcher.part == .preamble)
        let consumption = matcher.consume(Self.message(sent("sdl.Show.request", 0.1, ["n": 7])))
        #expect(consumption.withholdsAnswer)
        #expect(consumption.taken == StepReference(part: .preamble, index: 0, number: 1))
        #expect(matcher.part == .body)
        guard case .send(let demand)? = consumption.demands.first else {
            Issue.record("no send was demanded")
            return
        }
        #expect(consumption.demands.count == 1)
        #expect(demand.message == "sdl.Show.response")
        #expect(demand.from == "hu")
        #expect(demand.step == StepReference(part: .body, index: 0, number: 2))
        #expect(demand.answering?.number == 1)
        #expect(
            demand.fields.map { "\($0.0)=\($0.1?.suiteText ?? "-")" } == [
                "params.n=7", "params.info=-",
            ])
        #expect(matcher.advance(to: Cast.time(0.12)).isEmpty)
        #expect(matcher.consume(Self.message(hu("sdl.Other", 0.13), number: 2)).demands.isEmpty)
        #expect(matcher.part == .body)
        let done = matcher.consume(Self.message(hu("sdl.Show.response", 0.14, ["n": 7]), number: 3))
        #expect(done.taken?.number == 2)
        #expect(!done.withholdsAnswer)
        #expect(matcher.part == .closing)
    }

    @Test("A message that no send answers keeps its automatic answer")
    func automaticAnswer() {
        var matcher = Self.matcher(
            testCase([
                expect("sdl.Show.request"), expect("sdl.Show.request"),
                sending("sdl.Show.response", answering: 1),
            ]))
        #expect(!matcher.consume(Self.message(sent("sdl.Show.request", 0.1))).withholdsAnswer)
        #expect(matcher.consume(Self.message(sent("sdl.Show.request", 0.2))).withholdsAnswer)
    }

    @Test("Steps at the beginning are demanded by the first advance")
    func first() {
        var matcher = Self.matcher(
            testCase([act("hu", "configure", ["mtu": 99]), expect("sdl.A")]))
        #expect(matcher.nextDeadline == Cast.start)
        let demands = matcher.advance(to: Cast.start)
        guard case .perform(let action)? = demands.first else {
            Issue.record("no action was demanded")
            return
        }
        #expect(action.party == "hu")
        #expect(action.name == "configure")
        #expect(action.arguments == ["mtu": 99])
        #expect(matcher.advance(to: Cast.time(0.1)).isEmpty)
        #expect(matcher.consume(Self.message(sent("sdl.A", 0.2))).taken?.number == 2)
    }

    @Test("An action with a trace is done when the trace shows it")
    func actionWithTrace() {
        var matcher = Self.matcher(testCase([act("hu", "close"), act("device", "background")]))
        #expect(matcher.advance(to: Cast.start).count == 1)
        #expect(matcher.advance(to: Cast.time(0.1)).isEmpty)
        let close = matcher.consume(Self.message(hu("tcp.FIN", 0.01)))
        #expect(close.taken?.number == 1)
        guard case .perform(let action)? = close.demands.first else {
            Issue.record("the device control was not demanded")
            return
        }
        #expect(action.party == "device")
        #expect(matcher.part == .body)
        #expect(matcher.consume(Self.message(event("device.background", 0.02))).taken?.number == 2)
        #expect(matcher.part == .closing)
    }

    @Test("A demand after a wait comes when the wait is over, and not before")
    func wait() {
        var matcher = Self.matcher(
            testCase([pause(.milliseconds(500)), sending("sdl.N")]))
        #expect(matcher.nextDeadline == Cast.time(0.5))
        #expect(matcher.advance(to: Cast.time(0.499_999_999)).isEmpty)
        #expect(matcher.advance(to: Cast.time(0.5)).count == 1)
        #expect(matcher.advance(to: Cast.time(0.6)).isEmpty)
    }

    @Test("A send with its own time is demanded at that time")
    func delayedSend() {
        var matcher = Self.matcher(testCase([sending("sdl.N", after: .seconds(1))]))
        #expect(matcher.advance(to: Cast.time(0.999)).isEmpty)
        #expect(matcher.nextDeadline == Cast.time(1))
        #expect(matcher.advance(to: Cast.time(1)).count == 1)
    }

    @Test("The deadlines are those of window, grace, closing window and end")
    func deadlines() {
        var matcher = Self.matcher(
            testCase([expect("sdl.A", within: .seconds(2))], quiet: .seconds(1)))
        #expect(matcher.nextDeadline == Cast.time(3.050_000_001))
        _ = matcher.consume(Self.message(sent("sdl.A", 0.5)))
        #expect(matcher.nextDeadline == Cast.time(1.500_000_001))
        _ = matcher.advance(to: Cast.time(1.5))
        #expect(!matcher.isFinished)
        _ = matcher.advance(to: Cast.time(1.500_000_001))
        #expect(matcher.isFinished)
        #expect(matcher.part == .finished)
        #expect(matcher.nextDeadline == nil)
    }

    @Test("After a failure judging ends with three more messages")
    func aftermathByCount() {
        var matcher = Self.matcher(testCase([expect("sdl.A")]))
        _ = matcher.consume(Self.message(sent("sdl.X", 0.1)))
        #expect(matcher.part == .closing)
        for number in 2...4 {
            #expect(!matcher.isFinished)
            _ = matcher.consume(Self.message(sent("sdl.Y", 0.1), number: number))
        }
        #expect(matcher.isFinished)
    }

    @Test("After a failure only messages that explain something are collected")
    func aftermathOfNote() {
        var matcher = Self.matcher(
            testCase(
                [expect("sdl.A"), expect("sdl.R", from: "hu")],
                ignore: [pattern("sdl.Heartbeat")]))
        _ = matcher.consume(Self.message(sent("sdl.X", 0.1)))
        for name in ["sdl.Heartbeat", "tcp.FIN"] {
            for _ in 1...3 { _ = matcher.consume(Self.message(sent(name, 0.1))) }
        }
        for _ in 1...3 { _ = matcher.consume(Self.message(hu("sdl.N", 0.1))) }
        #expect(!matcher.isFinished)
        for _ in 1...3 { _ = matcher.consume(Self.message(hu("sdl.R", 0.1))) }
        #expect(matcher.isFinished)
    }

    @Test("After a failure judging ends after 200 ms")
    func aftermathByTime() {
        var matcher = Self.matcher(testCase([expect("sdl.A")]))
        _ = matcher.consume(Self.message(sent("sdl.X", 0.1)))
        _ = matcher.advance(to: Cast.time(0.3))
        #expect(!matcher.isFinished)
        _ = matcher.advance(to: Cast.time(0.300_000_001))
        #expect(matcher.isFinished)
    }
}
