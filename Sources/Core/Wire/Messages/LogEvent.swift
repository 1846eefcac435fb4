/// A line of a device's log, read as a message of a trace.
///
/// A log format determines which lines are messages, their names and their fields.
public struct LogEvent: DissectedMessage, Hashable {
    /// The name: `log.` and the word of the format, such as `log.attempt`.
    public let name: String
    /// The fields that the format extracted from the line.
    public let fields: Value
    /// The line.
    public let text: String

    /// Creates a message from a line.
    public init(name: String, fields: Value, text: String) {
        self.name = name
        self.fields = fields
        self.text = text
    }

    /// Always empty: there is no specification for a log.
    public var anomalies: [Anomaly] { [] }

    /// The line in UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// The prefix of the names of such messages.
    public static let prefix = "log."
}
