import Suites
import Wire

/// What one plain step demands, in plain sentences.
struct StepInWords {
    let step: Step
    /// The numbers of the steps of which one is the last that is done before it; 0 stands for the
    /// start of the device.
    let before: Set<Int>
    /// The case's plain steps, preamble first; the first of them has the number 1.
    let all: [Step]
    let peers: [PeerDeclaration]
    /// The devices beside the one that every case has.
    let devices: [String]
    /// The tolerance that is told once for the whole case.
    let usual: Tolerance

    /// The conditions, each on its own, where there are too many for a sentence.
    var conditions: [String] { step.conditions.count > 1 ? step.conditions.map(\.inWords) : [] }

    /// The sentences, in one line; the last one leads to the conditions, if there are some.
    var text: String {
        var sentences = [demand + "."]
        if !step.saves.isEmpty {
            let saves = step.saves.map(\.inWords)
            sentences.append(Words.sentence(Words.list(saves)))
        }
        if !step.checks.isEmpty {
            sentences.append("This judges \(Words.list(step.checks)).")
        }
        if let use = step.uses.first {
            let file = step.position.file.split(separator: "/").last ?? ""
            sentences.append(
                "From the fragment \(use.fragment) (\(file):\(step.position.line), "
                    + "used in line \(use.position.line)).")
        }
        if let note = step.note { sentences.append("Note: " + Words.ended(note)) }
        if !conditions.isEmpty { sentences.append("In it:") }
        return sentences.joined(separator: " ")
    }

    private var demand: String {
        switch step.verb {
        case .expect(let message):
            let what = conditions.isEmpty ? step.conditions.inWords : ""
            return "\(sender) \(message)\(receiver)\(what)\(connection), \(window)" + next
        case .collect(let items, let quiet):
            let messages = items.map(\.inWords)
            let silence = "the device is silent for \(quiet.suiteText)"
            return messages.isEmpty
                ? "Nothing is done until \(silence)"
                : "In any order and any cut there must come \(Words.list(messages)), \(window); "
                    + "then it is waited until \(silence)"
        case .send(let message, let overrides, let answering):
            let answer = answering.map { " as the answer to step \($0 + 1)" } ?? ""
            return "\(step.from) is made to send \(message)\(receiver)\(answer)"
                + changes(overrides) + connection + shape + moment
        case .sendBytes(let bytes):
            if bytes.isDescribed {
                return "\(step.from) is made to send the message \(bytes.suiteText)"
                    + connection + shape + moment
            }
            let count = bytes.literalBytes.map { "\($0.count) plain byte(s)" } ?? "plain bytes"
            return "\(step.from) is made to send \(count), \(bytes.inWords)"
                + connection + shape + moment
        case .lost:
            let what = conditions.isEmpty ? step.conditions.inWords : ""
            return "\(sender) bytes that do not decode\(receiver)\(what)\(connection), \(window)"
        case .perform(let action):
            return told(action) + moment
        case .wait(let duration):
            return "Nothing is done for \(duration.suiteText); what comes meanwhile is judged"
        case .backoff(let schedule):
            let sender = step.from == Step.device ? "The device's" : "\(step.from)'s"
            let what = conditions.isEmpty ? step.conditions.inWords : ""
            return "\(sender) attempts, each \(schedule.attempt)\(receiver)\(what), "
                + "must keep the schedule \(schedule.suiteText); its waits: "
                + schedule.waitsInWords
        case .group:
            return step.suiteText
        }
    }

    /// That a message of that name which does not fit is a failure at once.
    private var next: String { step.isNext ? "; no other \(name) may come before it" : "" }

    private var name: String {
        if case .expect(let message) = step.verb { message } else { "" }
    }

    private var sender: String {
        if step.from == Step.device { return "The device must send" }
        return devices.contains(step.from) ? "\(step.from) must send" : "\(step.from) sends"
    }

    /// On which connection, where that is said.
    private var connection: String {
        let index = step.connection.flatMap { id in all.firstIndex { $0.id == id } }
        return index.map { " on the connection of step \($0 + 1)" } ?? ""
    }

    /// What is done to the bytes.
    private var shape: String {
        (step.corruption.map { ", its bytes changed: \($0.suiteText)" } ?? "")
            + (step.segmentSize.map { ", in segments of \($0) byte(s)" } ?? "")
    }

    private var receiver: String { step.to.map { " to \($0)" } ?? "" }

    private func changes(_ overrides: [FieldAssignment]) -> String {
        let with = overrides.compactMap { item in
            item.value.map { "\(item.path) set to \($0.suiteText)" }
        }
        let without = overrides.filter { $0.value == nil }.map { "\($0.path)" }
        return (with.isEmpty ? "" : ", with " + Words.list(with))
            + (without.isEmpty ? "" : ", without " + Words.list(without))
    }

    private func told(_ action: Step.Action) -> String {
        let argument =
            action.arguments == .literal(.null) ? "" : " with \(action.arguments.suiteText)"
        if action.party == Step.device || devices.contains(action.party) {
            let device = action.party == Step.device ? "The device" : action.party
            return "\(device) is told: \(action.name)\(argument)"
        }
        let kind = peers.first { $0.name == action.party }?.kind
        let summary = kind?.actions.first { $0.name == action.name }?.summary
        let meaning = summary.map { " (\($0.prefix(1).lowercased())\($0.dropFirst().dropLast()))" }
        return "\(action.party) is told: \(action.name)\(argument)\(meaning ?? "")"
    }

    // MARK: times

    /// When the message of an `expect` must come.
    private var window: String {
        if let at = step.at {
            return "\(at.suiteText) after \(origin)\(leeway)"
        }
        let late = step.within.suiteText
        guard let after = step.after else {
            return "within \(late) of \(origin)\(leeway)"
        }
        return "no earlier than \(after.suiteText) and no later than \(late) after \(origin)"
            + leeway
    }

    /// How far off the times may be, where that is not as usual.
    private var leeway: String {
        step.tolerance == usual ? "" : ", give or take \(step.tolerance.inWords)"
    }

    /// When something is done; nothing if that is at once.
    private var moment: String {
        guard let due = step.at ?? step.after else { return "" }
        return ", \(due.suiteText) after \(origin)"
    }

    /// The step, or the start, that times count from.
    private var origin: String {
        if let since = step.since, let index = all.firstIndex(where: { $0.id == since }) {
            return "step \(index + 1) (\(since))"
        }
        let start = "the start of the device"
        if before.count == 1, let number = before.first {
            return number == 0 ? start : "step \(number)"
        }
        return "the step done before it" + (before.contains(0) ? " (or \(start))" : "")
    }
}

extension Step.Save {
    /// What is remembered under which name.
    fileprivate var inWords: String {
        let other = fallback.map { " (\($0.suiteText) where there is none)" } ?? ""
        return "its \(path)\(other) is remembered as ${\(variable)}"
    }
}

extension Step.Collected {
    /// The message, its conditions and what is remembered of it.
    fileprivate var inWords: String {
        let sender = pattern.from.map { " from \($0)" } ?? ""
        let saves = saves.map(\.inWords)
        return pattern.message + sender + pattern.conditions.inWords
            + (saves.isEmpty ? "" : " (\(Words.list(saves)), the newest one)")
    }
}

extension Tolerance {
    /// The bound in words: `50ms`, `10%`, `the larger of 50ms and 10%`.
    var inWords: String {
        guard percent != 0, absolute != .zero else { return suiteText }
        let relative = Tolerance(absolute: .zero, percent: percent)
        return "the larger of \(absolute.suiteText) and \(relative.suiteText)"
    }
}

extension Words {
    /// A phrase as a sentence: with a capital first and a full stop at the end.
    static func sentence(_ phrase: String) -> String {
        ended(phrase.prefix(1).uppercased() + phrase.dropFirst())
    }

    /// A sentence with a full stop, unless it has an end.
    static func ended(_ sentence: String) -> String {
        let hasEnd = sentence.last.map { ".!?".contains($0) } ?? false
        return hasEnd ? sentence : sentence + "."
    }
}
