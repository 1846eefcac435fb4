import Foundation
import TestSupport
import Testing

/// The commands that CI engines execute, and the command that makes releases.
///
/// Steps of the engines themselves (caches, uploads) are not executed here.
@Suite("Integrations: CI engines install and run a release")
struct IntegrationTests {
    private static let program = "\(ConformProgram.root)/Integrations/conform-ci"
    private static let suite = "\(ConformProgram.root)/Suites/registration-language.yaml"

    /// A folder of releases that contain the built `conform`, and a project next to it.
    private struct Bench {
        let folder = TemporaryFolder.lasting()
        var releases: String { folder + "/releases" }
        var cache: String { folder + "/cache" }
        var project: String { folder + "/project" }

        init() throws {
            let script = """
                set -e
                name=conform-9.9.9-linux-$(uname -m)
                mkdir -p releases project work/$name/bin
                printf '#!/bin/sh\\nexec "%s/conform" "$@"\\n' "$1" > work/$name/bin/conform
                chmod +x work/$name/bin/conform
                tar -C work -czf releases/$name.tar.gz $name
                cd releases && sha256sum $name.tar.gz > SHA256SUMS
                """
            let made = try ConformProgram.Started(
                ["/bin/bash", "-c", script, "make", ConformProgram.folder], in: folder
            ).wait()
            #expect(made.status == 0, "\(made.errors)")
        }

        func execute(
            _ words: [String], _ variables: [String: String] = [:]
        ) throws -> ConformProgram.Outcome {
            var all = [
                "CONFORM_VERSION": "9.9.9", "CONFORM_RELEASES": releases,
                "CONFORM_CACHE": cache, "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder,
            ]
            all.merge(variables) { $1 }
            let environment = all.map { "\($0.key)=\($0.value)" }
            return try ConformProgram.Started(
                ["-i"] + environment + ["/bin/bash", program] + words, in: project
            ).wait()
        }
    }

    /// The Python with PyYAML; `nil` if it is not installed.
    private static let python: String? = {
        let path = "\(ConformProgram.root)/.third-party/python/bin/python3"
        let exists = FileManager.default.isExecutableFile(atPath: path)
        let command = [path, "-c", "import yaml"]
        guard exists, let outcome = try? ConformProgram.Started(command, in: "/").wait() else {
            return nil
        }
        return outcome.status == 0 ? path : nil
    }()

    @Test(
        "Each engine's own steps install the release and run the suites, and a failure is theirs",
        .enabled(if: python != nil, "PyYAML is not installed (Scripts/third-party)"),
        arguments: [
            ("github", "github/action.yml"), ("gitlab", "gitlab/conform.yml"),
            ("jenkins", "jenkins/Jenkinsfile"),
        ])
    func engineSteps(engine: String, file: String) throws {
        let bench = try Bench()
        let files = FileManager.default
        try String(contentsOfFile: Self.program, encoding: .utf8)
            .replacing("\nown=\n", with: "\nown=9.9.9\n")
            .write(toFile: bench.releases + "/conform-ci", atomically: true, encoding: .utf8)
        try files.createDirectory(
            atPath: bench.project + "/suites", withIntermediateDirectories: false)
        for name in ["registration-language.yaml", "common", "requirements"] {
            try files.copyItem(
                atPath: "\(ConformProgram.root)/Suites/\(name)",
                toPath: "\(bench.project)/suites/\(name)")
        }
        func execute(device: String) throws -> ConformProgram.Outcome {
            let arguments = "--case same-language-changes-nothing --device \(device)"
            var path = "\(ConformProgram.root)/Integrations/\(file)"
            if engine == "jenkins" {
                // The example names its suites and its device in the script.
                let text = try String(contentsOfFile: path, encoding: .utf8)
                    .replacing("suites --device device.yaml", with: "suites \(arguments)")
                path = bench.folder + "/Jenkinsfile"
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let address = "file://\(bench.releases)"
            return try ConformProgram.Started(
                [
                    try #require(Self.python),
                    "\(ConformProgram.root)/Tests/EndToEndTests/Bench/engine.py", engine, path,
                    bench.project, "version=9.9.9", "releases=\(address)", "suites=suites",
                    "arguments=\(arguments)", "CONFORM_RELEASES=\(address)",
                ], in: bench.project
            ).wait()
        }
        let green = try execute(device: "reference")
        #expect(green.status == 0, "\(green.output) \(green.errors)")
        #expect(files.fileExists(atPath: bench.project + "/Reports/ci/junit.xml"))
        let red = try execute(device: "reference:changes-when-equal")
        #expect(red.status == 1, "\(red.output) \(red.errors)")
    }

    @Test("The version of a release is that of the sources, or the one that is asked for")
    func version() throws {
        let bench = try Bench()
        let program = try ConformProgram.run(["--version"]).output
        let own = try bench.execute(["version"], ["CONFORM_VERSION": ""])
        #expect("conform \(own.output)" == program)
        #expect(try bench.execute(["version"]).output == "9.9.9\n")
    }

    @Test(
        "A job of Kubernetes that fails ends the wait, and the merge's exit code is that of the run",
        arguments: [
            ("Complete", "Complete", 0), ("Failed", "Complete", 3), ("Failed", "Failed", 1),
            ("", "Complete", 3),
        ] as [(String, String, Int32)])
    func kubernetes(shards: String, merge: String, status: Int32) throws {
        let folder = TemporaryFolder.lasting()
        // A cluster that has decided at the second question.
        let script = """
            #!/bin/bash
            case "$*" in
                "create -f "*) echo "$3" >>created ;;
                "get job/conform "*) echo x >>asked; [ $(wc -l <asked) -lt 2 ] || echo '\(shards) ' ;;
                "get job/conform-merge "*) echo '\(merge) ' ;;
                "logs "*) echo 'the output of the merge' ;;
                "get pods "*) echo \(status) ;;
            esac
            """
        try script.write(toFile: folder + "/kubectl", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder + "/kubectl")
        let outcome = try ConformProgram.Started(
            [
                "PATH=\(folder):/usr/bin:/bin", "CONFORM_TIMEOUT=3", "CONFORM_PAUSE=0.1",
                "/bin/bash", "\(ConformProgram.root)/Integrations/kubernetes/conform-kubernetes",
            ], in: folder
        ).wait()
        #expect(outcome.status == status, "\(outcome.output) \(outcome.errors)")
        let created = try String(contentsOfFile: folder + "/created", encoding: .utf8)
        let isOver = !shards.isEmpty
        #expect(created.contains("conform-merge.yaml") == isOver, "\(created)")
        #expect(outcome.output == (isOver ? "the output of the merge\n" : ""))
        #expect(outcome.errors.contains("job/conform failed") == (shards == "Failed"))
    }

    /// The path of MkDocs; `nil` if it is not installed.
    private static let mkdocs = [
        "\(ConformProgram.root)/.third-party/python/bin/mkdocs", "/usr/bin/mkdocs",
    ]
    .first(where: FileManager.default.isExecutableFile)

    @Test(
        "The documents become a site without broken links",
        .enabled(if: mkdocs != nil, "mkdocs is not installed (Scripts/third-party)"))
    func site() throws {
        let folder = TemporaryFolder.lasting()
        let outcome = try ConformProgram.Started(
            [
                "/usr/bin/env", "MKDOCS=\(try #require(Self.mkdocs))",
                "\(ConformProgram.root)/Scripts/site", folder,
            ], in: folder
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let page = try String(
            contentsOfFile: "\(folder)/Documentation/cookbook/index.html", encoding: .utf8)
        #expect(page.contains("Verify a report from somebody else"))
    }

    @Test("A release is installed once, and then found in the cache")
    func install() throws {
        let bench = try Bench()
        let path = bench.folder + "/path"
        let first = try bench.execute(["install"], ["GITHUB_PATH": path])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.hasSuffix("/bin/conform\n"))
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("/bin\n"))
        let again = try bench.execute(["install"], ["CONFORM_RELEASES": "/nowhere"])
        #expect(again.status == 0 && again.output == first.output, "\(again.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.cache).count == 1)
    }

    @Test("A file that differs from the release is refused, and nothing is installed")
    func altered() throws {
        let bench = try Bench()
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.releases)
        let tarball = try #require(names.first { $0.hasSuffix(".tar.gz") })
        try Data("other".utf8).write(to: URL(filePath: "\(bench.releases)/\(tarball)"))
        let outcome = try bench.execute(["install"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("is not the one that SHA256SUMS names"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.cache).isEmpty)
        let run = try bench.execute(["run", Self.suite])
        #expect(run.status == 2 && run.errors.contains("is not installed"))
    }

    @Test("A version that is a path, and one that is missing, are refused")
    func versions() throws {
        let bench = try Bench()
        for version in ["../9.9.9", ""] {
            #expect(try bench.execute(["install"], ["CONFORM_VERSION": version]).status == 2)
        }
        let none = try bench.execute(["install"], ["CONFORM_VERSION": "1.0.0"])
        #expect(none.status == 2 && none.errors.contains("has no conform-1.0.0-linux"))
    }

    @Test("Words are split as a shell does, and nothing in them is executed")
    func words() throws {
        let bench = try Bench()
        let text = "suites 'my suites' --case \"a b\" $(touch evil) *"
        let outcome = try bench.execute(["split", text])
        #expect(
            outcome.output.split(separator: "\n").map(String.init) == [
                "suites", "my suites", "--case", "a b", "$(touch", "evil)", "*",
            ])
        #expect(try bench.execute(["split", " "]).output.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.project).isEmpty)
    }

    @Test("A failure gives the exit code, an annotation and an entry in GitHub's summary")
    func gitHub() throws {
        let bench = try Bench()
        #expect(try bench.execute(["install"]).status == 0)
        let summary = bench.folder + "/summary"
        let options = ["--case", "same-language-changes-nothing"]
        let green = try bench.execute(
            ["run", Self.suite] + options,
            ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary])
        #expect(green.status == 0, "\(green.output) \(green.errors)")
        #expect(FileManager.default.fileExists(atPath: bench.project + "/Reports/ci/junit.xml"))
        let red = try bench.execute(
            ["run", Self.suite] + options + ["--device", "reference:changes-when-equal"],
            [
                "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary,
                "CONFORM_REPORTS": "red",
            ])
        #expect(red.status == 1, "\(red.output) \(red.errors)")
        #expect(red.output.contains("::error "))
        let text = try String(contentsOfFile: summary, encoding: .utf8)
        #expect(text.contains("same-language-changes-nothing"))
    }

    @Test("GitLab gets a code quality report, and lint stops a suite that cannot run")
    func gitLab() throws {
        let bench = try Bench()
        #expect(try bench.execute(["install"]).status == 0)
        let green = try bench.execute(
            [
                "run", Self.suite, "--case", "same-language-changes-nothing",
            ], ["GITLAB_CI": "true"])
        #expect(green.status == 0, "\(green.output) \(green.errors)")
        #expect(FileManager.default.fileExists(atPath: bench.project + "/quality.json"))
        try Data("conform: 1\n".utf8).write(to: URL(filePath: bench.project + "/bad.yaml"))
        let bad = try bench.execute(["run", "bad.yaml"], ["CONFORM_REPORTS": "bad"])
        #expect(bad.status == 2, "\(bad.output)")
        #expect(!FileManager.default.fileExists(atPath: bench.project + "/bad"))
    }

    @Test("A release has the notes of its section and a tag, and an unprepared one is refused")
    func release() throws {
        let folder = TemporaryFolder.lasting()
        let script = """
            set -e
            mkdir -p Scripts Sources/Core/Results/Run
            cp "$1/Scripts/release" Scripts/
            printf '#!/bin/sh\\nmkdir -p "$1" && echo file >"$1/file"\\n' >Scripts/package
            chmod +x Scripts/package
            echo '    public static let current = "0.2.0"' >Sources/Core/Results/Run/ConformVersion.swift
            printf '# Changelog\\n\\n## 0.2.0 - today\\n\\n- New.\\n\\n# not a section\\n\\n## 0.1.0\\n\\n- Old.\\n' >CHANGELOG.md
            export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
            git init -q . && git config user.name a && git config user.email a@example.org
            git add -A && git commit -qm one
            ! Scripts/release 0.1.0 ../out 2>>../errors
            echo more >>CHANGELOG.md
            ! Scripts/release 0.2.0 ../out 2>>../errors
            git checkout -q CHANGELOG.md
            Scripts/release 0.2.0 ../out
            ! Scripts/release 0.2.0 ../out 2>>../errors
            cat ../out/notes.md && git tag -l --format='%(contents)' v0.2.0
            """
        try FileManager.default.createDirectory(
            atPath: folder + "/work", withIntermediateDirectories: false)
        let outcome = try ConformProgram.Started(
            ["/bin/bash", "-c", script, "release", ConformProgram.root], in: folder + "/work"
        ).wait()
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains("conform 0.2.0\n\n- New.\n\n# not a section\n"))
        #expect(!outcome.output.contains("Old"))
        let errors = try String(contentsOfFile: folder + "/errors", encoding: .utf8)
        #expect(errors.contains("the version 0.1.0") && errors.contains("uncommitted changes"))
        #expect(errors.contains("already exists"))
    }
}
