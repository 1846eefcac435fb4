import Wire

/// The place of a cell in the menu.
struct MenuPlace: Sendable, Hashable {
    /// The number of the sub menu; 0 for the top.
    let parent: Int
    /// The number of cells before it.
    let position: Int
}

extension [MenuCell] {
    /// The numbers of all cells, including those below.
    var numbers: [Int] { flatMap { [$0.id] + ($0.subCells ?? []).numbers } }

    /// Returns the cells without the one of that number, at any depth.
    func removing(_ id: Int) -> [MenuCell] {
        compactMap { cell in
            guard cell.id != id else { return nil }
            var cell = cell
            cell.subCells = cell.subCells?.removing(id)
            return cell
        }
    }

    /// Returns the cells with another one inserted at its place.
    func inserting(_ cell: MenuCell, at place: MenuPlace) -> [MenuCell] {
        guard place.parent != 0 else {
            var cells = self
            cells.insert(cell, at: Swift.min(place.position, cells.count))
            return cells
        }
        return map { parent in
            var parent = parent
            let below = MenuPlace(parent: 0, position: place.position)
            parent.subCells =
                parent.id == place.parent
                ? (parent.subCells ?? []).inserting(cell, at: below)
                : parent.subCells?.inserting(cell, at: place)
            return parent
        }
    }

    /// Returns the path to the cell of that number, from the top to the cell itself.
    func path(to id: Int) -> [MenuCell]? {
        for cell in self {
            if cell.id == id { return [cell] }
            if let rest = cell.subCells?.path(to: id) { return [cell] + rest }
        }
        return nil
    }

    /// Returns the cell at the end of a path of signatures.
    func cell(at signatures: ArraySlice<Value>) -> MenuCell? {
        guard let cell = first(where: { $0.signature == signatures.first }) else { return nil }
        let rest = signatures.dropFirst()
        return rest.isEmpty ? cell : cell.subCells?.cell(at: rest)
    }

    /// Returns the number of the cell with that signature directly below a sub menu.
    func number(of signature: Value, below parent: Int) -> Int? {
        let level = parent == 0 ? self : path(to: parent)?.last?.subCells
        return level?.first { $0.signature == signature }?.id
    }
}

/// The longest common subsequence of two lists: the elements that need not move.
struct CommonSubsequence {
    /// Pairs of indices into both lists, ascending.
    let pairs: [(old: Int, new: Int)]

    /// Compares two lists.
    ///
    /// - Complexity: The product of their lengths, in time and space.
    init(_ old: [Value], _ new: [Value]) {
        var lengths = [[Int]](
            repeating: [Int](repeating: 0, count: new.count + 1), count: old.count + 1)
        for i in old.indices.reversed() {
            for j in new.indices.reversed() {
                lengths[i][j] =
                    old[i] == new[j]
                    ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var pairs: [(old: Int, new: Int)] = []
        var (i, j) = (0, 0)
        while i < old.count, j < new.count {
            if old[i] == new[j] {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if lengths[i + 1][j] >= lengths[i][j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        self.pairs = pairs
    }
}
