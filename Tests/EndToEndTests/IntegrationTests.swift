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
