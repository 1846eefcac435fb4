import Foundation
import FoundationXML
import Glibc
import TestSupport
import Testing
import Wire

private let suite = "Suites/registration-language.yaml"

@Suite("Stored results, as a user works with them")
struct ReportCommandTests {
    private let folder = TemporaryFolder.lasting()

    private func run(_ name: String, _ further: String...) throws -> ConformProgram.Outcome {
        try ConformProgram.run(["run", suite, "--reports", "\(folder)/\(name)", "-q"] + further)
    }

    @Test("Stored cases are shown as the console of their run did, and unknown ones are refused")
    func show() throws {
        func show(_ words: String...) throws -> ConformProgram.Outcome {
            try ConformProgram.run(["report", "show", "Reports/sample"] + words)
        }
        let late = try show("fails-l*")
        #expect(late.status == 0, "\(late.errors)")
        #expect(late.output.split(separator: "\n").first == "FAIL sample/fails-late")
        #expect(late.output.contains("  run again   conform run "))
        let passed = try show("sample/passes")
        #expect(passed.output.hasPrefix("pass "))
        let all = try show()
        #expect(all.output.contains("FAIL sample/fails-backoff"))
        #expect(all.output.contains("INCONCLUSIVE sample/is-inconclusive"))
        #expect(!all.output.contains("sample/passes"))
        let unknown = try show("fails-lat")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean \"fails-late\"?"))
    }

    @Test("Three merged shards are the complete run, and its captures give the same verdicts")
    func shards() throws {
        var caseCount = 0
        var outputs: [String] = []
        for index in 1...3 {
            let outcome = try run("shard-\(index)", "--shard", "\(index)/3")
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            caseCount += try RedReport("\(folder)/shard-\(index)").cases.count
            outputs.append(outcome.output)
        }
        for (index, output) in outputs.enumerated() {
            #expect(output.contains("shard \(index + 1)/3 of a plan of \(caseCount) cases"))
        }
        let merged = folder + "/merged"
        let merge = try ConformProgram.run(
            ["report", "merge", "--reports", merged] + (1...3).map { "\(folder)/shard-\($0)" })
        #expect(merge.status == 0, "\(merge.output)\(merge.errors)")
        let report = try RedReport(merged)
        #expect(report.planned == caseCount && report.cases.count == caseCount)
        #expect(report.captures.count == caseCount)
        try report.expectTheSameOffline(suite, status: 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: merged + "/cases")
        #expect(pages.count == caseCount)
        let evidence = try FileManager.default.contentsOfDirectory(atPath: merged + "/evidence")
        #expect(evidence.count == caseCount)
        let partial = try ConformProgram.run(
            ["report", "merge", "--reports", folder + "/partial", folder + "/shard-1"])
        #expect(partial.status == 3)
        #expect(partial.output.contains("shard 2/3 is missing"))
        #expect(try RedReport(folder + "/partial").planned == caseCount)
    }

    @Test(
        "The CI engine's variables choose the shard",
        arguments: [
            (["CI_NODE_INDEX=1", "CI_NODE_TOTAL=2"], "auto", "shard 1/2"),
            (["TEST_SHARD_INDEX=1", "TEST_TOTAL_SHARDS=2"], "auto", "shard 2/2"),
            (
                [
                    "SLURM_ARRAY_TASK_ID=11", "SLURM_ARRAY_TASK_COUNT=3",
                    "SLURM_ARRAY_TASK_MIN=10",
                ], "auto", "shard 2/3"
            ),
            (["JOB_COMPLETION_INDEX=0"], "auto/4", "shard 1/4"),
            (["JOB_COMPLETION_INDEX=0"], "auto", "give it: --shard auto/N"),
            (["CI_NODE_INDEX=3", "CI_NODE_TOTAL=2"], "auto", "makes this part 3 of 2"),
            (["CI_NODE_INDEX=x", "CI_NODE_TOTAL=2"], "auto", "not a number"),
            ([], "auto", "finds no CI engine"), ([], "3/2", "takes I/N with I from 1 to N"),
        ])
    func engines(variables: [String], shard: String, words: String) throws {
        let clear = [
            "CI_NODE_INDEX", "TEST_SHARD_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX",
            "BUILDKITE_PARALLEL_JOB", "CIRCLE_NODE_INDEX",
        ].flatMap { ["-u", $0] }
        let outcome = try ConformProgram.Started(
            ["/usr/bin/env"] + clear + variables
                + ["\(ConformProgram.folder)/conform", "list", suite, "--shard", shard],
            in: ConformProgram.root
        ).wait()
        #expect(outcome.status == (words.hasPrefix("shard ") ? 0 : 2))
        #expect((outcome.output + outcome.errors).contains(words), "\(outcome.errors)")
    }

    @Test("report compare shows what has changed, and report merge makes a matrix of two devices")
    func rerunAndCompare() throws {
        let broken = try run("before", "--device", "reference:forgets-app-name")
        #expect(broken.status == 1)
        #expect(try run("after").status == 0)
        let (before, after) = (folder + "/before", folder + "/after")
        let better = try ConformProgram.run(["report", "compare", before, after])
        #expect(better.status == 0, "\(better.errors)")
        #expect(better.output.contains("newly passing: "))
        #expect(better.output.contains("registration-language/change-carries-language-and-names"))
        let worse = try ConformProgram.run(
            ["report", "compare", after, before, "--fail-on", "newly-failing,removed"])
        #expect(worse.status == 1 && worse.output.contains("newly failing: "))
        let same = try ConformProgram.run(
            ["report", "compare", after, after, "--fail-on", "newly-failing", "--format", "json"])
        #expect(same.status == 0)
        #expect(try Value(json: same.output)["counts"]?["newly-failing"] == 0)
        let typo = try ConformProgram.run(
            ["report", "compare", after, after, "--fail-on", "newly-broken"])
        #expect(typo.status == 2 && typo.errors.contains("newly-failing, no-longer-judged"))
        let both = folder + "/both"
        let merge = try ConformProgram.run(["report", "merge", "--reports", both, before, after])
        #expect(merge.status == 1, "a mutant and the reference are two devices\n\(merge.errors)")
        #expect(merge.output.contains("the devices differ in "))
        let matrix = try Value(
            json: String(contentsOfFile: both + "/matrix.json", encoding: .utf8))
        let labels = [0, 1].compactMap { matrix["devices"]?.arrayValue?[$0]["label"]?.stringValue }
        #expect(labels.count == 2 && Set(labels).count == 2)
        let first = try #require(matrix["devices"]?.arrayValue?[0]["reports"]?.stringValue)
        #expect(FileManager.default.fileExists(atPath: "\(both)/\(first)/results.json"))
        let page = try String(contentsOfFile: both + "/index.html", encoding: .utf8)
        #expect(page.contains("\(first)/index.html#case/"))
        let history = try ConformProgram.run(["report", "history", before, after])
        #expect(history.status == 0 && history.output.contains("changed 1 of 1 times"))
    }

    @Test("One run of several devices has a matrix, and JUnit suites by device")
    func severalDevices() throws {
        let quiet = folder + "/quiet.yaml"
        let profile = """
            name: Quiet
            role: sdl.app
            launch: [/bin/sleep, '30']
            features: [sdl.change-registration]
            """
        try profile.write(toFile: quiet, atomically: true, encoding: .utf8)
        let words = ["--case", "same-language-changes-nothing", "--junit", folder + "/all.xml"]
        let outcome = try ConformProgram.run(
            ["run", suite, "-q", "--reports", folder + "/several", "--device", "reference"]
                + ["--device", quiet] + words)
        // The quiet device does not complete the preamble.
        #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("side by side: \(folder)/several/index.html"))
        let xml = try String(contentsOfFile: folder + "/all.xml", encoding: .utf8)
        #expect(xml.contains("name=\"Quiet/registration-language\""))
        let own = try RedReport(folder + "/several/quiet")
        #expect(own.planned == 1)
        for command in ["list", "prove"] {
            let twice = try ConformProgram.run(
                [command, suite, "--device", quiet, "--device", quiet])
            #expect(twice.status == 2)
        }
        let broken = try ConformProgram.run(
            ["run", suite, "--device", "reference", "--device", folder + "/none.yaml"])
        #expect(broken.status == 2)
        #expect(!broken.output.contains("pass"), "nothing runs before all devices are known")
        let nothing = folder + "/nothing.yaml"
        try profile.replacing("/bin/sleep", with: "/no/such/program").write(
            toFile: nothing, atomically: true, encoding: .utf8)
        let absent = try ConformProgram.run(
            ["run", suite, "--device", "reference", "--device", nothing] + words
                + ["--reports", folder + "/absent"])
        #expect(absent.status == 2 && absent.errors.contains("there is no program /no/such"))
        #expect(!absent.output.contains("pass"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/absent"))
        let failed = try ConformProgram.run(
            ["run", suite, "--failed", "--reports", folder + "/several"])
        #expect(failed.status == 2 && failed.errors.contains("as \(folder)/several/DEVICE"))
    }

    @Test("JUnit, Markdown, annotations and HTML are redrawn as the run drew them")
    func redrawn() throws {
        let quality = folder + "/quality.json"
        let outcome = try run(
            "red", "--device", "reference:forgets-app-name", "--annotations", "github",
            "--annotations",
            "gitlab=\(quality)", "--junit", folder + "/copy.xml")
        #expect(outcome.status == 1)
        let red = folder + "/red"
        func drawn(_ arguments: String...) throws -> String {
            let outcome = try ConformProgram.run(["report"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        func file(_ path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }
        #expect(try drawn("junit", red) == file(red + "/junit.xml"))
        #expect(try drawn("markdown", red) == file(red + "/summary.md"))
        #expect(try drawn("annotations", red, "--engine", "gitlab") == file(quality))
        let annotations = try drawn("annotations", red)
        #expect(annotations.contains("::error file=Suites/registration-language.yaml,line="))
        #expect(outcome.output.contains(annotations))
        #expect(try drawn("markdown", red, "--for", "comment").hasPrefix("<!-- conform -->\n"))
        _ = try drawn("junit", red, "--junit-dialect", "surefire", "-o", folder + "/again")
        let name = "/TEST-registration-language.xml"
        #expect(try file(folder + "/again" + name).hasPrefix("<?xml"))
        #expect(try file(folder + "/copy.xml") == file(red + "/junit.xml"))
        let names = try FileManager.default.contentsOfDirectory(atPath: red + "/cases")
        let pages = ["index.html"] + names.map { "cases/\($0)" }
        let caseCount = try RedReport(red).cases.count
        #expect(pages.count == caseCount + 1)
        let before = try pages.map { try file("\(red)/\($0)") }
        for page in pages { try FileManager.default.removeItem(atPath: "\(red)/\(page)") }
        #expect(try drawn("html", red) == red + "/index.html\n")
        #expect(try pages.map { try file("\(red)/\($0)") } == before)
        let size = try file(red + "/results.json").utf8.count
        #expect(size < caseCount * 15_000, "\(size) bytes for \(caseCount) cases")
        let bad = try ConformProgram.run(["report", "junit", red + "/summary.md"])
        #expect(bad.status == 2 && bad.errors.contains("it is not JSON"))
    }

    @Test("The page is opened in the user's browser, or its address is printed")
    func open() throws {
        #expect(try run("page", "--case", "same-language-changes-nothing").status == 0)
        let browser = folder + "/browser"
        try "#!/bin/sh\necho \"$1\" > \(folder)/opened\n".write(
            toFile: browser, atomically: true, encoding: .utf8)
        chmod(browser, 0o755)
        func open(_ browser: String, _ path: String) throws -> ConformProgram.Outcome {
            try ConformProgram.Started(
                [
                    "/usr/bin/env", "PATH=/nowhere", "BROWSER=\(browser)",
                    "\(ConformProgram.folder)/conform", "report", "open", path,
                ], in: ConformProgram.root
            ).wait()
        }
        let opened = try open(browser, folder + "/page")
        #expect(opened.status == 0, "\(opened.errors)")
        let address = try String(contentsOfFile: folder + "/opened", encoding: .utf8)
        #expect(address.hasPrefix("file:///") && address.contains("/page/"))
        let none = try open("/nowhere/browser", folder + "/page")
        #expect(none.status == 2 && none.errors.contains("open it yourself: file:///"))
        #expect(try open(browser, folder + "/nothing").errors.contains("is not there"))
    }

    @Test("Help and completion include the commands of conform report")
    func help() throws {
        let help = try ConformProgram.run(["report", "--help"])
        #expect(help.status == 0)
        for word in ["merge", "compare", "html", "junit", "markdown", "annotations", "open"] {
            #expect(help.output.contains("report \(word)"))
            let own = try ConformProgram.run(["report", word, "--help"])
            #expect(own.output.contains("usage: conform report \(word)"))
        }
        let typo = try ConformProgram.run(["report", "merg"])
        #expect(typo.status == 2 && typo.errors.contains("did you mean merge?"))
        let script = try ConformProgram.run(["completion", "bash"]).output
        func complete(_ words: String...) throws -> String {
            try ConformProgram.Started(
                [
                    "/bin/bash", "-c",
                    script + "\nCOMP_WORDS=(conform \"$@\"); COMP_CWORD=$#; _conform\n"
                        + "echo \"${COMPREPLY[*]}\"\n", "bash",
                ] + words, in: ConformProgram.root
            ).wait().output
        }
        #expect(try complete("report", "co") == "compare\n")
        #expect(try complete("report", "--fail") == "--fail-on\n")
        #expect(try complete("run", "--shar") == "--shard\n")
        #expect(try complete("report", "--junit-dialect", "s") == "surefire\n")
        #expect(try complete("schema", "res") == "results\n")
    }
}
