import SuiteLanguage
import Testing

@testable import Offline

@Suite("Patterns that select cases")
struct CasePatternTests {
    @Test(
        "A pattern is matched against the whole id, or against suite/case",
        arguments: [
            ("first", true), ("firs", false), ("f*t", true), ("f?rst", true), ("f?st", false),
            ("*", true), ("**", true), ("language/first", true), ("language/*", true),
            ("other/*", false), ("*/first", true), ("", false),
        ])
    func selects(pattern: String, expected: Bool) {
        #expect(CasePattern(pattern).selects(suite: "language", id: "first") == expected)
    }

    @Test("A pattern without / is matched against the case, not against the suite")
    func meansTheCase() {
        #expect(!CasePattern("*language*").selects(suite: "language", id: "first"))
        #expect(CasePattern("*language*/*").selects(suite: "language", id: "first"))
        #expect(CasePattern("*language*").selects(suite: "s", id: "same-language"))
    }

    @Test(
        "Tags select cases, and with ! exclude them",
        arguments: [
            ([], ["a"], true), (["a"], ["a", "b"], true), (["a"], ["b"], false),
            (["!a"], ["a", "b"], false), (["!a"], [], true), (["b", "!a"], ["b"], true),
            (["b", "!a"], ["a", "b"], false), (["b", "!a"], ["c"], false),
        ])
    func tags(filters: [String], tags: [String], expected: Bool) {
        #expect(TagFilter.selects(tags, by: filters) == expected)
    }

    @Test("A printed id with matrix values selects itself and nothing else")
    func bracketsArePlain() {
        let pattern = CasePattern("case[language=DE-DE]")
        #expect(pattern.selects(suite: "s", id: "case[language=DE-DE]"))
        #expect(!pattern.selects(suite: "s", id: "casel"))
    }

    @Test("An id without matrix values selects all its cases, but names none of them")
    func family() {
        for text in ["case", "s/case", "c*e"] {
            let pattern = CasePattern(text)
            #expect(pattern.selects(suite: "s", id: "case[language=DE-DE]"))
            #expect(pattern.names(suite: "s", id: "case"))
            #expect(!pattern.selects(suite: "s", id: "case-two[language=DE-DE]"))
            // A known failure excuses no more than it names.
            #expect(!pattern.names(suite: "s", id: "case[language=DE-DE]"))
        }
        #expect(!CasePattern("case[").selects(suite: "s", id: "case[n=1]"))
    }

    @Test("Many stars on a long text cost no more than the product of the lengths")
    func manyStars() {
        let pattern = CasePattern(String(repeating: "a*", count: 200) + "b")
        let text = String(repeating: "a", count: 5000)
        #expect(!pattern.matches(text))
    }
}
