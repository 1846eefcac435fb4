import Results
import SuiteLanguage
import TestBench
import Testing

@testable import Live

@Suite("The header of a run")
struct RunHeaderTests {
    @Test("A run of suites for several kinds of devices names each device once")
    func devices() throws {
        let benches = try ["sdl.app", "session.client", "sdl.app"].map { role in
            try WorkBench(
                suite: WorkBench.suite.replacing("role: sdl.app", with: "role: \(role)")
                    .replacing("suite: bench", with: "suite: bench-\(role.count)"))
        }
        let plan = try RunPlan(
            suites: benches.map { ($0.suitePath, $0.suite) }, selection: .init(),
            device: .reference(executable: "conform-device", mutant: nil))
        let header = RunHeader(
            plan: plan,
            options: RunSession.Options(
                executable: "", folder: benches[0].folder + "/r", command: []))
        #expect(header.device.role == "sdl.app, session.client")
        #expect(header.device.name == "conform-device sdl-app, conform-device session-client")
    }
}
