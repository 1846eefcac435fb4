import Wire

/// What the trace of a case showed, as far as a report draws it: expected beside actual, the
/// messages with their fields and bytes, and what the device printed, all on one axis of time.
///
/// It is bounded: of a long trace the beginning and the stretch around the case's end stay.
public struct Evidence: Sendable, Codable, Hashable {
    /// The moment that all times in it count from: the first message of the case.
    public var origin: Timestamp
    /// The first packet of the capture, from which Wireshark counts; `nil` where there is none.
    public var captureStart: Timestamp?
    /// Who takes part, the device first.
    public var parties: [String]
    /// Expected beside actual, in order.
    public var rows: [EvidenceRow]
    /// The messages of the trace, in order.
    public var messages: [EvidenceMessage]
    /// How many messages were left out.
    public var omittedMessages: Int
    /// What the device printed and what was done to it.
    public var log: [LogLine]
    /// How many lines of the log were left out.
    public var omittedLogLines: Int

    /// Makes evidence.
    public init(
        origin: Timestamp, parties: [String], rows: [EvidenceRow] = [],
        messages: [EvidenceMessage] = [], omittedMessages: Int = 0, log: [LogLine] = [],
        omittedLogLines: Int = 0
    ) {
        self.origin = origin
        self.parties = parties
        self.rows = rows
        self.messages = messages
        self.omittedMessages = omittedMessages
        self.log = log
        self.omittedLogLines = omittedLogLines
    }

    /// The first packet of the capture, in seconds from `origin`.
    public var captureStartSeconds: Double? {
        captureStart.map { TimeText.number($0 - origin) }
    }
}

/// One line of expected beside actual, by number.
public struct EvidenceRow: Sendable, Codable, Hashable {
    /// What the line shows.
    public var mark: AlignmentRow.Mark
    /// The step's number, counted from 1 over preamble and body; `nil` if none stands here.
    public var step: Int?
    /// The message's number in the trace; `nil` if none stands here.
    public var message: Int?

    /// Makes a row.
    public init(_ mark: AlignmentRow.Mark, step: Int? = nil, message: Int? = nil) {
        self.mark = mark
        self.step = step
        self.message = message
    }
}

/// One message of the trace with all that is known of it.
public struct EvidenceMessage: Sendable, Codable, Hashable {
    /// Its number in the trace, counted from 1.
    public var number: Int
    /// Its name, such as `sdl.StartService`.
    public var name: String
    /// Seconds from the evidence's origin.
    public var seconds: Double
    /// The party that sent it; `nil` for a stranger or an event.
    public var from: String?
    /// The party that received it; `nil` for a stranger or an event.
    public var to: String?
    /// The flow, as Wireshark counts it (`tcp.stream`); `nil` for an event.
    public var flow: Int?
    /// The frames that carried it.
    public var frames: [Int]
    /// Its fields, in the order of the wire, each with its full path.
    public var fields: [EvidenceField]
    /// What is wrong with it, a sentence each.
    public var anomalies: [String]
    /// Its first bytes in hexadecimal, two digits each.
    public var hex: String
    /// How many bytes it has.
    public var byteCount: Int

    /// Makes a message.
    public init(
        number: Int, name: String, seconds: Double, from: String? = nil, to: String? = nil,
        flow: Int? = nil, frames: [Int] = [], fields: [EvidenceField] = [],
        anomalies: [String] = [], hex: String = "", byteCount: Int = 0
    ) {
        self.number = number
        self.name = name
        self.seconds = seconds
        self.from = from
        self.to = to
        self.flow = flow
        self.frames = frames
        self.fields = fields
        self.anomalies = anomalies
        self.hex = hex
        self.byteCount = byteCount
    }
}

/// One field of a message.
public struct EvidenceField: Sendable, Codable, Hashable {
    /// Its path, such as `params.language`.
    public var name: String
    /// Its value in suite syntax, shortened if it is long.
    public var value: String
    /// Its first byte in the message, counted from 0; `nil` if it has no place of its own.
    public var offset: Int?
    /// How many bytes it has; `nil` if it has no place of its own.
    public var length: Int?

    /// Makes a field.
    public init(_ name: String, _ value: String, offset: Int? = nil, length: Int? = nil) {
        self.name = name
        self.value = value
        self.offset = offset
        self.length = length
    }
}

/// One line of the device's log.
public struct LogLine: Sendable, Codable, Hashable {
    /// Seconds from the evidence's origin, negative before it: when `conform` read it, a little after it was printed.
    public var seconds: Double
    /// `stdout`, `stderr`, or `conform` for what the harness did; after the name of a companion.
    public var stream: String
    /// The line.
    public var text: String

    /// Makes a line.
    public init(seconds: Double, stream: String, text: String) {
        self.seconds = seconds
        self.stream = stream
        self.text = text
    }
}
