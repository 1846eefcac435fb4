import Judge
import Results
import Wire

extension Evidence {
    /// How many lines at the beginning of a log are kept.
    private static let headCountMax = 500
    /// How many lines at the end of a log are kept.
    private static let tailCountMax = 500
    /// How many characters of a line are kept.
    private static let lengthMax = 500

    /// Adds the lines of a device's log, whose times count from the launch of the device.
    mutating func consume(log bytes: [UInt8]) {
        let launch = messages.first { $0.name == DeviceEvent.started }?.seconds ?? 0
        consume(bytes, launched: launch) { $0 }
    }

    /// Adds the lines of a companion's log, in streams that carry its name.
    mutating func consume(log bytes: [UInt8], of companion: CompanionLog) {
        consume(bytes, launched: companion.launched) { "\(companion.name) \($0)" }
    }

    private mutating func consume(
        _ bytes: [UInt8], launched launch: Double, stream: (String) -> String
    ) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let tail = max(Self.headCountMax, lines.count - Self.tailCountMax)
        let kept = Array(lines.prefix(Self.headCountMax)) + lines.dropFirst(tail)
        let own = kept.map { line in
            var line = LogLine(
                String(decoding: line, as: UTF8.self), launch: launch, limit: Self.lengthMax)
            line.stream = stream(line.stream)
            return line
        }
        omittedLogLines += lines.count - kept.count
        // Each log keeps its order. Among lines of several logs with the same time, the device's
        // come first.
        guard !log.isEmpty else { return log = own }
        log = (log + own).enumerated().sorted {
            ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
        }.map(\.element)
    }
}

extension LogLine {
    /// Reads `[seconds] stream: text`; any other line is all text.
    fileprivate init(_ line: String, launch: Double, limit: Int) {
        var (seconds, stream, text) = (launch, "", line[...])
        if line.hasPrefix("["), let end = line.firstIndex(of: "]"),
            let time = Double(line[line.index(after: line.startIndex)..<end]),
            let colon = line[end...].firstIndex(of: ":")
        {
            seconds += time
            stream = String(line[line.index(after: end)..<colon].drop { $0 == " " })
            text = line[line.index(after: colon)...].drop { $0 == " " }
        }
        let shown = text.count > limit ? "\(text.prefix(limit))…" : String(text)
        self.init(seconds: seconds, stream: stream, text: shown)
    }
}
