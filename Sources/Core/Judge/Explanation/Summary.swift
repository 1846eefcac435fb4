import Results
import SuiteLanguage
import Trace
import Wire

/// The sentence that says why a case is not a pass.
struct Summary: Sendable {
    let testCase: TestCase
    let program: CaseProgram
    let finding: Finding

    /// The sentence, beginning with the step's number and place.
    var text: String { "\(place): \(unpaid)\(extra)\(refused)\(statement)\(unsaved)\(others)" }

    /// States that a peer sent something beyond the case, to which the device may have reacted.
    private var extra: String {
        guard let extra = finding.extra, finding.debt?.isPaid != false else { return "" }
        return "peer \(extra.sender ?? "") in this capture also sent "
            + MessageText.text(of: extra.message)
            + MessageText.suffix(frames: extra.message.frames) + ", which no step takes; "
    }

    /// States that a peer did not send the awaited message, so that the device is not the cause.
    private var unpaid: String {
        guard let debt = finding.debt, !debt.isPaid else { return "" }
        return "peer \(debt.awaited.sender) did not send \(debt.awaited.pattern.message); "
    }

    /// States what may be the reason why a peer answered otherwise.
    private var refused: String {
        guard let refused = finding.refused else { return "" }
        return "the device's \(refused.name)"
            + MessageText.suffix(frames: refused.frames)
            + " broke its specification (\(refused.content.violation ?? "")); "
    }

    private var place: String {
        switch finding.place {
        case .line(let position):
            let line = program.lines[position]
            let part = line.reference.part == .preamble ? ", preamble" : ""
            let uses = line.step.uses.map { ", used in \($0.position.seen(from: line.step))" }
            return "step \(line.reference.number) "
                + "(\(line.step.position.short)\(uses.joined())\(part))"
        case .closing:
            let last = program.lines.last.map { " after step \($0.reference.number)" } ?? ""
            return "closing window\(last) (\(testCase.position.short))"
        }
    }

    private var line: CaseProgram.Line? {
        guard case .line(let position) = finding.place else { return nil }
        return program.lines[position]
    }

    // MARK: - What was found

    private var statement: String {
        switch finding.kind {
        case .fieldsDiffer(let differences):
            return "expected \(demand(differences)), got \(actual(differences)), \(when)"
        case .outOfOrder(let later, let differences):
            return message(of: later, differences) + " came before it \(when)"
        case .repeated(let earlier, let differences):
            return message(of: earlier, differences) + " came again \(when)"
        case .unexpected:
            return "expected \(demand()), got unexpected \(name)\(other) \(when)\(whyEvent)"
        case .early(let lead):
            return "expected \(demand()), it came too early \(when), "
                + "\(TimeText.length(lead)) before its time"
        case .late(let lag):
            return "expected \(demand()), it came too late \(when), \(TimeText.length(lag)) late"
        default:
            return statementWithoutMatch
        }
    }

    /// Returns that the message of another line came, and how it differs from the awaited one.
    private func message(of other: Int, _ differences: [Difference]) -> String {
        let with = differences.isEmpty ? "" : " with \(actual(differences))"
        return "expected \(demand(differences)), but step "
            + "\(program.lines[other].reference.number)'s message \(name)\(self.other)\(with)"
    }

    private func actual(_ differences: [Difference]) -> String {
        differences.map(\.actualText).joined(separator: " and ")
    }

    /// How many messages came in which time, if there are too many.
    private var crowd: String {
        finding.excess.map { excess in
            "one of \(excess.rate.count + 1) within \(TimeText.length(excess.span)) where "
                + "\(excess.rate.count) within \(excess.rate.within.suiteText) are allowed, "
        } ?? ""
    }

    /// The values for which the message is forbidden.
    private var forbiddenValues: String {
        let texts = finding.forbiddenValues.map(\.satisfiedText)
        return texts.isEmpty ? "" : ": \(texts.joined(separator: " and "))"
    }

    private var statementWithoutMatch: String {
        switch finding.kind {
        case .schedule(let violation): "\(violation.text), \(when)\(violation.broken)"
        case .missing: missing
        case .connectionClosed:
            "expected \(demand()), but the device had ended its connection: \(name) \(when)"
        case .forbidden(let rule):
            "\(name)\(other) came \(when), \(crowd)which never "
                + "(\(testCase.never[rule].pattern.position.short)) forbids\(forbiddenValues)"
        case .malformed:
            "\(sender) sent bytes that do not decode\(protocolOfBytes): \(name) \(when)\(nearly)\(begun)"
        case .violation:
            "\(name)\(other) came \(when) and breaks its specification: "
                + (finding.message?.content.violation ?? "")
        case .deviceExited:
            "\(sender) \(exit) without being asked to, \(when), while \(demand()) was expected"
                + lastDone + lastWords + freeToEnd
        case .deviceHung:
            "\(sender) hangs: \(hang), \(when), while \(demand()) was expected\(lastDone)\(lastWords)"
        case .captureEnded where finding.place == .closing && testCase.isQuietToTheEnd:
            "nothing came until the trace ends \(when), but the capture does not say that it saw "
                + "everything until then: confirm it with --assume complete, or capture as pcapng"
        case .captureEnded: "the trace ends \(when) while \(demand()) was expected"
        case .unended:
            "the device had not ended a message \(when), so it is not known what it is\(begun)"
        case .timeout:
            "the case took longer than its timeout of \(testCase.timeout.suiteText), "
                + "while \(demand()) was expected"
        case .interrupted: "the run was interrupted while \(demand()) was expected"
        case .unbound(let reason): reason
        case .undecided(let reason): "\(name)\(other) came \(when), and \(reason)"
        case .ambiguous:
            "\(demand()) is due, but the messages so far leave open whether this step or another "
                + "is reached; an act must be reached without ambiguity"
        case .tooManyThreads:
            "the messages so far leave more than \(Limits.threadCountMax) ways through the case open; "
                + "distinguish its alternatives by fields, or make fewer steps optional"
        case .nothingToJudge:
            "the case has neither steps in its body nor never rules, so nothing was judged"
        case .notAtRest(let failure):
            "\(failure.condition.value.suiteText) is \(failure.actual.suiteText) and not "
                + "\(failure.expected) "
                + (failure.quiet == .zero
                    ? "" : "after all parties have been silent for \(failure.quiet.suiteText) ")
                + "(\(failure.condition.position.short)), \(when)"
        case .actsSkipped(let count):
            "none of the acts could be carried out (\(count) demands), because the device had left or "
                + "was not ready, so nothing that they would show was judged"
        case .deviceUnseen(let name):
            "the trace shows nothing of the device\(name == Step.device ? "" : " \(name)"), "
                + "so nothing was judged"
        default: "expected \(demand())"
        }
    }

    /// The reason why an event of a transport is unexpected.
    ///
    /// Only the events of a transport of which the case names one are judged.
    private var whyEvent: String {
        let transport = name.prefix { $0 != "." }
        guard testCase.known.protocols.transports.contains(String(transport)) else { return "" }
        let namer = program.lines.first { line in
            line.awaitedNames.contains { $0.hasPrefix(transport + ".") }
        }
        guard let namer,
            let event = namer.awaitedNames.first(where: { $0.hasPrefix(transport + ".") })
        else { return "" }
        return "; events of \(transport) are judged because step \(namer.reference.number) expects "
            + "\(event): expect this one too, or name it under \"ignore\""
    }

    /// The protocol that plain bytes should have been, which their name does not say.
    private var protocolOfBytes: String {
        guard name == "tcp.data",
            let peer = testCase.peers.first(where: { $0.name == finding.message?.receiver }),
            peer.kind.protocolName != "tcp"
        else { return "" }
        return " as \(peer.kind.protocolName)"
    }

    /// How bytes that do not decode differ from the awaited ones.
    private var nearly: String {
        guard let near = finding.nearest, near.message.number == finding.message?.message.number,
            !near.differences.isEmpty
        else { return "" }
        return ", expected \(near.differences.map(\.expectedText).joined(separator: " and ")), "
            + "got \(actual(near.differences))"
    }

    private var missing: String {
        if let line, !line.isUpToDevice {
            let near = finding.nearest.map { ", the nearest was \(text(of: $0))" } ?? ""
            if case .perform(let action) = line.step.verb {
                return "\(action.party).\(action.name) left no trace "
                    + "\(TimeText.window(of: line.step))\(near)\(connectionEnd)"
            }
            return "peer \(line.step.from) did not send \(demand())\(near)\(connectionEnd)"
        }
        return "expected \(demand()), \(absence)\(connectionEnd)\(misdial)\(begun)"
    }

    /// States that nothing came, or which message of that name came in place of the awaited one.
    private var absence: String {
        guard let near = finding.nearest else { return "nothing came" }
        let isOnlyParties = near.differences.allSatisfy { ["from", "to", "on"].contains($0.field) }
        let with = isOnlyParties ? "" : "with "
        let expected = near.differences.map(\.expectedText).joined(separator: " and ")
        return "no \(near.message.name) \(with)\(expected) came; one \(with)"
            + "\(actual(near.differences)) did, \(finding.place(of: near.message.time))"
            + MessageText.suffix(frames: near.message.frames)
    }

    /// States that a call went to an address where nothing listens.
    private var misdial: String {
        guard let refusal = finding.refusal, let place = refusal.source else { return "" }
        return "; \(place) was called, where nothing listens, "
            + finding.place(of: refusal.time)
            + MessageText.suffix(frames: refusal.frames)
    }

    /// The bytes of a message that the device has not ended.
    private var begun: String {
        guard let beginning = finding.beginning,
            let begun = beginning.content as? StreamBeginning
        else { return "" }
        let count = begun.count == 1 ? "1 byte that is" : "\(begun.count) bytes that are"
        let bytes = begun.isBare ? "" : ": " + MessageText.shortened(begun.readable)
        return "; \(sender(of: beginning)) has sent \(count) not a complete message\(bytes)"
            + ending(for: beginning.receiver)
            + MessageText.suffix(frames: beginning.message.frames)
    }

    /// Returns how messages to a peer end, in the words of the suite.
    private func ending(for peer: String?) -> String {
        let stream = testCase.peers.first { $0.name == peer }?.settings["stream"]?.suiteText
        // A description alone has no text.
        guard let stream, stream != "{}" else { return "" }
        return ", for stream: \(MessageText.shortened(stream))"
    }

    /// States that a connection had ended before the missing message could come on it.
    private var connectionEnd: String {
        guard let end = finding.connectionEnd else { return "" }
        let sender = end.isFromDevice ? "the device" : "peer \(end.sender ?? "")"
        return "; \(sender) had \(end.name == "tcp.RST" ? "reset" : "ended") a connection "
            + finding.place(of: end.time)
            + MessageText.suffix(frames: end.message.frames)
    }

    /// The other steps with which the case could have continued.
    private var others: String {
        let lines = finding.otherLines.sorted().prefix(Self.otherCountMax).map { program.lines[$0] }
        let texts = lines.map { "step \($0.reference.number) (\($0.text))" }
        return texts.isEmpty ? "" : "; \(texts.joined(separator: " or ")) would have done as well"
    }

    /// The largest number of other steps that are named.
    private static let otherCountMax = 3

    /// The step that should have saved a variable without a value.
    ///
    /// If an expression has no value, it is the step that saved one of its variables.
    private var unsaved: String {
        guard case .unbound(let text) = finding.kind else { return "" }
        let saves = program.lines.flatMap { line in
            line.step.saves.map { (step: line.reference.number, save: $0) }
        }
        for (step, save) in saves
        where text.contains("the variable \(save.variable) has no value") {
            return "; step \(step) saves it from \(save.path), which the message that it took does "
                + "not have: demand the field there, with where: {\(save.path): {present: true}}"
        }
        let quoted = text.split(separator: "\"").first { $0.hasPrefix("${") } ?? ""
        let names = quoted.split { !$0.isLetter && !$0.isNumber && !"_-.".contains($0) }
        let found = saves.first { names.contains($0.save.variable[...]) }
        return found.map { "; step \($0.step) saves \($0.save.variable) from \($0.save.path)" }
            ?? ""
    }

    private func text(of near: NearMiss) -> String {
        let differences = near.differences.map(\.actualText).joined(separator: " and ")
        let isOnlyParties = near.differences.allSatisfy { ["from", "to"].contains($0.field) }
        return "\(near.message.name) \(isOnlyParties ? "" : "with ")\(differences), "
            + finding.place(of: near.message.time)
            + MessageText.suffix(frames: near.message.frames)
    }

    private var lastDone: String {
        guard case .line = finding.place else { return "" }
        guard let last = finding.lastDone else { return "; no step was done" }
        return "; the last step done is \(program.lines[last].reference.number)"
    }

    // MARK: - Pieces

    /// Returns what is awaited, with the relevant conditions and the time window.
    private func demand(_ differences: [Difference] = []) -> String {
        guard let line else {
            return testCase.isQuietToTheEnd
                ? "silence until the capture ends" : "silence for \(testCase.quiet.suiteText)"
        }
        let fields = fields(differences, of: line.step)
        let window = connection(of: line.step) + TimeText.window(of: line.step)
        switch line.step.verb {
        case .expect(let name), .send(let name, _, _):
            let from = line.step.from == Step.device ? "" : " from \(line.step.from)"
            return "\(name)\(from)\(fields) \(window)"
        case .lost: return "bytes that do not decode from \(line.step.from)\(fields) \(window)"
        case .sendBytes(let bytes):
            return (bytes.isDescribed ? "the message" : "the bytes")
                + " \(MessageText.shortened(bytes.contentText)) from \(line.step.from) "
                + window
        case .perform(let action): return "\(action.party).\(action.name) \(window)"
        case .collect(let items, let quiet):
            let missing = finding.missing.map { items[$0].suiteText }
            return missing.isEmpty
                ? "silence of the device for \(quiet.suiteText)"
                : "\(missing.joined(separator: " and ")) \(window)"
        case .wait(let duration): return "the end of a wait of \(duration.suiteText)"
        case .backoff(let schedule): return "the end of the schedule of \(schedule.attempt)"
        default: return line.text
        }
    }

    /// Returns the conditions that are not met.
    ///
    /// If other steps were possible too, it returns all conditions, because they distinguish the
    /// steps.
    private func fields(_ differences: [Difference], of step: Step) -> String {
        var texts = differences.map(\.expectedText)
        if texts.isEmpty, !finding.otherLines.isEmpty {
            texts = step.conditions.map {
                "\($0.path) \(MessageText.shortened($0.matcher.suiteText))"
            }
        }
        return texts.isEmpty ? "" : " with \(texts.joined(separator: " and "))"
    }

    /// Returns the connection if the step specifies one.
    private func connection(of step: Step) -> String {
        step.connection.map { "on the connection of \($0) " } ?? ""
    }

    private var name: String { finding.message?.name ?? "" }

    /// The device that sent the message, if it is not the first device.
    private var other: String {
        guard let sender = finding.message?.sender, sender != Step.device,
            testCase.isDevice(sender)
        else { return "" }
        return " from \(sender)"
    }

    private var sender: String { sender(of: finding.message) }

    private func sender(of message: PlacedMessage?) -> String {
        let sender = message?.sender ?? Step.device
        if sender == Step.device { return "the device" }
        return testCase.isDevice(sender) ? "the device \(sender)" : "peer \(sender)"
    }

    private var when: String {
        let time = finding.message?.time ?? finding.time
        return finding.place(of: time)
            + MessageText.suffix(frames: finding.message?.message.frames ?? [])
    }
}

extension StreamBeginning {
    /// Its bytes as text if they are text.
    fileprivate var readable: String {
        let text = String(validating: bytes, as: UTF8.self)
        return text.map { Value.string($0).suiteText } ?? Value.bytes(bytes).suiteText
    }
}

extension SourcePosition {
    /// The text `file:line`.
    var short: String { "\(file):\(line)" }

    /// Returns `line 7` if it is in the same file as the step, else `file:line`.
    fileprivate func seen(from step: Step) -> String {
        file == step.position.file ? "line \(line)" : short
    }
}
