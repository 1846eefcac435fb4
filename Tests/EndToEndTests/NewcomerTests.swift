import Foundation
import TestSupport
import Testing

/// Mistakes of the first hour: each is refused with the place and with what to do.
@Suite("Mistakes of newcomers")
struct NewcomerTests {
    private let folder = TemporaryFolder.lasting()

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: folder + "/" + path, atomically: true, encoding: .utf8)
    }

    private func conform(_ words: String...) throws -> ConformProgram.Outcome {
        try ConformProgram.run(words, in: folder)
    }

    /// Writes a project for a client that says hello, in the folder itself.
    private func initialize() throws {
        try write(
            "import socket, sys, time\nsocket.create_connection((sys.argv[1], int(sys.argv[2])))"
                + ".sendall(b'hello\\n')\ntime.sleep(60)\n", to: "client.py")
        let made = try conform(
            "init", "--role", "tcp.client", "--launch", "python3 client.py ${host} ${port}")
        #expect(made.status == 0, "\(made.errors)")
    }

    @Test("The folder of a project can be named in place of its suites")
    func projectFolder() throws {
        try initialize()
        for words in [["lint", "--strict", "."], ["list", "."]] {
            let outcome = try ConformProgram.run(words, in: folder)
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("suites/first.yaml"), "\(outcome.output)")
        }
        // What may be a suite is not left out.
        try write("conform: 1\nsuite: second\ncase: []\n", to: "second.yaml")
        let broken = try conform("lint", ".")
        #expect(broken.status == 2 && broken.output.contains("second.yaml:"), "\(broken.output)")
    }

    @Test(
        "A wrong value in a suite is reported with what to write",
        arguments: [
            ("within: 10s", "within: 10 s", "11:20", "without a blank: 10s"),
            ("port: 7000", "port: \"7000\"", "10:34", "without quotes"),
            ("checks: [MY-1]", "checks: \"MY-1, MY-2\"", "15:13", "as a list: [MY-1, MY-2]"),
            ("role: tcp.client", "role: tcp.clint", "7:16", "did you mean \"tcp.client\"?"),
            (
                "requirements/first.yaml]", "requirements/frist.yaml]", "6:16",
                "did you mean \"suites/requirements/first.yaml\"?"
            ),
        ])
    func wrongValue(written: String, wrong: String, place: String, advice: String) throws {
        try initialize()
        let suite = "suites/first.yaml"
        let text = try String(contentsOfFile: folder + "/" + suite, encoding: .utf8)
        try #require(text.contains(written))
        try write(text.replacing(written, with: wrong), to: suite)
        let outcome = try conform("lint", "--strict", suite)
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome.output.contains("\(suite):\(place): "), "\(outcome.output)")
        #expect(outcome.output.contains(advice), "\(outcome.output)")
    }

    @Test("A file of another kind is named by what it begins with, a missing one by its neighbour")
    func otherFiles() throws {
        try initialize()
        let suites = try conform("check", "suites/first.yaml", "suites/first.yaml")
        #expect(suites.status == 2 && suites.errors.contains("the text \"# co\""))
        let missing = try conform("run", "suites/frist.yaml")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("did you mean \"suites/first.yaml\"?"))
        let drawn = try conform("run", "--explore", "2", "--case", "begins", "-q")
        #expect(drawn.errors.contains("--explore has no effect"), "\(drawn.errors)")
        let catalogue = "suites/requirements/first.yaml"
        let text = try String(contentsOfFile: folder + "/" + catalogue, encoding: .utf8)
        try write(text.replacing("\"first/begins\"", with: "\"first/begin\""), to: catalogue)
        let idle = try conform("lint", "--strict")
        #expect(idle.status == 2 && idle.output.contains("did you mean \"first/begins\"?"))
        let profile = try String(contentsOfFile: folder + "/device.yaml", encoding: .utf8)
        try write(profile + "env: [A=1]\n", to: "device.yaml")
        let list = try conform("lint", "device.yaml")
        #expect(list.status == 2 && list.output.contains("write env: {NAME: VALUE}"))
    }

    @Test("A project file that cannot be read is an error, because its settings would be missed")
    func projectInTheWay() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/conform.yaml", withIntermediateDirectories: false)
        let outcome = try conform("list", "\(ConformProgram.root)/Suites/hash-resume.yaml")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("conform.yaml:1:1: error: it is not a file"))
    }

    @Test("lint reads device profiles: those that it is given, and that of the project")
    func profiles() throws {
        try initialize()
        let fine = try conform("lint", "--strict", "device.yaml")
        #expect(fine.status == 0, "\(fine.output)\(fine.errors)")
        let text = try String(contentsOfFile: folder + "/device.yaml", encoding: .utf8)
        try write(text + "redy: none\n", to: "device.yaml")
        for words in [["lint"], ["lint", "device.yaml"]] {
            let outcome = try ConformProgram.run(words, in: folder)
            #expect(outcome.status == 2)
            #expect(outcome.output.contains("did you mean \"ready\"?"), "\(outcome.output)")
        }
        // Other suites have nothing to do with it.
        #expect(try conform("lint", "suites/first.yaml").status == 0)
    }

    @Test("A way that names a case which does not exist is a warning of lint")
    func idleWay() throws {
        try initialize()
        let path = "suites/requirements/first.yaml"
        let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
        try write(
            text.replacingOccurrences(of: "first/begins", with: "first/begin"), to: path)
        let outcome = try conform("lint")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("[idle-way]"), "\(outcome.output)")
        #expect(outcome.output.contains("\(path):"), "\(outcome.output)")
        #expect(try conform("lint", "--strict").status == 2)
    }

    @Test("A run in which no case is selected makes no folder of reports, unless it is named")
    func nothingSelected() throws {
        try initialize()
        let outcome = try conform("run", "--case", "begin")
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("did you mean begins?"), "\(outcome.errors)")
        #expect(outcome.output.contains("no case is selected"), "\(outcome.output)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/Reports"))
        let named = try conform("run", "--case", "begin", "--reports", "ci")
        #expect(named.status == 4)
        #expect(FileManager.default.fileExists(atPath: folder + "/ci/junit.xml"))
    }

    @Test("The id of a case with each selects all its cases")
    func familySelected() throws {
        try initialize()
        let path = "suites/first.yaml"
        let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
        try write(
            text.replacingOccurrences(
                of: "    steps:\n", with: "    each: {n: [1, 2]}\n    steps:\n"), to: path)
        let outcome = try conform("list", "--case", "begins")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("2 cases of 1 suite"), "\(outcome.output)")
        #expect(try conform("list", "--case", "begins[n=2]").output.contains("1 case of 1 suite"))
        // The catalogue names it without values.
        #expect(try !conform("lint").output.contains("idle-way"))
    }

    @Test("A case that is skipped for a feature says where features are declared")
    func features() throws {
        let outcome = try conform(
            "list", "\(ConformProgram.root)/Suites/tls-client.yaml", "--device", "command:/bin/true"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("profile, features: [tls.client]"), "\(outcome.output)")
    }

    @Test("init without answers says which device it has chosen")
    func chosenDevice() throws {
        let made = try conform("init", "p")
        #expect(made.status == 0)
        #expect(made.output.contains("the reference device for sdl.app"), "\(made.output)")
    }

    @Test("In a package all links of the documents lead somewhere, and the manual page is whole")
    func packagedDocuments() throws {
        let made = try ConformProgram.Started(
            ["\(ConformProgram.root)/Scripts/package-documents", "usr", ConformProgram.folder],
            in: folder
        ).wait()
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("documents resolve"), "\(made.output)")
        let page = try ConformProgram.Started(
            ["gzip", "-dc", "usr/share/man/man1/conform.1.gz"], in: folder
        ).wait().output
        for section in ["EXAMPLES", "EXIT STATUS", "FILES", "ENVIRONMENT", "SEE ALSO", "LINT"] {
            #expect(page.contains("\n.SH \(section)\n"), "\(section)")
        }
        #expect(page.contains("  1 not conformant\n"))
        #expect(page.contains("  conform lint Suites/"))
    }

    @Test("Captures that are not there, or that have no packets, are named as that")
    func captures() throws {
        let suite = "\(ConformProgram.root)/Suites/hash-resume.yaml"
        let absent = try conform("check", suite, "nowhere.pcap")
        #expect(absent.status == 2 && absent.errors.contains("Check the path"), "\(absent.errors)")
        // The header of a pcap file.
        let header: [UInt8] =
            [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
            + [0, 0, 4, 0, 1, 0, 0, 0]
        try Data(header).write(to: URL(filePath: folder + "/empty.pcap"))
        let empty = try conform("check", suite, "empty.pcap")
        #expect(empty.status == 3)
        #expect(
            empty.output.contains("no connection attempt and no datagram"), "\(empty.output)")
    }
}
