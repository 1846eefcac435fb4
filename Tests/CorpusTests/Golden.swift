import FoundationEssentials
import Glibc
import Testing

/// Files of the corpus that hold what a user reads, byte for byte.
///
/// `CONFORM_RECORD=all` records them again and makes the test fail, so that nobody records by
/// accident.
enum Golden {
    static func expect(
        _ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if getenv("CONFORM_RECORD").map({ String(cString: $0) }) == "all" {
            try Data(text.utf8).write(to: URL(filePath: "\(CorpusFiles.root)/\(name)"))
            Issue.record(
                "\(name) has been recorded; look at it and run again without CONFORM_RECORD",
                sourceLocation: sourceLocation)
            return
        }
        let golden = try CorpusFiles.text(name)
        guard golden != text else { return }
        let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let actual = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(expected, actual).enumerated().first { $0.element.0 != $0.element.1 }
        let number = line?.offset ?? min(expected.count, actual.count)
        Issue.record(
            """
            \(name):\(number + 1) differs
            golden: \(number < expected.count ? expected[number] : "(ends)")
            actual: \(number < actual.count ? actual[number] : "(ends)")
            """, sourceLocation: sourceLocation)
    }
}
