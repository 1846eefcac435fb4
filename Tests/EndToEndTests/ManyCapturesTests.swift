import Foundation
import TestSupport
import Testing
import Wire

/// The output for many captures by many cases: a table instead of an explanation of each.
@Suite("Many captures")
struct ManyCapturesTests {
    /// Calls `body` with copies of the captures of SDL programs in a temporary folder.
    private func withCopies<Answer>(
        _ count: Int, _ body: ([String]) throws -> Answer
    ) throws -> Answer {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let source = ConformProgram.root + "/GoldenCaptures/sdl"
        let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
        let copies = (0..<count).map { number in
            (source + "/" + names[number % names.count], "\(folder.path)/\(number).pcap")
        }
        for (original, copy) in copies {
            try FileManager.default.copyItem(atPath: original, toPath: copy)
        }
        return try body(copies.map(\.1))
    }

    @Test("Forty captures by sixteen cases fit two screens")
    func fits() throws {
        let outcome = try withCopies(40) { captures in
            try ConformProgram.run(
                ["check", "Benchmarks/never.yaml"] + captures + ["--case", "sixteen*", "-q"])
        }
        #expect(outcome.output.contains("16 cases by 40 captures"), "\(outcome.output)")
        #expect(outcome.output.contains("totals: 640 verdicts"))
        let lines = (outcome.output + outcome.errors).split(separator: "\n")
        #expect(lines.count < 50, "\(lines.count) lines")
    }

    /// Copies a pcap file with a clock that is ahead and without some of its packets.
    private func copy(
        _ path: String, to copy: String, ahead seconds: UInt32 = 0, without lost: Range<Int> = 0..<0
    ) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var out = Array(bytes[..<24])
        var (place, number) = (24, 1)
        func word(_ at: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
        }
        while place < bytes.count {
            let end = place + 16 + Int(word(place + 8))
            if !lost.contains(number) {
                let time = word(place) + seconds
                out += (0..<4).map { UInt8(truncatingIfNeeded: time >> (8 * UInt32($0))) }
                out += bytes[place + 4..<end]
            }
            (place, number) = (end, number + 1)
        }
        try Data(out).write(to: URL(filePath: copy))
    }

    @Test("Captures at two points of a network, with clocks 3 s apart, are judged as one")
    func joinedPoints() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let name = "app-java-core-registration"
        let (first, second) = (folder.path + "/first.pcap", folder.path + "/second.pcap")
        let capture = "\(ConformProgram.root)/GoldenCaptures/sdl/\(name).pcap"
        try copy(capture, to: first, without: 20..<27)
        try copy(capture, to: second, ahead: 3)
        let suite = "GoldenCaptures/suites/\(name).yaml"
        let alone = try ConformProgram.run(["check", suite, first])
        #expect(alone.status == 3, "\(alone.output)")
        let joined = try ConformProgram.run(["check", suite, "--join", first, second])
        #expect(joined.status == 0, "\(joined.output)")
        #expect(joined.errors.contains("its clock is 3.0 s ahead, which is corrected"))
        // Missing packets are not restored by a second copy of the same capture.
        try copy(capture, to: first, without: 20..<38)
        try copy(first, to: second, ahead: 3)
        for captures in [[first], ["--join", first, second]] {
            let ended = try ConformProgram.run(["check", suite] + captures)
            #expect(ended.status == 3, "\(captures): \(ended.output)")
        }
    }

    @Test("Rows of shards are merged into one file, and a missing row is named")
    func mergedRows() throws {
        try withCopies(20) { captures in
            let folder = TemporaryFolder()
            defer { folder.remove() }
            let list = folder.path + "/list"
            try Data(captures.joined(separator: "\n").utf8).write(to: URL(filePath: list))
            func check(_ rows: String, _ words: String...) throws -> ConformProgram.Outcome {
                try ConformProgram.run(
                    [
                        "check", "Benchmarks/never.yaml", "--case", "one", "@\(list)",
                        "--rows", "\(folder.path)/\(rows)", "-q",
                    ] + words)
            }
            let whole = try check("whole.jsonl")
            let parts = try (1...3).map { try check("\($0).jsonl", "--shard", "\($0)/3") }
            let all = folder.path + "/all.jsonl"
            func merge(_ rows: String...) throws -> ConformProgram.Outcome {
                try ConformProgram.run(
                    ["report", "merge"] + rows.map { "\(folder.path)/\($0)" }
                        + ["--rows", all, "--from-file", list])
            }
            let merged = try merge("1.jsonl", "2.jsonl", "3.jsonl")
            #expect(merged.status == whole.status, "\(merged.output)\(merged.errors)")
            #expect(parts.map(\.status).contains(whole.status))
            #expect(merged.output.contains("20 captures by 1 case"), "\(merged.output)")
            func content(_ path: String) throws -> [String] {
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                    .map { String($0).replacing(/"judged":"[^"]*"/, with: "") }.sorted()
            }
            #expect(try content(all) == content(folder.path + "/whole.jsonl"))
            let holed = try merge("1.jsonl", "3.jsonl")
            #expect(holed.errors.contains("it has no row; judge it"), "\(holed.errors)")
            #expect(holed.status != 0)
        }
    }

    @Test("With rows, reports keep messages and pages only of cases that did not pass")
    func evidenceOfFailures() throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let name = "app-java-core-registration"
        let (whole, lossy) = (folder.path + "/whole.pcap", folder.path + "/lossy.pcap")
        try copy("\(ConformProgram.root)/GoldenCaptures/sdl/\(name).pcap", to: whole)
        try copy(whole, to: lossy, without: 20..<38)
        let rows = ["--rows", folder.path + "/rows.csv"]
        for (kept, count, more) in [("all", 2, []), ("failed", 1, rows)] {
            let reports = "\(folder.path)/\(kept)"
            let outcome = try ConformProgram.run(
                [
                    "check", "GoldenCaptures/suites/\(name).yaml", whole, lossy, "--reports",
                    reports,
                ] + more)
            #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
            for part in ["evidence", "cases"] {
                let files = try FileManager.default.contentsOfDirectory(
                    atPath: reports + "/" + part)
                #expect(files.count == count, "\(kept) \(part): \(files)")
                #expect(files.contains { $0.contains("lossy") }, "\(files)")
            }
            // A case that did not pass is on the page itself.
            let page = try String(contentsOfFile: reports + "/index.html", encoding: .utf8)
            #expect(page.contains("href=\"cases/") == (kept == "all"), "\(kept)")
            let drawn = try ConformProgram.run(["report", "html", reports + "/results.json"])
            #expect(drawn.status == 0, "\(drawn.errors)")
        }
    }

    @Test("Captures without a judged case are reported once, with the names of the first ones")
    func unjudged() throws {
        // Of a capture of another tool it is not known what the device was given.
        let outcome = try withCopies(8) { captures in
            try ConformProgram.run(
                ["check", "Tests/EndToEndTests/Suites/given.yaml"] + captures + ["-q"])
        }
        #expect(outcome.status == 4, "\(outcome.output)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("no case was judged on 8 of 8 captures: "))
        #expect(outcome.errors.contains("/4.pcap and 3 more; --min 0 lets it pass"))
    }

    @Test("Rows are written as listed captures are judged, and a second call judges the others")
    func listed() throws {
        try withCopies(6) { captures in
            let folder = URL(filePath: captures[0]).deletingLastPathComponent().path
            let (list, rows) = (folder + "/list.txt", folder + "/rows.jsonl")
            func check(
                _ listed: [String], isResuming: Bool, _ options: [String] = []
            ) throws -> (Int32, String) {
                let text = listed.joined(separator: "\r\n") + "\n\n"
                try Data(text.utf8).write(to: URL(filePath: list))
                let outcome = try ConformProgram.run(
                    [
                        "check", "Benchmarks/never.yaml", "--case", "sixteen*", "-q",
                        "@\(list)", "--rows", isResuming ? "resume=\(rows)" : rows,
                    ] + options)
                return (outcome.status, outcome.output + outcome.errors)
            }
            func names() throws -> [String] {
                try String(contentsOfFile: rows, encoding: .utf8).split(separator: "\n").map {
                    try Value(json: String($0))["capture"]?.stringValue ?? ""
                }
            }
            let (status, _) = try check(
                Array(captures[..<2]) + [captures[0]], isResuming: false)
            #expect(try names() == captures[..<2].flatMap { Array(repeating: $0, count: 16) })
            let (again, text) = try check(captures, isResuming: true)
            #expect(text.contains("resumed: 2 of 6 captures are concluded"), "\(text)")
            #expect(try names() == captures.flatMap { Array(repeating: $0, count: 16) })
            let (last, rest) = try check(captures, isResuming: true)
            #expect(rest.contains("; 0 left"), "\(rest)")
            #expect([status, again, last] == [again, again, again])
            let (other, refusal) = try check(
                captures, isResuming: true, ["--strict", "protocol"])
            #expect(other == 2)
            #expect(refusal.contains("another suite, other options"), "\(refusal)")
        }
    }

    @Test("Shards partition the captures, whose names may come from standard input")
    func shards() throws {
        try withCopies(9) { captures in
            let folder = URL(filePath: captures[0]).deletingLastPathComponent().path
            var seen: [String] = []
            for index in 1...3 {
                let rows = "\(folder)/rows-\(index).csv"
                let words = [
                    "printf '%s\\n' \(captures.joined(separator: " ")) |",
                    "\(ConformProgram.folder)/conform check Benchmarks/never.yaml --case 'sixteen*'",
                    "-q @- --shard \(index)/3 --rows \(rows) --min 0",
                ]
                _ = try ConformProgram.Started(
                    ["/bin/sh", "-c", words.joined(separator: " ")], in: ConformProgram.root
                ).wait()
                let lines = try String(contentsOfFile: rows, encoding: .utf8).split(separator: "\n")
                seen += Set(lines.dropFirst().map { String($0.split(separator: ",")[2]) })
            }
            #expect(seen.sorted() == captures.sorted())
        }
    }

    @Test("Two checks cannot write into one report folder")
    func oneFolder() throws {
        try withCopies(1) { captures in
            let folder = URL(filePath: captures[0]).deletingLastPathComponent().path + "/reports"
            let words = ["check", "Benchmarks/never.yaml", captures[0], "--reports", folder]
            let first = try ConformProgram.start(words + ["--follow", "8s"])
            let limit = Date.now + 5
            while !ConformProgram.isFolder(folder + "/logs"), Date.now < limit { usleep(50_000) }
            usleep(500_000)
            let second = try ConformProgram.run(words)
            #expect(second.status == 2, "\(second.output)")
            #expect(second.errors.contains("another run writes its reports into"))
            let outcome = first.wait()
            #expect(outcome.status != 2, "\(outcome.errors)")
        }
    }
}
