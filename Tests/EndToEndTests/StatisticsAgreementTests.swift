import Foundation
import Protocols
import Testing

/// What others say of a capture, to compare with `conform decode --stats`.
private enum Witness {
    /// The path of an installed program; `nil` if it is not there.
    static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return (folders.map(String.init) + ["/usr/bin", "/usr/sbin"]).map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// What a program prints about a capture.
    static func output(_ words: [String]) throws -> String {
        let outcome = try ConformProgram.Started(words, in: ConformProgram.root).wait()
        try #require(outcome.status == 0, "\(words): \(outcome.errors)")
        return outcome.output
    }

    /// Every capture beside the repository.
    static let captures: [String] = {
        guard let data = ConformProgram.data else { return [] }
        let all = FileManager.default.enumerator(atPath: data)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".pcap") }.sorted()
    }()
}

/// What `conform decode --stats` says of a capture.
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

@Suite(
    "What decode counts, others count too",
    .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"))
struct StatisticsAgreementTests {
    private var data: String { ConformProgram.data ?? "" }

    @Test("There are captures to compare")
    func capturesAreThere() { #expect(Witness.captures.count >= 14) }

    @Test(
        "An independent, slow decoder finds the same messages with the same bytes",
        .enabled(if: Witness.path(of: "python3") != nil, "Python is not installed"),
        arguments: Witness.captures)
    func slowDecoder(capture: String) throws {
        let python = try #require(Witness.path(of: "python3"))
        let text = try Witness.output([
            python, "Tests/Independent/slow_decoder.py", data + "/sdl/MOBILE_API.xml",
            "\(data)/\(capture)",
        ])
        let expected = try Value(json: Array(text.utf8).span.bytes)
        let found = try Statistics("\(data)/\(capture)").messages
        let names = try #require(expected.objectValue).map(\.name)
        #expect(names.sorted() == found.keys.sorted())
        for name in names {
            #expect(expected[name]?["count"]?.integerValue == found[name]?["count"], "\(name)")
            #expect(expected[name]?["bytes"]?.integerValue == found[name]?["bytes"], "\(name)")
        }
    }

    @Test(
        "capinfos counts as many packets and bytes",
        .enabled(if: Witness.path(of: "capinfos") != nil, "capinfos is not installed"),
        arguments: Witness.captures)
    func capinfos(capture: String) throws {
        let program = try #require(Witness.path(of: "capinfos"))
        // -T table, -r no header, -M plain numbers, -c packets, -d bytes of data.
        let text = try Witness.output([program, "-TrMcd", "\(data)/\(capture)"])
        let columns = text.split(whereSeparator: { $0 == "\t" || $0 == "\n" }).suffix(2)
        let found = try Statistics("\(data)/\(capture)").capture
        #expect(columns.first.flatMap { Int64($0) } == found["packets"]?.integerValue, "\(text)")
        #expect(columns.last.flatMap { Int64($0) } == found["bytes"]?.integerValue, "\(text)")
    }

    @Test(
        "tshark finds as many TCP conversations",
        .enabled(if: Witness.path(of: "tshark") != nil, "tshark is not installed"),
        arguments: Witness.captures)
    func conversations(capture: String) throws {
        let program = try #require(Witness.path(of: "tshark"))
        let text = try Witness.output([
            program, "-n", "-q", "-z", "conv,tcp", "-r", "\(data)/\(capture)",
        ])
        let conversations = text.split(separator: "\n").filter { $0.contains("<->") }
        let frames = conversations.compactMap { Self.frames(of: $0) }
        let found = try Statistics("\(data)/\(capture)").capture
        #expect(Int64(conversations.count) == found["flows"]?.integerValue, "\(text)")
        #expect(frames.reduce(0, +) == found["packets"]?.integerValue, "\(text)")
    }

    /// The frames of a conversation in both directions: its line has the ends, frames and bytes
    /// of one side, of the other, of both, and times; bytes may have a unit.
    private static func frames(of line: Substring) -> Int64? {
        let units: Set<Substring> = ["bytes", "kB", "MB", "GB"]
        let columns = line.split(separator: " ").filter { !units.contains($0) }
        return columns.firstIndex(of: "<->").flatMap { columns.dropFirst($0 + 6).first }
            .flatMap { Int64($0) }
    }
}
