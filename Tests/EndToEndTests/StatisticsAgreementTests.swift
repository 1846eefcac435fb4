import Foundation
import Testing
import Wire

/// The output of other programs about a capture, to compare with `conform decode --stats`.
private enum Witness {
    /// Returns the path of an installed program; `nil` if it is not installed.
    static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return (folders.map(String.init) + ["/usr/bin", "/usr/sbin"]).map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns the output of a program about a capture.
    static func output(_ words: [String]) throws -> String {
        let outcome = try ConformProgram.Started(words, in: ConformProgram.root).wait()
        try #require(outcome.status == 0, "\(words): \(outcome.errors)")
        return outcome.output
    }

    /// Every capture next to the repository; other files there are recognised by their names.
    static let captures: [String] = {
        guard let data = ConformProgram.data else { return [] }
        let others: Set = ["json", "md", "xml"]
        return files(below: data).filter { !others.contains(URL(filePath: $0).pathExtension) }
    }()

    /// The captures of the sample report, which are always available.
    static let samples = files(below: "\(ConformProgram.root)/Reports/sample/captures")

    private static func files(below folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.map { "\(folder)/\($0)" }.filter { !ConformProgram.isFolder($0) }.sorted()
    }
}

/// A conversation as `tshark -z conv,tcp` prints it.
///
/// A line has the ends, the frames and bytes of each side and of both, and times.
private struct Conversation {
    let frames: Int64
    /// The range of byte counts that the number can mean.
    ///
    /// Above 10,000 bytes tshark truncates the number to whole units.
    let bytes: ClosedRange<Int64>

    private static let units: [Substring: Int64] = [
        "bytes": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000,
    ]

    /// Creates a conversation from a line; `nil` if the line is not a conversation.
    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard let arrow = words.firstIndex(of: "<->") else { return nil }
        var numbers: [(number: Int64, unit: Int64)] = []
        for word in words[(arrow + 2)...] {
            if let number = Int64(word) {
                numbers.append((number, 1))
            } else if let unit = Self.units[word], let last = numbers.indices.last {
                numbers[last].unit = unit
            }
        }
        guard numbers.count >= 6 else { return nil }
        frames = numbers[4].number
        let least = numbers[5].number * numbers[5].unit
        bytes = least...(least + numbers[5].unit - 1)
    }
}

/// The output of `conform decode --stats` for a capture.
private struct Statistics {
    /// Count and bytes of each message, by name.
    var messages: [String: [String: Int64]] = [:]
    /// The line about the capture itself.
    var capture: Value = .object([])

    init(_ path: String) throws {
        let decode = try ConformProgram.run(["decode", "--stats", "--format", "json", path])
        try #require(decode.status == 0, "\(decode.errors)")
        for line in decode.output.split(separator: "\n") {
            let value = try Value(json: Array(line.utf8).span.bytes)
            guard let name = value["message"]?.stringValue else {
                capture = value
                continue
            }
            messages[name] = [
                "count": value["count"]?.integerValue ?? -1,
                "bytes": value["bytes"]?.integerValue ?? -1,
            ]
        }
    }
}

@Suite("Agreement of decode's counts with other programs")
struct StatisticsAgreementTests {
    @Test("There are captures to compare")
    func samplesAreThere() { #expect(Witness.samples.count >= 15) }

    @Test(
        "There are real captures to compare",
        .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"))
    func capturesAreThere() { #expect(Witness.captures.count >= 14) }

    @Test(
        "An independent, slow decoder finds the same messages with the same bytes",
        .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"),
        .enabled(if: Witness.path(of: "python3") != nil, "Python is not installed"),
        arguments: Witness.captures)
    func slowDecoder(capture: String) throws {
        let python = try #require(Witness.path(of: "python3"))
        let data = try #require(ConformProgram.data)
        let text = try Witness.output([
            python, "Tests/Independent/slow_decoder.py", data + "/sdl/MOBILE_API.xml", capture,
        ])
        let expected = try Value(json: Array(text.utf8).span.bytes)
        let found = try Statistics(capture).messages
        let names = try #require(expected.objectValue).map(\.name)
        #expect(names.sorted() == found.keys.sorted())
        for name in names {
            #expect(expected[name]?["count"]?.integerValue == found[name]?["count"], "\(name)")
            #expect(expected[name]?["bytes"]?.integerValue == found[name]?["bytes"], "\(name)")
        }
    }

    @Test(
        "capinfos counts the same number of packets and bytes",
        .enabled(if: Witness.path(of: "capinfos") != nil, "capinfos is not installed"),
        arguments: Witness.samples + Witness.captures)
    func capinfos(capture: String) throws {
        let program = try #require(Witness.path(of: "capinfos"))
        // -T table, -r no header, -M plain numbers, -c packets, -d bytes of data.
        let text = try Witness.output([program, "-TrMcd", capture])
        let columns = text.split(whereSeparator: { $0 == "\t" || $0 == "\n" }).suffix(2)
        let found = try Statistics(capture).capture
        let packets = try #require(columns.first.flatMap { Int64($0) }, "\(text)")
        let bytes = try #require(columns.last.flatMap { Int64($0) }, "\(text)")
        #expect(packets == found["packets"]?.integerValue, "\(text)")
        #expect(bytes == found["bytes"]?.integerValue, "\(text)")
    }

    @Test(
        "tshark finds the same number of TCP conversations, packets and bytes",
        .enabled(if: Witness.path(of: "tshark") != nil, "tshark is not installed"),
        arguments: Witness.samples + Witness.captures)
    func conversations(capture: String) throws {
        let program = try #require(Witness.path(of: "tshark"))
        let text = try Witness.output([program, "-n", "-q", "-z", "conv,tcp", "-r", capture])
        let lines = text.split(separator: "\n").filter { $0.contains("<->") }
        let conversations = lines.compactMap { Conversation(line: $0) }
        try #require(conversations.count == lines.count, "\(text)")
        let found = try Statistics(capture).capture
        #expect(Int64(conversations.count) == found["flows"]?.integerValue, "\(text)")
        let frames = conversations.reduce(0) { $0 + $1.frames }
        #expect(frames == found["packets"]?.integerValue, "\(text)")
        let least = conversations.reduce(0) { $0 + $1.bytes.lowerBound }
        let most = conversations.reduce(0) { $0 + $1.bytes.upperBound }
        let bytes = try #require(found["bytes"]?.integerValue)
        #expect((least...most).contains(bytes), "\(bytes) bytes: \(text)")
    }
}
