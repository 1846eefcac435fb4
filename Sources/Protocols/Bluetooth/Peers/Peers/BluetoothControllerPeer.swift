import Bluetooth
import ExternalAccessory
import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// The Bluetooth controllers of the devices under test (`bluetooth.controller`), with their air.
///
/// It plays all peers on that air. The controller acts on bytes, as the kernel does for TCP; the
/// devices on the air process requests of the attribute protocol only once the trace shows them.
struct BluetoothControllerPeer: Peer {
    static let kind = PeerKind.bluetoothController

    let name: String
    private var air: Air
    /// The peers on the air, with their kinds.
    private var kinds: [String: PeerKind] = [:]
    /// The connections of hosts, each with a controller of its own.
    private var hosts: [PeerConnection: Int] = [:]
    private var hostCount = 0

    /// Creates controllers, and adds peers to their air.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` or `badSetting`.
    init(
        _ declaration: PeerDeclaration, inhabitants: [PeerDeclaration]
    ) throws(PeerError) {
        name = declaration.name
        var settings = ControllerSettings()
        var isMute = false
        for member in declaration.settings.objectValue ?? [] {
            let reader = SettingReader(member)
            switch member.name {
            case "le": settings.generation = try reader.word()
            case "dual": settings.isDual = try reader.boolean()
            case "powered": isMute = try !reader.boolean()
            case "address": settings.address = try reader.address(isRandom: false)
            case "acl":
                for member in try reader.members() {
                    let reader = SettingReader(member)
                    switch member.name {
                    case "length": settings.aclLength = try reader.integer(in: 27...251)
                    case "packets":
                        settings.aclPackets = UInt8(clamping: try reader.integer(in: 1...64))
                    default:
                        throw reader.unknown(
                            member.name, of: "acl", among: ["length", "packets"])
                    }
                }
            case "port": break
            default:
                throw reader.unknown(
                    member.name, of: "a Bluetooth controller",
                    among: Self.kind.settings.map(\.path))
            }
        }
        air = Air(settings, isMute: isMute, actsOnTrace: true)
        for inhabitant in inhabitants { try add(inhabitant) }
    }

    private mutating func add(_ declaration: PeerDeclaration) throws(PeerError) {
        kinds[declaration.name] = declaration.kind
        let device: any RemoteDevice
        switch declaration.kind {
        case Central.kind: device = try Central(declaration.settings)
        case Accessory.kind:
            device = Accessory(
                try Accessory.Settings(declaration.settings, name: declaration.name))
        default:
            device = Peripheral(
                try Peripheral.Settings(declaration.settings, name: declaration.name))
        }
        air.add(device, named: declaration.name)
    }

    var servesLink: Bool { true }

    var inhabitants: [String] { Array(kinds.keys) }

    var latestConnection: PeerConnection? { hosts.max { $0.value < $1.value }?.key }

    var nextDeadline: Int64? { air.nextDeadline }

    mutating func advance(to now: Int64) -> [PeerCommand] {
        air.advance(to: now)
        return takePackets()
    }

    mutating func receive(_ bytes: [UInt8], on connection: PeerConnection) -> [PeerCommand] {
        let host = host(of: connection)
        air.receive(bytes, of: host)
        return takePackets()
    }

    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if let event = message as? TCPEvent {
            switch event.kind {
            case .syn where !sentByPeer: forget(connection)
            case .fin where !sentByPeer:
                forget(connection)
                return [.close(connection)]
            case .rst: forget(connection)
            default: break
            }
        } else if !sentByPeer, message.protocolName == "btatt" {
            air.show(message.bytes)
        } else if !sentByPeer, let saying = (message as? ExternalAccessory.Message)?.saying {
            air.show(saying)
        }
        return takePackets()
    }

    /// Returns the number of a host, which is assigned with its first bytes.
    private mutating func host(of connection: PeerConnection) -> Int {
        if let known = hosts[connection] { return known }
        hostCount += 1
        hosts[connection] = hostCount
        air.connect(host: hostCount)
        return hostCount
    }

    private mutating func forget(_ connection: PeerConnection) {
        if let host = hosts.removeValue(forKey: connection) { air.disconnect(host: host) }
    }

    private mutating func takePackets() -> [PeerCommand] {
        air.takePackets().compactMap { packet in
            hosts.first { $0.value == packet.host }.map { .write($0.key, packet.bytes) }
        }
    }

    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        throw PeerError(
            .unknownMessage, "a suite cannot make a Bluetooth controller send \(message)",
            advice: "its actions, and the settings of the peers on its air, say what it sends")
    }

    // MARK: Actions that suites request

    mutating func perform(_ action: String, arguments: Value) throws(PeerError) -> [PeerCommand] {
        switch action {
        case "mute": air.mute(true)
        case "powerOn": air.mute(false)
        case "close", "reset":
            let commands = try end(latestConnection, by: action, arguments)
            latestConnection.map { forget($0) }
            return commands
        default: throw .unknownAction(action, of: Self.kind, "a Bluetooth controller")
        }
        return takePackets()
    }

    mutating func perform(
        _ action: String, arguments: Value, of inhabitant: String
    ) throws(PeerError) -> [PeerCommand] {
        guard inhabitant != name else { return try perform(action, arguments: arguments) }
        try air.with(inhabitant, as: Peripheral.self) { peripheral throws(PeerError) in
            try peripheral.perform(action, arguments)
        }
        try air.with(inhabitant, as: Central.self) { central throws(PeerError) in
            try central.perform(action, arguments)
        }
        try air.with(inhabitant, as: Accessory.self) { accessory throws(PeerError) in
            try accessory.perform(action, arguments)
        }
        return takePackets()
    }
}

extension Central {
    fileprivate static let kind = PeerKind.gattCentral

    /// Creates the central that `settings`, an object, describes.
    fileprivate init(_ settings: Value) throws(PeerError) {
        for member in settings.objectValue ?? []
        where !["air", "address", "service", "port"].contains(member.name) {
            throw SettingReader(member).unknown(
                member.name, of: "a GATT central", among: ["air", "address", "service"])
        }
        self.init(
            try SettingReader("address", settings["address"] ?? .null).address(isRandom: true),
            lookingFor: try SettingReader("service", settings["service"] ?? .null).uuid())
    }

    /// Carries out an action of `gatt.central`.
    fileprivate mutating func perform(_ action: String, _ arguments: Value) throws(PeerError) {
        let reader = SettingReader(action, arguments)
        switch action {
        case "connect": connect()
        case "leave": leave(reason: 0x13)
        case "drop": leave(reason: 0x08)
        case "subscribe": perform(.subscribe(try reader.uuid()))
        case "unsubscribe": perform(.unsubscribe(try reader.uuid()))
        case "read": perform(.read(try reader.uuid()))
        case "write":
            let characteristic = SettingReader(
                "characteristic", arguments["characteristic"] ?? .null)
            let value = SettingReader("value", arguments["value"] ?? .null)
            perform(.write(try characteristic.uuid(), try value.bytes()))
        case "attribute": sendAttribute(try reader.bytes())
        default: throw .unknownAction(action, of: Self.kind, "a GATT central")
        }
    }
}

extension Peripheral {
    /// Carries out an action of `gatt.peripheral`.
    fileprivate mutating func perform(
        _ action: String, _ arguments: Value
    ) throws(PeerError) {
        let reader = SettingReader(action, arguments)
        switch action {
        case "advertise":
            if arguments != .null { advertise(try Settings.advertising(reader)) }
            advertise(true)
        case "silence": advertise(false)
        // Connection Timeout, and the two ways in which a remote device ends a link (Core 5.4
        // Vol 1 Part F 2.8, 2.19, 2.21).
        case "drop": end(reason: 0x08)
        case "leave": end(reason: 0x13)
        case "powerOff":
            advertise(false)
            end(reason: 0x15)
        case "connections": answerConnections(try Settings.connection(reader))
        case "notify":
            var characteristic: BluetoothUUID?
            var value: [UInt8] = []
            var isForced = false
            for member in try reader.members() {
                let reader = SettingReader(member)
                switch member.name {
                case "characteristic": characteristic = try reader.uuid()
                case "value": value = try reader.bytes()
                case "regardless": isForced = try reader.boolean()
                default:
                    throw reader.unknown(
                        member.name, of: "notify",
                        among: ["characteristic", "value", "regardless"])
                }
            }
            guard let characteristic else { throw reader.wrong("the characteristic") }
            notify(characteristic, value, regardless: isForced)
        case "attribute": sendAttribute(try reader.bytes())
        default: throw .unknownAction(action, of: .gattPeripheral, "a GATT peripheral")
        }
    }
}
