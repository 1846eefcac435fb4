import Foundation
import TestSupport
import Testing

@Suite("Options and their help")
struct OptionTests {
    /// Returns the names of the options that the help of a command lists.
    private static func options(_ command: String) throws -> [String] {
        let help = try ConformProgram.run(["help"] + command.split(separator: " ").map(String.init))
        #expect(help.status == 0, "\(help.errors)")
        return help.output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  -") else { return nil }
            return line.split(whereSeparator: { " ,[=".contains($0) }).map(String.init)
                .first { $0.hasPrefix("--") }
        }
    }

    @Test(
        "A run has at most 24 options, a check at most 23", arguments: [("run", 24), ("check", 23)])
    func few(command: String, most: Int) throws {
        let options = try Self.options(command)
        #expect(options.count <= most, "\(options)")
        #expect(Set(options).count == options.count)
    }

    @Test(
        "The help has groups, each with an example of its command",
        arguments: [("run", 5), ("check", 6), ("list", 4), ("decode", 4), ("lint", 1)])
    func groups(command: String, count: Int) throws {
        let help = try ConformProgram.run([command, "--help"]).output
        let examples = help.split(separator: "\n").filter { $0.contains("example: conform") }
        #expect(examples.count == count, "\(help)")
        #expect(examples.allSatisfy { $0.contains("example: conform \(command) ") }, "\(help)")
        #expect(examples.allSatisfy { $0.count <= 80 }, "\(examples)")
    }

    @Test(
        "An option that nothing replaces in its place is an error that says what to write",
        arguments: [
            ("lint --include x", "include: [DIR]"), ("list --feature x", "features: [NAME]"),
            ("run --until-failure", "--repeat N --fail-fast"), ("run --late-retries 3", "leave it"),
            ("run --times x", "--shard I/N,RUN"), ("run --operator none", "CONFORM_OPERATOR"),
            ("watch --pause x", "pause:DEVICE"),
            ("check --junit-dialect surefire", "conform report junit --junit-dialect surefire"),
            ("check --evidence all", "--rows FILE"), ("check --idle 1s", "--follow DURATION"),
        ])
    func removed(line: String, advice: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let outcome = try ConformProgram.run(words)
        #expect(outcome.status == 2, "\(line)")
        #expect(outcome.errors.contains("\(words[1]) is not an option any more; "), "\(line)")
        #expect(outcome.errors.contains(advice), "\(outcome.errors)")
        #expect(try !Self.options(words[0]).contains(words[1]))
    }

    @Test(
        "An option of the last version is read as what replaces it",
        arguments: [
            ("list SUITE --source ours", "list SUITE --checks ours"),
            ("list SUITE --mutant compares-once", "list SUITE --device reference:compares-once"),
            ("list SUITE --device-command /bin/true", "list SUITE --device command:/bin/true"),
            ("run SUITE --mutant=x", "run SUITE --device reference:x"),
            ("run SUITE --carrier=x", "run SUITE --parameter carrier=x"),
            ("run SUITE --strict-protocol --case x", "run SUITE --strict protocol --case x"),
            (
                "run SUITE --known x --update-known --case x",
                "run SUITE --known update=x --case x"
            ),
            ("run SUITE --update-known --case x", "run SUITE --known update= --case x"),
            ("check SUITE CAPTURE --foreign", "check SUITE CAPTURE --assume foreign"),
            ("check SUITE CAPTURE --until end", "check SUITE CAPTURE --assume complete"),
            ("check SUITE CAPTURE --allow-empty", "check SUITE CAPTURE --min 0"),
            ("check SUITE --from-file x", "check SUITE @x"),
            ("check SUITE CAPTURE --resume --rows /", "check SUITE CAPTURE --rows resume=/"),
            ("decode CAPTURE --checksums", "decode CAPTURE --assume checksums"),
            ("decode CAPTURE --threads 1", "decode CAPTURE --limit threads=1"),
            ("decode CAPTURE --limit-time 9s", "decode CAPTURE --limit time=9s"),
        ])
    func aliases(old: String, new: String) throws {
        func result(_ line: String) throws -> (status: Int32, text: String) {
            let words = line.split(separator: " ").map {
                switch $0 {
                case "SUITE": "Suites/registration-language.yaml"
                case "CAPTURE": "GoldenCaptures/sdl/heartbeat.pcap"
                default: String($0)
                }
            }
            let outcome = try ConformProgram.run(words)
            // Only the time that it took and the command itself may differ.
            let lines = (outcome.output + outcome.errors).split(separator: "\n")
                .filter { !$0.hasPrefix("reports: ") && !$0.hasPrefix("next: ") }
            return (outcome.status, lines.joined(separator: "\n"))
        }
        let (before, after) = (try result(old), try result(new))
        #expect(before == after)
        #expect(!after.text.contains("unknown option"), "\(after.text)")
    }

    @Test("An option that a command never had is unknown, whatever another one had")
    func unknown() throws {
        let outcome = try ConformProgram.run(["lint", "--foreign"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("unknown option --foreign"), "\(outcome.errors)")
    }

    @Test(
        "A wrong word of an option is an error that names the right ones",
        arguments: [
            (
                "run Suites/registration-language.yaml --strict Suites",
                "--strict takes flaky or protocol, not \"Suites\""
            ),
            ("check x y --strict flaky", "--strict takes protocol"),
            ("check x y --assume open", "--assume takes complete or checksums or foreign"),
            ("decode x --assume complete", "--assume takes checksums"),
            ("decode x --follow y", "--follow takes a duration such as 10s or 500ms, or forever"),
            ("decode x --limit thread=1", "with a NAME of interfaces"),
            ("decode x --limit threads=65", "a number from 1 to 64"),
            ("list Suites --explore x", "--explore takes a whole number"),
            ("list Suites --explore 2,1m", "--explore takes N,shrink=TIME"),
            ("decode x --limit time=soon", "--limit time takes a duration"),
            ("run Suites/registration-language.yaml --device command:", "names no program"),
            ("run Suites/registration-language.yaml --device reference:x", "has no mutant x"),
            (
                "list Suites/protocol-string-fallback.yaml --parameter carrier=x",
                "takes bus or iap2"
            ),
            ("lint Suites/protocol-string-fallback.yaml --parameter carrier=bus", "no parameter"),
        ])
    func words(line: String, error: String) throws {
        let folder = TemporaryFolder.lasting()
        var words = line.split(separator: " ").map(String.init)
        if words[0] == "check" { words[1] = "Suites/registration-language.yaml" }
        if words[0] == "run" { words += ["--reports", folder + "/run"] }
        if let place = words.firstIndex(of: "x"), words[0] != "check", words[place - 1] == "decode"
        {
            words[place] = "GoldenCaptures/sdl/heartbeat.pcap"
        }
        let outcome = try ConformProgram.run(words)
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome.errors.contains(error), "\(outcome.errors)")
    }

    @Test(
        "A wrong option is reported before a file that cannot be read or a missing program",
        arguments: [
            ("run none.yaml --jobs 0", "--jobs takes a whole number"),
            ("run none.yaml --network x", "--network takes isolated or host"),
            ("run none.yaml --repeat x", "--repeat takes a whole number"),
            ("run none.yaml --min x", "--min takes a whole number"),
            ("run none.yaml --annotations x", "--annotations takes"),
            ("run none.yaml --seed x", "--seed takes"),
            ("run none.yaml --time-scale 0", "--time-scale \"0\" is not possible"),
            ("run none.yaml -q -v", "exclude each other"),
            ("run none.yaml --reports=", "--reports needs a value: --reports DIR"),
            ("watch none.yaml --jobs 0", "--jobs takes a whole number"),
            ("list none.yaml --shard 3/2", "--shard takes I/N"),
            ("prove none.yaml --parameter x", "--parameter takes NAME=VALUE"),
            ("check none.yaml none.pcap --min x", "--min takes a whole number"),
            ("check none.yaml none.pcap --shard 3/2", "--shard takes I/N"),
            ("check none.yaml none.pcap --assume x", "--assume takes complete"),
            ("check none.yaml none.pcap --follow x", "--follow takes a duration"),
            ("decode none.pcap --limit time=x", "--limit time takes a duration"),
            (
                "run Suites/registration-language.yaml --device command:/none --known none.yaml",
                "cannot read \"none.yaml\""
            ),
        ])
    func before(line: String, error: String) throws {
        let outcome = try ConformProgram.run(line.split(separator: " ").map(String.init))
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome.errors.contains(error), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test(
        "A value or an operand that cannot be meant is an error that says what to write",
        arguments: [
            ("list SUITE --device refrence", "did you mean reference?"),
            ("list SUITE --device command", "did you mean command:...?"),
            ("list SUITE --device reference:", "write --device reference:NAME"),
            ("list SUITE --times Reports/sample", "--times goes with --coverage"),
            ("check SUITE CAPTURE --peer hu=myhost", "an address is a number, such as 192.0.2.1"),
            ("check SUITE CAPTURE --keylog SUITE", "has no line of a key log"),
            ("check SUITE CAPTURE --log-format SUITE", "this is a suite, not a log format"),
            ("check SUITE CAPTURE --rows resume=LIST.csv", "this is not a row of conform check"),
            ("check SUITE @LIST.csv", "hello: cannot be read"),
            ("decode CAPTURE --protocol SUITE", "this is a suite, not a description of a protocol"),
            ("run EMPTY", "an operand of conform run is empty"),
            ("list SUITE --known=", "unknown option --known"),
        ])
    func unmeant(line: String, error: String) throws {
        let list = TemporaryFolder.lasting() + "/list.csv"
        try "hello\n".write(toFile: list, atomically: true, encoding: .utf8)
        let words = line.split(separator: " ").map { word in
            word.replacing("SUITE", with: "Suites/registration-language.yaml")
                .replacing("CAPTURE", with: "GoldenCaptures/sdl/heartbeat.pcap")
                .replacing("LIST.csv", with: list).replacing("EMPTY", with: "")
        }
        let outcome = try ConformProgram.run(words.map { String($0) })
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains(error), "\(outcome.errors)")
        #expect(try String(contentsOfFile: list, encoding: .utf8) == "hello\n")
    }

    @Test("A role of a profile that is misspelt is a warning with the right one")
    func misspeltRole() throws {
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        try "name: a\nrole: sdl.ap\nlaunch: [/bin/true]\n"
            .write(toFile: profile, atomically: true, encoding: .utf8)
        let outcome = try ConformProgram.run([
            "list", "Suites/registration-language.yaml", "--device", profile,
        ])
        #expect(outcome.errors.contains("did you mean \"sdl.app\"?"), "\(outcome.errors)")
    }

    @Test(
        "What a run needs of its surroundings is named",
        arguments: [
            (["TMPDIR=/none"], "reference", "which TMPDIR names", 3),
            (["CONFORM_OPERATOR=none"], "pause:reference", "CONFORM_OPERATOR=none says", 2),
        ])
    func surroundings(
        variables: [String], device: String, error: String, status: Int32
    ) throws {
        let run = try ConformProgram.Started(
            variables + [
                ConformProgram.folder + "/conform", "run", "Suites/registration-language.yaml",
                "--device", device, "--reports", TemporaryFolder.lasting() + "/run",
            ], in: ConformProgram.root
        ).wait()
        #expect(run.status == status, "\(run.output)\(run.errors)")
        #expect(run.errors.contains(error), "\(run.errors)")
    }

    @Test(
        "Reports that cannot be written are an error before a case runs",
        arguments: [
            ("--reports", "/proc/x"), ("--reports", "/dev/null/x"), ("--junit", "/proc/x.xml"),
            ("--junit", "/tmp"), ("--annotations", "gitlab=/proc/x"),
        ])
    func unwritable(option: String, value: String) throws {
        let own = option == "--reports" ? [] : ["--reports", TemporaryFolder.lasting() + "/run"]
        let outcome = try ConformProgram.run(
            ["run", "Suites/registration-language.yaml", option, value] + own)
        #expect(outcome.status == 5, "\(outcome.output)")
        #expect(outcome.output.isEmpty, "\(outcome.output)")
        #expect(
            outcome.errors.contains(value.split(separator: "=").last ?? "")
                || outcome.errors.contains("/dev/null"), "\(outcome.errors)")
    }

    @Test("A misspelt case is suggested, with its suite if that is named")
    func misspeltCase() throws {
        let suite = "Suites/hash-resume.yaml"
        let capture = "GoldenCaptures/sdl/heartbeat.pcap"
        for line in [["list", suite], ["check", suite, capture]] {
            for name in [
                "first-registration-has-no-hash", "hash-resume/hash-is-sent-without-being-asked",
            ] {
                let outcome = try ConformProgram.run(line + ["--case", String(name.dropLast())])
                #expect(outcome.status == 4, "\(outcome.output)")
                #expect(outcome.errors.contains("did you mean \(name)?"), "\(outcome.errors)")
            }
        }
    }

    @Test("Cases are selected by the basis of their requirements, alone and with a pattern")
    func basis() throws {
        func cases(_ words: String...) throws -> Int {
            let list = try ConformProgram.run(["list", "Suites/hash-resume.yaml"] + words)
            return list.output.split(separator: "\n").count
        }
        let all = try cases()
        let ours = try cases("--checks", "ours")
        #expect(0 < ours && ours < all)
        #expect(try cases("--checks", "document", "--checks", "derived") < all)
    }

    @Test("Shards that take about as long by a stored run are parts of the plan")
    func shardsByTime() throws {
        func counts(_ shard: String) throws -> (part: Int, all: Int) {
            let words = ["list", "Suites/registration-language.yaml", "--shard", shard]
            let list = try ConformProgram.run(words)
            let line = try #require(list.output.split(separator: "\n").last, "\(list.errors)")
            let numbers = line.drop { $0 != ":" }.split { !$0.isNumber }.compactMap { Int($0) }
            try #require(numbers.count > 1, "\(line)")
            return (numbers[0], numbers[1])
        }
        let run = "Reports/sample"
        let (first, second) = (try counts("1/2,\(run)"), try counts("2/2,\(run)"))
        #expect(first.all == second.all && first.part + second.part == first.all)
        let whole = try counts("1/1,\(run)")
        #expect(whole.part == first.all)
        let missing = try ConformProgram.run(
            ["list", "Suites/registration-language.yaml", "--shard", "1/2,\(run)/none"])
        #expect(missing.status == 2 && missing.errors.contains("\(run)/none"))
    }
}
