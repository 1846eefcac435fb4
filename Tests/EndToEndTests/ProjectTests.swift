import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: init, conform.yaml and defaults of the command line")
struct ProjectTests {
    private static let registration = "\(ConformProgram.root)/Suites/registration-language.yaml"

    private static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test(
        "A project that init writes has no findings, and passes with the reference device",
        arguments: [
            "sdl.app", "sdl.head-unit", "session.client", "profile.app", "profile.peripheral",
        ])
    func initialized(role: String) throws {
        let folder = TemporaryFolder.lasting()
        let made = try ConformProgram.run(["init", "p", "--role", role], in: folder)
        #expect(made.status == 0, "\(made.errors)")
        let project = folder + "/p"
        let lint = try ConformProgram.run(["lint", "--strict"], in: project)
        #expect(lint.status == 0, "\(lint.output)")
        let run = try ConformProgram.run(["run"], in: project)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("1 planned = 1 judged (1 pass)"))
        let failed = try ConformProgram.run(["run", "--failed"], in: project)
        #expect(failed.status == 4)
        #expect(failed.errors.contains("nothing of the last run is left to pass"))
        let again = try ConformProgram.run(["init", "p", "--role", role], in: folder)
        #expect(again.status == 2)
        #expect(again.errors.contains("nothing is written"))
        // In a subfolder of the project.
        let below = try ConformProgram.run(["list"], in: project + "/suites")
        #expect(below.output.contains("1 case of 1 suite"))
    }

    @Test(
        "A project for a user's own protocol passes with a device of that protocol",
        arguments: [
            ("tcp.client", "socket.create_connection((h, p)).sendall(b'hello\\n'); time.sleep(60)"),
            (
                "tcp.server",
                "c = socket.create_server((h, p)).accept()[0]; c.sendall(c.recv(9)); time.sleep(60)"
            ),
            (
                "udp.client",
                "socket.socket(type=socket.SOCK_DGRAM).sendto(b'hello', (h, p)); time.sleep(60)"
            ),
            (
                "udp.server",
                "s = socket.socket(type=socket.SOCK_DGRAM); s.bind((h, p)); "
                    + "s.sendto(*s.recvfrom(9)); time.sleep(60)"
            ),
        ])
    func ownProtocol(role: String, device: String) throws {
        let folder = TemporaryFolder.lasting()
        try Self.write(
            "import socket, sys, time\nh, p = sys.argv[1], int(sys.argv[2])\n\(device)\n",
            to: folder + "/device.py")
        let party = role.hasSuffix("server") ? "device." : ""
        let launch = "python3 ../device.py ${\(party)host} ${\(party)port}"
        let without = try ConformProgram.run(["init", "p", "--role", role], in: folder)
        #expect(without.status == 2 && without.errors.contains("no reference device for"))
        let made = try ConformProgram.run(
            ["init", "p", "--role", role, "--launch", launch], in: folder)
        #expect(made.status == 0, "\(made.errors)")
        let project = folder + "/p"
        let lint = try ConformProgram.run(["lint", "--strict"], in: project)
        #expect(lint.status == 0, "\(lint.output)")
        let run = try ConformProgram.run(["run"], in: project)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("A profile for the user's device is written and used, the reference device on request")
    func profile() throws {
        let folder = TemporaryFolder.lasting()
        let words = ["--role", "sdl.app", "--launch", "/bin/false '--port=${port}'"]
        let made = try ConformProgram.run(
            ["init", "--ci", "gitlab"] + words, in: folder)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("/.gitlab-ci.yml"))
        let own = try ConformProgram.run(["run"], in: folder)
        #expect(own.output.contains("My device"))
        #expect([1, 3].contains(own.status))
        let reference = try ConformProgram.run(["run", "--device", "reference"], in: folder)
        #expect(reference.status == 0, "\(reference.output)")
    }

    @Test("Answers in the standard input of init are read")
    func pipedAnswers() throws {
        let folder = TemporaryFolder.lasting()
        func piped(_ answers: String, _ place: String) throws -> ConformProgram.Outcome {
            try ConformProgram.Started(
                [
                    "sh", "-c", "printf '%s' \"$1\" | \"$2\" init \"$3\"", "sh", answers,
                    "\(ConformProgram.folder)/conform", place,
                ], in: folder
            ).wait()
        }
        let made = try piped("udp.client\n/bin/true ${port}\n", "p")
        #expect(made.status == 0, "\(made.errors)")
        let profile = try String(contentsOfFile: folder + "/p/device.yaml", encoding: .utf8)
        #expect(profile.contains("role: udp.client") && profile.contains("/bin/true"))
        let unknown = try piped("toaster\n", "q")
        #expect(unknown.status == 2 && unknown.errors.contains("not \"toaster\""))
        let none = try piped("", "r")
        #expect(none.status == 0, "\(none.errors)")
    }

    @Test("Jobs of CI engines replace no file, and say what they need")
    func jobs() throws {
        let folder = TemporaryFolder.lasting()
        try Self.write("stages: [test]\n", to: folder + "/.gitlab-ci.yml")
        for (engine, file) in [
            ("gitlab", "conform.gitlab-ci.yml"), ("jenkins", "Jenkinsfile"),
            ("github", ".github/workflows/conform.yml"),
        ] {
            let place = engine == "gitlab" ? "." : engine
            let made = try ConformProgram.run(
                ["init", place, "--role", "sdl.app", "--ci", engine], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.contains("\(place)/\(file)"), "\(made.output)")
            #expect(made.output.contains("CONFORM_RELEASES"), "\(made.output)")
            #expect(
                made.output.contains("include: [{local: conform.gitlab-ci.yml}]")
                    == (engine == "gitlab"))
            let job = try String(contentsOfFile: "\(folder)/\(place)/\(file)", encoding: .utf8)
            #expect(!job.contains(".deb"), "the package is for one release of Debian")
        }
        let shell = try ConformProgram.run(
            ["init", "s", "--role", "tcp.client", "--launch", "./a.py | tee log"], in: folder)
        #expect(shell.status == 2 && shell.errors.contains("sh -c"), "\(shell.errors)")
    }

    @Test("A mistake in conform.yaml is an error with its position")
    func wrong() throws {
        let folder = TemporaryFolder.lasting()
        try Self.write("conform: 1\nsuite: x\njobs: 0\n", to: folder + "/conform.yaml")
        let outcome = try ConformProgram.run(["list"], in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("conform.yaml:2:1: error: unknown key \"suite\""))
        #expect(outcome.errors.contains("conform.yaml:3:7"))
        #expect(outcome.errors.contains("did you mean \"suites\"?"))
    }

    @Test(
        "A path in conform.yaml that does not exist is an error with its position",
        arguments: [
            ("suites: suite", "2:9", "\"suites\" names \"suite\", which does not exist"),
            ("suites: [suites]\ndevice: devic.yaml", "3:9", "did you mean \"device.yaml\"?"),
            ("suites: suites\nknown: none.yaml", "3:8", "\"known\" names \"none.yaml\""),
            ("suites: suites\ninclude: device.yaml", "3:10", "which is not a folder"),
            ("suites: suites\nreports: device.yaml", "3:10", "which is not a folder"),
            ("suites: suites\nreports: {folder: device.yaml}", "3:19", "which is not a folder"),
            ("suites: \"\"", "2:9", "this text is empty"),
            ("suites: []", "2:9", "an empty list"),
            ("suites: suites\nreports: [a]", "3:10", "takes a folder, this is a list"),
        ])
    func wrongPath(text: String, place: String, what: String) throws {
        let folder = TemporaryFolder.lasting()
        _ = try ConformProgram.run(
            ["init", "--role", "udp.client", "--launch", "/bin/true", "--ci", "none"], in: folder)
        try Self.write("conform: 1\n\(text)\n", to: folder + "/conform.yaml")
        let outcome = try ConformProgram.run(["run"], in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("conform.yaml:\(place): error: "), "\(outcome.errors)")
        #expect(outcome.errors.contains(what), "\(outcome.errors)")
        let other = try ConformProgram.run(["fields", "tcp.SYN"], in: folder)
        #expect(other.status == 0, "other commands do not need the paths")
    }

    @Test("--failed runs only the cases that did not pass in the last run")
    func failed() throws {
        let folder = TemporaryFolder.lasting()
        try Self.write(
            "conform: 1\nsuites: \(Self.registration)\nreports: R\njobs: 2\n",
            to: folder + "/conform.yaml")
        let changed = "supported-language-changes-registration[language=DE-DE]"
        let cases = ["--case", "same-language-changes-nothing", "--case", changed]
        let first = try ConformProgram.run(
            ["run", "-q", "--device", "reference:never-changes"] + cases, in: folder)
        #expect(first.status == 1, "\(first.output)")
        #expect(first.output.contains("reports: R/"))
        let list = try ConformProgram.run(["list", "--failed"], in: folder)
        #expect(list.output.contains(changed))
        #expect(!list.output.contains("same-language-changes-nothing"))
        #expect(list.output.contains("1 case of 1 suite"))
        let second = try ConformProgram.run(["run", "--failed"], in: folder)
        #expect(second.status == 0, "\(second.output)")
        #expect(second.output.contains("1 planned = 1 judged (1 pass)"))
    }

    @Test("Folders are read recursively, and catalogues and profiles in them are not suites")
    func folders() throws {
        let all = try ConformProgram.run(["list", "Suites"])
        #expect(all.status == 0, "\(all.errors)")
        #expect(all.output.contains("Suites/examples/smtp-client.yaml"))
        let reason = "there is no reference device for smtp.client"
        #expect(all.output.components(separatedBy: reason).count == 2, "each reason once")
        let broken = TemporaryFolder.lasting()
        try FileManager.default.createDirectory(
            atPath: broken + "/a/b", withIntermediateDirectories: true)
        try Self.write("{", to: broken + "/a/b/x.yaml")
        let lint = try ConformProgram.run(["lint", broken])
        #expect(lint.status == 2)
        #expect(lint.output.contains("a/b/x.yaml"))
    }

    @Test("Cases are selected by requirement, by tag and by absence of a tag")
    func selection() throws {
        let suite = "Suites/retry-exhaustion.yaml"
        let checks = try ConformProgram.run(["list", Self.registration, "--checks", "CRM-1"])
        #expect(checks.output.contains("comparison-follows-the-response  "))
        #expect(!checks.output.contains("[CRM-2]"))
        #expect(!checks.output.contains("no case checks"), "the others were not requested")
        let one = try ConformProgram.run(
            ["list", Self.registration, suite, "--case", "same-language-changes-nothing"])
        #expect(one.output.contains("1 case of 1 suite"), "\(one.output)")
        let unknown = try ConformProgram.run(["list", Self.registration, "--checks", "CMR-1"])
        #expect(unknown.status == 4)
        #expect(unknown.errors.contains("did you mean CRM-1?"))
        func count(_ words: [String]) throws -> Int {
            let output = try ConformProgram.run(["list", suite] + words).output
            let line = output.split(separator: "\n").first { $0.contains(" of 1 suite") }
            return Int(line?.split(separator: " ").first ?? "") ?? -1
        }
        let (all, long, rest) = try (
            count([]), count(["--tag", "long"]), count(["--tag", "!long"])
        )
        #expect(long > 0 && rest > 0 && long + rest == all)
        #expect(try ConformProgram.run(["list", suite, "--tag", "!lnog"]).status == 2)
    }

    @Test("lint writes JSON, SARIF and workflow commands, and --strict refuses warnings")
    func lint() throws {
        let folder = TemporaryFolder.lasting()
        try Self.write("conform: 1\nsuite: x\ntitle: t\n", to: folder + "/s.yaml")
        let json = try ConformProgram.run(["lint", "s.yaml", "--format", "json"], in: folder)
        #expect(json.status == 2)
        let found = try Value(json: json.output)
        #expect(found["findings"]?.arrayValue?[0]["file"] == "s.yaml")
        #expect(found["findings"]?.arrayValue?[0]["code"] == "missing-key")
        let sarif = try ConformProgram.run(["lint", "s.yaml", "--format", "sarif"], in: folder)
        let run = try #require(try Value(json: sarif.output)["runs"]?.arrayValue?[0])
        #expect(run["tool"]?["driver"]?["name"] == "conform")
        let place = run["results"]?.arrayValue?[0]["locations"]?.arrayValue?[0][
            "physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"] == "s.yaml")
        #expect(place?["region"]?["startLine"] == 1)
        let github = try ConformProgram.run(["lint", "s.yaml", "--format", "github"], in: folder)
        #expect(github.output.hasPrefix("::error file=s.yaml,line=1,col=1,title=conform%3A "))
        let fine = try ConformProgram.run(["lint", Self.registration, "--strict"])
        #expect(fine.status == 0, "\(fine.output)")
    }

    @Test("help COMMAND is COMMAND --help", arguments: [["run"], ["report", "merge"], ["lint"]])
    func help(words: [String]) throws {
        let one = try ConformProgram.run(["help"] + words)
        #expect(one.status == 0)
        #expect(one.output == (try ConformProgram.run(words + ["--help"])).output)
        #expect(one.output.contains("usage: conform \(words.joined(separator: " "))"))
    }

    @Test("Help fits the terminal, and has a line for each option without one")
    func helpWidth() throws {
        let terminal = try PseudoTerminal(["help", "run"], columns: 80)
        #expect(terminal.wait() == 0)
        #expect(terminal.screen.allSatisfy { $0.count <= 80 }, "\(terminal.screen)")
        #expect(terminal.screen.contains { $0.hasPrefix("  --case PATTERN") })
        let plain = try ConformProgram.run(["help", "run"]).output.split(separator: "\n")
        #expect(plain.dropFirst(2).allSatisfy { $0.contains(" -") || $0.hasSuffix(":") })
    }

    @Test("The command watch runs again when a suite changes")
    func watch() throws {
        let folder = TemporaryFolder.lasting()
        _ = try ConformProgram.run(["init", "--role", "sdl.app"], in: folder)
        let program = try ConformProgram.Started(
            ["\(ConformProgram.folder)/conform", "watch"], in: folder)
        func wait(for count: Int) {
            for _ in 0..<600
            where program.output.split(separator: "\n").count(where: {
                $0.hasPrefix("watching ")
            }) < count { usleep(100_000) }
        }
        wait(for: 1)
        let suite = folder + "/suites/first.yaml"
        let text = try String(contentsOfFile: suite, encoding: .utf8)
        try Self.write(text.replacing("id: begins", with: "id: starts"), to: suite)
        wait(for: 2)
        kill(program.process, SIGTERM)
        let output = program.wait().output
        #expect(output.contains("first/begins"))
        #expect(output.contains("first/starts"))
    }

    @Test("The command fields lists a message, and suggests a similar name")
    func fields() throws {
        let show = try ConformProgram.run(["fields", "sdl.Show.request"])
        #expect(show.output.contains("params.mainField3"))
        #expect(show.output.contains("text of at most 500 characters"))
        #expect(show.output.contains("since 2.0"))
        let all = try ConformProgram.run(["fields"])
        #expect(all.output.contains("diffusion.connect"))
        let page = try ConformProgram.run(["fields", "--format", "markdown"])
        #expect(page.output.contains("### sdl.Show.request"))
        let unknown = try ConformProgram.run(["fields", "sdl.Show.requst"])
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("did you mean \"sdl.Show.request\"?"))
    }

    @Test(
        "conform.yaml is not read through a link, and one above that others may write is not used")
    func strangers() throws {
        let folder = TemporaryFolder.lasting()
        try FileManager.default.createDirectory(
            atPath: folder + "/own/below", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: folder + "/linked", withIntermediateDirectories: true)
        try Self.write(
            "conform: 1\nsuites: \(Self.registration)\n", to: folder + "/own/conform.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/linked/conform.yaml",
            withDestinationPath: folder + "/own/conform.yaml")
        let linked = try ConformProgram.run(["list"], in: folder + "/linked")
        #expect(linked.status == 2 && linked.errors.contains("it is a link"), "\(linked.errors)")
        let below = try ConformProgram.run(["list"], in: folder + "/own/below")
        #expect(below.status == 0)
        #expect(below.errors.contains("the settings are those of ../conform.yaml"))
        for place in ["/own", "/own/conform.yaml"] {
            #expect(chmod(folder + place, 0o777) == 0)
            let refused = try ConformProgram.run(["list"], in: folder + "/own/below")
            #expect(refused.status == 2 && !refused.output.contains("suite"), "\(place)")
            #expect(chmod(folder + place, 0o755) == 0)
        }
    }
}
