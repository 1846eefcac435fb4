import SuiteLanguage
import TestBench
import Testing

@testable import Live

@Suite("Cases that need a person")
struct PersonPlanTests {
    private static func suite(_ steps: String) -> String {
        """
        conform: 1
        suite: bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        defaults: {unexpected: allow}
        cases:
          - id: opens
            checks: [R-1]
            steps:
        \(steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
        """
    }

    /// Why the case is skipped; `nil` if it is not.
    private static func reason(
        _ steps: String, hasPerson: Bool = true,
        access: String = "launch: [/bin/true]", control: String = "{operator: press it}"
    ) throws -> String? {
        let bench = try WorkBench(suite: suite(steps))
        let profile = bench.folder + "/device.yaml"
        try FileSystem.write(
            Array(
                """
                name: d
                role: sdl.app
                \(access)
                controls:
                  press: \(control)
                """.utf8), to: profile)
        let plan = try RunPlan(
            suites: [(bench.suitePath, bench.suite)], selection: .init(),
            device: .profile(path: profile), hasPerson: hasPerson)
        return plan.entries[0].skipReason?.summary
    }

    private static let pressed = "- do: device.press\n- expect: sdl.StartService\n  within: 1s"
    private static let around = "attach: {address: 10.0.0.7, interface: eth0, before: [press]}"

    @Test("Cases that need a person run if there is one, and are skipped otherwise")
    func needed() throws {
        #expect(try Self.reason(Self.pressed) == nil)
        let reason = "control press asks a person, and there is nobody (CONFORM_OPERATOR=none)"
        #expect(try Self.reason(Self.pressed, hasPerson: false) == reason)
        #expect(
            try Self.reason(Self.pressed, hasPerson: false, control: "{command: [/bin/true]}")
                == nil)
    }

    @Test("All cases need a person if one brings the device to its starting point")
    func everyCase() throws {
        let plain = "- expect: sdl.StartService"
        #expect(
            try Self.reason(plain, hasPerson: false, access: Self.around)?
                .contains("control press asks a person") == true)
        #expect(try Self.reason(plain, access: Self.around) == nil)
        #expect(try Self.reason(plain, hasPerson: false) == nil)
    }

    @Test(
        "Cases are skipped if an earliest time counts from what a person does",
        arguments: [
            "- do: device.press\n- expect: sdl.StartService\n  after: 1s\n  within: 5s",
            "- do: device.press\n- expect: sdl.StartService\n  at: 1s",
            """
            - do: device.press
              id: p
            - expect: sdl.StartService
            - expect: sdl.EndService
              since: p
              after: 1s
              within: 5s
            """,
            """
            - do: device.press
            - optional:
                - expect: sdl.StartService
            - expect: sdl.EndService
              after: 1s
              within: 5s
            """,
        ])
    func early(_ steps: String) throws {
        let reason = try #require(try Self.reason(steps))
        #expect(reason.contains("counts from control press"))
        #expect(try Self.reason(steps, control: "{command: [/bin/true]}") == nil)
    }

    @Test("Cases that need a person may have earliest times that count from other steps")
    func later() throws {
        let steps = Self.pressed + "\n- expect: sdl.EndService\n  after: 1s\n  within: 5s"
        #expect(try Self.reason(steps) == nil)
    }
}
