import SuiteLanguage
import Wire

/// The description of a plain step, in plain sentences.
struct StepInWords {
    let step: Step
    /// The numbers of the steps that may be the last completed one before it; 0 means the start of
    /// the device.
    let before: Set<Int>
    /// The case's plain steps, preamble first; the first of them has the number 1.
    let all: [Step]
    let peers: [PeerDeclaration]
    /// The devices in addition to the one that every case has.
    let devices: [String]
    /// The tolerance that is stated once for the whole case.
    let usual: Tolerance

    /// The conditions as separate items, if there are too many for one sentence.
    var conditions: [String] { step.conditions.count > 1 ? step.conditions.map(\.inWords) : [] }

    /// The sentences in one line; the last one introduces the conditions if they are separate.
    var text: String {
        var sentences = [demand + "."]
        if !step.saves.isEmpty {
            let saves = step.saves.map(\.inWords)
            sentences.append(Words.sentence(Words.list(saves)))
        }
        if !step.checks.isEmpty {
            sentences.append("This checks \(Words.list(step.checks)).")
        }
        if let use = step.uses.first {
            let file = step.position.file.split(separator: "/").last ?? ""
            sentences.append(
                "From the fragment \(use.fragment) (\(file):\(step.position.line), "
                    + "used in line \(use.position.line)).")
        }
        if let note = step.note { sentences.append("Note: " + Words.ended(note)) }
        if !conditions.isEmpty { sentences.append("Conditions:") }
        return sentences.joined(separator: " ")
    }

    private var demand: String {
        switch step.verb {
        case .expect(let message):
            let what = conditions.isEmpty ? step.conditions.inWords : ""
            return "\(sender) \(message)\(receiver)\(what)\(connection), \(window)" + next
        case .collect(let items, let quiet):
            let messages = items.map(\.inWords)
            let silence = "the device has been silent for \(quiet.suiteText)"
            return messages.isEmpty
                ? "conform waits until \(silence)"
                : "In any order and any number of messages, there must come "
                    + "\(Words.list(messages)), \(window); then conform waits until \(silence)"
        case .send(let message, let overrides, let answering):
            let answer = answering.map { " as the answer to step \($0 + 1)" } ?? ""
            return "conform makes \(step.from) send \(message)\(receiver)\(answer)"
                + changes(overrides) + connection + shape + moment
        case .sendBytes(let bytes):
            if bytes.isDescribed {
                return "conform makes \(step.from) send the message \(bytes.suiteText)"
                    + connection + shape + moment
            }
            let count = bytes.literalBytes.map { "\($0.count) raw byte(s)" } ?? "raw bytes"
            return "conform makes \(step.from) send \(count), \(bytes.inWords)"
                + connection + shape + moment
        case .lost:
            let what = conditions.isEmpty ? step.conditions.inWords : ""
            return "\(sender) bytes that do not decode\(receiver)\(what)\(connection), \(window)"
        case .perform(let action):
            return described(action) + moment
        case .wait(let duration):
            return "conform waits \(duration.suiteText); messages that come meanwhile are judged"
        case .backoff(let schedule):
            let sender = step.from == Step.device ? "The device's" : "\(step.from)'s"
            let what = conditions.isEmpty ? step.conditions.inWords : ""
            return "\(sender) attempts, each \(schedule.attempt)\(receiver)\(what), "
                + "must follow the schedule \(schedule.suiteText); its waits: "
                + schedule.waitsInWords
        case .group:
            return step.suiteText
        }
    }

    /// States that a message of that name that does not match is a failure at once.
    private var next: String { step.isNext ? "; no other \(name) may come before it" : "" }

    private var name: String {
        if case .expect(let message) = step.verb { message } else { "" }
    }

    private var sender: String {
        if step.from == Step.device { return "The device must send" }
        return devices.contains(step.from) ? "\(step.from) must send" : "\(step.from) sends"
    }

    /// The connection, if the step names one.
    private var connection: String {
        let index = step.connection.flatMap { id in all.firstIndex { $0.id == id } }
        return index.map { " on the connection of step \($0 + 1)" } ?? ""
    }

    /// How the bytes are changed and divided.
    private var shape: String {
        (step.changes.map { ", with corrupted bytes: \($0.suiteText)" } ?? "")
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

    private func described(_ action: Step.Action) -> String {
        let argument =
            action.arguments == .literal(.null) ? "" : " with \(action.arguments.suiteText)"
        if action.party == Step.device || devices.contains(action.party) {
            let device = action.party == Step.device ? "the device" : action.party
            return "Command to \(device): \(action.name)\(argument)"
        }
        let kind = peers.first { $0.name == action.party }?.kind
        let summary = kind?.actions.first { $0.name == action.name }?.summary
        let meaning = summary.map { " (\($0.prefix(1).lowercased())\($0.dropFirst().dropLast()))" }
        return "Action of \(action.party): \(action.name)\(argument)\(meaning ?? "")"
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

    /// The tolerance of the times, if it is not the usual one.
    private var leeway: String {
        step.tolerance == usual ? "" : ", with a tolerance of \(step.tolerance.inWords)"
    }

    /// When something is done; empty if it is done at once.
    private var moment: String {
        guard let due = step.at ?? step.after else { return "" }
        return ", \(due.suiteText) after \(origin)"
    }

    /// The step, or the start, that times are relative to.
    private var origin: String {
        if let since = step.since, let index = all.firstIndex(where: { $0.id == since }) {
            return "step \(index + 1) (\(since))"
        }
        let start = "the start of the device"
        if before.count == 1, let number = before.first {
            return number == 0 ? start : "step \(number)"
        }
        return "the previous completed step" + (before.contains(0) ? " (or \(start))" : "")
    }
}

extension Step.Save {
    /// The saved field and the name of the variable.
    fileprivate var inWords: String {
        let other = fallback.map { " (\($0.suiteText) if it is absent)" } ?? ""
        return "its \(path)\(other) is saved as ${\(variable)}"
    }
}

extension Step.Collected {
    /// The message, its conditions and the saved fields.
    fileprivate var inWords: String {
        let sender = pattern.from.map { " from \($0)" } ?? ""
        let saves = saves.map(\.inWords)
        return pattern.message + sender + pattern.conditions.inWords
            + (saves.isEmpty ? "" : " (\(Words.list(saves)), the latest value)")
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
    /// Returns a phrase as a sentence, with a capital letter and a full stop.
    static func sentence(_ phrase: String) -> String {
        ended(phrase.prefix(1).uppercased() + phrase.dropFirst())
    }

    /// Returns a sentence with a full stop, unless it has an end.
    static func ended(_ sentence: String) -> String {
        let hasEnd = sentence.last.map { ".!?".contains($0) } ?? false
        return hasEnd ? sentence : sentence + "."
    }
}
