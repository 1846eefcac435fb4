import TestSupport
import Testing

@Suite("What the description of a message forbids, sent to reference devices", .serialized)
struct RobustnessTests {
    @Test(
        "Reference devices survive it, live and from the captures",
        arguments: [("sdl-head-unit-robustness", 13), ("sdl-app-robustness", 10)])
    func survives(_ suite: String, count: Int) throws {
        let run = try JudgedRun("Suites/\(suite).yaml", ["--explore", "3,shrink=0s"])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count == count)
        try run.expectSameOffline()
    }

    @Test(
        "A mistake fails drawn runs under its requirement",
        arguments: [
            ("sdl-head-unit-robustness", "silent-about-wrong-types", "SPX-53"),
            ("sdl-head-unit-robustness", "serves-long-texts", "SPX-54"),
            ("sdl-head-unit-robustness", "exits-on-wrong-types", "SPX-55"),
            ("sdl-app-robustness", "ends-on-wrong-value", "SPX-62"),
        ])
    func mutants(suite: String, mutant: String, requirement: String) throws {
        let run = try JudgedRun(
            "Suites/\(suite).yaml",
            ["--explore", "8,shrink=0s", "--device", "reference:\(mutant)"])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements.contains(requirement))
    }

    @Test(
        "What a device keeps of wrong values fails, and that it spins, live and from the capture",
        arguments: [
            ("sdl-head-unit-robustness", "unit-keeps-wrong-values"),
            ("sdl-app-robustness", "spins-after-wrong-value"),
        ])
    func growth(suite: String, mutant: String) throws {
        let run = try JudgedRun(
            "Suites/\(suite).yaml",
            [
                "--case", "wrong-values-cost-nothing*", "--explore", "1,shrink=0s", "--device",
                "reference:\(mutant)",
            ])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.failedRequirements == ["SPX-64"])
        try run.expectSameOffline()
    }
}
