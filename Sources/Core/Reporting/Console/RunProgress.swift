import Results

/// The progress of a run, and an estimate of the remaining time.
struct RunProgress: Sendable {
    private let planned: Int
    /// The expected duration of cases in seconds.
    private let expected: [CaseReference: Double]
    private var done = 0
    private var executed = 0
    private var troubled = 0
    private var running: [(reference: CaseReference, begun: Double)] = []
    /// The expected duration of the cases that have not ended.
    private var left: Double
    /// How long the started and ended cases took, and how much longer than expected.
    private var (spent, surplus) = (0.0, 0.0)
    /// The estimated remaining time at the end of the last case.
    private var estimate: (seconds: Double, at: Double)?

    /// Creates the state before the first case.
    ///
    /// - Parameters:
    ///   - planned: How many cases there are.
    ///   - expected: The expected duration of each case in seconds, where it is known.
    init(planned: Int, expected: [CaseReference: Double] = [:]) {
        self.planned = planned
        self.expected = expected
        left = expected.values.reduce(0, +)
    }

    mutating func consume(_ update: RunUpdate, at elapsed: Double) {
        switch update {
        case .started(let reference): running.append((reference, elapsed))
        case .ended(let result):
            let reference = CaseReference(result)
            done += 1
            if result.verdict.isAlarming { troubled += 1 }
            let expectation = expected[reference] ?? 0
            left -= expectation
            // A case that is skipped by plan was never started and gives no information about the
            // pace.
            guard let place = running.firstIndex(where: { $0.reference == reference }) else {
                return
            }
            let time = elapsed - running.remove(at: place).begun
            executed += 1
            spent += time
            surplus += max(0, time - expectation)
            estimate = (secondsLeft(atEnd: elapsed), elapsed)
        case .shrinking, .shrunk, .waiting: break
        }
    }

    /// Returns the estimated remaining time at the end of a case.
    ///
    /// Each remaining case gets the average excess of the ended cases over their expected duration.
    /// The total is divided by the number of cases that run in parallel: those that run now, with
    /// the one that has just ended, or the average since the start, whichever is larger.
    private func secondsLeft(atEnd elapsed: Double) -> Double {
        let further = surplus / Double(max(1, executed))
        let ran = running.map { elapsed - $0.begun }
        let over = zip(running, ran).reduce(0.0) { sum, entry in
            sum + min((expected[entry.0.reference] ?? 0) + further, entry.1)
        }
        let work = spent + ran.reduce(0, +)
        let rest = left + Double(planned - done) * further - over
        let sideBySide = max(Double(running.count + 1), elapsed > 0 ? work / elapsed : 0)
        return max(0, rest) / sideBySide
    }

    /// Returns `12 of 40, 2 not passed, about 14 s left; running a/b, c/d +3`, no wider than
    /// `width`.
    func line(at elapsed: Double, width: Int) -> String {
        let trouble = troubled == 0 ? "" : ", \(troubled) not passed"
        let left = secondsLeft(at: elapsed).map { ", about \(Self.time($0)) left" } ?? ""
        let start = "\(done) of \(planned)\(trouble)\(left)"
        return Columns.cut(start, to: max(1, width))
            + names(in: width - Columns.width(of: start))
    }

    /// Returns `; running a/b, c/d +3`: as many running cases as fit, with long names shortened.
    private func names(in room: Int) -> String {
        var text = ""
        for (index, entry) in running.enumerated() {
            let start = index == 0 ? "; running " : ", "
            let rest = running.count - index - 1
            let free = room - Columns.width(of: text + start) - (rest > 0 ? Self.countWidth : 0)
            let name = PlainText.line("\(entry.reference)")
            guard free >= min(Self.nameMin, Columns.width(of: name)) else {
                return text + (index == 0 ? "" : " +\(rest + 1)")
            }
            text += start + Columns.shortened(name, to: min(free, Self.nameMax))
        }
        return text
    }

    /// The minimum and maximum width of the name of a running case.
    private static let (nameMin, nameMax) = (16, 44)
    /// The width of ` +12`.
    private static let countWidth = 4

    /// Returns the estimate minus the time that has passed since then.
    ///
    /// It is at least the expected remaining time of the longest running case.
    func secondsLeft(at elapsed: Double) -> Int? {
        guard let estimate, done < planned, elapsed.isFinite else { return nil }
        let longest = running.compactMap { entry in
            expected[entry.reference].map { $0 - (elapsed - entry.begun) }
        }.max()
        let left = max(estimate.seconds - max(0, elapsed - estimate.at), longest ?? 0)
        return Int(min(max(left, 1), 1e6).rounded(.up))
    }

    /// Returns `42 s`, `3 min 05 s` or `2 h 10 min`.
    static func time(_ seconds: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        if minutes == 0 { return "\(rest) s" }
        guard minutes >= 60 else { return "\(minutes) min \(padded(rest)) s" }
        return "\(minutes / 60) h \(padded(minutes % 60)) min"
    }
}
