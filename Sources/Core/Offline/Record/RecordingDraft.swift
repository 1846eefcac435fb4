import Results
import SuiteLanguage
import Trace
import Wire

/// The two files of a recording as text.
struct RecordingDraft {
    /// The suite.
    let suite: RecordedSuiteText
    /// The catalogue.
    let catalogue: String

    private static let tolerance = "100ms 10%"
    /// The longest closing window that is written.
    private static let quietMax: Duration = .milliseconds(200)

    init(_ plan: RecordingPlan, refused: Set<RecordedSteps.Refusal>) {
        let requirements = Requirements(plan)
        var steps = RecordedSteps(plan, refused: refused)
        var preamble = steps.lines(plan.parts.preamble) { _ in nil }
        let own = steps.slots.count
        var body = steps.lines(plan.parts.body) { requirements.id(of: $0) }
        preamble = steps.withSaves(preamble, from: 0)
        body = steps.withSaves(body, from: own)
        let usual = Self.usualWindow(preamble + body)
        var text = RecordedSuiteText()
        Self.head(plan, usual: usual).forEach { text.add($0) }
        text.add("cases:")
        text.add("  - id: recorded")
        text.add("    title: \(Value.string("What was recorded, \(plan.name)").suiteText)")
        text.add("    checks: [\(requirements.whole)]")
        text.add("    tags: [recorded]")
        if !preamble.isEmpty {
            text.add("    preamble:")
            text.add(preamble, slots: steps.slots[..<own], usual: usual)
        }
        text.add("    steps:")
        text.add(body, slots: steps.slots[own...], usual: usual)
        suite = text
        catalogue = requirements.text
    }

    // MARK: the suite's head

    private static func head(_ plan: RecordingPlan, usual: Duration) -> [String] {
        let sources = plan.sources
        let role = plan.peers.first?.recordedRole ?? "device"
        let ownRole =
            plan.known.protocols.deviceRoles.contains(role)
            ? [] : ["roles: {\(role): {text: The device of the recording.}}"]
        let protocols = plan.protocolPaths.map { Value.string($0).suiteText }
        let undecoded = plan.traces.flatMap(\.undecoded)
        let ignored = Set(plan.sequence.keepAlives.map(\.message) + undecoded).sorted()
        return [
            "# Recorded by conform \(ConformVersion.current) from \(sources).",
            "# What was the same in every capture is demanded; identifiers and times are not.",
            "# Replace the requirements by those of the specification that the case is to judge.",
            "conform: 1",
            "suite: \(Value.string(plan.name).suiteText)",
            "title: \(Value.string("Recorded from \(sources)").suiteText)",
            "requirements: [\(Value.string("requirements/\(plan.name).yaml").suiteText)]",
            "device: {role: \(role)}",
        ] + ownRole
            + (protocols.isEmpty
                ? [] : ["protocols: [\(protocols.joined(separator: ", "))]"])
            + ["peers:"]
            + (plan.peers.contains(where: \.isOnAir)
                ? ["  \(air(plan)): {is: bluetooth.controller}"] : [])
            + plan.peers.map { "  \(Value.string($0.name).suiteText): \(declaration($0, plan))" }
            + [
                "defaults: {within: \(usual.suiteText), tolerance: \(tolerance), unexpected: fail, "
                    + "quiet: \(quiet(plan).suiteText), timeout: \(timeout(plan).suiteText)}"
            ] + (ignored.isEmpty ? [] : ["ignore: [\(ignored.joined(separator: ", "))]"])
    }

    /// Returns the name of the controller on whose air other peers are.
    private static func air(_ plan: RecordingPlan) -> String {
        RecordedParties.air(besides: plan.peers)
    }

    /// Returns a peer with the port and the settings that its messages show.
    private static func declaration(_ peer: GoldenTrace.Peer, _ plan: RecordingPlan) -> String {
        var entries = ["is: \(peer.kind)"]
        let kind = peer.kind
        if let speaks = peer.speaks { entries.append("speaks: \(speaks)") }
        if let stream = peer.stream { entries.append("stream: \(stream)") }
        let family = plan.known.own.first { $0.name == peer.speaks }
        let ports = kind.usesDatagrams ? family?.datagramPorts : family?.streamPorts
        if peer.isOnAir {
            entries.append("air: \(air(plan))")
            entries.append("address: \(Value.string(peer.address).suiteText)")
        } else if peer.port != ports?.first ?? kind.defaultPort {
            entries.append("port: \(peer.port)")
        }
        for setting in kind.settings {
            guard case .enumeration(_, let words, _) = setting.type,
                let word = shown(setting.path, by: peer.name, in: plan.traces), words.contains(word)
            else { continue }
            entries.append("\(setting.path): \(Value.string(word).suiteText)")
        }
        return "{\(entries.joined(separator: ", "))}"
    }

    /// Returns the first value of a setting in a peer's messages, if all captures agree.
    private static func shown(
        _ setting: String, by peer: String, in traces: [GoldenTrace]
    ) -> String? {
        let path = FieldPath(components: [.name("params"), .name(setting)])
        let words = traces.map { trace in
            trace.events.lazy.filter { $0.party == peer }.compactMap {
                $0.fields[path]?.stringValue
            }
            .first
        }
        guard Set(words).count == 1 else { return nil }
        return words.first ?? nil
    }

    /// Returns a closing window that every capture is long enough for.
    static func quiet(_ plan: RecordingPlan) -> Duration {
        let tails = plan.traces.enumerated().map { number, trace -> Duration in
            let last = plan.sequence.slots.compactMap { $0.events[number]?.time }.max()
            return trace.end - (last ?? trace.start)
        }
        let shortest = max(.zero, min(tails.min() ?? .zero, quietMax))
        return .milliseconds(shortest.wholeNanoseconds / 1_000_000)
    }

    /// Returns twice the longest capture, rounded up to whole minutes.
    private static func timeout(_ plan: RecordingPlan) -> Duration {
        let longest = plan.traces.map { $0.end - $0.start }.max() ?? .zero
        let seconds = (longest * 2).wholeNanoseconds / 1_000_000_000
        return .seconds((seconds / 60 + 1) * 60)
    }

    /// Returns the window that most steps have.
    private static func usualWindow(_ lines: [RecordedLine]) -> Duration {
        let steps = lines.flatMap { line -> [RecordedStep] in
            switch line {
            case .plain(let step): [step]
            case .optional(let steps): steps
            case .anyOrder(let lists): lists.flatMap(\.self)
            }
        }
        let counts = Dictionary(grouping: steps, by: \.within).mapValues(\.count)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? .seconds(5)
    }
}

/// The placeholder requirements of a recording.
private struct Requirements {
    /// The requirement that the case judges as a whole.
    let whole: String
    private let name: String
    private let sources: String
    private let messages: [String]

    init(_ plan: RecordingPlan) {
        name = plan.name
        whole = "RECORDED-\(plan.name)-0"
        sources = plan.sources
        messages = plan.sequence.items(plan.parts.body).flatMap { item -> [Int] in
            switch item {
            case .always(let slot): [slot]
            case .optional(let slots): slots
            case .anyOrder(let lists): lists.flatMap(\.self)
            }
        }.map { plan.sequence.slots[$0].key }.filter { $0.party == Step.device }
            .map(\.message).reduce(into: []) { unique, message in
                if !unique.contains(message) { unique.append(message) }
            }
    }

    func id(of message: String) -> String? {
        messages.firstIndex(of: message).map { "RECORDED-\(name)-\($0 + 1)" }
    }

    /// The catalogue.
    var text: String {
        let source = Value.string("Recorded from \(sources)").suiteText
        let head = [
            "# Placeholders: each says what was recorded, none what is required. Replace them by",
            "# sentences of the specification, and the names where the suite uses them.",
            "conform-requirements: 1",
            "document: \(Value.string("Recording \(name)").suiteText)",
            "source: \(source)",
            "requirements:",
        ]
        let first = entry(
            whole, "The device sends what it sent when this was recorded, in that order.",
            "The whole sequence.")
        let rest = messages.flatMap { message in
            entry(
                id(of: message) ?? whole,
                "The device sends \(message) as it did when this was recorded.",
                "\(message) with the fields that every capture had.")
        }
        return (head + first + rest).joined(separator: "\n") + "\n"
    }

    private func entry(_ id: String, _ text: String, _ wire: String) -> [String] {
        [
            "  \(Value.string(id).suiteText):", "    section: a recording",
            "    text: \(Value.string("Placeholder from a recording: \(text)").suiteText)",
            "    wire: \(Value.string(wire).suiteText)",
        ]
    }
}
