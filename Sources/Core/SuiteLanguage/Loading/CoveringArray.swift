/// Rows of values in which each combination of values of any few axes occurs at least once.
///
/// Values are indices. The rows are found one by one, each with as many combinations that no row
/// has had as a greedy choice gives, so that the same axes always give the same rows.
struct CoveringArray {
    /// The limits of what is computed.
    enum Limits {
        /// The most combinations that are to be covered.
        static let tuples = 100_000
        /// The most assignments that are tried for one row because of what is forbidden.
        static let trials = 100_000
    }

    /// The values of some axes.
    private struct Group {
        /// The axes, in ascending order.
        let axes: [Int]
        /// Whether each combination of their values is in no row yet; the last axis varies fastest.
        var isOpen: [Bool]
        /// The number of combinations before which none is open.
        var start = 0
    }

    private let sizes: [Int]
    private let isAllowed: ([Int?]) -> Bool
    private var groups: [Group] = []
    private var uses: [[Int]]
    private var trials = 0

    /// Creates the array.
    ///
    /// - Parameters:
    ///   - sizes: The number of values of each axis, at least one.
    ///   - strength: The number of axes whose values are combined.
    ///   - isAllowed: Whether no forbidden combination is in a row, of which some values are open.
    /// - Returns: `nil` if there are too many combinations.
    init?(_ sizes: [Int], strength: Int, isAllowed: @escaping ([Int?]) -> Bool = { _ in true }) {
        self.sizes = sizes
        self.isAllowed = isAllowed
        uses = sizes.map { [Int](repeating: 0, count: $0) }
        guard Self.subsetCount(of: sizes.count, size: min(strength, sizes.count)) != nil else {
            return nil
        }
        var sum = 0
        for axes in Self.subsets(of: sizes.count, size: min(strength, sizes.count)) {
            let (count, overflow) = axes.reduce((1, false)) { product, axis in
                let next = product.0.multipliedReportingOverflow(by: sizes[axis])
                return (next.partialValue, product.1 || next.overflow)
            }
            guard !overflow, count <= Limits.tuples - sum else { return nil }
            sum += count
            groups.append(Group(axes: axes, isOpen: [Bool](repeating: true, count: count)))
        }
    }

    /// Returns the rows in ascending order.
    mutating func rows() -> [[Int]] {
        var rows: [[Int]] = []
        for index in groups.indices {
            while let start = nextOpen(in: index) {
                guard let row = row(from: start) else { continue }
                rows.append(row)
            }
        }
        return rows.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns the values of the first combination of a group that is open, and closes it.
    private mutating func nextOpen(in index: Int) -> [Int?]? {
        while groups[index].start < groups[index].isOpen.count {
            defer { groups[index].start += 1 }
            guard groups[index].isOpen[groups[index].start] else { continue }
            groups[index].isOpen[groups[index].start] = false
            var row = [Int?](repeating: nil, count: sizes.count)
            var rest = groups[index].start
            for axis in groups[index].axes.reversed() {
                row[axis] = rest % sizes[axis]
                rest /= sizes[axis]
            }
            return row
        }
        return nil
    }

    /// Returns a row with the given values; `nil` if there is none that is allowed.
    private mutating func row(from start: [Int?]) -> [Int]? {
        trials = 0
        var row = start
        guard isAllowed(row), canBeCompleted(row, from: 0) else { return nil }
        for axis in sizes.indices where row[axis] == nil {
            let ranked = (0..<sizes[axis]).map { value in
                (value: value, gain: gain(of: value, for: axis, in: row), uses: uses[axis][value])
            }.sorted { ($1.gain, $0.uses, $0.value) < ($0.gain, $1.uses, $1.value) }
            row[axis] =
                ranked.first { choice in
                    var longer = row
                    longer[axis] = choice.value
                    return isAllowed(longer) && canBeCompleted(longer, from: 0)
                }?.value
        }
        let values = row.compactMap(\.self)
        guard values.count == sizes.count else { return nil }
        for (axis, value) in values.enumerated() { uses[axis][value] += 1 }
        for index in groups.indices {
            groups[index].isOpen[position(in: groups[index], values)] = false
        }
        return values
    }

    /// Returns how many open combinations a value closes, with the values that a row already has.
    private func gain(of value: Int, for axis: Int, in row: [Int?]) -> Int {
        var row = row
        row[axis] = value
        return groups.count { group in
            guard group.axes.contains(axis) else { return false }
            var position = 0
            for axis in group.axes {
                guard let value = row[axis] else { return false }
                position = position * sizes[axis] + value
            }
            return group.isOpen[position]
        }
    }

    private func position(in group: Group, _ values: [Int]) -> Int {
        group.axes.reduce(0) { $0 * sizes[$1] + values[$1] }
    }

    /// Whether an allowed row has these values.
    private mutating func canBeCompleted(_ row: [Int?], from first: Int) -> Bool {
        guard let axis = (first..<sizes.count).first(where: { row[$0] == nil }) else { return true }
        for value in 0..<sizes[axis] where trials < Limits.trials {
            trials += 1
            var longer = row
            longer[axis] = value
            if isAllowed(longer), canBeCompleted(longer, from: axis + 1) { return true }
        }
        return false
    }

    /// Returns the number of subsets of a size; `nil` if there are more than combinations may be.
    private static func subsetCount(of count: Int, size: Int) -> Int? {
        var number = 1
        for index in 0..<size {
            let (product, overflow) = number.multipliedReportingOverflow(by: count - index)
            guard !overflow else { return nil }
            number = product / (index + 1)
        }
        return number <= Limits.tuples ? number : nil
    }

    /// Returns the subsets of a size of the first natural numbers.
    private static func subsets(of count: Int, size: Int) -> [[Int]] {
        guard size > 0 else { return [] }
        guard size > 1 else { return (0..<count).map { [$0] } }
        return subsets(of: count, size: size - 1).flatMap { start in
            ((start.last ?? 0) + 1..<max(count, (start.last ?? 0) + 1)).map { start + [$0] }
        }
    }
}
