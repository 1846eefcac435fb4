import Wire

/// A report of an app on its profile connections (Documentation/profile-reports.md).
///
/// It is a line of the app's report connection.
public struct ProfileReport: Sendable, Hashable {
    /// The kinds of reports.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A carrier can be used.
        case available
        /// It can no longer be used.
        case unavailable
        /// There is an object for a device.
        case discovered
        /// An activation has begun.
        case activating
        case activated
        case activationFailed
        /// A deactivation is over.
        case deactivated
        /// An active object has become inactive, although nobody asked for that.
        case inactive
        /// Data arrived for an active object.
        case received
        /// Data of an active object were accepted for sending.
        case sent
        /// Data were not sent.
        case refused
    }

    /// The kind of report.
    public var kind: Kind
    /// The other members of the line, in their order.
    public var members: [Value.Member]

    /// Creates a report.
    public init(_ kind: Kind, _ members: KeyValuePairs<String, Value> = [:]) {
        self.kind = kind
        self.members = members.map { Value.Member($0.key, $0.value) }
    }

    /// The name of the member with the kind of report.
    static let mark = "profile"

    /// Reads a line without its line feed.
    ///
    /// - Throws: `.badText` for a line that is not JSON, `.badValue` for one that is not a report.
    public init(parsing line: RawSpan) throws(DecodeError) {
        guard let members = try Value(json: line).objectValue, let first = members.first,
            first.name == Self.mark, let word = first.value.stringValue
        else {
            throw DecodeError(
                .badValue, in: "profile.report", at: 0,
                "expected an object whose first member is \"\(Self.mark)\", a word")
        }
        guard let kind = Kind(rawValue: word) else {
            throw DecodeError(
                .badValue, in: "profile.report", at: 0,
                "\"\(word)\" is not one of "
                    + Kind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self.kind = kind
        self.members = Array(members.dropFirst())
        guard self.members.contains(where: isRequired) else {
            throw DecodeError(
                .badValue, in: "profile.report", at: 0, "\(word) has no \"\(required)\"")
        }
    }

    /// The name of the member that says what the report is about.
    private var required: String {
        switch kind {
        case .available, .unavailable: "carrier"
        default: "object"
        }
    }

    private func isRequired(_ member: Value.Member) -> Bool {
        guard member.name == required else { return false }
        switch member.value {
        case .string: return true
        case .integer: return required == "object"
        default: return false
        }
    }

    /// The line, with its line feed.
    public var line: [UInt8] {
        let all = [Value.Member(Self.mark, .string(kind.rawValue))] + members
        return Array(Value.object(all).jsonText().utf8) + [0x0A]
    }

    /// The members as fields: addresses as elsewhere in a trace, objects as text, data as bytes.
    var fields: [Value.Member] {
        members.map { member in
            switch (member.name, member.value) {
            case ("address", .string(let text)):
                Value.Member(
                    member.name, .string(BluetoothNode(address: text)?.description ?? text))
            case ("object", .integer(let number)):
                Value.Member(member.name, .string(String(number)))
            case ("data", .string(let text)): Value.Member("data", .bytes(Array(text.utf8)))
            case ("hex", .string(let text)):
                if let bytes = [UInt8](hexDigits: text) {
                    Value.Member("data", .bytes(bytes))
                } else {
                    member
                }
            default: member
            }
        }
    }
}

/// A report in a trace.
public struct ProfileMessage: DissectedMessage, Hashable {
    /// The kind and content of a message.
    public enum Content: Sendable, Hashable {
        case report(ProfileReport)
        case malformed(String)
    }

    /// What the message contains.
    public let content: Content
    /// The line.
    public let bytes: [UInt8]

    /// `profile.` and the kind of report.
    public var name: String {
        switch content {
        case .report(let report): "profile.\(report.kind.rawValue)"
        case .malformed: "profile.malformed"
        }
    }

    /// The members of the report.
    public var fields: Value {
        switch content {
        case .report(let report): ["profile": .object(report.fields)]
        case .malformed(let what): ["error": .string(what)]
        }
    }

    /// The violation in a malformed line.
    public var anomalies: [Anomaly] {
        guard case .malformed(let what) = content else { return [] }
        return [Anomaly(.violation, what, specification: "conform profile reports")]
    }
}

// MARK: - Stream

extension ProfileReport {
    /// The report connection, recognised by the beginning of its first line.
    public static let streamProtocol = StreamProtocol(
        name: "profile", recognises: { recognises($0) }, makeDecoder: { StreamDecoder() })

    static func recognises(_ bytes: RawSpan) -> Bool? {
        var rest = [UInt8](copying: bytes.extracting(first: openingMax))[...]
        for token in opening {
            guard token.starts(with: rest.prefix(token.count)) else { return false }
            guard rest.count >= token.count else {
                return bytes.byteCount < openingMax ? nil : false
            }
            rest = rest.dropFirst(token.count).drop { [0x20, 0x09, 0x0D].contains($0) }
        }
        return true
    }

    /// The first tokens of a line; blanks may be between them.
    private static let opening = ["{", "\"\(mark)\"", ":"].map { Array($0.utf8) }
    private static let openingMax = 256

    /// The largest length of a line in bytes.
    static let lineMax = 1 << 16

    /// A decoder that finds the lines of a direction.
    struct StreamDecoder: Wire.StreamDecoder {
        private var pending: [UInt8] = []
        /// The offset of the first pending byte.
        private(set) var oldestPendingOffset: UInt64 = 0
        /// Whether the beginning of the current line is missing.
        private var isCut = false

        mutating func consume(
            _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
        ) {
            if pending.isEmpty { oldestPendingOffset = offset }
            bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
            var start = 0
            while let end = pending[start...].firstIndex(of: 0x0A) {
                consume(Array(pending[start..<end]), size: end + 1 - start, into: &messages)
                start = end + 1
            }
            pending.removeFirst(start)
            if pending.count > ProfileReport.lineMax {
                if !isCut { report(Self.tooLong, into: &messages) }
                oldestPendingOffset += UInt64(pending.count)
                pending = []
                isCut = true
            }
        }

        mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
            pending = []
            oldestPendingOffset = offset
            isCut = true
        }

        mutating func finish(into messages: inout [StreamMessage]) {
            if !pending.isEmpty, !isCut {
                report("the stream ends within a line", into: &messages)
            }
        }

        private mutating func consume(
            _ line: [UInt8], size: Int, into messages: inout [StreamMessage]
        ) {
            let range = oldestPendingOffset..<oldestPendingOffset + UInt64(size)
            oldestPendingOffset = range.upperBound
            guard !isCut else {
                isCut = false
                return
            }
            let content: ProfileMessage.Content
            if line.count > ProfileReport.lineMax {
                content = .malformed(Self.tooLong)
            } else if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
                return
            } else {
                do throws(DecodeError) {
                    content = .report(try ProfileReport(parsing: line.span.bytes))
                } catch {
                    content = .malformed("\(error)")
                }
            }
            let sample =
                line.count > ProfileReport.lineMax
                ? Array(line.prefix(BluetoothLimits.malformedSample)) : line
            messages.append(
                StreamMessage(
                    content: ProfileMessage(content: content, bytes: sample), ranges: [range]))
        }

        private static let tooLong = "a line of more than \(ProfileReport.lineMax) bytes"

        private mutating func report(_ what: String, into messages: inout [StreamMessage]) {
            let sample = Array(pending.prefix(BluetoothLimits.malformedSample))
            let range = oldestPendingOffset..<oldestPendingOffset + UInt64(pending.count)
            messages.append(
                StreamMessage(
                    content: ProfileMessage(content: .malformed(what), bytes: sample),
                    ranges: [range]))
            oldestPendingOffset = range.upperBound
            pending = []
        }
    }
}
