import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Who caused a failure: the device, the harness, or neither.
@Suite struct FaultTests {
    static let plain = testCase([expect("sdl.A"), expect("sdl.B", within: .seconds(1))])
    static let reached = testCase(
        preamble: [expect("sdl.P", line: 5, within: .seconds(1))], [expect("sdl.A")])
    static let answered = testCase([
        expect("sdl.Show.request"), expect("sdl.Show.response", from: "hu", within: .seconds(1)),
    ])
    static let foreign = CaseMatcher.Options(harnessPlaysPeers: false, eventsRecorded: false)

    static let deviceFaults: [Scenario] = [
        Scenario(
            "a crash in the body fails", plain,
            [sent("sdl.A", 0.1), event("device.exited", 0.3, ["signal": 11])], .fail, .liveness,
            [
                "step 2", "was killed by signal 11 (SIGSEGV) without being asked to",
                "200 ms after step 1",
                "last step done is 1",
            ]),
        Scenario(
            "a clean exit in the body fails", plain,
            [sent("sdl.A", 0.1), event("device.exited", 0.3, ["code": 1])], .fail, .liveness,
            ["exited with code 1"]),
        Scenario(
            "an exit of a program that was done names what allows it", plain,
            [sent("sdl.A", 0.1), event("device.exited", 0.3, ["code": 0])], .fail, .liveness,
            ["if it may end by itself, write exit: expected in its profile"]),
        Scenario(
            "an exit told by the end of judging is the same", plain, [sent("sdl.A", 0.1)],
            end: 0.3, cause: .deviceExited(.signal(6)), .fail, .liveness, ["SIGABRT"]),
        Scenario(
            "a crash in the closing window fails", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1), event("device.exited", 0.2, ["signal": 9])], .fail, .liveness,
            ["closing window", "SIGKILL"]),
        Scenario(
            "a crash behind the closing window is not seen", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1), event("device.exited", 0.4, ["signal": 9])], .pass),
        Scenario(
            "a crash in the preamble is inconclusive", reached,
            [event("device.exited", 0.2, ["signal": 11])], .inconclusive, .preamble,
            ["step 1 (suite.yaml:5, preamble)", "SIGSEGV"]),
        Scenario(
            "a crash in the grace of a missed deadline is the crash",
            testCase([expect("sdl.A", within: .seconds(1))]),
            [event("device.exited", 1.5, ["code": 3])], .fail, .liveness, ["code 3"]),
        Scenario(
            "an exit that a step asked for is fine",
            testCase([act("device", "stop"), expect("sdl.A")]),
            [
                event("device.stop", 0.01), event("device.exited", 0.02, ["code": 0]),
                sent("sdl.A", 0.1),
            ], .pass),
        Scenario(
            "only one exit is excused by one stop",
            testCase([act("device", "restart"), expect("sdl.A")]),
            [
                event("device.restart", 0.01), event("device.exited", 0.02, ["code": 0]),
                event("device.exited", 0.1, ["signal": 11]),
            ], .fail, .liveness),
        Scenario(
            "an exit that a step asked for and that ends the run is no crash",
            testCase([act("device", "stop"), expect("sdl.A")]),
            [event("device.stop", 0.01), event("device.exited", 0.02, ["code": 0])], end: 0.5,
            cause: .deviceExited(.code(0)), .inconclusive, .captureEnd),
        Scenario(
            "a crash on the way to an end that a step asked for is a failure",
            testCase([act("device", "stop"), expect("sdl.A")]),
            [event("device.stop", 0.01), event("device.exited", 0.02, ["signal": 11])], .fail,
            .liveness),
        Scenario(
            "an exit that was asked for and expected excuses no other",
            testCase([act("device", "restart"), expect("device.exited"), expect("sdl.A")]),
            [
                event("device.restart", 0.01), event("device.exited", 0.02, ["code": 0]),
                event("device.exited", 0.1, ["signal": 11]),
            ], .fail, .liveness),
        Scenario(
            "an exit that a step expects is taken",
            testCase([expect("device.exited", where: ["code": equals(0)])]),
            [event("device.exited", 0.02, ["code": 0])], .pass),
        Scenario(
            "a crash is not the exit that a step expects", testCase([expect("device.exited")]),
            [event("device.exited", 0.02, ["signal": 11])], .fail, .liveness,
            ["step 1", "signal 11"]),
        Scenario(
            "a crash is taken by a step that says so",
            testCase([expect("device.exited", where: ["signal": equals(11)])]),
            [event("device.exited", 0.02, ["signal": 11])], .pass),
        Scenario(
            "an exit with the wrong code fails",
            testCase([expect("device.exited", where: ["code": equals(0)])]),
            [event("device.exited", 0.02, ["code": 1])], .fail, .field,
            ["with code 0", "got code 1"]),
        Scenario(
            "an exit that is ignored is harmless",
            testCase([expect("sdl.A")], ignore: [pattern("device.exited")]),
            [sent("sdl.A", 0.1), event("device.exited", 0.2, ["code": 0])], .pass),
        Scenario(
            "that a called device accepts follows from the call", testCase([expect("tcp.FIN")]),
            [hu("tcp.SYN", 0.01), sent("tcp.SYNACK", 0.02), sent("tcp.FIN", 0.1)], .pass),
        Scenario(
            "the harness's own events are never unexpected",
            testCase([expect("device.started"), expect("sdl.A")]),
            [
                event("device.started", 0.01), event("device.background", 0.05),
                sent("sdl.A", 0.1),
            ], .pass),
        Scenario(
            "wrong fields in the preamble are inconclusive",
            testCase(
                preamble: [expect("sdl.P", where: ["params.n": equals(1)])], [expect("sdl.A")]),
            [sent("sdl.P", 0.1, ["n": 2])], .inconclusive, .preamble, ["params.n 2"]),
        Scenario(
            "a late message in the preamble is inconclusive", reached, [sent("sdl.P", 1.5)],
            .inconclusive, .preamble, ["late"]),
        Scenario(
            "silence in the preamble is inconclusive", reached, [], .inconclusive, .preamble,
            ["nothing came"]),
    ]

    @Test("The device fails for what it did itself", arguments: deviceFaults)
    func deviceFault(_ scenario: Scenario) {
        scenario.verify()
    }

    static let harness: [Scenario] = [
        Scenario(
            "a peer's answer that comes is taken", answered,
            [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.11)], .pass),
        Scenario(
            "a peer's answer that does not come is nobody's fault", answered,
            [sent("sdl.Show.request", 0.1)], .inconclusive, .sequence,
            ["peer hu did not send sdl.Show.response from hu within 1s"]),
        Scenario(
            "a peer's answer with other fields is nobody's fault",
            testCase([
                expect(
                    "sdl.R", from: "hu", where: ["params.success": equals(true)],
                    within: .seconds(1))
            ]), [hu("sdl.R", 0.1, ["success": false])], .inconclusive, .sequence,
            ["the nearest was sdl.R with params.success false, 100 ms after the case"]),
        Scenario(
            "a peer could not answer because the device closed", answered,
            [sent("sdl.Show.request", 0.1), sent("tcp.FIN", 0.14)], .fail,
            .sequence,
            ["the device had ended its connection: tcp.FIN 40 ms after step 1 (frame 2)"]),
        Scenario(
            "that the device closed another peer's connection does not explain it", answered,
            [sent("sdl.Show.request", 0.1), sent("tcp.FIN", 0.14, to: Cast.second)],
            .inconclusive, .sequence, ["peer hu did not send"]),
        Scenario(
            "a peer had not answered in time when the device closed", answered,
            [sent("sdl.Show.request", 0.1), sent("tcp.FIN", 0.2)], .inconclusive, .lateHarness,
            ["had not come after 100 ms, 50ms are allowed", "without that: fail"]),
        Scenario(
            "a peer could not send because the device reset",
            testCase([expect("sdl.A"), sending("sdl.N", within: .seconds(1))]),
            [sent("sdl.A", 0.1), sent("tcp.RST", 0.2)], .fail, .sequence,
            ["tcp.RST"]),
        Scenario(
            "a peer that closed itself is nobody's fault", answered,
            [sent("sdl.Show.request", 0.1), hu("tcp.FIN", 0.2)], .inconclusive, .sequence,
            ["peer hu did not send"]),
        Scenario(
            "of two late acts the first is named",
            testCase([sending("sdl.M"), sending("sdl.N")]),
            [hu("sdl.M", 0.1), hu("sdl.N", 0.9)], .inconclusive, .lateHarness,
            ["step 1 (send: sdl.M", "after 100 ms"]),
        Scenario(
            "an ignored FIN still tells why the peer could not answer",
            testCase(
                [expect("sdl.R", from: "hu", within: .seconds(1))], ignore: [pattern("tcp.FIN")]),
            [sent("tcp.FIN", 0.2)], .fail, .sequence, ["tcp.FIN"]),
        Scenario(
            "a connection that ended before the step does not count",
            testCase([expect("sdl.A"), expect("sdl.R", from: "hu", within: .seconds(1))]),
            [sent("tcp.FIN", 0.05), sent("sdl.A", 0.1)], .inconclusive,
            .sequence),
        Scenario(
            "a peer's late answer makes a pass inconclusive", answered,
            [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2)],
            .inconclusive, .lateHarness,
            ["peer hu's answer sdl.Show.response to sdl.Show.request came after 100 ms, 50ms are"]),
        Scenario(
            "the tolerance of the step that took the request bounds the answer",
            testCase([
                expect(
                    "sdl.Show.request", tolerance: Tolerance(absolute: .milliseconds(100))),
                expect("sdl.Show.response", from: "hu"),
            ]), [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2)], .pass),
        Scenario(
            "a late answer to an ignored request counts too",
            testCase([expect("sdl.A")], ignore: [pattern("sdl.Show.request")]),
            [
                sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2),
                sent("sdl.A", 0.3),
            ], .inconclusive, .lateHarness),
        Scenario(
            "the tolerance of the waiting step bounds the answer to an ignored request",
            testCase(
                [expect("sdl.A", tolerance: Tolerance(absolute: .milliseconds(100)))],
                ignore: [pattern("sdl.Show.request")]),
            [
                sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2), sent("sdl.A", 0.3),
            ], .pass),
        Scenario(
            "the tolerance of the last step bounds the answers of the closing window",
            testCase(
                [expect("sdl.A", tolerance: Tolerance(absolute: .milliseconds(100)))],
                ignore: [pattern("sdl.Show.request")]),
            [
                sent("sdl.A", 0.1), sent("sdl.Show.request", 0.15), hu("sdl.Show.response", 0.25),
            ], .pass),
        Scenario(
            "a late answer in a case without steps counts too",
            testCase([], never: [never("sdl.Bad")], ignore: [pattern("sdl.Show.request")]),
            [sent("sdl.Show.request", 0.05), hu("sdl.Show.response", 0.15)], .inconclusive,
            .lateHarness),
        Scenario(
            "a late answer makes a failure inconclusive", answered,
            [
                sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2),
                sent("sdl.X", 0.25),
            ], .inconclusive, .lateHarness, ["without that: fail", "unexpected sdl.X"]),
        Scenario(
            "a foreign peer may be late", answered,
            [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.2)],
            options: foreign, .pass),
        Scenario(
            "a silent peer is not late",
            testCase([expect("sdl.Show.request"), expect("sdl.Show.request")]),
            [
                sent("sdl.Show.request", 0.1), sent("sdl.Show.request", 3),
                hu("sdl.Show.response", 3.01),
            ], .pass),
        Scenario(
            "a withheld answer is not late",
            testCase([
                expect("sdl.Show.request"), pause(.seconds(1)),
                sending("sdl.Show.response", answering: 0),
            ]), [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 1.11)], .pass),
        Scenario(
            "a send that happens to be an answer is not late as an answer",
            testCase([
                expect("sdl.Show.request"), pause(.seconds(1)), sending("sdl.Show.response"),
            ]), [sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 1.11)], .pass),
        Scenario(
            "a late send is the harness's fault",
            testCase([expect("sdl.A"), sending("sdl.N")]),
            [sent("sdl.A", 0.1), hu("sdl.N", 0.151)], .inconclusive, .lateHarness,
            ["step 2 (send: sdl.N", "came after 51 ms"]),
        Scenario(
            "a send at the edge of the tolerance is in time",
            testCase([expect("sdl.A"), sending("sdl.N")]),
            [sent("sdl.A", 0.1), hu("sdl.N", 0.15)], .pass),
        Scenario(
            "the lag of a send counts from when it is due",
            testCase([expect("sdl.A"), sending("sdl.N", after: .seconds(1))]),
            [sent("sdl.A", 0.1), hu("sdl.N", 1.12)], .pass),
        Scenario(
            "a late action is the harness's fault",
            testCase([expect("sdl.A"), act("hu", "close"), expect("sdl.B")]),
            [
                sent("sdl.A", 0.1), hu("tcp.FIN", 0.2), sent("sdl.B", 0.3),
            ], .inconclusive, .lateHarness, ["step 2 (do: hu.close)"]),
        Scenario(
            "a send that never comes is nobody's fault",
            testCase([sending("sdl.N", within: .seconds(1))]), [], .inconclusive, .sequence,
            ["peer hu did not send sdl.N from hu within 1s"]),
        Scenario(
            "a send beyond its deadline is the harness's fault",
            testCase([sending("sdl.N", within: .seconds(1))]), [hu("sdl.N", 1.5)], .inconclusive,
            .lateHarness),
        Scenario(
            "an action without a trace is nobody's fault",
            testCase([act("hu", "reset")]), [], .inconclusive, .sequence,
            ["hu.reset left no trace"]),
        Scenario(
            "an action on a connection that the device ends is nobody's fault",
            testCase([act("hu", "close")]), [sent("tcp.FIN", 0.1)], .inconclusive, .sequence,
            ["hu.close left no trace", "the device had ended a connection 100 ms after the case"]),
        Scenario(
            "an action on a connection that the device has ended is nobody's fault",
            testCase([expect("sdl.A"), pause(.seconds(1)), act("hu", "close")]),
            [sent("sdl.A", 0.1), sent("tcp.RST", 0.2), hu("tcp.FIN", 0.21)], .inconclusive,
            .sequence, ["hu.close left no trace", "the device had reset a connection"]),
        Scenario(
            "a send on a connection that the device has ended is nobody's fault",
            testCase([expect("sdl.A"), pause(.seconds(1)), sending("sdl.N", within: .seconds(1))]),
            [sent("sdl.A", 0.1), sent("tcp.FIN", 0.2)], .inconclusive, .sequence,
            ["peer hu did not send sdl.N", "the device had ended a connection"]),
        Scenario(
            "a peer's other message is not the answer that is withheld",
            testCase([
                expect("sdl.Show.request"), pause(.seconds(1)),
                sending("sdl.Show.response", with: ["params.n": .literal(1)], answering: 0),
            ]),
            [
                sent("sdl.Show.request", 0.1), hu("sdl.Show.response", 0.5, ["n": 2]),
                hu("sdl.Show.response", 1.11, ["n": 1]),
            ], .pass),
        Scenario(
            "a device control that was not recorded is missing",
            testCase([act("device", "background"), expect("sdl.A")]), [], .inconclusive, .sequence,
            ["device.background left no trace"]),
        Scenario(
            "a foreign capture has no record of device controls",
            testCase([act("device", "background"), expect("sdl.A")]),
            [sent("sdl.A", 0.1)], options: foreign, .pass),
        Scenario(
            "an early message of a peer is nobody's fault",
            testCase([expect("sdl.R", from: "hu", after: .seconds(1))]), [hu("sdl.R", 0.1)],
            .inconclusive, .timing, ["too early"]),
        Scenario(
            "a foreign carrier's fault is not the device's", plain,
            [sent("sdl.A", 0.1), hu("le.disconnected", 0.3, ["fault": "the air broke a link"])],
            options: foreign, .inconclusive, .sequence,
            ["the air broke a link, 300 ms after the case began", "without that: fail"]),
        Scenario(
            "a silence proves nothing after a foreign carrier's fault", testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1), hu("le.disconnected", 0.15, ["fault": "the air broke a link"])],
            options: foreign, .inconclusive, .sequence, ["without that: pass"]),
        Scenario(
            "a carrier's fault that a step takes is what the case is about",
            testCase([
                expect("sdl.A"), expect("le.disconnected", from: "hu"),
                expect("sdl.B", within: .seconds(1)),
            ]),
            [sent("sdl.A", 0.1), hu("le.disconnected", 0.3, ["fault": "the air broke a link"])],
            options: foreign, .fail, .sequence),
        Scenario(
            "our own carrier breaks a link only where the suite asks for it", plain,
            [sent("sdl.A", 0.1), hu("le.disconnected", 0.3, ["fault": "the air broke a link"])],
            .fail, .sequence),
        Scenario(
            "a field that was not read may have been right",
            testCase([expect("sdl.A", where: ["params.n": equals(1)])]),
            [sent("sdl.A", 0.1, ["unread": "the body is long"])], .inconclusive, .captureLoss,
            ["the body is long, in sdl.A, 100 ms", "without that: fail"]),
        Scenario(
            "a field that was not read may have been forbidden",
            testCase(
                [expect("sdl.A")], never: [never("sdl.B", where: ["params.n": equals(1)])],
                unexpected: .allow),
            [sent("sdl.A", 0.1), sent("sdl.B", 0.15, ["unread": "the body is long"])],
            .inconclusive, .captureLoss, ["without that: pass"]),
        Scenario(
            "what was not read does not matter where nobody asks for it",
            testCase([expect("sdl.A")]),
            [sent("sdl.A", 0.1, ["unread": "the body is long"])], .pass),
        Scenario(
            "a message that the decoder gave up is not malformed", plain,
            [sent("sdl.A", 0.1), sent("sdl.malformed", 0.2, ["unread": "it is long"])],
            .inconclusive, .captureLoss, ["it is long, in sdl.malformed"]),
        Scenario(
            "a device cannot go on where a foreign peer has ended the connection", plain,
            [sent("sdl.A", 0.1), hu("tcp.FIN", 0.3)], options: foreign, .inconclusive, .sequence,
            ["peer hu had ended a connection"]),
        Scenario(
            "a device that has ended the connection itself could have gone on", plain,
            [sent("sdl.A", 0.1), sent("tcp.FIN", 0.3)], options: foreign, .fail, .sequence),
        Scenario(
            "a late message of a foreign peer is nobody's fault",
            testCase([expect("sdl.R", from: "hu", within: .seconds(1))]), [hu("sdl.R", 1.5)],
            options: foreign, .inconclusive, .timing, ["too late"]),
    ]

    @Test("The device does not fail for what the harness did", arguments: harness)
    func harnessFault(_ scenario: Scenario) {
        scenario.verify()
    }

    static let scenarios = deviceFaults + harness
}
