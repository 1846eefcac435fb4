import BuiltInProtocols
import Devices
import Judge
import SuiteLanguage
import TestBench
import TestSupport
import Testing

@testable import Live

/// The choice of cases by the basis of their requirements and by what a device accepts.
@Suite("Plans by requirements")
struct RequirementSelectionTests {
    private static let text = """
        conform: 1
        suite: bench
        requirements: [catalogue.yaml]
        device: {role: sdl.app}
        peers:
          hu: {is: sdl.head-unit}
        cases:
          - {id: one, checks: [R-1], steps: [{expect: sdl.StartService}]}
          - {id: other, checks: [R-2], given: {device: {a: 1}}, steps: [{expect: sdl.StartService}]}
        """

    private static let catalogue = """
        conform-requirements: 1
        document: Made up
        requirements:
          R-1:
            text: The device does it.
            quote: does it
          R-2: {text: The device does more., derived: a log}
        """

    private let folder = TemporaryFolder()

    private func suite() throws -> Suite {
        try FileSystem.write(Array(Self.text.utf8), to: folder.path + "/bench.yaml")
        try FileSystem.write(Array(Self.catalogue.utf8), to: folder.path + "/catalogue.yaml")
        return try SuiteLoader(.builtIn).load(path: folder.path + "/bench.yaml")
    }

    private func plan(
        _ bases: [RequirementBasis.Kind] = [],
        _ device: DeviceSelection = .command(["d"])
    ) throws -> RunPlan {
        try RunPlan(
            suites: [("bench.yaml", try suite())], selection: .init(bases: bases), device: device)
    }

    @Test("The cases of one basis of requirements can be run alone")
    func bases() throws {
        #expect(try plan([.document]).entries.map(\.testCase.id) == ["one"])
        #expect(try plan([.derived]).entries.map(\.testCase.id) == ["other"])
        #expect(try plan([.document, .derived]).entries.count == 2)
        #expect(try plan([.ours]).entries.isEmpty)
    }

    @Test("A case that needs a configuration is skipped for a device that takes none")
    func configuration() throws {
        let path = folder.path + "/plain.yaml"
        let profile = "name: Plain\nrole: sdl.app\nlaunch: [d]\nconfiguration: none\n"
        try FileSystem.write(Array(profile.utf8), to: path)
        let skipped = try plan([], .profile(path: path)).entries.map(\.skipReason?.summary)
        #expect(skipped[0] == nil)
        #expect(skipped[1]?.contains("configuration: none") == true)
    }
}
