/// The results of judging mutations of captures.
struct LossTally {
    /// A verdict that was reversed.
    struct Turned {
        let subject: String
        let mutation: LossMutation
        let from: LossVerdict
        let to: LossVerdict
        /// The number of lost packets whose loss cannot be noticed.
        let unseenCount: Int
        /// The suite and the mutated capture; the next mutated capture replaces the file.
        let files: (suite: String, capture: String)

        var description: String {
            "\(subject): \(mutation): \(from) became \(to)"
                + (unseenCount == 0 ? "" : " (without the \(unseenCount) packets of no trace)")
        }
    }

    var judged = 0
    var kept = 0
    var open = 0
    var excluded: [LossVisibility.Reason: Int] = [:]
    /// Left out because the capture is undecided without the packets whose loss cannot be noticed.
    var undecided = 0
    var turned: [Turned] = []

    mutating func add(_ other: LossTally) {
        judged += other.judged
        kept += other.kept
        open += other.open
        undecided += other.undecided
        excluded.merge(other.excluded, uniquingKeysWith: +)
        turned += other.turned
    }

    /// One line of counts, and one of reasons.
    var summary: String {
        let reasons = LossVisibility.Reason.allCases.compactMap { reason in
            excluded[reason].map { "\($0) \(reason.rawValue)" }
        }
        let count = excluded.values.reduce(undecided, +)
        return "\(judged) mutations judged: \(kept) kept the verdict, \(open) became inconclusive, "
            + "\(turned.count) turned it round; \(count) excluded, because nobody can see the "
            + "loss (\(reasons.joined(separator: "; ")); \(undecided) not decided without it)"
    }

    /// The reversed verdicts by kind of mutation and suite, as a table in Markdown.
    var table: String {
        var counts: [String: (count: Int, example: String)] = [:]
        for one in turned {
            let suite = one.subject.split(separator: ", ", maxSplits: 1).last.map(String.init) ?? ""
            let key = "\(one.mutation.kind) | \(suite) | \(one.from) to \(one.to)"
            counts[key, default: (0, "\(one.subject): \(one.mutation)")].count += 1
        }
        return counts.sorted { $0.key < $1.key }
            .map { "| \($0.key) | \($0.value.count) | \($0.value.example) |" }
            .joined(separator: "\n")
    }
}

extension LossSubject {
    /// Judges mutations of the capture.
    ///
    /// It judges the given number, evenly spread, others for each `offset`; or those whose line
    /// contains a text.
    func tally(
        count: Int = .max, offset: Int = 0, folder: String, only: String? = nil
    ) -> LossTally {
        var tally = LossTally()
        var baselines: [Set<Int>: LossVerdict] = [[]: original]
        let path = "\(folder)/mutated.pcapng"
        let baselinePath = "\(folder)/baseline.pcapng"
        let all = LossMutation.all(packetCount: capture.packets.count)
        let share = max(1, all.count / count)
        for (index, mutation) in all.enumerated() where index % share == offset % share {
            if let only, !"\(name): \(mutation)".contains(only) { continue }
            if case .cutEnd = mutation, name.contains(", rule, never") {
                tally.excluded[.end, default: 0] += 1
                continue
            }
            let visibility = LossVisibility(of: mutation, in: capture, segments)
            if visibility.isExcluded, let reason = visibility.reason {
                tally.excluded[reason, default: 0] += 1
                continue
            }
            let mutated = mutation.applied(to: capture, segments)
            // A mutation that changes nothing need not be judged.
            if mutated.packets == capture.packets, mutated.linkType == capture.linkType { continue }
            let baseline =
                baselines[visibility.unseen]
                ?? verdict(on: capture.without(visibility.unseen), file: baselinePath)
            baselines[visibility.unseen] = baseline
            guard baseline != .open else {
                tally.undecided += 1
                continue
            }
            let verdict = verdict(on: mutated, file: path)
            tally.judged += 1
            switch verdict {
            case baseline: tally.kept += 1
            case .open: tally.open += 1
            default:
                tally.turned.append(
                    LossTally.Turned(
                        subject: name, mutation: mutation, from: baseline, to: verdict,
                        unseenCount: visibility.unseen.count,
                        files: (suite.file, path)))
            }
        }
        return tally
    }
}
