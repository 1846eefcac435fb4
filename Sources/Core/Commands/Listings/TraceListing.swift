import Reporting
import Trace
import Wire

/// The messages of a trace, one line each: for people, or as JSON Lines.
public struct TraceListing: Sendable {
    /// The format of a line.
    public enum Format: String, Sendable, CaseIterable {
        /// Number, seconds from the first message, frames, direction, name and fields.
        case text
        /// The same, with each field on a line of its own.
        case indented
        /// One JSON object with the same contents.
        case json
    }

    let format: Format
    /// The only fields that are shown; `nil` for whole messages.
    let columns: [TraceField]?
    /// The columns whose values are integers, by the same index.
    let columnNumbers: [ScreenedField.Number?]
    /// The paths of the columns as JSON member names, including the colon.
    let columnNames: [[UInt8]]
    private let style: Style
    private var origin: Timestamp?

    /// Creates a listing.
    ///
    /// - Parameters:
    ///   - format: The format of a line.
    ///   - columns: The only fields to show, separated by tabs in text; `nil` for whole messages.
    ///   - style: Whether to use colours.
    public init(format: Format, columns: [TraceField]? = nil, style: Style) {
        self.format = format
        self.columns = columns
        columnNumbers = self.columns?.map(\.number) ?? []
        columnNames = (columns ?? []).map {
            Array((Value.string($0.path.description).jsonText() + ":").utf8)
        }
        self.style = style
    }

    /// Appends the line of the next message, including its end.
    public mutating func append(_ message: TraceMessage, to bytes: inout [UInt8]) {
        let start = origin ?? message.time
        origin = start
        if let columns {
            append(columns.map { $0.shownValues(of: message) }, to: &bytes)
        } else {
            let line =
                switch format {
                case .text, .indented: text(message, since: start)
                case .json: Self.object(message, since: start).jsonText()
                }
            bytes += line.utf8
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns a summary of everything else: packets and bytes, and what is not a message.
    public func summary(of statistics: TraceStatistics, path: String) -> [String] {
        switch format {
        case .text, .indented: textSummary(of: statistics, path: path)
        case .json: [Self.object(statistics, path: path).jsonText()]
        }
    }

    private func text(_ message: TraceMessage, since start: Timestamp) -> String {
        let frames = message.frames.map(String.init).joined(separator: ",")
        let direction = [message.source, message.destination]
            .map { $0?.description ?? "-" }.joined(separator: " > ")
        let anomalies = message.content.anomalies.map {
            "\n        "
                + style.paint(
                    "\($0.severity.rawValue): \($0.text) (\($0.specification))",
                    $0.severity == .violation ? .red : .yellow)
        }
        var line = [
            Self.right(String(message.number), 5),
            Self.right(Self.microseconds(message.time - start), 11),
            "#\(frames)", direction, style.paint(message.name, ink(of: message)),
        ].joined(separator: "  ")
        switch format {
        case .indented:
            line += Self.indented(message.content.fields, by: 8)
        case .text, .json:
            line += "  " + style.paint(message.content.fields.suiteText, .faint)
        }
        return line + anomalies.joined()
    }

    /// Returns the colour of a message; transport events are less prominent than other messages.
    private func ink(of message: TraceMessage) -> Style.Colour {
        ["tcp", "udp"].contains(message.content.protocolName) ? .blue : .bold
    }

    /// Returns the members of an object, and of nested objects, each on a line of its own.
    private static func indented(_ value: Value, by depth: Int) -> String {
        let margin = "\n" + Columns.blanks(depth)
        switch value {
        case .object(let members) where !members.isEmpty:
            return members.map { member in
                margin + Value.string(member.name).suiteText + ":"
                    + indented(member.value, by: depth + 2)
            }.joined()
        case .array(let elements) where elements.contains { $0.objectValue != nil }:
            return elements.map { margin + "-" + indented($0, by: depth + 2) }.joined()
        default:
            return " " + value.suiteText
        }
    }

    private static func right(_ text: String, _ width: Int) -> String {
        Columns.blanks(width - text.count) + text
    }

    /// Returns seconds with six decimals.
    private static func microseconds(_ duration: Duration) -> String {
        let count = duration.wholeNanoseconds / 1000
        let digits = String(abs(count) % 1_000_000)
        return (count < 0 ? "-" : "") + "\(abs(count) / 1_000_000)."
            + String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func object(_ message: TraceMessage, since start: Timestamp) -> Value {
        var members: [Value.Member] = [
            .init("number", .integer(Int64(message.number))),
            .init("time", .integer(message.time.nanoseconds)),
            .init("seconds", .double((message.time - start) / .seconds(1))),
            .init("frames", .array(message.frames.map { .integer(Int64($0)) })),
            .init("name", .string(message.name)),
        ]
        if let source = message.source {
            members.append(.init("source", .string(source.description)))
        }
        if let destination = message.destination {
            members.append(.init("destination", .string(destination.description)))
        }
        if let flow = message.flow { members.append(.init("flow", .integer(Int64(flow)))) }
        members.append(.init("fields", message.content.fields))
        if !message.content.anomalies.isEmpty {
            members.append(
                .init(
                    "anomalies",
                    .array(
                        message.content.anomalies.map {
                            [
                                ("severity", .string($0.severity.rawValue)),
                                ("text", .string($0.text)),
                                ("specification", .string($0.specification)),
                            ].asObject
                        })))
        }
        return .object(members)
    }

    private func textSummary(of statistics: TraceStatistics, path: String) -> [String] {
        var lines = [
            "\(path): \(NumberText.count(statistics.packets, "packet")), "
                + "\(NumberText.count(statistics.bytes, "byte")), "
                + "\(Self.connections(of: statistics)), "
                + NumberText.count(statistics.streamBytes, "stream byte")
        ]
        let faults = [
            ("retransmitted segments", statistics.retransmissions),
            ("segments out of order", statistics.outOfOrder),
            ("overlapping segments", statistics.overlaps),
            (
                "segments repeated with other bytes (the first is frame "
                    + "\(statistics.firstConflict ?? 0))", statistics.conflicts
            ),
            ("urgent bytes taken out of streams", statistics.urgentBytes),
            ("packets without a time", statistics.untimedPackets),
            ("datagrams captured more than once", statistics.copiedDatagrams),
            ("gaps", statistics.gaps), ("bytes lost in gaps", statistics.gapBytes),
            ("truncated packets", statistics.truncatedPackets),
            ("stream bytes of no known protocol", statistics.undecodedBytes),
            ("UDP flows forgotten at the limit (--limit flows=N)", statistics.evictedDatagramFlows),
            ("connections given up at the limit (--limit flows=N)", statistics.evictedFlows),
        ].filter { $0.1 > 0 }
        lines += faults.map { "    \($0.1) \($0.0)" }
        lines += statistics.ignored.sorted { $0.key < $1.key }.map {
            "    \($0.value) packets not dissected: \($0.key)"
        }
        return lines
    }

    /// Returns the counts of what was followed, by kind.
    ///
    /// If there are no TCP connections, they are not listed with Bluetooth channels.
    private static func connections(of statistics: TraceStatistics) -> String {
        let connections = statistics.flows - statistics.channels
        let channels = NumberText.count(statistics.channels, "Bluetooth channel")
        if statistics.hosts > 0, connections == 0, statistics.datagrams == 0 { return channels }
        var parts = [NumberText.count(connections, "TCP connection")]
        if statistics.datagrams > 0 {
            parts.append(
                NumberText.count(statistics.datagrams, "UDP datagram") + " in "
                    + NumberText.count(statistics.datagramFlows, "flow"))
        }
        if statistics.hosts > 0 { parts.append(channels) }
        return parts.joined(separator: ", ")
    }

    private static func object(_ statistics: TraceStatistics, path: String) -> Value {
        [
            ("capture", .string(path)), ("packets", .integer(Int64(statistics.packets))),
            ("bytes", .integer(Int64(statistics.bytes))),
            ("flows", .integer(Int64(statistics.flows))),
            ("datagrams", .integer(Int64(statistics.datagrams))),
            ("datagramFlows", .integer(Int64(statistics.datagramFlows))),
            ("streamBytes", .integer(Int64(statistics.streamBytes))),
            ("undecodedBytes", .integer(Int64(statistics.undecodedBytes))),
            ("gaps", .integer(Int64(statistics.gaps))),
            (
                "ignored",
                .object(
                    statistics.ignored.sorted { $0.key < $1.key }.map {
                        .init($0.key, .integer(Int64($0.value)))
                    })
            ),
        ].asObject
    }
}

extension [(String, Value)] {
    /// The pairs as an object.
    fileprivate var asObject: Value { .object(map { Value.Member($0.0, $0.1) }) }
}
