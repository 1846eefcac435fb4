import Foundation
import Glibc
import TestSupport
import Testing

private let suite = "Suites/registration-language.yaml"

@Suite("Verification of a stored run")
struct VerifyTests {
    private let folder = TemporaryFolder.lasting()

    private func verify(_ path: String) throws -> ConformProgram.Outcome {
        try ConformProgram.run(["report", "verify", path])
    }

    private func run(_ name: String, _ words: String...) throws -> String {
        let path = "\(folder)/\(name)"
        _ = try ConformProgram.run(["run", suite, "--reports", path, "-q"] + words)
        return path
    }

    private func captures(of path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/captures")
            .filter { $0.hasSuffix(".pcapng") }.map { "\(path)/captures/\($0)" }
    }

    /// Copies a report folder with everything in it.
    private func copy(_ path: String, _ name: String) throws -> String {
        let place = "\(folder)/\(name)"
        try FileManager.default.copyItem(atPath: path, toPath: place)
        return place
    }

    private func replace(_ old: String, with new: String, in path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(old), "\(path)")
        try text.replacingOccurrences(of: old, with: new)
            .write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test("A run, its merged copy and the check of its captures verify without differences")
    func sound() throws {
        let live = try run("live", "--explore", "1")
        let outcome = try verify(live)
        #expect(outcome.status == 0, "\(outcome.output)")
        let captures = try captures(of: live)
        #expect(captures.count > 30)
        #expect(outcome.output.contains("\(captures.count) verdicts judged again, 0 differences"))
        let checked = "\(folder)/checked"
        _ = try ConformProgram.run(["check", suite] + captures + ["--reports", checked, "-q"])
        #expect(try verify(checked).status == 0)
        let merged = "\(folder)/merged"
        _ = try ConformProgram.run(["report", "merge", live, "--reports", merged, "-q"])
        #expect(try verify(merged).status == 0)
        let page = try String(contentsOfFile: live + "/index.html", encoding: .utf8)
        #expect(page.contains(">Digests</h3>"))
    }

    @Test("Failures and repeated cases verify without differences")
    func red() throws {
        let failed = try run(
            "failed", "--device", "reference:forgets-app-name", "--repeat", "2", "--explore",
            "2,shrink=10s")
        let outcome = try verify(failed)
        #expect(outcome.status == 0, "\(outcome.output)")
        let all = try captures(of: failed)
        let shrunk = all.count { $0.contains("acts=") || $0.contains("values=") }
        let count = all.count - shrunk
        #expect(count > 30)
        #expect(
            outcome.output.contains("\(2 * count + shrunk) verdicts judged again"),
            "\(outcome.output)")
    }

    @Test("Every later change is named")
    func changed() throws {
        let live = try run("live", "--case", "same-language*", "--case", "supported*DE-DE*")
        let results = "/results.json"
        let changes: [(name: String, change: (String) throws -> Void, words: String)] = [
            (
                "verdict",
                { path in
                    try replace(
                        #""verdict" : "pass""#, with: #""verdict" : "fail""#, in: path + results)
                }, "stored fail, judged again pass"
            ),
            (
                "audit", { try replace(#""pass" : 2"#, with: #""pass" : 3"#, in: $0 + results) },
                "the audit is not that of the cases"
            ),
            (
                "exit",
                { try replace(#""exitCode" : 0"#, with: #""exitCode" : 1"#, in: $0 + results) },
                "the exit code is 1, and the cases give 0"
            ),
            (
                "junit",
                { path in try replace("<testcase", with: "<testcase ", in: path + "/junit.xml") },
                "junit.xml: it differs from what the results give"
            ),
            (
                "capture",
                { path in
                    let captures = try FileManager.default.contentsOfDirectory(
                        atPath: path + "/captures"
                    ).filter { $0.hasSuffix(".pcapng") }.sorted()
                    let file = "\(path)/captures/\(captures[0])"
                    unlink(file)
                    try FileManager.default.copyItem(
                        atPath: "\(path)/captures/\(captures[1])", toPath: file)
                }, "is the capture of another case"
            ),
        ]
        for (name, change, words) in changes {
            let path = try copy(live, name)
            try change(path)
            let outcome = try verify(path)
            #expect(outcome.status == 1, "\(name): \(outcome.output)")
            #expect(outcome.output.contains(words), "\(name): \(outcome.output)")
        }
        let changed = try ConformProgram.run(
            ["report", "merge", "\(folder)/capture", "--reports", "\(folder)/m"])
        #expect(changed.status == 2 && changed.errors.contains("its digest differs"))
    }

    @Test("Each report of the folder that was changed or deleted is named")
    func reports() throws {
        let live = try run("live", "--case", "same-language*")
        #expect(try verify(live).status == 0)
        let redrawn = try copy(live, "redrawn")
        #expect(try ConformProgram.run(["report", "html", redrawn]).status == 0)
        #expect(try verify(redrawn).status == 0)
        func only(_ folder: String, _ end: String) throws -> String {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(live)/\(folder)")
            return "\(folder)/" + (try #require(names.sorted().first { $0.hasSuffix(end) }))
        }
        let files = [
            "index.html", "summary.md", "junit.xml", "journal.jsonl", try only("cases", ".html"),
            try only("evidence", ".json"), try only("logs", ""),
        ]
        for (number, file) in files.enumerated() {
            let changed = try copy(live, "changed-\(number)")
            var content = try Data(contentsOf: URL(filePath: "\(changed)/\(file)"))
            content.append(0x20)
            try content.write(to: URL(filePath: "\(changed)/\(file)"))
            let outcome = try verify(changed)
            #expect(outcome.status == 1, "\(file): \(outcome.output)")
            #expect(outcome.output.contains("differs: \(changed)/\(file): "), "\(outcome.output)")
            let gone = try copy(live, "gone-\(number)")
            try FileManager.default.removeItem(atPath: "\(gone)/\(file)")
            let missing = try verify(gone)
            #expect(missing.status != 0, "\(file): \(missing.output)")
            #expect(
                missing.output.contains("not checked: \(gone)/\(file): "), "\(missing.output)")
        }
    }

    @Test("A link or a pipe in the place of a capture cannot be verified, and nobody waits for it")
    func elsewhere() throws {
        let live = try run("live", "--case", "same-language*")
        let start = ContinuousClock.now
        for kind in ["link", "pipe"] {
            let path = try copy(live, kind)
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: path + "/captures")
                    .first { $0.hasSuffix(".pcapng") })
            let file = "\(path)/captures/\(name)"
            unlink(file)
            if kind == "link" {
                symlink("\(live)/captures/\(name)", file)
            } else {
                mkfifo(file, 0o600)
            }
            let outcome = try verify(path)
            #expect(outcome.status == 3, "\(kind): \(outcome.output)")
            #expect(
                outcome.output.contains("it is not a file in the folder of the results"),
                "\(kind): \(outcome.output)")
        }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("A missing file cannot be verified")
    func missing() throws {
        let own = "\(folder)/suite"
        try FileManager.default.copyItem(atPath: "\(ConformProgram.root)/Suites", toPath: own)
        let path = "\(folder)/live"
        let words = [
            "run", own + "/registration-language.yaml", "--case", "same-language*", "--reports",
            path, "-q",
        ]
        #expect(try ConformProgram.run(words).status == 0)
        #expect(try verify(path).status == 0)
        try replace("title:", with: "# x\ntitle:", in: own + "/registration-language.yaml")
        let changed = try verify(path)
        #expect(changed.status == 1, "\(changed.output)")
        #expect(
            changed.output.contains("differs: suite \(own)/registration-language.yaml: its SHA"))
        try FileManager.default.removeItem(atPath: own)
        let gone = try verify(path)
        #expect(gone.status == 3, "\(gone.output)")
        #expect(gone.output.contains("not checked: suite"))
        #expect(try verify("\(folder)/nothing").status == 2)
    }

    @Test("A check of listed captures verifies, and a resumed check cannot be verified")
    func listed() throws {
        let list = "\(folder)/list"
        let captures = try captures(of: run("listed-live", "--case", "same-language*"))
        try (captures.joined(separator: "\n") + "\n").write(
            toFile: list, atomically: true, encoding: .utf8)
        func check(_ name: String, _ words: String...) throws -> String {
            let path = "\(folder)/\(name)"
            let outcome = try ConformProgram.run(
                ["check", suite, "@\(list)", "--reports", path] + words)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            return path
        }
        let whole = try verify(check("listed"))
        #expect(whole.status == 0, "\(whole.output)")
        let part = try verify(check("resumed", "--rows", "resume=\(folder)/rows.csv"))
        #expect(part.status == 3, "\(part.output)")
        #expect(part.output.contains("not checked: the command line does not show which"))
    }

    @Test("Runs of different files are not merged, and compare names the files")
    func different() throws {
        let own = "\(folder)/own.yaml"
        let text = try String(
            contentsOfFile: "\(ConformProgram.root)/\(suite)", encoding: .utf8
        )
        .replacingOccurrences(
            of: "requirements/", with: "\(ConformProgram.root)/Suites/requirements/"
        )
        .replacingOccurrences(of: "common/", with: "\(ConformProgram.root)/Suites/common/")
        for (name, more) in [("one", ""), ("two", "# changed\n")] {
            try (more + text).write(toFile: own, atomically: true, encoding: .utf8)
            let outcome = try ConformProgram.run([
                "run", own, "--case", "same-language*", "--reports", "\(folder)/\(name)", "-q",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let merge = try ConformProgram.run([
            "report", "merge", "\(folder)/one", "\(folder)/two", "--reports", "\(folder)/m",
        ])
        #expect(
            merge.status == 2 && merge.errors.contains("depend on different files: suite \(own)"))
        let compare = try ConformProgram.run([
            "report", "compare", "\(folder)/one", "\(folder)/two",
        ])
        #expect(compare.status == 0)
        #expect(compare.output.contains("files:  suite \(own) differs: "), "\(compare.output)")
    }
}
