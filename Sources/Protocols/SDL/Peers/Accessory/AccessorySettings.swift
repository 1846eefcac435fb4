import ExternalAccessory
import PeerKit
import SuiteLanguage
import Wire

/// The settings of the accessories; the defaults are those of one head unit as it is sold.
struct AccessorySettings: Sendable {
    /// An accessory as a suite declares it.
    struct Declared: Sendable {
        /// The accessory's description of itself; its id is known once it is connected.
        var accessory: ExternalAccessory.Accessory
        /// Whether it is connected when the device connects.
        var isConnected: Bool
    }

    /// The answer to a session that the device requests.
    enum Behaviour: String, Sendable, CaseIterable {
        /// The session is opened.
        case accept
        /// The session is refused.
        case refuse
        /// There is no answer.
        case silent
        /// The session is opened and ended at once.
        case drop
    }

    /// The carrier of the bytes of a session.
    enum Carrier: String, Sendable, CaseIterable {
        /// The accessory bus.
        case bus
        /// iAP2.
        case iap2
    }

    var carrier = Carrier.bus
    /// The accessories, in the order in which they are announced.
    var accessories = [
        Declared(
            accessory: ExternalAccessory.Accessory(
                id: 0, name: "Head Unit", manufacturer: "conform", model: "head unit",
                protocols: Self.everyString),
            isConnected: true)
    ]
    /// The bytes that successive control sessions are sent; the last one is used for later ones.
    ///
    /// An empty list sends none; `nil` stands for the first dedicated string that the accessory
    /// declares.
    var hubIndices: [UInt8]?
    /// The answers to successive sessions, by kind of string; the last one is used for later ones.
    var sessions: [AccessoryString: [Behaviour]] = [:]
    /// Whether bytes of sessions that are not SDL are sent back.
    var echoes = false
    /// The settings of the head unit to which the sessions lead.
    var headUnit: Value = .object([])

    private static let everyString =
        [ExternalAccessory.multisessionString, ExternalAccessory.controlString]
        + ExternalAccessory.dedicatedIndices.map { ExternalAccessory.dedicatedString($0) }
        + [ExternalAccessory.legacyString]
}

/// The kinds of protocol strings that the accessories treat differently.
enum AccessoryString: String, Sendable, CaseIterable {
    case all
    case multisession
    case control
    case dedicated
    case legacy
    case other

    /// Returns the kind of a string.
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

extension AccessorySettings: PeerSettings {
    static let owner = "an accessory"

    static let rows: [PeerSetting<Self>] = fixed + changing

    /// The settings that cannot change while a case runs.
    private static let fixed: [PeerSetting<Self>] = [
        PeerSetting("carrier", \.carrier, .word("carrier")),
        PeerSetting(
            "accessories", \.accessories,
            SettingForm(.array(of: Declared.type, count: nil)) { reader throws(PeerError) in
                try reader.elements().map { element throws(PeerError) in try Declared(element) }
            }),
    ]

    /// The settings that may change while a case runs.
    static let changing: [PeerSetting<Self>] = [
        PeerSetting("echoes", \.echoes, .boolean),
        PeerSetting(
            "hubIndex", \.hubIndices,
            SettingForm(.array(of: .integer(0...255), count: nil)) { reader throws(PeerError) in
                try reader.elements().map { element throws(PeerError) in
                    guard let index = element.value.integerValue.flatMap({ UInt8(exactly: $0) })
                    else { throw reader.wrong("integers from 0 to 255") }
                    return index
                }
            }),
        PeerSetting(
            "sessions", .structure(name: "sessions", fields: AccessoryString.fields)
        ) { settings, reader throws(PeerError) in
            for kind in try reader.members() {
                guard let string = AccessoryString(rawValue: kind.name) else {
                    throw PeerError(
                        .unknownSetting, "there is no kind of protocol string \"\(kind.name)\"",
                        advice: Suggestion.advice(
                            for: kind.name, in: AccessoryString.allCases.map(\.rawValue)))
                }
                settings.sessions[string] = try SettingReader("sessions.\(kind.name)", kind.value)
                    .elements().map { element throws(PeerError) in try element.word() }
            }
        },
        PeerSetting(
            "headUnit", .structure(name: "headUnit", fields: HeadUnitPeer.kind.settings)
        ) { settings, reader throws(PeerError) in
            settings.headUnit = settings.headUnit.merging(.object(try reader.members()))
        },
    ]
}

extension AccessoryString {
    /// The fields of the setting `sessions`, one for each kind of string.
    fileprivate static let fields = allCases.map {
        FieldDescription(
            $0.rawValue,
            .array(
                of: .enumeration(
                    name: "sessions",
                    values: AccessorySettings.Behaviour.allCases.map(\.rawValue)),
                count: 1...1000))
    }
}

extension AccessorySettings.Declared {
    /// The type of an accessory in a suite.
    fileprivate static let type = FieldType.structure(
        name: "accessory",
        fields: [
            FieldDescription("name", .string(maxLength: nil), isMandatory: true),
            FieldDescription(
                "protocols", .array(of: .string(maxLength: nil), count: nil), isMandatory: true),
            FieldDescription("connected", .boolean),
            FieldDescription("manufacturer", .string(maxLength: nil)),
            FieldDescription("model", .string(maxLength: nil)),
        ])

    fileprivate init(_ reader: SettingReader) throws(PeerError) {
        accessory = ExternalAccessory.Accessory(id: 0, name: "", protocols: [])
        isConnected = true
        for member in try reader.members() {
            switch (member.name, member.value) {
            case ("name", .string(let name)): accessory.name = name
            case ("manufacturer", .string(let name)): accessory.manufacturer = name
            case ("model", .string(let name)): accessory.model = name
            case ("connected", .bool(let flag)): isConnected = flag
            case ("protocols", let strings):
                let strings = SettingReader("protocols", strings)
                accessory.protocols = try strings.elements().map { text throws(PeerError) in
                    guard let text = text.value.stringValue, Self.isWord(text) else {
                        throw strings.wrong("texts without blanks")
                    }
                    return text
                }
            default:
                throw reader.wrong("a name, protocols and whether they are connected")
            }
        }
        guard !accessory.name.isEmpty else { throw reader.wrong("a name for each") }
    }

    /// Whether a text has no blanks: the bus sends strings on one line, separated by blanks.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}
