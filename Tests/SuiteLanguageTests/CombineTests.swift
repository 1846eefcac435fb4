import Testing
import Wire

@testable import SuiteLanguage

@Suite("Combinations of values that cover each few of them")
struct CombineTests {
    private static let shapes = [
        [2, 2, 2], [3, 1, 4, 2], [10, 10, 10, 10, 10], [2, 5, 3, 7, 2, 4],
        [4, 4, 4, 4, 4, 4, 4, 4],
        [1, 1, 1, 1], [13, 11, 7, 5],
    ]

    /// Returns each combination of values of so many axes, as pairs of axis and value.
    private static func tuples(_ row: [Int], _ strength: Int) -> Set<[Int]> {
        func subsets(from first: Int, _ size: Int) -> [[Int]] {
            guard size > 0 else { return [[]] }
            return (first..<row.count).flatMap { axis in
                subsets(from: axis + 1, size - 1).map { [axis, row[axis]] + $0 }
            }
        }
        return Set(subsets(from: 0, strength))
    }

    private static func product(_ sizes: [Int]) -> [[Int]] {
        sizes.reduce([[]]) { rows, size in rows.flatMap { row in (0..<size).map { row + [$0] } } }
    }

    @Test(
        "Each combination of so many values is in a row, and the rows are few and the same",
        arguments: shapes, [2, 3])
    func covers(_ sizes: [Int], _ strength: Int) throws {
        var array = try #require(CoveringArray(sizes, strength: strength))
        let rows = array.rows()
        var again = try #require(CoveringArray(sizes, strength: strength))
        #expect(again.rows() == rows)
        for row in rows { #expect(zip(row, sizes).allSatisfy { $0 >= 0 && $0 < $1 }) }
        var covered: Set<[Int]> = []
        for row in rows { covered.formUnion(Self.tuples(row, strength)) }
        var all = 0
        for axes in Self.product([Int](repeating: 2, count: sizes.count))
        where axes.reduce(0, +) == strength {
            all += zip(axes, sizes).reduce(1) { $1.0 == 1 ? $0 * $1.1 : $0 }
        }
        #expect(covered.count == all)
        let greatest = sizes.sorted(by: >).prefix(strength).reduce(1, *)
        #expect(rows.count >= greatest && rows.count <= max(3 * greatest, 1))
        #expect(Set(rows).count == rows.count)
    }

    @Test("A few rows are enough for many axes")
    func few() throws {
        var pairs = try #require(CoveringArray([Int](repeating: 10, count: 10), strength: 2))
        #expect(pairs.rows().count < 250)
        var bits = try #require(CoveringArray([Int](repeating: 2, count: 20), strength: 3))
        #expect(bits.rows().count < 40)
        #expect(CoveringArray([Int](repeating: 100, count: 10), strength: 3) == nil)
        // So many variables that even their pairs are too many, and are not listed.
        #expect(CoveringArray([Int](repeating: 1, count: 500_000), strength: 2) == nil)
    }

    @Test("What is forbidden is in no row, and each pair that a row can have is in one")
    func forbidden() throws {
        let sizes = [3, 3, 3, 3]
        // Axis 0 at 0 excludes 0 and 1 of axis 1, and its 2 excludes all but 2 of axis 2.
        func isAllowed(_ row: [Int?]) -> Bool {
            !(row[0] == 0 && (row[1] == 0 || row[1] == 1))
                && !(row[1] == 2 && (row[2] == 0 || row[2] == 1))
        }
        var array = try #require(CoveringArray(sizes, strength: 2, isAllowed: isAllowed))
        let rows = array.rows()
        let possible = Self.product(sizes).filter(isAllowed)
        #expect(rows.allSatisfy { possible.contains($0) })
        func pairs(_ rows: [[Int]]) -> Set<[Int]> {
            rows.reduce(into: []) { $0.formUnion(Self.tuples($1, 2)) }
        }
        #expect(pairs(rows) == pairs(possible))
        #expect(rows.count < possible.count / 2)
    }

    private static func cases(_ lines: String) throws -> [TestCase] {
        try SuiteFixture.load(
            SuiteFixture.suite(
                case: "\(lines)\ntitle: ${a}${b}${c}\nsteps: [{expect: sdl.Show.request}]")
        ).cases
    }

    @Test("`combine` of a case says how many of its combinations there are")
    func combine() throws {
        let each = "each: {a: [1, 2, 3], b: [1, 2, 3], c: [1, 2, 3]}"
        #expect(try Self.cases(each).count == 27)
        #expect(try Self.cases("\(each)\ncombine: all").count == 27)
        let pairs = try Self.cases("\(each)\ncombine: pairs\nexclude: [{a: 1, b: 2}]")
        let seen = Set(pairs.map { $0.values.prefix(2).map(\.value) })
        #expect(seen.count == 8 && !seen.contains([1, 2]))
        #expect(pairs.count < 14)
        #expect(pairs.map(\.id) == pairs.map(\.id).sorted())
    }

    @Test("With `combine`, `each` can have more combinations than the limit")
    func manyValues() throws {
        let values = (1...12).map(String.init).joined(separator: ",")
        let each = "a: [\(values)], b: [\(values)], c: [\(values)], d: [\(values)], e: [\(values)]"
        let lines = "each: {\(each)}\ncombine: pairs\nneeds: f.one\ntags: [\"${d}${e}\"]"
        #expect((144...300).contains(try Self.cases(lines).count))
    }

    @Test(
        "Each mistake in `combine` is reported at its place",
        arguments: [
            "⟦misplaced-key⟧combine: pairs",
            "each: {a: [1], b: [1], c: [1]}\ncombine: ⟦bad-value⟧two",
            "each: {a: [1, 2], b: [1], c: [2]}\n⟦idle-key⟧combine: triples",
        ])
    func mistakes(_ lines: String) {
        let marked = MarkedText(
            SuiteFixture.suite(
                case: "\(lines)\ntitle: x\nsteps: [{expect: sdl.Show.request}]"))
        let found = SuiteFixture.places(SuiteFixture.findings(marked.text))
        #expect(found.filter { !$0.contains("unused") } == marked.expected)
    }
}
