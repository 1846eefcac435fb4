import ExternalAccessory
import PeerKit
import SuiteLanguage
import Wire

extension Accessory {
    static let kind = PeerKind.bluetoothAccessory

    /// Carries out an action of `bluetooth.accessory`.
    mutating func perform(_ action: String, _ arguments: Value) throws(PeerError) {
        let reader = SettingReader(action, arguments)
        switch action {
        case "connect": call()
        case "connections": answerConnections(try Peripheral.Settings.connection(reader))
        case "sessions": answerSessions(try reader.word())
        case "say": say(try reader.bytes())
        case "closeSession": closeSession()
        case "resetLink": resetLink()
        case "closeChannel": closeChannel()
        // Connection Timeout, and the two ways in which a remote device ends a link (Core 5.4
        // Vol 1 Part F 2.8, 2.19, 2.21).
        case "drop": end(reason: 0x08)
        case "leave": end(reason: 0x13)
        case "powerOff":
            answerConnections(.ignores)
            end(reason: 0x15)
        default: throw .unknownAction(action, of: Self.kind, "an accessory on the air")
        }
    }
}

extension Accessory.Settings {
    /// Creates the settings that `values`, an object, contains; the accessory acts on the trace.
    init(_ values: Value, name: String) throws(PeerError) {
        self.init(
            address: try SettingReader("address", values["address"] ?? .null).address(
                isRandom: false))
        self.name = name
        actsOnTrace = true
        for member in values.objectValue ?? [] {
            let reader = SettingReader(member)
            switch member.name {
            case "air", "address", "port": break
            case "name": self.name = try reader.anyText()
            case "protocols":
                protocols = []
                for element in try reader.elements() { protocols.append(try element.anyText()) }
            case "rfcomm": channel = UInt8(clamping: try reader.integer(in: 1...30))
            case "connection": connection = try Peripheral.Settings.connection(reader)
            case "sessions": sessions = try reader.word()
            case "echoes": echoes = try reader.boolean()
            default:
                throw reader.unknown(
                    member.name, of: "an accessory on the air",
                    among: Accessory.kind.settings.map(\.path))
            }
        }
    }
}

extension ExternalAccessory.Message {
    /// The part of the message for an accessory that acts on the trace; `nil` if there is none.
    var saying: AppSessionEvent? {
        switch content {
        case .open(let session):
            session.id.map { .requested(session: UInt16(truncatingIfNeeded: $0)) }
        case .data(let session, let bytes):
            session.id.map {
                .data(session: UInt16(truncatingIfNeeded: $0), count: bytes.count)
            }
        default: nil
        }
    }
}
