import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

struct SuiteSchemaTests {
    /// What a schema cannot check: names that are declared elsewhere, and the meaning of values.
    private static let invisible: Set<String> = [
        "file-not-found", "unknown-variable", "bad-template", "late-variable", "unused-variable",
        "unknown-feature", "bad-needs", "unknown-party", "unknown-requirement", "unknown-step",
        "duplicate-id", "unknown-field", "bad-path", "impossible-value", "irregular-value",
        "bad-pattern", "contradictory-window", "impossible-condition", "impossible-time",
        "unknown-fragment", "unknown-argument", "missing-argument", "fragment-cycle",
        "duplicate-variable", "unknown-action",
    ]

    private static let warnings: Set<String> = [
        "irregular-value", "unused-variable", "unused-parameter", "unused-fragment",
        "unused-argument", "idle-exclude", "never-sent", "never-answers", "idle-never",
        "ignored-expectation", "early-connect",
    ]

    private static func check() throws -> SchemaCheck {
        try SchemaCheck(Value(json: SuiteSchema(.builtIn).suite.jsonText(pretty: true)))
    }

    private static func value(of text: String) throws -> Value {
        try YAMLNode.parse(text: text, file: "f").value
    }

    @Test(
        "Every suite of the repository satisfies the schema",
        .enabled(if: Repository.has("Suites/registration-language.yaml"), "no Suites folder"))
    func repository() throws {
        let root = "\(try #require(Repository.root))/Suites"
        let suite = try Self.check()
        let catalogue = try SchemaCheck(SuiteSchema(.builtIn).requirements)
        let log = try SchemaCheck(SuiteSchema(.builtIn).logFormat)
        let included = try SchemaCheck(SuiteSchema(.builtIn).included)
        let described = try SchemaCheck(SuiteSchema(.builtIn).protocolFile)
        // The files in devices/ are profiles of devices.
        let files = SourceTree.files(below: root, suffix: ".yaml").filter {
            !$0.contains("/devices/")
        }
        #expect(files.count >= 3)
        for file in files {
            let root = try YAMLNode.load(path: file)
            let schema =
                root["cases"] != nil
                ? suite
                : root["conform-requirements"] != nil
                    ? catalogue
                    : root["conform-protocol"] != nil
                        ? described : root["conform-log"] != nil ? log : included
            #expect(schema.problems(root.value) == [], "\(file)")
        }
    }

    @Test(
        "Every suite of the corpus satisfies the schema",
        .enabled(if: Repository.has("Tests/CorpusTests/Corpus/common.yaml"), "no corpus"))
    func corpus() throws {
        let root = "\(try #require(Repository.root))/Tests/CorpusTests/Corpus"
        let suite = try Self.check()
        let catalogue = try SchemaCheck(SuiteSchema(.builtIn).requirements)
        let included = try SchemaCheck(SuiteSchema(.builtIn).included)
        let described = try SchemaCheck(SuiteSchema(.builtIn).protocolFile)
        let files = SourceTree.files(below: root, suffix: ".yaml")
        #expect(files.count >= 35)
        for file in files {
            let root = try YAMLNode.load(path: file)
            let schema =
                root["cases"] != nil
                ? suite
                : root["conform-requirements"] != nil
                    ? catalogue : root["conform-protocol"] != nil ? described : included
            #expect(schema.problems(root.value) == [], "\(file)")
        }
    }

    @Test(
        "Every example of the language reference satisfies the schema",
        .enabled(if: Repository.has(DocumentationTests.page), "no Documentation folder"))
    func examples() throws {
        let check = try Self.check()
        let suites = try DocumentationTests.suites()
        #expect(suites.count >= 5)
        for suite in suites {
            #expect(
                check.problems(try Self.value(of: suite.text)) == [], "\(suite.place)")
        }
        let catalogue = try SchemaCheck(SuiteSchema(.builtIn).requirements)
        #expect(
            catalogue.problems(try Self.value(of: DocumentationTests.catalogue())) == [])
    }

    @Test("Every schema has an identifier, and an example that satisfies it")
    func ownExamples() throws {
        let schemas = SuiteSchema(.builtIn)
        let all = [
            schemas.suite, schemas.included, schemas.requirements, schemas.protocolFile,
            schemas.logFormat,
        ]
        #expect(Set(all.compactMap { $0["$id"]?.stringValue }).count == all.count)
        for schema in all {
            let example = try #require(schema["examples"]?.arrayValue?.first)
            #expect(try SchemaCheck(schema).problems(example) == [])
        }
    }

    @Test("The schema refuses what the loader refuses, where a schema can see it")
    func broken() throws {
        let check = try Self.check()
        let corpus =
            BrokenSuiteTests.topLevel + BrokenSuiteTests.caseLines.map(SuiteFixture.suite(case:))
            + BrokenSuiteTests.stepLines.map(SuiteFixture.suite(steps:))
            + GroupLoadingTests.broken.map(SuiteFixture.suite(steps:))
            + LintTests.lateSteps.map(SuiteFixture.suite(steps:))
            + LintTests.pointless.map(SuiteFixture.suite(case:))
            + FragmentTests.broken.map { FragmentTests.suite($0.fragments, steps: $0.steps) }
            + ParameterTests.broken.map {
                SuiteFixture.suite(steps: "- expect: sdl.Show.request").replacing(
                    "cases:", with: "parameters:\n  \($0)\ncases:")
            }
            + MatrixExclusionTests.broken.map(MatrixExclusionTests.suite)
            + BrokenSuiteTests.conditionLines.map {
                SuiteFixture.suite(
                    steps: "- expect: sdl.RegisterAppInterface.request\n  where: \($0)")
            }
        var refused = 0
        for marked in corpus.map(MarkedText.init) {
            let codes = marked.expected.compactMap {
                $0.split(separator: ":").last.map(String.init)
            }
            let problems = check.problems(try Self.value(of: marked.text))
            if !codes.allSatisfy(Self.invisible.union(Self.warnings).contains) {
                #expect(problems != [], "\(codes)\n\(marked.text)")
                refused += 1
            } else if !codes.isEmpty, codes.allSatisfy(Self.warnings.contains) {
                #expect(problems == [], "\(codes)\n\(marked.text)")
            }
        }
        #expect(refused >= 70)
    }

    @Test(
        "Variables may stand where the loader fills them in",
        arguments: [
            "title: about ${x}\nquiet: ${x}\nunexpected: ${x}\nsteps: ${x}",
            "given: {hu: \"${x}\", device: \"${x}\"}\nsteps: [\"${x}\", {wait: \"${x}\"}]",
            "steps: [{repeat: {times: \"${x}\", steps: \"${x}\"}}, {either: [[\"${x}\"], \"${x}\"]}]",
            "steps: [{repeat: \"${x}\"}, {anyOrder: \"${x}\"}, {optional: [{optional: [\"${x}\"]}]}]",
            "steps: [{expect: \"sdl.${x}.request\", tolerance: \"${x} 10%\", where: \"${x}\"}]",
            "given: {hu: {port: \"${x}\", silent: [\"${x}\"]}}\nsteps: [{do: \"${x}\"}]",
            "steps: [{do: {hu.configure: {\"${x}\": DE-DE}}}]",
        ])
    func variables(_ lines: String) throws {
        let value = try Self.value(of: SuiteFixture.suite(case: lines))
        #expect(try Self.check().problems(value) == [])
    }

    @Test(
        "The schema refuses a window together with an exact time", arguments: ["within", "after"])
    func exclusion(key: String) throws {
        let text = SuiteFixture.suite(steps: "- {expect: sdl.Show.request, at: 1s, \(key): 1s}")
        #expect(try Self.check().problems(Self.value(of: text)) != [])
    }

    @Test("Readers query every key of the vocabulary, and no other")
    func keys() throws {
        let suite = """
            conform: 1
            suite: s
            title: t
            requirements: [catalogue.yaml]
            include: [shared.yaml]
            device: {role: sdl.app}
            peers: {hu: {is: sdl.head-unit}}
            defaults: {within: 5s}
            ignore: [{message: sdl.Heartbeat}]
            parameters: {limit: {default: 2, text: t}}
            fragments:
              beat: {text: t, arguments: {n: {default: 1, text: t}}, steps: [{wait: "${n}s"}]}
            cases:
              - id: one
                checks: [A-1]
                title: up to ${limit}
                each: {x: [one, two]}
                exclude: [{x: two}]
                needs: f.${x}
                never: [{message: sdl.Alert.request}]
                steps:
                  - {expect: sdl.Show.request}
                  - {send: sdl.Show.response}
                  - {do: hu.close}
                  - {wait: 1s}
                  - {lost: bytes}
                  - collect: [sdl.Show.request, {message: sdl.Alert.request}]
                  - {send: {bytes: "0a"}}
                  - send: sdl.Show.response
                    corrupt: {overwrite: {at: 0, bytes: "ff"}}
                  - anyOrder: [{wait: 1s}]
                  - either: [{wait: 1s}, [{wait: 2s}]]
                  - optional: [{expect: sdl.Alert.request}]
                  - repeat: {times: 2, steps: [{wait: 1s}]}
                  - use: beat
                  - backoff:
                      model: fixed
                      base: 1s
                      attempts: {min: 1, max: 2}
                      silence: 9s
                      reset: {stable: 1s}
            """
        let files = [
            "suite.yaml": suite, "shared.yaml": "conform: 1\n",
            "catalogue.yaml": SuiteFixture.catalogue,
        ]
        let findings = Findings()
        var reader = SuiteReader(
            files: SuiteFileReader(findings: findings, searchPath: []) {
                (path) throws(InvalidInput) -> String in files[path] ?? ""
            }, protocols: .builtIn)
        _ = reader.suite(path: "suite.yaml")
        #expect(findings.diagnostics.map(\.description) == [])
        let descriptions =
            [
                SuiteVocabulary.suite, SuiteVocabulary.included, SuiteVocabulary.device,
                SuiteVocabulary.defaults, SuiteVocabulary.testCase, SuiteVocabulary.ignoreRule,
                SuiteVocabulary.neverRule, CatalogueVocabulary.catalogue,
                CatalogueVocabulary.requirement, SuiteVocabulary.repetition,
                SuiteVocabulary.fragment, SuiteVocabulary.argument, SuiteVocabulary.parameter,
                SuiteVocabulary.backoff, SuiteVocabulary.resetRule, SuiteVocabulary.attemptCounts,
                SuiteVocabulary.rawBytes, SuiteVocabulary.corruption, SuiteVocabulary.overwriting,
                SuiteVocabulary.collected,
            ] + SuiteVocabulary.verbs.map(SuiteVocabulary.step)
        for description in descriptions {
            #expect(
                findings.keysAskedFor[description.name]?.sorted() == description.keyNames.sorted(),
                "\(description.name)")
        }
        #expect(findings.keysAskedFor.count == descriptions.count)
    }

    @Test(
        "Every keyword has a row in the list of keywords, with a link to its explanation",
        .enabled(if: Repository.has(DocumentationTests.page), "no Documentation folder"))
    func keywords() throws {
        let list = try DocumentationTests.text(of: "keywords")
        let descriptions =
            [
                SuiteVocabulary.suite, SuiteVocabulary.included, SuiteVocabulary.defaults,
                SuiteVocabulary.testCase, SuiteVocabulary.measure, SuiteVocabulary.fragment,
                SuiteVocabulary.argument, SuiteVocabulary.parameter, SuiteVocabulary.matcher,
                SuiteVocabulary.repetition, SuiteVocabulary.corruption, SuiteVocabulary.collected,
                SuiteVocabulary.overwriting, SuiteVocabulary.backoff, SuiteVocabulary.stream,
                SuiteVocabulary.sentNotation, SuiteVocabulary.resetRule,
            ] + SuiteVocabulary.verbs.map(SuiteVocabulary.step)
        for key in Set(descriptions.flatMap(\.keyNames)).sorted() {
            #expect(list.contains("\n| `\(key)` | ["), "\(key)")
        }
    }

    @Test(
        "Every key of the vocabulary is in the language reference",
        .enabled(if: Repository.has(DocumentationTests.page), "no Documentation folder"))
    func documented() throws {
        let page = try DocumentationTests.text()
        let descriptions =
            [
                SuiteVocabulary.suite, SuiteVocabulary.defaults, SuiteVocabulary.testCase,
                SuiteVocabulary.fragment, SuiteVocabulary.argument, SuiteVocabulary.parameter,
            ]
            + SuiteVocabulary.verbs.map(SuiteVocabulary.step)
        for key in Set(descriptions.flatMap(\.keyNames)).sorted()
        where !SuiteVocabulary.verbs.contains(key) {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
        let others =
            SuiteVocabulary.matcher.keyNames + SuiteVocabulary.repetition.keyNames
            + SuiteVocabulary.corruption.keyNames + SuiteVocabulary.overwriting.keyNames
        for key in SuiteVocabulary.backoff.keyNames { #expect(page.contains("`\(key)`"), "\(key)") }
        for key in others + SuiteVocabulary.verbs {
            #expect(page.contains("\(key): "), "\(key)")
        }
    }
}
