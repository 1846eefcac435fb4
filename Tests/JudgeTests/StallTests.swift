import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// The effect of failures on a machine that delays the device or the harness.
@Suite struct StallTests {
    /// A delay of a party by the machine, recorded when it was found.
    private static func stall(_ seconds: Double, _ length: Int64, of party: String = "device")
        -> Line
    {
        event(
            DeviceEvent.stalled, seconds,
            ["party": .string(party), "microseconds": .integer(length * 1000)])
    }

    private static let second = testCase([
        expect("sdl.A"), expect("sdl.B", within: .seconds(1)),
    ])

    private static let hushed = event(
        DeviceEvent.silent, 0.2,
        ["peer": "hu", "reason": "dropped a frame of version 5, because it speaks 1"])

    static let scenarios: [Scenario] = [
        Scenario(
            "what did not come may have waited for a peer, which says why it was silent", second,
            [sent("sdl.A", 0.1), hushed, sent("sdl.X", 9)], .fail, .sequence,
            ["nothing came", "the peer hu dropped a frame of version 5, because it speaks 1"]),
        Scenario(
            "the silence of a peer is nothing that the device sent",
            testCase([expect("sdl.A"), expect("sdl.B", within: .seconds(1))]),
            [sent("sdl.A", 0.1), hushed, sent("sdl.B", 0.3)], .pass, nil),
        Scenario(
            "a time that is missed by less than the device was held up says nothing", second,
            [sent("sdl.A", 0.1), stall(0.9, 120), sent("sdl.B", 1.25)], .inconclusive,
            .lateHarness, ["120 ms", "missed by 100 ms", "without that: fail"]),
        Scenario(
            "several delays add up, those of the harness too", second,
            [
                sent("sdl.A", 0.1), stall(0.2, 60), stall(0.9, 50, of: "harness"),
                sent("sdl.B", 1.25),
            ], .inconclusive, .lateHarness, ["110 ms"]),
        Scenario(
            "a delay that is told only behind the late message counts", second,
            [sent("sdl.A", 0.1), sent("sdl.B", 1.25), stall(1.251, 120)], .inconclusive,
            .lateHarness),
        Scenario(
            "a time that is missed by more is the device's", second,
            [sent("sdl.A", 0.1), stall(0.9, 90), sent("sdl.B", 1.25)], .fail, .timing),
        Scenario(
            "a delay long before is no excuse",
            testCase([
                expect("sdl.A"), expect("sdl.B", within: .seconds(5)),
                expect("sdl.C", within: .seconds(1)),
            ]),
            [sent("sdl.A", 0.1), stall(0.2, 500), sent("sdl.B", 4), sent("sdl.C", 5.15)],
            .fail, .timing),
        Scenario(
            "a device that is early because it was late before is excused",
            testCase([expect("sdl.A"), expect("sdl.B", at: .seconds(1))]),
            [stall(0.05, 200), sent("sdl.A", 0.3), sent("sdl.B", 1.15)], .inconclusive,
            .lateHarness),
        Scenario(
            "a message that never comes is not excused by a short delay", second,
            [sent("sdl.A", 0.1), stall(0.9, 500), sent("sdl.X", 9)], .fail, .sequence),
        Scenario(
            "nor a wrong field by a long one",
            testCase([expect("sdl.A", where: ["params.x": .equals(.literal(1))])]),
            [stall(0.05, 9_000), sent("sdl.A", 0.1, ["x": 2])], .fail, .field),
        Scenario(
            "a message that nobody takes is the device's where nothing hangs on time", second,
            [sent("sdl.A", 0.1), stall(0.15, 300, of: "harness"), sent("sdl.X", 0.2)], .fail,
            .unexpected),
        Scenario(
            "where the harness acts at stated times, it may be the machine's",
            testCase([expect("sdl.A"), pause(.seconds(1)), expect("sdl.B")]),
            [sent("sdl.A", 0.1), stall(0.9, 300, of: "harness"), sent("sdl.X", 0.95)],
            .inconclusive, .lateHarness, ["held up the harness for 300 ms", "50ms are allowed"]),
        Scenario(
            "a message 0.9 s before its time is not explained by a delay of 0.3 s",
            testCase([expect("sdl.A"), pause(.seconds(1)), expect("sdl.B")]),
            [sent("sdl.A", 0.1), stall(0.15, 300, of: "harness"), sent("sdl.X", 0.2)], .fail,
            .unexpected),
        Scenario(
            "an absence is watched until it is longer than the delay", second,
            [sent("sdl.A", 0.1), stall(0.9, 1500), sent("sdl.X", 9)], .fail, .sequence),
        Scenario(
            "a message that comes within that time may be late by the delay", second,
            [sent("sdl.A", 0.1), stall(0.9, 1500), sent("sdl.B", 2.5)], .inconclusive,
            .lateHarness),
        Scenario(
            "delays that go on do not prolong the case forever", second,
            [sent("sdl.A", 0.1)] + (1...30).map { stall(Double($0), 1000) }
                + [sent("sdl.X", 40)], .inconclusive, .lateHarness),
        Scenario(
            "a device that had no processor when it was asked for a sign of life may live",
            testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1), stall(0.4, 1500), event(DeviceEvent.hung, 2.4)], .inconclusive,
            .lateHarness, ["1.500 s", "liveness was probed"]),
        Scenario(
            "one that had one hangs", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1), stall(0.4, 500), event(DeviceEvent.hung, 2.4)], .fail, .liveness),
        Scenario(
            "a preamble that gets no processor for most of its time is the machine's",
            testCase(preamble: second.steps, [expect("sdl.C")]),
            [sent("sdl.A", 0.1), stall(0.9, 700), sent("sdl.B", 1.25)], .inconclusive,
            .lateHarness, ["step 2", "; the machine held up", "700 ms of the preamble"]),
        Scenario(
            "one that is late beside shorter delays is not reached",
            testCase(preamble: second.steps, [expect("sdl.C")]),
            [sent("sdl.A", 0.1), stall(0.9, 500), sent("sdl.B", 1.25)], .inconclusive, .preamble),
        Scenario(
            "one in which somebody did not wait for the end of a long delay is the machine's",
            testCase(preamble: second.steps, [expect("sdl.C")]),
            [sent("sdl.A", 0.1), stall(0.5, 300, of: "harness"), sent("sdl.X", 0.6)],
            .inconclusive, .lateHarness),
        Scenario(
            "one in which something else came beside a short delay is not reached",
            testCase(preamble: second.steps, [expect("sdl.C")]),
            [sent("sdl.A", 0.1), stall(0.5, 200, of: "harness"), sent("sdl.X", 0.6)],
            .inconclusive, .preamble),
        Scenario(
            "a silent device that had no processor for half of the closing window is not silent",
            testCase([expect("sdl.A")], quiet: .seconds(1)),
            [sent("sdl.A", 0.1), stall(0.7, 550)], .inconclusive, .lateHarness,
            ["550 ms of the closing window", "without that: pass"]),
        Scenario(
            "one that had it for more than half of it is",
            testCase([expect("sdl.A")], quiet: .seconds(1)),
            [sent("sdl.A", 0.1), stall(0.7, 450), stall(0.8, 900, of: "harness")], .pass),
        Scenario(
            "where nothing hangs on its silence, a pass stays a pass",
            testCase([expect("sdl.A")], unexpected: .allow, quiet: .seconds(1)),
            [sent("sdl.A", 0.1), stall(0.7, 550)], .pass),
        Scenario(
            "a pass stays a pass, whatever was before the closing window", second,
            [sent("sdl.A", 0.1), stall(0.2, 900), sent("sdl.B", 1), stall(1.05, 900)], .pass),
        Scenario(
            "a delay is nothing that the device sent", testCase([expect("sdl.A")]),
            [stall(0.05, 900), sent("sdl.A", 0.1), stall(0.15, 900)], .pass),
    ]

    @Test(
        "A delay makes a failure inconclusive if it may have caused it",
        arguments: scenarios)
    func scenario(_ scenario: Scenario) { scenario.verify() }

    @Test("A late attempt is inconclusive if the machine delayed the device for as long")
    func schedule() {
        func judgement(stall: Int64) -> Judgement {
            var trace = ConnectionTrace()
            trace.attempt(0)
            trace.accept(0.001)
            trace.reset(2)
            trace.attempt(2.01)
            trace.refuse(2.011)
            trace.stall(2.5, microseconds: stall)
            trace.attempt(3.161)
            trace.refuse(3.162)
            return trace.judgement(ScheduleTests.document(2))
        }
        // The limit is one second, ten per cent, and fifty milliseconds more.
        #expect(judgement(stall: 60_000).verdict == .inconclusive)
        #expect(judgement(stall: 60_000).reason?.code == .lateHarness)
        #expect(judgement(stall: 20_000).verdict == .fail)
        #expect(judgement(stall: 20_000).reason?.code == .timing)
        #expect(judgement(stall: 0).verdict == .fail)
    }

    @Test("An early attempt after a refusal is the device's fault, however long it was delayed")
    func earlyAttempt() {
        func judgement(_ fail: (inout ConnectionTrace) -> Void) -> Judgement {
            var trace = ConnectionTrace()
            trace.attempt(0)
            trace.accept(0.001)
            trace.reset(2)
            trace.attempt(2.01)
            fail(&trace)
            trace.stall(2.5, microseconds: 400_000)
            trace.attempt(2.911)
            trace.refuse(2.912)
            return trace.judgement(ScheduleTests.document(2))
        }
        #expect(judgement { $0.refuse(2.011) }.reason?.code == .timing)
        // A server that ends an attempt may have been delayed before it does so.
        #expect(judgement { $0.reset(2.011) }.reason?.code == .lateHarness)
    }

    @Test("An answer that a packet of the device already shows is not late", arguments: [2, 3])
    func answerOfTheDevicesPacket(frame: Int) {
        func message(_ name: String, _ seconds: Double, frame: Int) -> TraceMessage {
            TraceMessage(
                number: 1, time: Cast.time(seconds), frames: [frame], flow: 0,
                content: FakeMessage(name: name, fields: [:]))
        }
        var watch = LatenessWatch()
        let requested = message("gatt.discover", 0, frame: 1)
        watch.expectAnswer(to: requested, named: "gatt.discovered", within: .milliseconds(250))
        let next = message("btatt.ReadByTypeRequest", 30, frame: 2)
        watch.expectAnswer(to: next, named: nil, within: .milliseconds(250))
        watch.recordAnswer(message("gatt.discovered", 30, frame: frame), from: "band")
        #expect((watch.first == nil) == (frame == 2))
    }

    @Test("An event that is not a delay by the machine is not counted as one")
    func strange() {
        var record = MachineStallRecord()
        let events: [DeviceEvent] = [
            DeviceEvent(name: "device.started"), DeviceEvent(name: DeviceEvent.stalled),
            DeviceEvent(name: DeviceEvent.stalled, fields: ["party": 1, "microseconds": "x"]),
        ]
        for event in events {
            let message = TraceMessage(
                number: 1, time: Cast.start, frames: [], content: event)
            let isStall = record.record(message)
            #expect(!isStall)
        }
        let own = DeviceEvent.stall(of: "device", length: .milliseconds(7))
        let isStall = record.record(
            TraceMessage(number: 1, time: Cast.start, frames: [], content: own))
        #expect(isStall)
        #expect(record.all.first?.length == .milliseconds(7))
    }
}
