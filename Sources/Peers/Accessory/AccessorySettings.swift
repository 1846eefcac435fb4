import ExternalAccessory
import Suites
import Wire

/// What a suite can set of the accessories; the defaults are those of one head unit in the shop.
struct AccessorySettings: Sendable {
    /// An accessory as a suite declares it.
    struct Declared: Sendable {
        /// What it says of itself; its id is known once it is connected.
        var accessory: ExternalAccessory.Accessory
        /// Whether it is connected when the device comes.
        var isConnected: Bool
    }

    /// What becomes of a session that the device asks for.
    enum Behaviour: String, Sendable, CaseIterable {
        /// It is opened.
        case accept
        /// It is refused.
        case refuse
        /// Nothing is answered.
        case silent
        /// It is opened, and ended at once.
        case drop
    }

    /// What the bytes of a session are carried by.
    enum Carrier: String, Sendable, CaseIterable {
        /// The accessory bus.
        case bus
        /// iAP2.
        case iap2
    }

    var carrier = Carrier.bus
    /// The accessories, in the order in which they are told.
    var accessories = [
        Declared(
            accessory: ExternalAccessory.Accessory(
                id: 0, name: "Head Unit", manufacturer: "conform", model: "head unit",
                protocols: Self.everyString),
            isConnected: true)
    ]
    /// The bytes that successive control sessions are sent, the last one for all later ones; none
    /// if it is empty; `nil` for the first dedicated string that the accessory declares.
    var hubIndices: [UInt8]?
    /// What becomes of successive sessions, by the kind of their string; the last goes on.
    var sessions: [AccessoryString: [Behaviour]] = [:]
    /// Whether bytes of sessions that are no SDL are sent back.
    var echoes = false
    /// The settings of the head unit behind the sessions.
    var headUnit: Value = .object([])

    private static let everyString =
        [ExternalAccessory.multisessionString, ExternalAccessory.controlString]
        + ExternalAccessory.dedicatedIndices.map { ExternalAccessory.dedicatedString($0) }
        + [ExternalAccessory.legacyString]
}

/// The kinds of protocol strings that the accessories treat apart.
enum AccessoryString: String, Sendable, CaseIterable {
    case all
    case multisession
    case control
    case dedicated
    case legacy
    case other

    /// The kind of a string.
    init(of string: String) {
        switch string {
        case ExternalAccessory.multisessionString: self = .multisession
        case ExternalAccessory.controlString: self = .control
        case ExternalAccessory.legacyString: self = .legacy
        default:
            let isDedicated = ExternalAccessory.dedicatedIndices.contains {
                ExternalAccessory.dedicatedString($0) == string
            }
            self = isDedicated ? .dedicated : .other
        }
    }
}

extension AccessorySettings {
    /// Replaces the settings that `values`, an object, names.
    mutating func apply(_ values: Value) throws(PeerError) {
        if values == .null { return }
        guard let members = values.objectValue else {
            throw PeerError(
                .badSetting, "the settings are of type \(values.typeName), expected an object")
        }
        for member in members { try apply(member) }
    }

    private mutating func apply(_ member: Value.Member) throws(PeerError) {
        let value = member.value
        switch member.name {
        case "carrier":
            carrier = try Self.word(value, "carrier")
        case "accessories":
            accessories = try Self.list(value, "accessories").map(Self.declared)
            try checkNames()
        case "hubIndex":
            hubIndices = try Self.list(value, "hubIndex").map { value throws(PeerError) in
                guard let index = value.integerValue.flatMap({ UInt8(exactly: $0) }) else {
                    throw Self.bad("hubIndex", "integers from 0 to 255")
                }
                return index
            }
        case "sessions":
            for kind in try Self.object(value, "sessions") {
                guard let string = AccessoryString(rawValue: kind.name) else {
                    throw PeerError(
                        .unknownSetting, "there is no kind of protocol string \"\(kind.name)\"",
                        advice: Suggestion.advice(
                            for: kind.name, in: AccessoryString.allCases.map(\.rawValue)))
                }
                sessions[string] = try Self.list(kind.value, "sessions.\(kind.name)").map {
                    value throws(PeerError) in
                    try Self.word(value, "sessions.\(kind.name)")
                }
            }
        case "headUnit":
            headUnit = headUnit.merging(.object(try Self.object(value, "headUnit")))
        case "echoes":
            guard case .bool(let isSet) = value else {
                throw Self.bad("echoes", "true or false")
            }
            echoes = isSet
        case "port":
            break
        default:
            let known = PeerKind.accessory.settings.map(\.path)
            throw PeerError(
                .unknownSetting, "an accessory has no setting \"\(member.name)\"",
                advice: Suggestion.advice(for: member.name, in: known))
        }
    }

    private static func declared(_ value: Value) throws(PeerError) -> Declared {
        let members = try object(value, "accessories")
        var accessory = ExternalAccessory.Accessory(id: 0, name: "", protocols: [])
        var isConnected = true
        for member in members {
            switch (member.name, member.value) {
            case ("name", .string(let name)): accessory.name = name
            case ("manufacturer", .string(let name)): accessory.manufacturer = name
            case ("model", .string(let name)): accessory.model = name
            case ("connected", .bool(let flag)): isConnected = flag
            case ("protocols", let strings):
                accessory.protocols = try list(strings, "protocols").map { text throws(PeerError) in
                    guard let text = text.stringValue, isWord(text) else {
                        throw bad("protocols", "texts without blanks")
                    }
                    return text
                }
            default:
                throw bad("accessories", "a name, protocols and whether they are connected")
            }
        }
        guard !accessory.name.isEmpty else { throw bad("accessories", "a name for each") }
        return Declared(accessory: accessory, isConnected: isConnected)
    }

    /// The bus tells a string on a line, between blanks.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    private func checkNames() throws(PeerError) {
        let names = accessories.map(\.accessory.name)
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            throw PeerError(
                .badSetting, "two accessories have the name \"\(name)\"",
                advice: "give each a name of its own; actions tell them apart by it")
        }
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ value: Value, _ setting: String
    ) throws(PeerError) -> Word where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        guard let text = value.stringValue else {
            throw bad(setting, words.joined(separator: ", "))
        }
        guard let word = Word(rawValue: text) else {
            throw PeerError(
                .badSetting, "\"\(text)\" is nothing that \(setting) can be",
                advice: Suggestion.advice(for: text, in: words))
        }
        return word
    }

    private static func list(_ value: Value, _ setting: String) throws(PeerError) -> [Value] {
        guard let elements = value.arrayValue else { throw bad(setting, "a list") }
        return elements
    }

    private static func object(
        _ value: Value, _ setting: String
    ) throws(PeerError) -> [Value.Member] {
        guard let members = value.objectValue else { throw bad(setting, "a mapping") }
        return members
    }

    private static func bad(_ setting: String, _ expected: String) -> PeerError {
        PeerError(
            .badSetting, "the setting \"\(setting)\" is of the wrong type or out of range",
            advice: "give \(expected)")
    }
}
