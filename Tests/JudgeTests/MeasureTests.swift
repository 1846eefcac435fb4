import Results
import Testing

@testable import Judge
@testable import SuiteLanguage

/// What a case measures in addition to its verdict.
@Suite struct MeasureTests {
    private static func scenario(
        _ measures: [Measure], _ trace: [Line], steps: [Step] = steps
    ) -> [Measurement] {
        var testCase = testCase(steps)
        testCase.measures = measures
        return Scenario("measured", testCase, trace, .pass).judgement.measurements
    }

    private static let steps = [
        expect("sdl.A", id: "begun"), expect("sdl.B"), expect("sdl.A"),
        expect("sdl.C", id: "over"),
    ]
    private static let trace = [
        sent("sdl.A", 0.1), sent("sdl.B", 0.2), sent("sdl.A", 0.3), sent("sdl.C", 0.45),
    ]

    @Test("A time runs from one step to another, and has their frames")
    func time() throws {
        let measured = Self.scenario(
            [Measure(name: "way", quantity: .time(from: "begun"), to: "over")], Self.trace)
        let first = try #require(measured.first)
        #expect(abs((first.seconds ?? 0) - 0.35) < 1e-9)
        #expect(first.value == "350 ms")
        #expect(first.count == nil)
        #expect(first.frames == [1, 4])
    }

    @Test("A count has the messages of that name that steps took, both ends included")
    func count() throws {
        let measured = Self.scenario(
            [
                Measure(name: "all", quantity: .count("sdl.A", from: nil), to: "over"),
                Measure(name: "one", quantity: .count("sdl.A", from: nil), to: "begun"),
                Measure(name: "last", quantity: .count("sdl.C", from: "over"), to: "over"),
                Measure(name: "none", quantity: .count("sdl.X", from: "begun"), to: "over"),
            ], Self.trace)
        #expect(measured.map(\.count) == [2, 1, 1, 0])
        #expect(measured.map(\.value) == ["2 messages", "1 message", "1 message", "0 messages"])
        #expect(measured.map(\.frames) == [[1, 3], [1], [4], []])
    }

    @Test("Nothing is measured up to a step that was not reached")
    func notReached() {
        let measures = [
            Measure(name: "way", quantity: .time(from: "begun"), to: "over"),
            Measure(name: "all", quantity: .count("sdl.A", from: "over"), to: "begun"),
        ]
        #expect(Self.scenario(measures, Array(Self.trace.prefix(3))).isEmpty)
    }

    @Test("In repeated rounds the latest round counts")
    func rounds() {
        let measured = Self.scenario(
            [Measure(name: "way", quantity: .time(from: "begun"), to: "over")],
            [
                sent("sdl.A", 0.1), sent("sdl.A", 0.4), sent("sdl.C", 0.5),
            ],
            steps: [
                repeating(2...2, [expect("sdl.A", id: "begun")]),
                expect("sdl.C", id: "over"),
            ])
        #expect(measured.map(\.value) == ["100 ms"])
    }
}
