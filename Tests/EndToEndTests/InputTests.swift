import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Inputs that are not regular files")
struct InputTests {
    private static let suite = "Suites/registration-language.yaml"
    private static let capture =
        "GoldenCaptures/reference/registration-language.forgets-hmi-display-language.pcapng"
    private let folder = TemporaryFolder.lasting()

    /// A command that prints a suite with absolute paths, which can be read from anywhere.
    private static let absoluteSuite =
        "sed 's|\\.\\./\\.\\./\\.\\./|\(ConformProgram.root)/|' Tests/EndToEndTests/Suites/attack.yaml"

    /// Runs a line of bash in which `$conform` is the program.
    private func shell(_ line: String) throws -> ConformProgram.Outcome {
        try ConformProgram.Started(
            ["conform=\(ConformProgram.folder)/conform", "/bin/bash", "-c", line],
            in: ConformProgram.root
        ).wait()
    }

    @Test("Suites and captures are read from pipes as from files")
    func pipes() throws {
        let capture = Self.capture
        let plain = try shell("$conform check \(Self.suite) \(capture) --assume foreign --min 0")
        let lines = [
            "gzip -c \(capture) > \(folder)/c.gz && "
                + "$conform check \(Self.suite) <(zcat \(folder)/c.gz) --assume foreign --min 0",
            "cat \(capture) | $conform check \(Self.suite) /dev/stdin --assume foreign --min 0",
            "mkfifo \(folder)/p && (sleep 0.5; cat \(capture) > \(folder)/p) & sleep 0.2; "
                + "$conform check \(Self.suite) \(folder)/p --assume foreign --min 0",
        ]
        for line in lines {
            let run = try shell(line)
            #expect(run.status == plain.status, "\(line)\n\(run.output)\(run.errors)")
        }
        let statistics = try shell("$conform decode --stats \(capture)").output
        let piped = try shell("$conform decode --stats <(cat \(capture))").output
        func counts(_ text: String) -> [Substring] {
            // One line names the file.
            text.split(separator: "\n").filter { !$0.contains(" packets, ") }
        }
        #expect(counts(piped) == counts(statistics) && !counts(piped).isEmpty)
        let suite = try shell("$conform check <(\(Self.absoluteSuite)) \(capture) --assume foreign")
        #expect(suite.status == 1, "\(suite.output)\(suite.errors)")
        #expect(suite.output.contains("speaks-too"), "\(suite.output)")
    }

    @Test("A pipe that nobody writes is given up, for every kind of input")
    func noWriter() throws {
        let pipe = folder + "/pipe"
        mkfifo(pipe, 0o600)
        let capture = Self.capture
        let words = [
            ["check", pipe, capture], ["check", Self.suite, pipe], ["decode", pipe],
            ["lint", pipe], ["report", "markdown", pipe],
            ["check", Self.suite, capture, "--known", pipe],
            ["list", Self.suite, "--device", pipe],
        ]
        let start = ContinuousClock.now
        let programs = try words.map { try ConformProgram.start($0) }
        for (program, words) in zip(programs, words) {
            let run = program.wait()
            #expect([2, 3].contains(run.status), "\(words) \(run.output)\(run.errors)")
            #expect(
                (run.errors + run.output).contains("nobody has opened this pipe for writing"),
                "\(words) \(run.output)\(run.errors)")
        }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("Character devices are refused at once, for every kind of input")
    func devices() throws {
        let capture = Self.capture
        for line in [
            "check /dev/zero \(capture)", "check \(Self.suite) /dev/zero", "decode /dev/urandom",
            "lint /dev/zero", "report markdown /dev/zero",
            "check \(Self.suite) \(capture) --known /dev/zero",
            "list \(Self.suite) --device /dev/zero",
        ] {
            let run = try shell("$conform \(line)")
            #expect([2, 3].contains(run.status), "\(line) \(run.output)\(run.errors)")
            #expect(
                (run.errors + run.output).contains("it is a character device, not a file"),
                "\(line) \(run.output)\(run.errors)")
        }
    }

    @Test("Special files in folders cost nothing: they are neither suites, captures nor results")
    func folders() throws {
        let results = "\(folder)/results"
        let suites = "\(folder)/suites"
        let captures = "\(folder)/captures"
        let setUp = try shell(
            """
            mkdir -p \(suites)/below \(captures) && cp -r Reports/sample \(results) && \(Self.absoluteSuite) > \(suites)/a.yaml \
                && cp \(Self.capture) \(captures)/c.pcapng
            for place in \(suites)/b.yaml \(suites)/below/c.yaml \(captures)/d.pcap \(results)/evidence/x.json \(results)/captures/y.pcapng
            do mkfifo $place; done
            ln -s /dev/zero \(suites)/z.yaml; ln -s /dev/zero \(captures)/z.pcap
            for place in \(suites) \(captures)
            do (cd $place && python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("s.yaml")'); done
            """)
        #expect(setUp.status == 0, "\(setUp.errors)")
        let start = ContinuousClock.now
        for (line, status) in [
            ("lint \(suites)", 0), ("list \(suites)", 0),
            ("check \(Self.suite) \(captures) --assume foreign --min 0", nil),
            ("decode \(captures) --stats", nil),
            ("report html \(results) -o \(folder)/r.html", nil),
            ("report merge \(results) --reports \(folder)/merged", 1),
        ] as [(String, Int32?)] {
            let run = try shell("timeout 20 $conform \(line)")
            #expect(run.status != 124, "\(line) \(run.output)\(run.errors)")
            if let status { #expect(run.status == status, "\(line) \(run.output)\(run.errors)") }
        }
        #expect(ContinuousClock.now - start < .seconds(30))
        for name in ["results.json", "journal.jsonl"] {
            let line =
                "cp -r Reports/sample \(folder)/other && mkdir -p \(folder)/bare && cd \(folder)/bare "
                + "&& rm -f * && mkfifo \(name) && timeout 20 $conform report markdown . "
            let run = try shell(line)
            #expect(run.status == 2, "\(name) \(run.output)\(run.errors)")
            _ = try shell("rm -rf \(folder)/other")
        }
    }

    @Test(
        "A capture of which nothing can be read is an error of the file, and no case is made up",
        arguments: [(0, 2), (20, 3), (50, 3)])
    func cutHead(length: Int, status: Int32) throws {
        let run = try shell(
            "head -c \(length) \(Self.capture) > \(folder)/cut.pcapng; "
                + "$conform check \(Self.suite) \(folder)/cut.pcapng")
        #expect(run.status == status, "\(run.output)\(run.errors)")
        #expect(run.output.isEmpty, "\(run.output)")
        #expect(run.errors.contains("cut.pcapng: "), "\(run.errors)")
    }

    @Test("A suite of a run, which each case reads again, cannot come from a pipe")
    func runs() throws {
        let run = try shell(
            "$conform run <(\(Self.absoluteSuite)) --device command:/bin/true --reports \(folder)/run"
        )
        #expect(run.status == 2, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("is read again by each case"), "\(run.errors)")
    }
}
