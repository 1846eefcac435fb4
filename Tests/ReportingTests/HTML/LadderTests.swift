import Judge
import Results
import SuiteLanguage
import Testing
import Wire

@testable import Reporting

@Suite("The ladder, the dump and the short texts of pages")
struct LadderTests {
    private func lines(_ code: ReasonCode?) throws -> [LadderLine] {
        let result = try #require(
            EvidenceSample.run.cases.first { $0.evidence != nil && $0.reason?.code == code })
        return LadderLine.lines(of: result, try #require(result.evidence))
    }

    @Test("Steps and messages are side by side; transport and ignored messages are folded")
    func failure() throws {
        let lines = try lines(.field)
        #expect(
            lines.map(\.kind) == [
                .folded(["device.started", "tcp.SYN", "tcp.SYNACK"]), .row(.match),
                .folded(["sdl.Heartbeat"]), .row(.missing), .omitted(100), .background,
                .row(.notReached),
            ])
        #expect(lines.map(\.isDivergence).firstIndex(of: true) == 3)
        #expect(lines.count { $0.isDivergence } == 1)
        #expect(lines[3].step?.number == 2 && lines[3].message?.number == 6)
    }

    @Test("A message for a step that was not reached is not shown as taken")
    func unjudged() throws {
        var result = try #require(
            EvidenceSample.run.cases.first { $0.evidence != nil && $0.reason?.code == .field })
        let place = try #require(
            result.evidence?.rows.firstIndex { $0.step == 3 && $0.mark == .notReached })
        result.evidence?.rows[place] = EvidenceRow(.unjudged, step: 3, message: 107)
        let evidence = try #require(result.evidence)
        let last = try #require(LadderLine.lines(of: result, evidence).last)
        #expect(LadderDrawing.sign(last, .unjudged) == "not judged" && last.step?.number == 3)
        #expect(StepsTable(result, evidence).html.contains("· seen, not judged"))
        #expect(!StepsTable(result).html.contains("not judged"))
    }

    @Test("A pass has no divergence, and a step without a message is placed where it was done")
    func pass() throws {
        let lines = try lines(nil)
        #expect(lines.allSatisfy { !$0.isDivergence })
        let closing = try #require(lines.firstIndex { $0.step?.number == 3 })
        #expect(lines[closing].seconds == 0.8)
        #expect(lines[closing - 1].message?.number == 6)
        #expect(lines.last?.message?.number == 107)
    }

    @Test("A ladder to scale is drawn, with one divergence")
    func scale() throws {
        let lines = try lines(.field)
        for spacing in [LadderDrawing.Spacing.byOrder, .toScale] {
            let drawing = LadderDrawing(
                lines, parties: ["device", "hu"], rule: nil, spacing: spacing, anchor: "case/a/b")
            #expect(drawing.hasScale == (spacing == .toScale))
            let svg = drawing.svg(id: "x")
            #expect(HTMLCheck(svg).faults == [])
            #expect(svg.components(separatedBy: "class=\"divergence\"").count == 2)
            #expect(svg.contains("first divergence") && svg.contains("2 late"))
            #expect(svg.contains("href=\"#case/a/b/m6\""))
        }
    }

    @Test("The dump has each stored byte, fields are marked, and the rest is counted")
    func dump() {
        let message = EvidenceMessage(
            number: 1, name: "m", seconds: 0,
            fields: [
                EvidenceField("a", "1", offset: 0, length: 2), EvidenceField("none", "2"),
                EvidenceField("b", "3", offset: 15, length: 4),
                EvidenceField("outside", "4", offset: 900, length: 4),
            ], hex: "3c26" + String(repeating: "41", count: 16), byteCount: 30)
        let html = HexDump(message, wrong: [2]).html
        let check = HTMLCheck(html)
        #expect(check.faults == [])
        #expect(check.text.contains("0000  3c 26 41 41"))
        #expect(check.text.contains("0010  41 41 "))
        #expect(check.text.contains("&lt;&amp;AAAAAAAAAAAAAA\n"))
        #expect(check.text.contains("… 12 more bytes"))
        #expect(html.contains("<b data-f=\"0\">3c 26 </b>"))
        #expect(html.components(separatedBy: "<mark data-f=\"2\">").count == 5)
        #expect(HexDump(EvidenceMessage(number: 1, name: "m", seconds: 0)).html == "")
    }

    @Test("Frames are written in words and as a filter of Wireshark")
    func frames() {
        #expect(FramesText.short([]) == "")
        #expect(FramesText.short([7]) == "frame 7")
        #expect(FramesText.short([9, 10, 11, 16, 15]) == "frames 9–11, 15–16")
        #expect(FramesText.filter([9, 10, 16]) == "frame.number in {9..10, 16}")
    }

    @Test("Ticks divide an axis into few round intervals")
    func ticks() {
        #expect(SVG.ticks(to: 1, count: 5) == [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1])
        for length in [1e-6, 0.013, 0.9, 1, 7, 59, 3601.0] {
            let ticks = SVG.ticks(to: length, count: 8)
            #expect(ticks.count > 2 && ticks.count <= 9, "\(length): \(ticks)")
            #expect(ticks.allSatisfy { $0 <= length * 1.001 })
        }
        #expect(SVG.ticks(to: 0, count: 5) == [0])
    }

    @Test("A schedule shows which of its times are outside their bounds")
    func schedule() {
        let plot = SchedulePlot([
            .init(label: "attempt 1", lower: 1, upper: 2, measured: 1.5),
            .init(label: "attempt 2", lower: 2, upper: 4, measured: 4.5),
            .init(label: "attempt 3", lower: 4, upper: nil, measured: nil),
        ])
        let html = plot.html(id: "p")
        #expect(HTMLCheck(html).faults == [])
        #expect(html.components(separatedBy: "class=\"point").count == 3)
        #expect(html.contains("class=\"point out\""))
        #expect(html.contains("2 outside of the bounds"))
        #expect(html.contains("4.500 s ✗") && html.contains("1.500 s ✓"))
        #expect(html.contains("at least 4.000 s"))
    }

    @Test("The waits of a schedule are plotted; without a schedule, steps with both bounds are")
    func scheduleOfSteps() throws {
        var result = try #require(EvidenceSample.run.cases.first { $0.verdict == .pass })
        #expect(SchedulePlot(stepsOf: result) == nil, "one step alone is no schedule")
        result.steps[0].timing?.earliest = 0.01
        let steps = try #require(SchedulePlot(stepsOf: result)?.intervals)
        #expect(steps.map(\.label) == ["step 1", "step 2"])
        #expect(steps.map(\.isInside) == [true, true])
        result.steps[1].schedule = (1...3).map {
            ScheduledInterval(
                index: $0, wait: $0, lower: 1, upper: 2, measured: Double($0) * 0.9, frame: $0,
                isKept: $0 == 2)
        }
        let waits = try #require(SchedulePlot(stepsOf: result)?.intervals)
        #expect(waits.map(\.label) == ["wait 1", "wait 2", "wait 3"])
        #expect(waits.map(\.isInside) == [false, true, false])
    }

    @Test("SHA-256 is right for the examples of FIPS 180-4 and for lengths around a block")
    func sha256() {
        func hex(_ text: String) -> String {
            SHA256.hash(of: text).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hex(String(repeating: "a", count: 64))
                == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb")
    }
}
