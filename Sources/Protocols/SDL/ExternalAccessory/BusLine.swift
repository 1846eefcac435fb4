import Wire

/// The accessory bus, version 1: its lines (Documentation/accessory-bus.md).
extension ExternalAccessory {
    /// The beginning of a line of the bus that opens a connection.
    static let busMark = "EA-BUS/"
    /// The version of the bus.
    static let busVersion = "1"

    /// The lines of the bus: their text and its meaning.
    public enum BusLine {
        /// The line that opens a control connection.
        public static let control = line("\(busMark)\(busVersion) control")

        /// Returns the line that opens a session connection.
        public static func session(accessory id: UInt32, protocolString: String) -> [UInt8] {
            line("\(busMark)\(busVersion) session \(id) \(protocolString)")
        }

        /// Returns the accessory's answer that opens a session.
        public static func opened(session id: UInt32) -> [UInt8] { line("opened \(id)") }

        /// Returns the accessory's answer that refuses a session; line feeds become blanks.
        public static func refused(_ reason: String) -> [UInt8] {
            line("refused \(String(reason.map { $0.isNewline ? " " : $0 }))")
        }

        /// Returns the line for an accessory that was connected before the control connection.
        public static func accessory(_ accessory: Accessory) -> [UInt8] {
            line(Value.object([.init("accessory", accessory.announcement)]).jsonText())
        }

        /// The line that ends the first list.
        public static let ready = line(Value.object([.init("ready", true)]).jsonText())

        /// Returns a connect notification.
        public static func connected(_ accessory: Accessory) -> [UInt8] {
            line(Value.object([.init("connected", accessory.announcement)]).jsonText())
        }

        /// Returns a disconnect notification.
        public static func disconnected(id: UInt32) -> [UInt8] {
            let gone: Value = ["id": .integer(Int64(id))]
            return line(Value.object([.init("disconnected", gone)]).jsonText())
        }

        private static func line(_ text: String) -> [UInt8] { Array(text.utf8) + [0x0A] }
    }
}

extension ExternalAccessory.BusLine {
    /// Reads the first line of a connection, without its line feed.
    ///
    /// - Throws: `.badText` for bytes that are not UTF-8, `.badValue` for another line.
    static func preface(
        _ bytes: ArraySlice<UInt8>
    ) throws(DecodeError) -> ExternalAccessory.Message.Content {
        let text = try text(bytes, "ea.preface")
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let mark = "\(ExternalAccessory.busMark)\(ExternalAccessory.busVersion)"
        guard words[0] == mark else {
            throw bad("ea.preface", "the line begins with \"\(words[0])\", expected \(mark)")
        }
        if words.dropFirst() == ["control"] { return .control }
        guard words.count == 4, words[1] == "session", !words[3].isEmpty else {
            throw bad(
                "ea.preface",
                "\"\(text)\" is neither \"\(mark) control\" nor "
                    + "\"\(mark) session ACCESSORY PROTOCOL\"")
        }
        guard let id = UInt32(decimal: words[2]) else {
            throw bad("ea.preface", "the accessory's id \"\(words[2])\" is not a number")
        }
        return .open(ExternalAccessory.Session(accessoryID: id, protocolString: words[3]))
    }

    /// Reads the accessory's answer to a session's first line.
    ///
    /// - Throws: `.badText` for bytes that are not UTF-8, `.badValue` for a line that is not an
    ///   answer.
    public static func answer(
        _ bytes: ArraySlice<UInt8>, to requested: ExternalAccessory.Session
    ) throws(DecodeError) -> ExternalAccessory.Message.Content {
        let text = try text(bytes, "ea.answer")
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        if words.count == 2, words[0] == "opened", let id = UInt32(decimal: words[1]) {
            var session = requested
            session.id = id
            return .opened(session)
        }
        if words.count == 2, words[0] == "refused" { return .refused(requested, reason: words[1]) }
        throw bad(
            "ea.answer", "\"\(text)\" is neither \"opened SESSION\" nor \"refused REASON\"")
    }

    /// Reads a line of a control connection.
    ///
    /// - Throws: `.badText` for a line that is not JSON, `.badValue` for one that is not an
    ///   announcement.
    public static func announcement(
        _ bytes: ArraySlice<UInt8>
    ) throws(DecodeError) -> ExternalAccessory.Message.Content {
        let value = try Value(json: try text(bytes, "ea.announcement"))
        guard let members = value.objectValue, members.count == 1, let member = members.first
        else {
            throw bad("ea.announcement", "expected an object with one member")
        }
        switch member.name {
        case "accessory": return .accessory(try ExternalAccessory.Accessory(member.value))
        case "connected": return .connected(try ExternalAccessory.Accessory(member.value))
        case "ready" where member.value == true: return .ready
        case "disconnected":
            return .disconnected(id: try ExternalAccessory.Accessory.id(in: member.value))
        default:
            throw bad(
                "ea.announcement",
                "\"\(member.name)\" is not one of accessory, ready: true, "
                    + "connected and disconnected")
        }
    }

    private static func text(
        _ bytes: ArraySlice<UInt8>, _ unit: String
    ) throws(DecodeError) -> String {
        if bytes.last == 0x0D { throw bad(unit, "the line ends with CR LF, expected LF alone") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DecodeError(.badText, in: unit, at: 0, "the line is not UTF-8")
        }
        return text
    }

    fileprivate static func bad(_ unit: String, _ detail: String) -> DecodeError {
        DecodeError(.badValue, in: unit, at: 0, detail)
    }
}

extension ExternalAccessory.Accessory {
    /// The accessory as announced on the bus.
    var announcement: Value {
        [
            "id": .integer(Int64(id)), "name": .string(name),
            "manufacturer": .string(manufacturer), "model": .string(model),
            "protocols": .array(protocols.map { .string($0) }),
        ]
    }

    /// Reads an accessory as announced on the bus; unknown members are skipped.
    ///
    /// - Throws: `.badValue` if a member is missing, or has another type.
    init(_ value: Value) throws(DecodeError) {
        let id = try Self.id(in: value)
        guard let name = value["name"]?.stringValue else {
            throw ExternalAccessory.BusLine.bad("ea.accessory.name", "expected a text")
        }
        guard let declared = value["protocols"]?.arrayValue else {
            throw ExternalAccessory.BusLine.bad("ea.accessory.protocols", "expected a list")
        }
        let protocols = declared.compactMap(\.stringValue)
        guard protocols.count == declared.count else {
            throw ExternalAccessory.BusLine.bad(
                "ea.accessory.protocols", "expected a list of texts")
        }
        self.init(
            id: id, name: name, manufacturer: value["manufacturer"]?.stringValue ?? "",
            model: value["model"]?.stringValue ?? "", protocols: protocols)
    }

    fileprivate static func id(in value: Value) throws(DecodeError) -> UInt32 {
        guard let id = value["id"]?.integerValue.flatMap({ UInt32(exactly: $0) }) else {
            throw ExternalAccessory.BusLine.bad(
                "ea.accessory.id", "expected an integer from 0 to \(UInt32.max)")
        }
        return id
    }
}

extension UInt32 {
    /// Reads decimal digits and nothing else.
    fileprivate init?(decimal text: String) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}
