import Foundation
import TestSupport
import Testing

/// The plugin of pytest in `Integrations/python`, with the pytest that `Scripts/third-party` installs.
@Suite("pytest: cases are test items, and tests run suites")
struct PytestTests {
    /// The interpreter with pytest and pytest-xdist; `nil` where they are not installed.
    private static let python: String? = {
        let path = "\(ConformProgram.root)/.third-party/python/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: path),
            let outcome = try? ConformProgram.Started(
                [path, "-c", "import pytest, xdist"], in: "/"
            ).wait()
        else { return nil }
        return outcome.status == 0 ? path : nil
    }()
    private static let reason: Comment = "Scripts/third-party has not installed pytest"

    /// A project with a suite that has a case for each verdict, and a list of known failures.
    private struct Project {
        let folder = TemporaryFolder.lasting() + "/meter"

        init() throws {
            try FileManager.default.copyItem(
                atPath: "\(ConformProgram.root)/Tests/EndToEndTests/Suites/pytest", toPath: folder)
            let day = Date(timeIntervalSinceNow: 30 * 86_400).formatted(
                .iso8601.year().month().day())
            try """
            conform-known-failures: 1
            entries:
              - {case: meter/leaves-later, check: M-2, reason: stream.message, issue: METER-1,
                 owner: anna, expires: \(day)}
            """.write(toFile: folder + "/known.yaml", atomically: true, encoding: .utf8)
        }

        /// Runs pytest with the plugin.
        func pytest(
            _ words: [String], suites: [String] = ["--conform", "suites"]
        ) throws -> ConformProgram.Outcome {
            let environment = [
                "PYTHONPATH=\(ConformProgram.root)/Integrations/python",
                "PYTHONDONTWRITEBYTECODE=1", "CONFORM=\(ConformProgram.folder)/conform",
            ]
            return try ConformProgram.Started(
                environment + [try #require(python), "-m", "pytest", "-p", "conform.plugin"]
                    + suites
                    + ["--conform-device", "device.yaml"] + words, in: folder
            ).wait()
        }
    }

    @Test(
        "A wheel installs programs, suites and modules, and is the same if it is made again",
        .enabled(if: python != nil, reason))
    func wheel() throws {
        let folder = TemporaryFolder.lasting()
        let script = """
            set -e
            mkdir -p tree/bin tree/share/conform/suites/drivers one two
            cp /bin/true tree/bin/conform
            touch tree/share/conform/suites/first.yaml tree/share/conform/suites/drivers/device.py
            chmod 755 tree/share/conform/suites/drivers/device.py
            export SOURCE_DATE_EPOCH=1700000000
            "$1/Scripts/wheel" tree 9.9.9 one
            "$1/Scripts/wheel" tree 9.9.9 two
            cmp one/*.whl two/*.whl
            "$2" -m pip install --quiet --no-index --no-deps --disable-pip-version-check \\
                --prefix "$PWD/prefix" one/*.whl
            prefix/bin/conform
            test -x prefix/share/conform/suites/drivers/device.py
            test ! -x prefix/share/conform/suites/first.yaml
            ls prefix/lib/python3*/site-packages/conform
            cat prefix/lib/python3*/site-packages/conform-9.9.9.dist-info/entry_points.txt
            """
        let outcome = try ConformProgram.Started(
            ["/bin/bash", "-c", script, "wheel", ConformProgram.root, try #require(Self.python)],
            in: folder
        ).wait()
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        let name = /one\/conform-9\.9\.9-py3-none-manylinux_2_[0-9]+_[a-z0-9_]+\.whl/
        #expect(outcome.output.contains(name), "\(outcome.output)")
        for line in ["plugin.py", "py.typed", "results.py", "conform = conform.plugin"] {
            #expect(outcome.output.contains("\(line)\n"), "\(outcome.output)")
        }
    }

    @Test("The plan as JSON has the place, the tags and the reason to skip of each case")
    func plan() throws {
        let list = try ConformProgram.run(
            ["list", "suites", "--device", "device.yaml", "--format", "json"],
            in: "\(ConformProgram.root)/Tests/EndToEndTests/Suites/pytest")
        #expect(list.status == 0, "\(list.errors)")
        struct Plan: Decodable {
            struct Suite: Decodable { let id, file: String }
            struct Position: Decodable { let line: Int }
            struct Case: Decodable {
                let id: String
                let tags, checks: [String]
                let position: Position
                let skip: String?
            }
            let schema: Int
            let suites: [Suite]
            let cases: [Case]
        }
        let plan = try JSONDecoder().decode(Plan.self, from: Data(list.output.utf8))
        #expect(plan.schema == 1 && plan.suites.map(\.file) == ["suites/meter.yaml"])
        #expect(
            plan.cases.map(\.id) == [
                "greets", "leaves", "leaves-later", "measures", "never-begins",
            ])
        #expect(plan.cases[0].tags == ["quick", "skip"] && plan.cases[0].checks == ["M-1"])
        #expect(plan.cases[0].position.line == 11)
        #expect(plan.cases.map { $0.skip != nil } == [false, false, false, true, false])
        for words in [["list", "--format", "xml"], ["list", "--format", "json", "--coverage"]] {
            #expect(try ConformProgram.run(words).status == 2)
        }
    }

    @Test(
        "Each verdict is an outcome of pytest, also if its workers share the items",
        .enabled(if: python != nil, reason), arguments: [[], ["-n", "2"]])
    func outcomes(more: [String]) throws {
        let project = try Project()
        let run = try project.pytest(
            [
                "-rA", "-m", "conform", "--strict-markers", "--conform-args", "--known known.yaml",
                "--junitxml", "junit.xml",
            ] + more)
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        for line in [
            "PASSED suites/meter.yaml::greets", "FAILED suites/meter.yaml::leaves - ",
            "XFAIL suites/meter.yaml::leaves-later - known failure (METER-1, anna",
            "SKIPPED [1] suites/meter.yaml:24: the device does not have what the case needs",
            "ERROR suites/meter.yaml::never-begins - Failed: inconclusive: step 1",
            "not conformant (exit 1); reports: ",
        ] {
            #expect(run.output.contains("\n" + line), "\(line): \(run.output)")
        }
        #expect(run.output.contains("requirement M-2 \"The meter says goodbye.\""))
        let journal = try String(
            contentsOfFile: project.folder + "/Reports/pytest/journal.jsonl", encoding: .utf8)
        // One process for all items: its journal has the run and all of its cases.
        #expect(journal.split(separator: "\n").count { $0.hasPrefix("{\"caseEnded\"") } >= 4)
        let junit = try String(contentsOfFile: project.folder + "/junit.xml", encoding: .utf8)
        #expect(junit.contains("name=\"conform_capture\" value=\""))
        // Links of pytest-html.
        for id in ["leaves", "never-begins"] {
            let link = "link suites/meter.yaml::\(id) capture /"
            let line = try #require(run.output.split(separator: "\n").first { $0.hasPrefix(link) })
            #expect(line.hasSuffix("/Reports/pytest/captures/meter.\(id).pcapng"))
        }
        #expect(!run.output.contains("link suites/meter.yaml::measures"))
        // What failed before, and what could not be judged, is what --lf selects.
        let last = try project.pytest(["--lf", "--collect-only", "-q"])
        #expect(
            last.output.hasPrefix(
                "suites/meter.yaml::leaves\nsuites/meter.yaml::never-begins\n"), "\(last.output)")
    }

    @Test(
        "Marks, names and node ids select cases, and only those are run",
        .enabled(if: python != nil, reason),
        arguments: [
            (["-m", "quick and M-1"], "1 passed, 7 deselected", 0),
            (["-m", "tag_skip"], "1 passed, 7 deselected", 0),
            (["-k", "greets"], "1 passed, 7 deselected", 0),
            (["suites/meter.yaml::greets"], "1 passed", 0),
            // A run without a pass is not conformant, although pytest sees no failure.
            (["-k", "leaves-later", "--conform-args", "--known known.yaml"], "1 xfailed", 1),
        ] as [([String], String, Int32)])
    func selection(words: [String], end: String, status: Int32) throws {
        let project = try Project()
        let run = try project.pytest(["-q"] + words)
        #expect(run.status == status, "\(run.output)\(run.errors)")
        #expect(run.output.contains(end), "\(run.output)")
        let journal = try String(
            contentsOfFile: project.folder + "/Reports/pytest/journal.jsonl", encoding: .utf8)
        #expect(journal.split(separator: "\n").count { $0.hasPrefix("{\"caseEnded\"") } == 1)
    }

    @Test(
        "Suites of the settings are collected unless the command line names something else",
        .enabled(if: python != nil, reason),
        arguments: [
            ([], 8), (["."], 8), (["test_meter.py"], 3), (["suites"], 5),
            (["test_meter.py", "--conform", "suites"], 8),
        ] as [([String], Int)])
    func settings(words: [String], count: Int) throws {
        let project = try Project()
        try "[pytest]\nconform = suites\n".write(
            toFile: project.folder + "/pytest.ini", atomically: true, encoding: .utf8)
        let run = try project.pytest(["-q", "--collect-only"] + words, suites: [])
        #expect(run.output.contains("\n\(count) tests collected"), "\(run.output)\(run.errors)")
    }

    @Test(
        "Reports are in the current folder if the suites are elsewhere",
        .enabled(if: python != nil, reason))
    func reports() throws {
        let project = try Project()
        try FileManager.default.moveItem(
            atPath: project.folder + "/suites", toPath: project.folder + "/../elsewhere")
        let run = try project.pytest(
            ["-q", "-k", "greets"], suites: ["--conform", "../elsewhere"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let results = project.folder + "/Reports/pytest/results.json"
        #expect(FileManager.default.fileExists(atPath: results))
    }

    @Test(
        "Tests of the user run suites and check captures", .enabled(if: python != nil, reason))
    func fixture() throws {
        let run = try Project().pytest(["-q", "test_meter.py"], suites: [])
        #expect(run.status == 0 && run.output.contains("3 passed"), "\(run.output)\(run.errors)")
    }

    @Test(
        "A suite that cannot be read, one that is not collected, and a device that cannot be started",
        .enabled(if: python != nil, reason))
    func faults() throws {
        let project = try Project()
        let unreadable = try project.pytest(["-q"], suites: ["--conform", "nothing.yaml"])
        #expect(unreadable.status == 4 && unreadable.errors.contains("nothing.yaml"))
        try FileManager.default.createDirectory(
            atPath: project.folder + "/build", withIntermediateDirectories: false)
        try FileManager.default.moveItem(
            atPath: project.folder + "/suites", toPath: project.folder + "/build/suites")
        let hidden = try project.pytest(["-q"], suites: ["--conform", "build/suites"])
        #expect(hidden.status == 4 && hidden.errors.contains("no case was collected"))
        let absent = try project.pytest(
            ["-q", "--conform-device", "command:/nowhere", "build/suites"],
            suites: ["--conform", "build/suites"])
        #expect(absent.status == 1 && absent.output.contains("there is no program /nowhere"))
        #expect(absent.output.contains("5 errors"), "\(absent.output)")
    }
}
