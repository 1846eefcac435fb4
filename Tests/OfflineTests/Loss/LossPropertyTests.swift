import Glibc
import TestBench
import TestSupport
import Testing

@testable import Offline

@Suite(
    "No loss in a capture reverses a verdict",
    .enabled(if: LossSubject.data != nil, "no recorded data; name its folder in CONFORM_DATA"))
struct LossPropertyTests {
    /// The mutations to judge: `all`, or those whose line contains this text.
    ///
    /// With a text and `CONFORM_KEEP=1`, suite and capture of the last mutation of each suite are
    /// kept.
    private static let wanted = getenv("CONFORM_PROPERTY").map { String(cString: $0) }
    /// The number of mutations of each suite on a capture that an ordinary run judges.
    private static let share = 8

    @Test("Removing information never turns pass into fail or fail into pass")
    func property() async throws {
        let folder = try #require(LossSubject.data)
        let subjects = try LossSubject.all(in: folder)
        try #require(subjects.contains { $0.original == .pass })
        try #require(subjects.contains { $0.original == .fail })
        let count = Self.wanted == nil ? Self.share : .max
        let only = Self.wanted == "all" ? nil : Self.wanted
        let scratch = TemporaryFolder()
        let tally = try await withThrowingTaskGroup(of: (Int, LossTally).self) { group in
            for (number, subject) in subjects.enumerated() {
                let place = "\(scratch.path)/\(number)"
                try FileSystem.makeFolder(place)
                group.addTask {
                    (number, subject.tally(count: count, offset: number, folder: place, only: only))
                }
            }
            let tallies = try await group.reduce(into: []) { $0.append($1) }
            return tallies.sorted { $0.0 < $1.0 }
                .reduce(into: LossTally()) { $0.add($1.1) }
        }
        print("\(subjects.count) suites on captures; \(tally.summary)")
        if Self.wanted != nil {
            subjects.forEach { print("subject: \($0.name): \($0.original)") }
            print(tally.table)
            for one in tally.turned {
                print("turned: \(one.description)")
                if only != nil { print("  conform check \(one.files.suite) \(one.files.capture)") }
            }
        }
        #expect(tally.judged > 0)
        #expect(tally.turned.isEmpty)
    }
}
