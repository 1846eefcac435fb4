import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Judge

/// Bytes that do not decode, demanded or not.
@Suite struct LostBytesTests {
    private static func lost(
        _ conditions: [String: ValueMatcher] = [:], save: [String: String] = [:]
    ) -> Step {
        var step = expect("sdl.A", line: 15, where: conditions, save: save)
        step.verb = .lost
        return step
    }

    /// Judges a trace in which the device's stream has undecodable bytes at these places.
    private static func matcher(
        _ steps: [Step], unexpected: UnexpectedPolicy = .fail, _ pieces: [Range<UInt64>],
        then rest: [Line] = []
    ) -> Judgement {
        var messages = Line.messages(
            pieces.enumerated().map { index, _ in
                var line = sent("sdl.malformed", 0.1 * Double(index + 1))
                line.fields = ["error": "protocol version 9", "error_code": "badValue"]
                return line
            } + rest)
        for (index, range) in pieces.enumerated() { messages[index].streamRange = range }
        return judged(
            testCase(steps, unexpected: unexpected), on: messages, end: Cast.time(50))
    }

    @Test(
        "A step takes lost bytes, has conditions on place, length and reason, and saves")
    func taken() {
        let after = expect("sdl.B", line: 16, where: ["params.n": variable("v")])
        let judgement = Self.matcher(
            [
                Self.lost(
                    [
                        "offset": equals(40), "length": .minimum(.literal(12)),
                        "reason": .contains(equals("version")),
                    ], save: ["v": "length"]), after,
            ], [40..<52], then: [sent("sdl.B", 1, ["n": 12])])
        #expect(judgement.verdict == .pass, "\(judgement.reason?.summary ?? "")")
        let other = Self.matcher([Self.lost(["offset": equals(41)])], [40..<52])
        #expect(other.verdict == .fail)
        #expect(other.reason?.code == .malformed)
    }

    @Test("Lost bytes that directly follow those that a step took belong to them")
    func continued() {
        let one = [Self.lost()]
        #expect(Self.matcher(one, [0..<1, 1..<12, 12..<40]).verdict == .pass)
        let apart = Self.matcher(one, [0..<1, 2..<12])
        #expect(apart.reason?.code == .malformed)
        let two = [Self.lost(), Self.lost()]
        #expect(Self.matcher(two, [0..<1, 1..<12]).verdict == .fail)
        #expect(Self.matcher(two, [0..<1, 2..<12]).verdict == .pass)
    }

    @Test("Without such a step lost bytes break the case, whatever else is allowed")
    func undemanded() {
        for policy in UnexpectedPolicy.allCases {
            let judgement = Self.matcher(
                [expect("sdl.B")], unexpected: policy, [0..<12], then: [sent("sdl.B", 1)])
            #expect(judgement.verdict == .fail, "\(policy)")
            #expect(judgement.reason?.code == .malformed)
            #expect(judgement.reason?.summary.contains("do not decode") == true)
        }
    }

    @Test("A message that decodes is not lost")
    func decoded() {
        Scenario(
            "decoded", testCase([Self.lost()]), [sent("sdl.A", 0.1)], .fail, .unexpected,
            ["bytes that do not decode"]
        ).verify()
        Scenario(
            "nothing", testCase([Self.lost()], ignore: [pattern("sdl.A")]), [sent("sdl.A", 0.1)],
            .fail, .sequence, ["bytes that do not decode from device", "nothing came"]
        ).verify()
    }
}
