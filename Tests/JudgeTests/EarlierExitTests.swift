import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Ends of devices that come before the step that awaits them, or end a wait.
@Suite struct EarlierExitTests {
    private static func exit(_ seconds: Double, remains: Bool = false) -> Line {
        event(
            DeviceEvent.exited, seconds,
            ["code": 3, "expected": true, "remains": .bool(remains)])
    }

    static let scenarios: [Scenario] = [
        Scenario(
            "an end during a pause satisfies the step after it",
            testCase([expect("sdl.A"), pause(.seconds(1)), expect(DeviceEvent.exited)]),
            [sent("sdl.A", 0.1), exit(0.5)], .pass),
        Scenario(
            "a device that has ended is not waited for",
            testCase([expect("sdl.A"), expect("sdl.B", within: .seconds(30))]),
            [sent("sdl.A", 0.1), exit(0.5)], .fail, .liveness, ["exited with code 3"]),
        Scenario(
            "one that is launched again is",
            testCase([
                expect("sdl.A"), expect(DeviceEvent.exited), act("device", "start"),
                expect("sdl.B"),
            ]),
            [
                sent("sdl.A", 0.1), exit(0.5), event("device.start", 0.51),
                event(DeviceEvent.started, 0.52), sent("sdl.B", 0.9),
            ], .pass),
        Scenario(
            "one whose other processes run may still send",
            testCase([expect("sdl.A"), expect("sdl.B", within: .seconds(5))]),
            [sent("sdl.A", 0.1), exit(0.5, remains: true), sent("sdl.B", 1)], .pass),
    ]

    @Test("The end of a device is an event wherever it happens", arguments: scenarios)
    func scenario(_ scenario: Scenario) { scenario.verify() }
}
