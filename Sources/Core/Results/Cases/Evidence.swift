import Wire

/// The part of a case's trace that a report shows, with all times on one axis.
///
/// It contains expected and actual in rows, the messages with their fields and bytes, and the
/// device's output. Its size is limited: of a long trace, the beginning and the part around the
/// case's end are kept.
public struct Evidence: Sendable, Codable, Hashable {
    /// The moment from which all its times count: the first message of the case.
    public var origin: Timestamp
    /// The first packet of the capture, from which Wireshark counts; `nil` if there is none.
    public var captureStart: Timestamp?
    /// The parties, the device first.
    public var parties: [String]
    /// Expected next to actual, in order.
    public var rows: [EvidenceRow]
    /// The messages of the trace, in order.
    public var messages: [EvidenceMessage]
    /// How many messages were left out.
    public var omittedMessages: Int
    /// What the device printed, and what the harness did to it.
    public var log: [LogLine]
    /// How many lines of the log were left out.
    public var omittedLogLines: Int
    /// What the page of the case shows besides the trace; `nil` in results of an older version.
    public var notes: CaseNotes?

    /// Creates evidence.
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

/// One row of the table of expected and actual, by numbers.
public struct EvidenceRow: Sendable, Codable, Hashable {
    /// What the row shows.
    public var mark: AlignmentRow.Mark
    /// The step's number, counted from 1 over preamble and body; `nil` if the row has none.
    public var step: Int?
    /// The message's number in the trace; `nil` if the row has none.
    public var message: Int?

    /// Creates a row.
    public init(_ mark: AlignmentRow.Mark, step: Int? = nil, message: Int? = nil) {
        self.mark = mark
        self.step = step
        self.message = message
    }
}

/// One message of the trace with all information about it.
public struct EvidenceMessage: Sendable, Codable, Hashable {
    /// Its number in the trace, counted from 1.
    public var number: Int
    /// Its name, such as `sdl.StartService`.
    public var name: String
    /// Seconds from the evidence's origin.
    public var seconds: Double
    /// The party that sent it; `nil` for an unknown sender or an event.
    public var from: String?
    /// The party that received it; `nil` for an unknown receiver or an event.
    public var to: String?
    /// The flow, as Wireshark counts it (`tcp.stream`); `nil` for an event.
    public var flow: Int?
    /// The frames that carried it.
    public var frames: [Int]
    /// Its fields, in the order of the wire, each with its full path.
    public var fields: [EvidenceField]
    /// What is wrong with it, one sentence each.
    public var anomalies: [String]
    /// Its first bytes in hexadecimal, two digits each.
    public var hex: String
    /// How many bytes it has.
    public var byteCount: Int

    /// Creates a message.
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
    /// The offset of its first byte in the message, from 0; `nil` if it has no bytes of its own.
    public var offset: Int?
    /// How many bytes it has; `nil` if it has no bytes of its own.
    public var length: Int?

    /// Creates a field.
    public init(_ name: String, _ value: String, offset: Int? = nil, length: Int? = nil) {
        self.name = name
        self.value = value
        self.offset = offset
        self.length = length
    }
}

/// One line of the device's log.
public struct LogLine: Sendable, Codable, Hashable {
    /// Seconds since the evidence's origin, negative before it.
    ///
    /// The time is when `conform` read the line, shortly after it was printed.
    public var seconds: Double
    /// `stdout`, `stderr`, or `conform` for actions of the harness; prefixed by a companion's name.
    public var stream: String
    /// The line.
    public var text: String

    /// Creates a line.
    public init(seconds: Double, stream: String, text: String) {
        self.seconds = seconds
        self.stream = stream
        self.text = text
    }
}
