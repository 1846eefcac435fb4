import SuiteLanguage

extension CaseProgram {
    /// Returns the lines that run in parallel to each line with a schedule.
    ///
    /// `backoff` steps that directly follow each other and are about different clients run in
    /// parallel. So do those of an `anyOrder` that contains nothing else.
    static func companions(in lines: [Line], _ testCase: TestCase) -> [Int: [Int]] {
        let preambleCount = testCase.preamble.plain.count
        let runs =
            runs(in: testCase.preamble, from: 0)
            + Self.runs(in: testCase.steps, from: preambleCount)
        var companions: [Int: [Int]] = [:]
        for run in runs {
            var group: [Int] = []
            for line in run.lines {
                let isApart = group.allSatisfy {
                    lines[$0].signature?.isApart(from: lines[line].signature) ?? false
                }
                group = isApart ? group + [line] : [line]
                for other in group where other != line {
                    companions[other, default: []].append(line)
                    if run.isUnordered { companions[line, default: []].append(other) }
                }
            }
        }
        return companions
    }

    /// Returns the schedules of lines whose clients are watched from the beginning.
    static func watched(in lines: [Line]) -> [Int: BackoffSchedule] {
        var schedules: [Int: BackoffSchedule] = [:]
        for (index, line) in lines.enumerated() {
            guard case .schedule(let signature, let schedule) = line.goal else { continue }
            if signature.namesClient { schedules[index] = schedule }
        }
        let all = lines.indices.filter { lines[$0].signature != nil }
        guard all.count > 1 else { return schedules }
        for index in all {
            if case .schedule(_, let schedule) = lines[index].goal { schedules[index] = schedule }
        }
        return schedules
    }

    private struct Run {
        var lines: [Int]
        var isUnordered = false
    }

    /// Returns the groups of lines with schedules that directly follow each other.
    private static func runs(in steps: [Step], from start: Int) -> [Run] {
        var runs: [Run] = []
        var run: [Int] = []
        var index = start
        for step in steps {
            if step.isBackoff {
                run.append(index)
            } else {
                runs.append(Run(lines: run))
                run = []
                if case .anyOrder(let lists)? = step.group,
                    lists.allSatisfy({ $0.count == 1 && $0[0].isBackoff })
                {
                    let lines = Array(index..<index + lists.count)
                    runs.append(Run(lines: lines, isUnordered: true))
                } else {
                    var inner = index
                    for part in step.parts {
                        runs += Self.runs(in: part, from: inner)
                        inner += part.plain.count
                    }
                }
            }
            index += [step].plain.count
        }
        return (runs + [Run(lines: run)]).filter { $0.lines.count > 1 }
    }
}

extension CaseProgram.Line {
    /// The signature of an attempt, if the line has a schedule.
    fileprivate var signature: Signature? {
        if case .schedule(let signature, _) = goal { signature } else { nil }
    }
}

extension Step {
    fileprivate var isBackoff: Bool {
        if case .backoff = verb { true } else { false }
    }
}

extension Signature {
    /// Whether it names one client of several.
    fileprivate var namesClient: Bool {
        sender != Step.device || receiver != nil || !pattern.conditions.isEmpty
    }

    /// Whether no message fits both this signature and another.
    fileprivate func isApart(from other: Signature?) -> Bool {
        guard let other else { return false }
        if sender != other.sender || pattern.message != other.pattern.message { return true }
        if let receiver, let place = other.receiver, receiver != place { return true }
        return pattern.conditions.contains { condition in
            guard case .equals(.literal(let value)) = condition.matcher else { return false }
            return other.pattern.conditions.contains {
                guard $0.path == condition.path, case .equals(.literal(let rival)) = $0.matcher
                else { return false }
                return value != rival
            }
        }
    }
}
