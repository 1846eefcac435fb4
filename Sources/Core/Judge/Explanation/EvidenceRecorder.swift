import Results
import SuiteLanguage
import Trace
import Wire

/// Keeps the messages of a trace that a report shows, in bounded memory.
///
/// It keeps the first messages, the last ones before the case was over, and a few after that.
public struct EvidenceRecorder: Sendable {
    /// How many messages at the beginning are kept.
    static let headCountMax = 120
    /// How many messages before the end of the case are kept.
    static let tailCountMax = 80
    /// How many messages after the end of the case are kept.
    static let aftermathCountMax = 10

    private let start: Timestamp
    private var head: [TraceMessage] = []
    private var tail: [TraceMessage] = []
    private var aftermathCount = 0
    private var seenCount = 0

    /// Creates an empty recorder; `start` is when the case began.
    public init(start: Timestamp) {
        self.start = start
    }

    /// Records a message.
    ///
    /// - Parameters:
    ///   - message: The next message of the trace.
    ///   - isOver: Whether the case was over before it.
    public mutating func see(_ message: TraceMessage, isOver: Bool) {
        guard message.name != DeviceEvent.stalled else { return }
        if replacesBeginning(message) { return }
        seenCount += 1
        if isOver {
            guard aftermathCount < Self.aftermathCountMax else { return }
            aftermathCount += 1
        }
        guard head.count >= Self.headCountMax else { return head.append(message) }
        tail.append(message)
        if !isOver, tail.count >= 2 * Self.tailCountMax {
            tail.removeFirst(tail.count - Self.tailCountMax)
        }
    }

    /// Replaces the first bytes of a message by more of them or by the whole message.
    ///
    /// Returns whether it did.
    private mutating func replacesBeginning(_ message: TraceMessage) -> Bool {
        guard let last = tail.last ?? head.last, let begun = last.content as? StreamBeginning,
            last.flow == message.flow, last.source == message.source,
            begun.isBare || message.content is StreamBeginning || message.content is StreamUnit
        else { return false }
        if tail.isEmpty { head[head.count - 1] = message } else { tail[tail.count - 1] = message }
        return true
    }

    /// Returns what a report shows of a judged case.
    ///
    /// - Parameters:
    ///   - judgement: The judgement of the case.
    ///   - parties: The parties of the trace.
    ///   - descriptions: The descriptions made for other cases of the same trace.
    func evidence(
        of judgement: Judgement, parties: Parties, _ descriptions: inout MessageDescriptions
    ) -> Evidence {
        let kept = head + tail.suffix(Self.tailCountMax + aftermathCount)
        let origin = kept.first?.time ?? start
        descriptions.prepare(parties: parties, origin: origin)
        let compared = judgement.verdict == .pass ? [] : Set(judgement.rows.compactMap(\.message))
        let shown = kept.map { message in
            descriptions.description(
                of: message, compared.contains(message.number) ? .full : .brief)
        }
        let numbers = Set(shown.map(\.number))
        return Evidence(
            origin: origin, parties: [Step.device] + parties.peerNames.sorted(),
            rows: judgement.rows.filter { $0.message.map(numbers.contains) ?? true },
            messages: shown, omittedMessages: seenCount - kept.count)
    }
}

/// Descriptions of a trace's messages, each made once for all cases judged on the trace.
struct MessageDescriptions {
    private struct Key: Hashable {
        let number: Int
        let detail: EvidenceMessage.Detail
    }

    private var parties = Parties(peers: [:])
    private var origin = Timestamp(nanoseconds: 0)
    private var known: [Key: EvidenceMessage] = [:]

    /// Sets the parties and the origin of times; descriptions with other ones are discarded.
    mutating func prepare(parties: Parties, origin: Timestamp) {
        guard parties != self.parties || origin != self.origin else { return }
        (self.parties, self.origin) = (parties, origin)
        known = [:]
    }

    /// Returns what a report shows of a message.
    mutating func description(
        of message: TraceMessage, _ detail: EvidenceMessage.Detail
    ) -> EvidenceMessage {
        let key = Key(number: message.number, detail: detail)
        if let known = known[key] { return known }
        let described = EvidenceMessage(message, parties: parties, origin: origin, detail: detail)
        known[key] = described
        return described
    }
}

extension EvidenceMessage {
    /// The limits of what is shown of a message.
    struct Detail: Sendable, Hashable {
        /// The number of its first bytes.
        let byteCountMax: Int
        /// The number of its fields.
        let fieldCountMax: Int

        /// A message that a failed case was compared with.
        static let full = Detail(byteCountMax: 512, fieldCountMax: 64)
        /// Any other message: the capture contains the rest.
        static let brief = Detail(byteCountMax: 96, fieldCountMax: 24)
    }

    /// The number of characters of a field's value that are shown.
    static let valueLengthMax = 240

    init(_ message: TraceMessage, parties: Parties, origin: Timestamp, detail: Detail) {
        let placed = PlacedMessage(message, parties: parties)
        let bytes = message.content.bytes
        var fields: [EvidenceField] = []
        Self.flatten(message.content.fields, path: "", limit: detail.fieldCountMax, into: &fields)
        self.init(
            number: message.number, name: message.name,
            seconds: TimeText.number(message.time - origin), from: placed.sender,
            to: placed.receiver, flow: message.flow, frames: message.frames, fields: fields,
            anomalies: message.content.anomalies.map {
                "\($0.severity.rawValue): \($0.text) (\($0.specification))"
            },
            hex: Array(bytes.prefix(detail.byteCountMax)).hexText, byteCount: bytes.count)
        let places = message.content.fieldPlaces
        for index in self.fields.indices {
            guard let place = places[self.fields[index].name] else { continue }
            self.fields[index].offset = place.lowerBound
            self.fields[index].length = place.count
        }
    }

    private static func flatten(
        _ value: Value, path: String, limit: Int, into fields: inout [EvidenceField]
    ) {
        guard fields.count < limit else { return }
        switch value {
        case .object(let members) where !members.isEmpty:
            for member in members {
                let name = path.isEmpty ? member.name : "\(path).\(member.name)"
                flatten(member.value, path: name, limit: limit, into: &fields)
            }
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                flatten(element, path: "\(path)[\(index)]", limit: limit, into: &fields)
            }
        case .object where path.isEmpty: break
        default: fields.append(EvidenceField(path, shortened(value)))
        }
    }

    private static func shortened(_ value: Value) -> String {
        if case .bytes(let bytes) = value, bytes.count > valueLengthMax / 2 {
            let front = Array(bytes.prefix(valueLengthMax / 2)).hexText
            return "{hex: \(front)…} (\(bytes.count) bytes)"
        }
        let text = value.suiteText
        return text.count > valueLengthMax
            ? "\(text.prefix(valueLengthMax))… (\(text.count) characters)" : text
    }
}
