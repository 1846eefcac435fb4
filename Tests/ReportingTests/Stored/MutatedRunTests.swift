import Results
import TestSupport
import Testing

@testable import Reporting

/// Checks that reading stored results gives a run or an error, whatever they contain.
///
/// Every report of such a run can be drawn.
@Suite("Stored runs that were damaged or made up")
struct MutatedRunTests {
    private static let extremes = [
        "-9223372036854775808", "9223372036854775807", "-1", "0", "1e308", "-1e308", "1e-308",
        "18446744073709551615", "-2305843009213693952", "2305843009213693952", "null", "\"\"",
        "\"infinite\"", "\"not a number\"", "[]", "{}", "true",
    ]

    /// Replaces some numbers, or bytes, of a text.
    private static func mutated(_ good: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = good
        for _ in 0...generator.below(3) {
            let start = generator.below(bytes.count)
            let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
            guard generator.below(8) > 0,
                let from = bytes[start...].firstIndex(where: isDigit),
                let end = bytes[from...].firstIndex(where: { !isDigit($0) && $0 != 0x2E })
            else {
                bytes[start] = UInt8(truncatingIfNeeded: generator.below(256))
                continue
            }
            let other = extremes[generator.below(extremes.count)]
            bytes.replaceSubrange(from..<end, with: Array(other.utf8))
        }
        return bytes
    }

    private static func draw(_ run: RunResult) -> Int {
        let console = ConsoleReport(folder: "run")
        var lines = console.opening(run.header) + console.closing(run)
        for result in run.cases {
            lines += [console.line(result)] + console.details(result) + console.explanation(result)
            lines.append(HTMLReport.page(of: result, in: run.header) ?? "")
        }
        lines += [HTMLReport(run).text, JUnitReport(run).text]
        lines += JUnitReport(run).surefireFiles.map(\.text)
        lines += SummaryReport.Place.allCases.map { SummaryReport(run, for: $0).text }
        lines += GitHubAnnotations(run).lines + [CodeQualityReport(run, root: "").text]
        _ = RunComparison(run, run)
        return lines.count
    }

    @Test("Changed numbers and bytes cause no trap", arguments: 0..<8)
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var run = SampleRun.run
        run.cases = [run.cases[generator.below(run.cases.count)]]
        run.cases += EvidenceSample.run.cases.prefix(1)
        let good = try ResultsFile.bytes(of: run)
        var drawn = 0
        for _ in 0..<60 {
            let bytes = Self.mutated(good, &generator)
            guard let run = try? ResultsFile.run(from: bytes) else { continue }
            #expect(Self.draw(run) > 0)
            drawn += 1
        }
        #expect(drawn > 0, "every mutation was refused: nothing was tried")
    }
}
