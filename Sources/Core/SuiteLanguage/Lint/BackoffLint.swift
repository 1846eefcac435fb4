/// Finds keys of a `backoff` mapping that have no effect, and those that contradict each other.
struct BackoffLint {
    let schedule: BackoffSchedule
    let findings: Findings

    /// Reports all findings at the keys of `reader`.
    func report(in reader: inout YAMLMappingReader) {
        checkCap(&reader)
        checkGrowth(&reader)
        checkChance(&reader)
        checkEnd(&reader)
        checkBudget(&reader)
    }

    private func warn(
        _ key: String, _ code: String, _ text: String, _ reader: inout YAMLMappingReader,
        advice: String = "take it out"
    ) {
        guard let entry = reader.entry(key) else { return }
        findings.warn(code, text, at: entry.keyPosition, advice: advice)
    }

    private func checkCap(_ reader: inout YAMLMappingReader) {
        if schedule.cap == nil {
            warn("capped", "idle-key", "\"capped\" has no effect without \"cap\"", &reader)
        } else if schedule.jitter == .none {
            warn("capped", "idle-key", "\"capped\" has no effect without \"jitter\"", &reader)
        }
        if schedule.model.isFixed, schedule.cap != nil, schedule.jitter == .none {
            warn(
                "cap", "idle-key", "\"cap\" with \"model: fixed\": no wait grows", &reader,
                advice: "set the wait itself as \"base\"")
        }
        guard let cap = schedule.cap else { return }
        if let floor = schedule.floor, floor > cap {
            warn(
                "floor", "contradictory-waits", "\"floor\" is longer than \"cap\"", &reader,
                advice: "exchange them")
            return
        }
        let start = schedule.bounds(ofWait: schedule.first == nil ? 1 : 2, after: nil)
        if schedule.model.isFixed { return }
        if start.upper >= cap, start.uncut > cap || isGrowing {
            warn(
                "cap", "contradictory-waits", "the first wait of the model is as long as \"cap\"",
                &reader, advice: "say a longer \"cap\", or \"model: fixed\"")
        }
    }

    private var isGrowing: Bool {
        guard case .growth(let base, let expression) = schedule.model else { return false }
        return expression.wait(2, base: base) > base
    }

    private func checkGrowth(_ reader: inout YAMLMappingReader) {
        var isAlwaysZero = false
        if case .growth(.zero, let expression) = schedule.model, !schedule.model.isFixed {
            isAlwaysZero = expression.wait(3, base: .zero) == .zero
        }
        if isAlwaysZero, schedule.savedBase == nil {
            let key = reader.has("base") ? "base" : "first"
            warn(
                key, "contradictory-waits",
                "with \"\(key): 0s\" every wait of the model is 0 s", &reader,
                advice: "say the first wait as \"first: 0s\" and the second as \"base\"")
        }
        let isZero = (1...max(1, min(schedule.attempts.upperBound, 50))).contains {
            schedule.bounds(ofWait: $0, after: nil).upper == .zero
        }
        if !isZero, schedule.hint == nil, schedule.savedBase == nil {
            warn(
                "immediate", "idle-key", "\"immediate\" has no effect: no wait is 0 s", &reader)
        }
    }

    private func checkChance(_ reader: inout YAMLMappingReader) {
        let count = max(1, min(schedule.attempts.upperBound, 50))
        let isDrawn = (1...count).contains {
            schedule.bounds(ofWait: $0, after: nil).isDrawn
        }
        guard !isDrawn else { return }
        for key in ["distribution", "level"] {
            warn(
                key, "idle-key", "\"\(key)\" has no effect: chance draws no wait", &reader)
        }
    }

    private func checkEnd(_ reader: inout YAMLMappingReader) {
        if let silence = schedule.silence {
            // After a reset the next wait may be a short one.
            let last = schedule.reset == .never ? [schedule.attempts.upperBound] : []
            let counts = schedule.attempts.dropLast().suffix(50) + last
            func longest(_ number: Int) -> Duration {
                let upper = schedule.bounds(ofWait: number, after: nil).upper
                guard schedule.isCut, let limit = schedule.maxElapsed else { return upper }
                let earlier = schedule.reset == .never ? 1..<number : 1..<1
                let elapsed = earlier.map { schedule.bounds(ofWait: $0, after: nil).lower }
                return min(upper, max(.zero, limit - elapsed.reduce(.zero, +)))
            }
            let number = counts.first {
                let upper = longest($0 + 1)
                return upper + schedule.lateness(after: upper) >= silence
            }
            if let number {
                let wait = longest(number + 1)
                warn(
                    "silence", "contradictory-waits",
                    "the silence is over before wait \(number + 1) (\(wait.suiteText))", &reader,
                    advice: "say a silence that is longer than any wait")
            }
        }
        if schedule.maxElapsed == nil {
            warn("cut", "idle-key", "\"cut\" has no effect without \"maxElapsed\"", &reader)
        }
        if let limit = schedule.maxElapsed {
            let first = schedule.bounds(ofWait: 1, after: nil).lower
            if first > limit {
                warn(
                    "maxElapsed", "contradictory-waits",
                    "\"maxElapsed\" is over before the first wait (\(first.suiteText))", &reader,
                    advice: "say a longer one")
            }
        }
    }

    /// Compares `budget` with the longest and the shortest times that its number of waits can take.
    private func checkBudget(_ reader: inout YAMLMappingReader) {
        guard let budget = schedule.budget, schedule.hint == nil, schedule.savedBase == nil
        else { return }
        let limit = budget.within - schedule.late.absolute
        let longest = total(of: schedule.attempts.lowerBound, over: budget) {
            $0.upper + schedule.lateness(after: $0.upper)
        }
        if let longest, longest < limit, isBounded {
            warn(
                "budget", "contradictory-waits",
                "even the longest waits allow \(budget.attempts + 1) attempts within "
                    + "\(longest.suiteText)", &reader,
                advice: "allow more attempts, or say a shorter \"within\"")
        } else if schedule.reset == .never, !schedule.isOpenEnded {
            let shortest = total(of: schedule.attempts.upperBound, over: budget) {
                $0.lower - schedule.early.bound(for: $0.lower)
            }
            if shortest.map({ $0 >= limit }) ?? true {
                warn(
                    "budget", "idle-key",
                    "\"budget\" has no effect: no waits of the model allow that many attempts",
                    &reader)
            }
        }
    }

    /// Whether the lengths of an attempt and of its wait are bounded.
    private var isBounded: Bool {
        if case .decorrelated = schedule.jitter { return false }
        return schedule.timeout == nil
    }

    /// Returns the shortest total of consecutive waits, as many as the budget has attempts; `nil`
    /// if there are fewer waits.
    ///
    /// `length` gives the length of each wait.
    private func total(
        of count: Int, over budget: BackoffSchedule.Budget, at length: (WaitBounds) -> Duration
    ) -> Duration? {
        guard budget.attempts <= count else { return nil }
        let waits = (1...count).map { length(schedule.bounds(ofWait: $0, after: nil)) }
        var sum = waits.prefix(budget.attempts).reduce(.zero, +)
        var least = sum
        for (next, past) in zip(waits.dropFirst(budget.attempts), waits) {
            sum += next - past
            least = min(least, sum)
        }
        return least
    }
}
