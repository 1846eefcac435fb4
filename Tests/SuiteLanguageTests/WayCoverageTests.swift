import BuiltInProtocols
import Foundation
import TestSupport
import Testing

@testable import SuiteLanguage

/// Requirements, the ways to break them, and the cases that would notice.
@Suite("Ways to break requirements")
struct WayCoverageTests {
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
            ways:
              not at all: bench/one
              somewhere else: elsewhere/*
              late: []
              twice: bench/other
          R-2: {text: The device does more., derived: a log}
        """

    private let folder = TemporaryFolder()

    private func suite() throws -> Suite {
        try Self.text.write(
            toFile: folder.path + "/bench.yaml", atomically: false, encoding: .utf8)
        try Self.catalogue.write(
            toFile: folder.path + "/catalogue.yaml", atomically: false, encoding: .utf8)
        return try SuiteLoader(.builtIn).load(path: folder.path + "/bench.yaml")
    }

    @Test("A way without a case is found, and one whose cases do not check the requirement")
    func ways() throws {
        let coverage = WayCoverage(suites: [try suite()])
        #expect(coverage.rows.map(\.requirement.id) == ["R-1", "R-2"])
        let ways = try #require(coverage.rows.first).ways
        #expect(ways.map(\.cases) == [["bench/one"], [], [], []])
        #expect(ways.map(\.isOpen) == [false, false, true, true])
        #expect(ways[1].elsewhere == ["elsewhere/*"])
        #expect(coverage.findings.map { "⟦\($0.code)⟧" } == ["⟦open-way⟧", "⟦idle-way⟧"])
        #expect(coverage.findings.map { $0.position?.line } == [10, 11])
    }
}
