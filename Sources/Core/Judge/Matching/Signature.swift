import SuiteLanguage
import Trace
import Wire

/// The demands on a message: name, sender, receiver and fields, but not time.
struct Signature: Sendable {
    /// The name, or several names with `*` as the last component.
    let pattern: MessagePattern
    /// The party that sends it.
    let sender: String
    /// The party that receives it; `nil` for any.
    let receiver: String?

    /// How well a message fits.
    enum Fit: Sendable {
        case full
        /// The name and the parties are right, but these fields are not.
        case fieldsDiffer([Difference])
        /// The name is right, but the parties are different.
        case otherParties(Difference)
        case otherName
        /// A condition refers to something that has no value, for this reason.
        case unbound(String)
        /// A limit was reached while a condition was compared, as this sentence says.
        case undecided(String)
    }

    /// Creates the signature of the message that `step` waits for.
    init(_ name: String, of step: Step, conditions: [FieldCondition]) {
        pattern = MessagePattern(message: name, conditions: conditions, position: step.position)
        sender = step.from
        receiver = step.to
    }

    /// Creates the signature of any message of that name from that party.
    init(_ name: String, sender: String, position: SourcePosition) {
        pattern = MessagePattern(message: name, position: position)
        self.sender = sender
        receiver = nil
    }

    /// Returns this signature with further conditions.
    func adding(_ conditions: [FieldCondition]) -> Signature {
        Signature(self, conditions: pattern.conditions + conditions)
    }

    /// Returns this signature for messages of another name.
    func named(_ name: String) -> Signature {
        Signature(self, message: name, conditions: pattern.conditions)
    }

    private init(
        _ other: Signature, message: String? = nil, conditions: [FieldCondition]
    ) {
        var pattern = other.pattern
        pattern.conditions = conditions
        pattern.message = message ?? pattern.message
        self.pattern = pattern
        sender = other.sender
        receiver = other.receiver
    }

    /// Returns the content that the conditions examine; `nil` if the message has another name.
    private func content(of message: PlacedMessage) -> (any DissectedMessage)? {
        guard pattern.message != LostBytes.name else { return message.lostBytes }
        return pattern.covers(message.name) ? message.content : nil
    }

    /// Compares a message with this signature.
    func fit(of message: PlacedMessage, bindings: [String: Value]) -> Fit {
        guard let content = content(of: message) else { return .otherName }
        guard message.sender == sender else {
            return .otherParties(
                Difference(party: "from", expected: sender, actual: message.sender))
        }
        if let receiver, message.receiver != receiver {
            return .otherParties(
                Difference(party: "to", expected: receiver, actual: message.receiver))
        }
        switch pattern.conditions.comparison(with: content, bindings: bindings) {
        case .holds: return .full
        case .differs(let differences): return .fieldsDiffer(differences)
        case .unbound(let reason): return .unbound(reason)
        case .undecided(let reason): return .undecided(reason)
        }
    }
}

/// A message of the trace together with the parties at its ends.
struct PlacedMessage: Sendable {
    /// The message.
    let message: TraceMessage
    /// The party that sent it; the device for its own life cycle; `nil` for an unknown sender.
    private(set) var sender: String?
    /// The party that received it; `nil` for an unknown receiver or an event.
    private(set) var receiver: String?
    /// Whether the device itself wrote it into a log.
    private let isLogged: Bool

    /// Identifies the parties of `message`.
    init(_ message: TraceMessage, parties: Parties) {
        self.message = message
        let isEvent = message.source == nil && message.name.hasPrefix("device.")
        isLogged = message.content is LogEvent
        let named = isEvent ? message.content.field(DeviceEvent.devicePath)?.stringValue : nil
        let sender =
            isEvent || isLogged
            ? named ?? Step.device : parties.sender(of: message) ?? Self.silentPeer(message)
        self.sender = sender
        isFromDevice =
            isEvent || isLogged
            || sender != nil && message.source != nil && !parties.isFromPeer(message)
        receiver = parties.receiver(of: message)
        if let name = parties.scope { call(name) }
    }

    /// Returns it as it is in a part of the trace, where `device` is the device of that part.
    func seen(in key: ScopeKey) -> PlacedMessage {
        guard case .device(let name) = key else { return self }
        var result = self
        result.call(name)
        return result
    }

    /// Makes a device `device`.
    private mutating func call(_ name: String) {
        if sender == name { sender = Step.device }
        if receiver == name { receiver = Step.device }
    }

    /// Returns the peer whose silence the message explains; `nil` for any other message.
    private static func silentPeer(_ message: TraceMessage) -> String? {
        guard message.source == nil, message.name == DeviceEvent.silent else { return nil }
        return message.content.fields["peer"]?.stringValue
    }

    /// The side of a connection that sent it.
    var side: Configuration.StreamSide {
        Configuration.StreamSide(flow: message.flow, source: message.source)
    }
    /// Its name.
    var name: String { message.name }
    /// Its decoded content.
    var content: any DissectedMessage { message.content }
    /// When it was complete.
    var time: Timestamp { message.time }
    /// Whether a device sent it, or it is about one.
    let isFromDevice: Bool
    /// Whether it shows an action of a device, in the traffic or in its log.
    var showsDevice: Bool { isFromDevice && (message.source != nil || isLogged) }
    /// Whether the device is at one of its ends, or it is about the device.
    var concernsParties: Bool { sender != nil || receiver != nil }
    /// Whether it represents bytes that no decoder could decode.
    var isMalformed: Bool { name.standsForLostBytes }
    /// Those bytes, as a `lost` step sees them; `nil` if they decoded.
    var lostBytes: LostBytes? { LostBytes(content, at: message.streamRange) }
    /// Whether the sender ends a connection with it.
    var endsConnection: Bool { name == "tcp.FIN" || name == "tcp.RST" }
}

extension MessagePattern {
    /// Whether the pattern fits this message; conditions on variables without a value never hold.
    func means(_ message: PlacedMessage, bindings: [String: Value]) -> Bool {
        if case .holds? = comparison(with: message, bindings: bindings) { return true }
        return false
    }

    /// Returns why it is not decided whether the pattern fits this message; `nil` if it is.
    func undecided(_ message: PlacedMessage, bindings: [String: Value]) -> String? {
        guard isLimited else { return nil }
        if case .undecided(let why)? = comparison(with: message, bindings: bindings) { return why }
        return nil
    }

    /// Returns why a field that it names was not read; `nil` if all were.
    func unread(in message: PlacedMessage) -> String? {
        guard let unread = message.content.unread, covers(message.name),
            from.map({ $0 == message.sender }) ?? true,
            conditions.contains(where: { unread.hides($0.path) })
        else { return nil }
        return "\(unread.reason), in \(message.name)"
    }

    /// Whether comparing with it can reach a limit.
    var isLimited: Bool { conditions.contains(where: \.matcher.isLimited) }

    private func comparison(
        with message: PlacedMessage, bindings: [String: Value]
    ) -> Comparison? {
        guard covers(message.name), from.map({ $0 == message.sender }) ?? true else {
            return nil
        }
        return conditions.comparison(with: message.content, bindings: bindings)
    }
}
