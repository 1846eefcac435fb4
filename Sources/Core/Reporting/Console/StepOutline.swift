import SuiteLanguage

/// The steps of a case in words, each with its number; nested steps are indented.
struct StepOutline {
    /// One item, not yet wrapped.
    struct Entry {
        let text: String
        let mark: String
        let indent: Int
    }

    private let testCase: TestCase
    private let usual: Tolerance
    private let all: [Step]
    /// The number of the last plain step in the outline.
    private var number = 0
    /// The steps that may be the last completed one at this point; 0 means the start of the device.
    private var before: Set<Int> = [0]
    /// The items so far.
    private(set) var entries: [Entry] = []

    /// Creates an empty outline.
    ///
    /// - Parameters:
    ///   - testCase: The case that the steps belong to.
    ///   - usual: The tolerance that is stated once for the whole case.
    init(_ testCase: TestCase, usual: Tolerance) {
        self.testCase = testCase
        self.usual = usual
        all = (testCase.preamble + testCase.steps).plain
    }

    /// Appends the next steps.
    mutating func append(_ steps: [Step], indent: Int = 2) {
        for step in steps { append(step, indent) }
    }

    private mutating func append(_ step: Step, _ indent: Int) {
        guard let group = step.group else { return appendPlain(step, indent) }
        let start = before
        switch group {
        case .optional(let steps):
            lead("All of these, or none:", step.note, indent)
            append(steps, indent: indent + 2)
            before.formUnion(start)
        case .either(let lists):
            lead("Exactly one of these:", step.note, indent)
            append(elements: lists, indent + 2)
        case .anyOrder(let lists):
            lead(
                "All of these in any order, each completed before the next begins:", step.note,
                indent)
            append(elements: lists, indent + 2)
        case .repeat(let counts, let steps):
            lead(Self.rounds(counts), step.note, indent)
            if counts.upperBound > 1 { before.formUnion(ends(of: steps)) }
            append(steps, indent: indent + 2)
            if counts.lowerBound == 0 { before.formUnion(start) }
        case .repeatUntil(let until, let max, let steps):
            lead(
                "Any number of rounds\(max.map { ", at most \($0)" } ?? ""):", step.note,
                indent)
            before.formUnion(ends(of: steps))
            append(steps, indent: indent + 2)
            before = start
            lead("until this comes, which ends the repetition:", nil, indent)
            append([until], indent: indent + 2)
        }
    }

    private mutating func appendPlain(_ step: Step, _ indent: Int) {
        let words = StepInWords(
            step: step, before: before, all: all, peers: testCase.peers,
            devices: testCase.devices.map(\.name), usual: usual)
        number += 1
        entries.append(Entry(text: words.text, mark: "\(number).", indent: indent))
        entries += words.conditions.map { Entry(text: $0, mark: "-", indent: indent + 3) }
        before = [number]
    }

    /// Appends lists of steps, each of which begins where the group begins.
    private mutating func append(elements: [[Step]], _ indent: Int) {
        let start = before
        var ends: Set<Int> = []
        for steps in elements {
            before = start
            if steps.count == 1 {
                append(steps, indent: indent)
            } else {
                lead("One after the other:", nil, indent)
                append(steps, indent: indent + 2)
            }
            ends.formUnion(before)
        }
        before = ends
    }

    private mutating func lead(_ text: String, _ note: String?, _ indent: Int) {
        let remark = note.map { "Note: \(Words.ended($0)) " } ?? ""
        entries.append(Entry(text: remark + text, mark: "-", indent: indent))
    }

    private static func rounds(_ counts: ClosedRange<Int>) -> String {
        let (least, most) = (counts.lowerBound, counts.upperBound)
        if least == most { return least == 1 ? "Once:" : "\(least) times:" }
        return least == 0
            ? "At most \(most) times, or not at all:" : "\(least) to \(most) times:"
    }

    /// Returns the steps that may be the last completed one after these steps, which come next.
    private func ends(of steps: [Step]) -> Set<Int> {
        var count = number
        return Self.ends(of: steps, &count, after: [])
    }

    private static func ends(
        of steps: [Step], _ count: inout Int, after start: Set<Int>
    ) -> Set<Int> {
        var before = start
        for step in steps {
            guard let group = step.group else {
                count += 1
                before = [count]
                continue
            }
            var inner: Set<Int> = []
            if case .repeatUntil = group {
                for part in group.parts {
                    before = ends(of: part, &count, after: before)
                }
                continue
            }
            for part in group.parts { inner.formUnion(ends(of: part, &count, after: before)) }
            switch group {
            case .optional: before.formUnion(inner)
            case .repeat(let counts, _) where counts.lowerBound == 0: before.formUnion(inner)
            default: before = inner
            }
        }
        return before
    }
}
