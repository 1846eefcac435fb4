import Results
import Testing

@testable import Offline

@Suite("Names of a case's files")
struct CaseReferenceTests {
    @Test("A plain name stays as it is")
    func plain() {
        let reference = CaseReference(suite: "language", id: "first-case")
        #expect(reference.capturePath == "captures/language.first-case.pcapng")
        #expect(reference.logPath == "logs/language.first-case.log")
    }

    @Test("Names that would meet after replacing characters stay apart")
    func distinct() {
        let names = ["a b", "a_b", "a/b", "a[b", "../a b"].map {
            CaseReference(suite: "s", id: $0).capturePath
        }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.split(separator: "/").count == 2 })
    }

    @Test("A long name is cut, and two of them stay apart")
    func long() {
        let text = String(repeating: "x", count: 5000)
        let first = CaseReference(suite: "s", id: text + "1").capturePath
        let second = CaseReference(suite: "s", id: text + "2").capturePath
        #expect(first != second)
        #expect(first.utf8.count < 200)
    }
}
