import SuiteLanguage
import Trace
import Wire

/// The text of a message in reports: its name and the fields that a reader wants to see.
struct MessageText: Sendable {
    /// The length of a message's text in characters beyond which further fields are left out.
    static let lengthMax = 200
    /// The length of one value's text in characters.
    static let valueLengthMax = 60
    /// How many ranges of frames are listed.
    private static let rangesMax = 8
    /// Members of a message that have no meaning of their own: the headers of lower layers.
    private static let headers: Set<String> = ["ip", "tcp", "sdl", "rpc"]

    /// Returns name and fields, such as `sdl.ChangeRegistration.request {params.language: EN-US}`.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fields: Fields that are shown before all others, if the message has them.
    static func text(of message: TraceMessage, showing fields: [FieldPath] = []) -> String {
        var shown: [(name: String, value: Value)] = []
        for path in fields {
            guard let value = message.content.value(at: path) else { continue }
            shown.append((path.description, value))
        }
        for member in significant(message.content.fields)
        where !shown.contains(where: { $0.name == member.name }) {
            shown.append(member)
        }
        // The port shows which of several peers was called, or that none was.
        if message.name == "tcp.SYN", let port = message.destination?.port,
            !shown.contains(where: { $0.name == "tcp.dstport" })
        {
            shown.append(("tcp.dstport", .integer(Int64(port))))
        }
        var text = message.name
        for (index, member) in shown.enumerated() {
            let piece = "\(member.name): \(shortened(member.value))"
            text += index == 0 ? " {" : ", "
            guard text.count + piece.count <= lengthMax else { return text + "…}" }
            text += piece
        }
        return shown.isEmpty ? text : text + "}"
    }

    /// Returns a value in suite syntax, cut if it is too long.
    ///
    /// Only the shown part of many bytes is formatted.
    private static func shortened(_ value: Value) -> String {
        if case .bytes(let bytes) = value, bytes.count > valueLengthMax {
            return shortened(Value.bytes(Array(bytes.prefix(valueLengthMax))).suiteText)
        }
        return shortened(value.suiteText)
    }

    /// Returns `text`, cut with an ellipsis if it is too long for one value.
    static func shortened(_ text: String) -> String {
        text.count > valueLengthMax ? text.prefix(valueLengthMax) + "…" : text
    }

    /// Returns ` (frame 17)` or ` (frames 17, 18, 30-45)`, with the leading space; empty for an event.
    ///
    /// Further ranges than a reader can use are counted.
    static func suffix(frames: [Int]) -> String {
        guard !frames.isEmpty else { return "" }
        var ranges: [ClosedRange<Int>] = []
        for frame in Set(frames).sorted() {
            if let last = ranges.last, frame - last.upperBound == 1 {
                ranges[ranges.count - 1] = last.lowerBound...frame
            } else {
                ranges.append(frame...frame)
            }
        }
        let shown = ranges.prefix(rangesMax).map { range in
            range.count <= 2
                ? range.map(String.init).joined(separator: ", ")
                : "\(range.lowerBound)-\(range.upperBound)"
        }
        let more = ranges.dropFirst(rangesMax).reduce(0) { $0 + $1.count }
        let list = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return frames.count == 1 ? " (frame \(list))" : " (frames \(list))"
    }

    private static func significant(_ fields: Value) -> [(name: String, value: Value)] {
        (fields.objectValue ?? []).filter { !headers.contains($0.name) }.flatMap { member in
            guard let inner = member.value.objectValue else { return [(member.name, member.value)] }
            return inner.map { ("\(member.name).\($0.name)", $0.value) }
        }
    }
}
