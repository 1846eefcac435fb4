import Foundation
import Judge
import Results
import Testing

@testable import Reporting

@Suite("The console during a run")
struct LiveConsoleTests {
    private let run: RunResult = {
        var run = SampleRun.passing(3)
        run.cases.append(SampleRun.result("fails", .fail, .field, "wrong", line: 40))
        run.header.planned = run.cases.map(SampleRun.planned)
        run.end(seconds: 4)
        return run
    }()

    private func console(
        _ level: LiveConsole.Level = .normal, isLive: Bool = true, style: Style = .plain
    ) -> LiveConsole {
        LiveConsole(ConsoleReport(style: style, folder: "Reports/x"), level: level, isLive: isLive)
    }

    /// Returns what a terminal shows after all the output.
    ///
    /// It supports only the control sequences that the console uses.
    private func screen(_ text: String) -> [String] {
        var lines = [""]
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\n": lines.append("")
            case "\r" where rest.hasPrefix("\u{1B}[2K"):
                rest = rest.dropFirst(4)
                lines[lines.count - 1] = ""
            default: lines[lines.count - 1].append(character)
            }
        }
        return lines
    }

    @Test("On a terminal the progress line is redrawn in place and leaves nothing behind")
    func live() {
        var console = console()
        var text = console.opening(run.header)
        text += console.consume(.started(CaseReference(run.cases[0])), elapsed: 0, columns: 80)
        #expect(
            screen(text).last == "0 of 4; running registration-language/passes-0", "\(text)")
        text += console.consume(.ended(run.cases[0]), elapsed: 2)
        #expect(screen(text).last == "1 of 4, about 6 s left")
        text += console.consume(.started(CaseReference(run.cases[3])), elapsed: 2)
        text += console.consume(.waiting, elapsed: 4)
        #expect(
            screen(text).last == "1 of 4, about 4 s left; running registration-language/fails",
            "the time that is left goes down while nothing happens")
        text += console.consume(.ended(run.cases[3]), elapsed: 4)
        #expect(screen(text).last == "2 of 4, 1 not passed, about 4 s left")
        text += console.closing(run)
        let lines = screen(text)
        #expect(!lines.contains { $0.hasPrefix("1 of 4") || $0.hasPrefix("2 of 4") })
        #expect(!lines.contains { $0.contains("pass ") }, "the suite has not ended")
    }

    @Test("On a terminal passes have one line per suite, other results one line per case")
    func suites() {
        var console = console()
        var text = console.opening(run.header)
        for result in run.cases {
            text += console.consume(.started(CaseReference(result)), elapsed: 0, columns: 80)
            text += console.consume(.ended(result), elapsed: 1)
        }
        let lines = screen(text)
        #expect(lines.count { $0.contains("registration-language") } == 2)
        #expect(
            lines.contains { $0.hasSuffix("registration-language: 3 pass, 1 fail") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("fail") && $0.contains("/fails: wrong") })
    }

    @Test("Names of running cases are shortened in the middle, and names without room are counted")
    func names() {
        var progress = RunProgress(planned: 9)
        for index in 1...3 {
            var reference = CaseReference(run.cases[0])
            reference.id = "a-case-with-a-long-name[that=has,parameters=as-well]-\(index)"
            progress.consume(.started(reference), at: 0)
        }
        #expect(
            progress.line(at: 0, width: 79)
                == "0 of 9; running registration-language...arameters=as-well]-1 +2")
        #expect(progress.line(at: 0, width: 120).hasSuffix("as-well]-2 +1"))
        #expect(progress.line(at: 0, width: 20) == "0 of 9")
        #expect(progress.line(at: 0, width: 40) == "0 of 9; running registrat...-well]-1 +2")
        #expect(Columns.shortened("abcdefghij", to: 7) == "ab...ij")
    }

    @Test("The line is never wider than the terminal, also with wide characters", arguments: 1...70)
    func width(columns: Int) {
        var console = console()
        _ = console.opening(run.header)
        var reference = CaseReference(run.cases[0])
        reference.id = "\u{4E2D}\u{6587}\u{1F600} case \u{4E2D}\u{6587}"
        let text = console.consume(.started(reference), elapsed: 0, columns: columns)
        let line = screen(text).last ?? ""
        #expect(Columns.width(of: line) <= max(1, columns - 1), "\(line)")
        #expect(!line.isEmpty)
    }

    /// Forty-one cases that fail at twelve steps.
    private static let red: RunResult = {
        var run = SampleRun.passing(1)
        run.cases = (0..<41).map { index in
            var result = SampleRun.result(
                "fails-\(index)", .fail, .field, "wrong \(index)", line: index)
            result.reason?.explanation?.position.line = 500 + index % 12
            return result
        }
        run.header.planned = run.cases.map(SampleRun.planned)
        run.end(seconds: 4)
        return run
    }()

    @Test("Of many failures the first different ones are explained, the others have a line each")
    func many() {
        var console = console(isLive: false)
        let lines = console.closing(Self.red).split(separator: "\n").map(String.init)
        let explained = lines.filter { $0.hasPrefix("FAIL ") }
        #expect(explained == (0..<5).map { "FAIL registration-language/fails-\($0)" })
        let same = lines.filter { $0.hasPrefix("  same ") }
        #expect(same.map { $0.contains("3 other cases") } == [true, true, true, true, true])
        #expect(lines.contains("not passed: 41, 12 different failures"))
        #expect(lines.count { $0.hasPrefix("  fail registration-language/fails-") } == 41)
        #expect(lines.count { $0.hasSuffix(" (same failure)") } == 29)
        #expect(
            lines.contains(
                "cases without an explanation above: 36; one in full: conform report show "
                    + "Reports/x CASE"))
        #expect(lines.count < 300)
        var verbose = self.console(.verbose, isLive: false)
        let all = verbose.closing(Self.red).split(separator: "\n")
        #expect(all.count { $0.hasPrefix("FAIL ") } == 41)
    }

    @Test("One long explanation is cut, and the next ones are left out")
    func long() {
        var run = Self.red
        for index in run.cases.indices {
            run.cases[index].remarks = (0..<400).map { "remark \($0)" }
        }
        let lines = ConsoleReport(folder: "").explanations(run)
        #expect(lines.count { $0.hasPrefix("FAIL ") } == 1)
        #expect((200...205).contains(lines.count))
        #expect(lines.last?.hasSuffix(": 40; --verbose prints them all") == true)
    }

    @Test("Failures come before errors, and errors before what is inconclusive")
    func severity() {
        var run = SampleRun.passing(1)
        run.cases = [
            SampleRun.result("unsure", .inconclusive, .preamble, "no", line: 1),
            SampleRun.result("broken", .error, .setup, "no", line: 2),
            SampleRun.result("wrong", .fail, .field, "no", line: 3),
        ]
        run.header.planned = run.cases.map(SampleRun.planned)
        run.end(seconds: 4)
        let names = FailureGroups(run.casesInPlanOrder).groups.flatMap { $0.map(\.id) }
        #expect(names == ["wrong", "broken", "unsure"])
    }

    @Test("Without a terminal there are plain lines and no control characters")
    func plain() {
        var console = console(isLive: false)
        var text = console.opening(run.header)
        for result in run.cases {
            text += console.consume(.started(CaseReference(result)), elapsed: 0)
            text += console.consume(.waiting, elapsed: 1)
            text += console.consume(.ended(result), elapsed: 1)
        }
        text += console.closing(run)
        #expect(!text.contains("\u{1B}") && !text.contains("\r"))
        let report = ConsoleReport(folder: "Reports/x")
        let expected =
            report.opening(run.header) + run.cases.map(report.line)
            + run.cases.flatMap(report.explanation) + report.closing(run)
        #expect(text == expected.joined(separator: "\n") + "\n")
    }

    @Test("Skipped cases are reported once, with counts", arguments: [true, false])
    func skipped(isLive: Bool) {
        var run = run
        let skips = (0..<3).map { index in
            SampleRun.result(
                "skip-\(index)", .skipped, .notApplicable, "no voice", line: 50 + index)
        }
        run.cases += skips
        run.header.planned = run.cases.map(SampleRun.planned)
        run.end(seconds: 4)
        var console = console(isLive: isLive)
        var text = console.opening(run.header)
        for result in run.cases { text += console.consume(.ended(result), elapsed: 1, columns: 80) }
        text += console.closing(run)
        #expect(text.components(separatedBy: "no voice").count == 2, "\(text)")
        #expect(text.contains("\n  skipped 3: no voice\n"))
        var verbose = self.console(.verbose, isLive: isLive)
        #expect(verbose.consume(.ended(skips[0]), elapsed: 1).contains("/skip-0: no voice"))
    }

    @Test("Quiet reports only what did not pass and the end")
    func quiet() {
        var console = console(.quiet)
        var text = console.opening(run.header)
        for result in run.cases { text += console.consume(.ended(result), elapsed: 1) }
        #expect(text == ConsoleReport(folder: "Reports/x").line(run.cases[3]) + "\n")
        #expect(console.closing(run).contains("audit: "))
    }

    @Test("Verbose reports starts, steps, counts and remarks, also of passes")
    func verbose() throws {
        var console = console(.verbose, isLive: false)
        var text = console.opening(run.header)
        text += console.consume(.started(CaseReference(run.cases[0])), elapsed: 0)
        text += console.consume(.ended(run.cases[0]), elapsed: 1)
        text += console.consume(.ended(SampleRun.cases.last ?? run.cases[0]), elapsed: 1)
        try Golden.expect(text, matches: "verbose.console.txt")
    }

    @Test("The last lines give verdict, audit, requirements, place and next command, in that order")
    func closing() {
        var run = SampleRun.passing(4)
        run.header.folder = "my reports/it's"
        run.header.suites[0].file = "my suites/a.yaml"
        run.header.command = ["conform", "run", "my suites/a.yaml"]
        run.end(seconds: 4)
        var console = console()
        let lines = console.closing(run, notices: ["known failures: none"])
            .split(separator: "\n").map(String.init)
        let heads = lines.suffix(5).map { $0.prefix { $0 != ":" } }
        #expect(heads == ["conformant", "audit", "requirements", "reports", "next"])
        #expect(lines.suffix(2).first == "reports: 'my reports/it'\\''s' (4.000 s)")
        #expect(
            lines.last
                == "next: conform check 'my suites/a.yaml' "
                + "'my reports/it'\\''s/captures/registration-language.'*.pcapng")
        #expect(lines.firstIndex(of: "known failures: none").map { $0 < lines.count - 5 } == true)
    }

    @Test("There is a next command for every end of a run")
    func next() {
        func next(_ change: (inout RunResult) -> Void) -> String {
            var run = run
            change(&run)
            if run.exit != nil { run.end(seconds: 1) }
            return Outcome.next(run)
        }
        #expect(next { _ in }.hasPrefix("conform run Suites/registration-language.yaml --case"))
        #expect(
            next {
                $0.cases[3].reproduce = nil
                $0.header.command = ["conform", "check", "a b.yaml", "x.pcap"]
                $0.cases[3].id = "fails@x.pcap"
                $0.header.planned[3].id = "fails@x.pcap"
                $0.cases[3].subject = CaseSubject(testCase: "fails", capture: "x.pcap")
            } == "conform explain Suites/registration-language.yaml fails")
        #expect(
            next {
                $0.cases = []
                $0.header.planned = []
                $0.header.suites[0].file = "a b.yaml"
            } == "conform list 'a b.yaml' 'Suites/<&>.yaml'")
        #expect(
            next {
                $0.cases.removeLast()
                $0.header.planned.removeLast()
                $0.header.folder = ""
                $0.header.command = ["conform", "check", "s.yaml", "c d.pcap"]
            } == "conform check s.yaml 'c d.pcap' --reports Reports/check")
        #expect(
            next {
                $0.cases.removeLast()
                $0.exit = nil
            } == "conform run Suites/registration-language.yaml")
    }

    @Test("The remaining time is estimated from the expected lengths of cases")
    func estimate() {
        // Two cases run at a time, the longest first; each takes 0.3 s more than it declares.
        let lengths = [20.0, 10.0] + Array(repeating: 1.0, count: 40)
        let cases = lengths.indices.map {
            SampleRun.result("case-\($0)", .pass, line: $0 + 1)
        }
        let expected = zip(cases, lengths).map { (CaseReference($0), $1) }
        var progress = RunProgress(
            planned: cases.count, expected: Dictionary(uniqueKeysWithValues: expected))
        var running: [(end: Double, place: Int)] = []
        var (now, next) = (0.0, 0)
        var stated: [(at: Double, left: Int)] = []
        while next < cases.count || !running.isEmpty {
            while running.count < 2, next < cases.count {
                progress.consume(.started(CaseReference(cases[next])), at: now)
                running.append((now + lengths[next] + 0.3, next))
                next += 1
            }
            let first = running.indices.min { running[$0].end < running[$1].end } ?? 0
            let ended = running.remove(at: first)
            now = ended.end
            progress.consume(.ended(cases[ended.place]), at: now)
            if let left = progress.secondsLeft(at: now) { stated.append((now, left)) }
        }
        #expect(stated.count == cases.count - 1)
        for (at, left) in stated {
            #expect(abs(at + Double(left) - now) < 2.5, "\(left) s at \(at) of \(now)")
        }
    }

    @Test("Long times are written in minutes and hours")
    func times() {
        #expect(RunProgress.time(59) == "59 s")
        #expect(RunProgress.time(185) == "3 min 05 s")
        #expect(RunProgress.time(7800) == "2 h 10 min")
    }

    @Test("A run whose cases are all skipped, or that ends early, never divides by zero")
    func nothingLeft() {
        var progress = RunProgress(planned: 2)
        #expect(progress.secondsLeft(at: 1) == nil)
        progress.consume(.ended(run.cases[0]), at: 1)
        #expect(progress.secondsLeft(at: 1) == nil, "a case that was never begun has no pace")
        progress.consume(.started(CaseReference(run.cases[1])), at: 1)
        progress.consume(.ended(run.cases[1]), at: 3)
        #expect(progress.secondsLeft(at: 3) == nil)
        #expect(RunProgress(planned: 0).line(at: .nan, width: 80) == "0 of 0")
    }
}
