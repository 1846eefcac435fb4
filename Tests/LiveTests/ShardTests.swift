import BuiltInProtocols
import Devices
import Results
import SuiteLanguage
import TestBench
import Testing

@testable import Live

@Suite("Shards of a plan")
struct ShardTests {
    @Test("Only a well-formed shard number is accepted")
    func numbers() {
        #expect(ShardNumber("2/5")?.description == "2/5")
        for text in ["0/5", "6/5", "5", "1/0", "a/b", "1/2/3", "", "/", "-1/2", "1/ 2"] {
            #expect(ShardNumber(text) == nil, "\(text)")
        }
    }

    @Test("Each case belongs to exactly one shard, whatever the other cases are", arguments: 1...9)
    func partition(total: Int) throws {
        let shards = try (1...total).map { try #require(ShardNumber(index: $0, total: total)) }
        var sizes = [Int](repeating: 0, count: total)
        for number in 0..<2000 {
            let reference = CaseReference(suite: "suite-\(number % 7)", id: "case[x=\(number)]")
            let holding = shards.indices.filter { shards[$0].holds(reference) }
            #expect(holding.count == 1)
            sizes[holding[0]] += 1
        }
        let even = 2000 / total
        #expect(sizes.allSatisfy { abs($0 - even) < even / 4 }, "\(sizes)")
    }

    /// The division must be the same in every version: machines of one run may differ.
    @Test("The division into shards never changes")
    func stable() throws {
        let second = try #require(ShardNumber(index: 2, total: 3))
        let held = (0..<12).filter {
            second.holds(CaseReference(suite: "s", id: "case-\($0)"))
        }
        #expect(held == [0, 1, 2, 4, 6, 8])
    }

    @Test("A shard of a plan keeps the order and contains the whole plan")
    func plan() throws {
        let bench = try WorkBench()
        let suite = try SuiteLoader(.builtIn).load(path: bench.job().task.suite)
        func plan(_ shard: ShardNumber?) throws -> RunPlan {
            try RunPlan(
                suites: [(bench.job().task.suite, suite)],
                selection: .init(), shard: shard, device: bench.job().task.device)
        }
        let whole = try plan(nil)
        #expect(whole.shard == nil && !whole.entries.isEmpty)
        let parts = try (1...3).map { try plan(ShardNumber(index: $0, total: 3)) }
        let ids = whole.entries.map(\.testCase.id)
        #expect(parts.flatMap { $0.entries.map(\.testCase.id) }.sorted() == ids.sorted())
        for part in parts {
            #expect(part.shard?.plan.map(\.id) == ids)
            let own = part.entries.map(\.testCase.id)
            #expect(own == ids.filter(own.contains))
        }
    }
}
