import Results
import Testing

@testable import Offline

@Suite("Names of the files of a case")
struct CaseReferenceTests {
    @Test("A plain name stays as it is")
    func plain() {
        let reference = CaseReference(suite: "language", id: "first-case")
        #expect(reference.capturePath == "captures/language.first-case.pcapng")
        #expect(reference.logPath == "logs/language.first-case.log")
    }

    @Test("Names that would be equal after replacing characters stay different")
    func distinct() {
        let names = ["a b", "a_b", "a/b", "a[b", "../a b"].map {
            CaseReference(suite: "s", id: $0).capturePath
        }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.split(separator: "/").count == 2 })
    }

    @Test("Dots in the names of suites and cases do not make names equal")
    func dotted() {
        let names = [("a.b", "c"), ("a", "b.c"), ("a.b.c", "d"), ("a.b", "c.d"), ("a", "b.c.d")].map
        {
            CaseReference(suite: $0.0, id: $0.1).capturePath
        }
        #expect(Set(names).count == names.count)
    }

    @Test("A long name is cut, and two of them stay different")
    func long() {
        let text = String(repeating: "x", count: 5000)
        let first = CaseReference(suite: "s", id: text + "1").capturePath
        let second = CaseReference(suite: "s", id: text + "2").capturePath
        #expect(first != second)
        #expect(first.utf8.count < 200)
    }
}
