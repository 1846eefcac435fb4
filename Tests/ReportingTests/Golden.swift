import Foundation
import Testing

/// Files with the expected reports, byte for byte.
///
/// `CONFORM_RECORD=all` records them again and makes the test fail, so that nobody records by
/// accident.
enum Golden {
    static func expect(
        _ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden").appending(path: name)
        if ProcessInfo.processInfo.environment["CONFORM_RECORD"] == "all" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record(
                "\(name) has been recorded; look at it and run again without CONFORM_RECORD",
                sourceLocation: sourceLocation)
            return
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        if golden == text, golden.utf8.elementsEqual(text.utf8) { return }
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
