import SuiteLanguage

extension [Step] {
    /// Returns the plain steps that may come before or after the one at `position`.
    ///
    /// That is so if both are in elements of a group in any order. All are counted from `first`.
    func companions(of position: Int, countingFrom first: Int = 0) -> [Int] {
        var start = first
        for step in self {
            let range = start..<start + [step].plain.count
            start = range.upperBound
            guard range.contains(position) else { continue }
            if case .anyOrder(let elements)? = step.group {
                return elements.others(of: position, countingFrom: range.lowerBound)
            }
            let inner = step.parts.flatMap(\.self)
            return inner.companions(of: position, countingFrom: range.lowerBound)
        }
        return []
    }
}

extension [[Step]] {
    /// Returns the plain steps of the other elements, and the companions in the step's own element.
    fileprivate func others(of position: Int, countingFrom first: Int) -> [Int] {
        var start = first
        return flatMap { element -> [Int] in
            let range = start..<start + element.plain.count
            start = range.upperBound
            return range.contains(position)
                ? element.companions(of: position, countingFrom: range.lowerBound)
                : range.map { $0 }
        }
    }
}
