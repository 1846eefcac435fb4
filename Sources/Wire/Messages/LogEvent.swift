/// A line of a device's log, read as a message of a trace.
///
/// Which lines are messages, how they are named and which fields they have, a log format says.
public struct LogEvent: DissectedMessage, Hashable {
    /// The name: `log.` and the word of the format, such as `log.attempt`.
    public let name: String
    /// What the format took from the line.
    public let fields: Value
    /// The line.
    public let text: String

    /// Makes a message of a line.
    public init(name: String, fields: Value, text: String) {
        self.name = name
        self.fields = fields
        self.text = text
    }

    /// Always empty: a log has no specification to keep.
    public var anomalies: [Anomaly] { [] }

    /// The line in UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// What the names of such messages start with.
    public static let prefix = "log."
}
