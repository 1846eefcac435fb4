import Foundation
import Judge
import Results
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Reporting

@Suite("Index.html and the pages of cases")
struct HTMLReportTests {
    @Test("The page is right for every verdict, every reason and hostile text")
    func golden() throws {
        try Golden.expect(
            bare(HTMLReport(EvidenceSample.run).text), matches: "sample.index.html")
    }

    @Test("The page of a case that passed is right")
    func goldenOfCase() throws {
        let run = EvidenceSample.run
        let result = try #require(run.cases.first { $0.verdict == .pass })
        let page = try #require(HTMLReport.page(of: result, in: run.header))
        try Golden.expect(bare(page), matches: "sample.case.html")
    }

    /// Returns a page without the style sheet and the script, which are independent of the run.
    private func bare(_ page: String) -> String {
        page.replacing(HTMLStyle.text, with: "").replacing(HTMLScript.text, with: "")
            .replacing(#/sha256-[A-Za-z0-9+\/=]+/#, with: "sha256-")
    }

    @Test("Every element is closed, no id occurs twice, and there are no inline styles or scripts")
    func structure() throws {
        for run in [EvidenceSample.run, SampleRun.passing(), SampleRun.passing(0)] {
            #expect(HTMLCheck(HTMLReport(run).text).faults == [])
            for page in run.cases.compactMap({ HTMLReport.page(of: $0, in: run.header) }) {
                #expect(HTMLCheck(page).faults == [])
            }
        }
    }

    @Test("Each link within the page has a target, and no link leads out of the folder")
    func links() {
        let run = EvidenceSample.run
        let page = HTMLCheck(
            HTMLReport(run, pages: Set(run.cases.map(CaseReference.init))).text)
        #expect(page.links.count > 40)
        for link in page.links {
            if link.hasPrefix("#") {
                let name = String(link.dropFirst()).removingPercentEncoding ?? ""
                let escaped = HTMLText.identifier(name)
                #expect(page.identifiers.contains(escaped), "\(link)")
            } else {
                let isInside =
                    !link.hasPrefix("/") && !link.contains("..")
                    && !link.prefix { $0 != "/" }.contains(":")
                #expect(isInside, "\(link)")
            }
        }
    }

    @Test("Hostile text is shown, and neither becomes markup nor controls anything")
    func hostile() throws {
        var nasty = SampleRun.hostile + "</script><script>alert(1)</script>"
        nasty += "\" onmouseover=\"alert(1)\u{2066}" + String(repeating: "A", count: 100_000)
        var run = EvidenceSample.run
        let index = try #require(run.cases.firstIndex { $0.suite == "hostile" })
        var result = EvidenceSample.withEvidence(
            SampleRun.cases[SampleRun.cases.count - 1], text: nasty)
        result.remarks = [nasty]
        result.reason?.summary = nasty
        result.log = nasty
        run.cases[index] = result
        let pages = [HTMLReport(run).text, HTMLReport.page(of: result, in: run.header) ?? ""]
        for page in pages {
            let check = HTMLCheck(page)
            #expect(check.faults == [])
            #expect(page.components(separatedBy: "<script>").count == 2)
            let steering = page.unicodeScalars.filter { scalar in
                (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                    || scalar.value < 0x20 && scalar != "\n" || scalar.value == 0x7F
            }
            #expect(steering.isEmpty)
            #expect(check.text.contains("\u{1F600}"))
            #expect(check.text.contains("\\x1B[31m"))
        }
        #expect(pages.allSatisfy { $0.utf8.count < 900_000 })
    }

    @Test("A page loads nothing, and names its own script and style by their hashes")
    func policy() throws {
        let page = HTMLReport(SampleRun.passing()).text
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        let script = try #require(page.components(separatedBy: "<script>").last)
        let source = try #require(script.components(separatedBy: "</script>").first)
        let hash = Data(SHA256.hash(of: source)).base64EncodedString()
        #expect(page.contains("script-src 'sha256-\(hash)'"))
        let style = try #require(page.components(separatedBy: "<style>").last)
        let sheet = try #require(style.components(separatedBy: "</style>").first)
        let other = Data(SHA256.hash(of: sheet)).base64EncodedString()
        #expect(page.contains("style-src 'sha256-\(other)'"))
        #expect(!page.contains("http://") && !page.contains("https://"))
    }

    @Test("The first screen has the verdict, who is at fault, and the audit")
    func verdict() {
        let failing = HTMLCheck(HTMLReport(EvidenceSample.run).text).text
        #expect(failing.contains("The run was cut short"))
        #expect(failing.contains("the device in"))
        #expect(failing.contains(AuditText.line(EvidenceSample.run.audit)))
        var run = SampleRun.passing()
        #expect(HTMLReport(run).text.contains("The run is not finished"))
        run.end(seconds: 2)
        let passing = HTMLReport(run).text
        #expect(passing.contains("The device conforms"))
        #expect(!passing.contains("Whose fault"))
        #expect(!passing.contains("id=\"not-passed\""))
    }

    @Test("Cases that did not pass come first, worst first, each with its reason")
    func order() throws {
        let text = HTMLReport(EvidenceSample.run).text
        let places = try ["ends-sequence", "ends-setup", "ends-preamble", "passes-second-time"].map
        {
            try #require(text.range(of: "registration-language/\($0)</span>")).lowerBound
        }
        #expect(places == places.sorted())
        for result in EvidenceSample.run.cases where result.verdict == .fail {
            let reason = try #require(result.reason?.summary)
            #expect(text.contains(HTMLText.plain(reason)))
        }
    }

    @Test("Beyond the limit details are on separate pages, and every case is in the table")
    func limits() throws {
        let planned = (0..<400).map { number in
            SampleRun.result("fails-\(number)", .fail, .field, "it failed", line: number + 1)
        }
        let run = RunResult(
            header: SampleRun.header(planned.map(SampleRun.planned)),
            cases: planned.map { EvidenceSample.withEvidence($0, text: "DE-DE") })
        let all = HTMLReport(run, pages: Set(planned.map(CaseReference.init))).text
        #expect(all.utf8.count < HTMLReport.bytesMax + 200_000)
        let check = HTMLCheck(all)
        #expect(check.faults == [])
        for number in [0, 299, 300, 399] {
            #expect(check.identifiers.contains("case/registration-language/fails-\(number)"))
        }
        #expect(check.links.contains("cases/registration-language.fails-350.html"))
        #expect(all.contains("And 100 more in the"))
    }
}
