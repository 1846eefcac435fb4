import Bluetooth
import PeerKit
import Wire

/// Reads the settings of a GATT peripheral.
extension Peripheral.Settings {
    /// The place of the service UUIDs in an advertisement.
    private enum Place: String, CaseIterable {
        case advertisement, scanResponse, both, serviceData, solicitation, nowhere
    }

    private enum Form: String, CaseIterable {
        case complete, incomplete
    }

    private enum Connection: String, CaseIterable {
        case accept, ignore, fail
    }

    /// Creates the settings that `values`, an object, contains.
    init(_ values: Value, name: String) throws(PeerError) {
        let address = try SettingReader("address", values["address"] ?? .null)
            .address(isRandom: true)
        self.init(address)
        self.name = name
        for member in values.objectValue ?? [] { try apply(member) }
    }

    private mutating func apply(_ member: Value.Member) throws(PeerError) {
        let reader = SettingReader(member)
        switch member.name {
        case "air", "address", "port": break
        case "name": name = try reader.anyText()
        case "advertises": advertising = try Self.advertising(reader)
        case "connection": connection = try Self.connection(reader)
        case "mtu": mtu = try reader.integer(in: 23...517)
        case "delay": delay = try reader.duration("a duration such as 20ms")
        case "pieces": pieces = try reader.integer(in: 1...251)
        case "pairs": pairs = try reader.boolean()
        case "encrypts": encrypts = try reader.boolean()
        case "malforms":
            malforms = []
            for element in try reader.elements() {
                malforms.insert(UInt8(clamping: try element.integer(in: 0...255)))
            }
        case "services":
            services = []
            for element in try reader.elements() { services.append(try Self.service(element)) }
        default:
            throw reader.unknown(
                member.name, of: "a GATT peripheral",
                among: ["address", "name", "advertises", "connection", "mtu", "services"])
        }
    }

    /// Reads the answer to requests for a connection.
    static func connection(_ reader: SettingReader) throws(PeerError) -> LinkAnswer {
        switch try reader.word() as Connection {
        case .accept: .accepts
        case .ignore: .ignores
        // Connection Failed to be Established (Core 5.4 Vol 1 Part F 2.59).
        case .fail: .fails(0x3E)
        }
    }

    // MARK: Advertising

    /// Reads the advertisement from a mapping.
    static func advertising(_ reader: SettingReader) throws(PeerError) -> RemoteAdvertising {
        var result = RemoteAdvertising()
        var uuids: [[UInt8]] = []
        var place = Place.advertisement
        var form = Form.complete
        var name: String?
        for member in try reader.members() {
            let reader = SettingReader(member)
            switch member.name {
            case "uuids":
                for element in try reader.elements() { uuids.append(try element.uuidAsWritten()) }
            case "in": place = try reader.word()
            case "form": form = try reader.word()
            case "name": name = try reader.anyText()
            case "interval": result.interval = try reader.duration("a duration such as 20ms")
            case "rssi": result.rssi = Int8(clamping: try reader.integer(in: -127...20))
            default:
                throw reader.unknown(
                    member.name, of: "an advertisement",
                    among: ["uuids", "in", "form", "name", "interval", "rssi"])
            }
        }
        let lists = structures(uuids, place, form)
        // General discoverable, no BR/EDR (Core Specification Supplement A 1.3).
        let flags = AdvertisingData.Structure(AdvertisingData.Kind.flags, [0x06])
        result.data = AdvertisingData([flags] + (place != .scanResponse ? lists : [])).bytes
        var response = place == .scanResponse || place == .both ? lists : []
        if let name {
            response.append(
                AdvertisingData.Structure(AdvertisingData.Kind.completeName, Array(name.utf8)))
        }
        result.scanResponse = AdvertisingData(response).bytes
        guard result.data.count <= 31, (result.scanResponse?.count ?? 0) <= 31 else {
            throw reader.wrong("less: an advertisement holds 31 bytes")
        }
        return result
    }

    /// Returns the AD structures with UUIDs (Core Specification Supplement A 1.1, 1.10, 1.11).
    private static func structures(
        _ uuids: [[UInt8]], _ place: Place, _ form: Form
    ) -> [AdvertisingData.Structure] {
        typealias Kind = AdvertisingData.Kind
        guard place != .nowhere else { return [] }
        let types: (short: UInt8, long: UInt8) =
            switch (place, form) {
            case (.serviceData, _): (Kind.serviceData16, Kind.serviceData128)
            case (.solicitation, _): (Kind.solicitedUUIDs16, Kind.solicitedUUIDs128)
            case (_, .complete): (Kind.completeUUIDs16, Kind.completeUUIDs128)
            case (_, .incomplete): (Kind.incompleteUUIDs16, Kind.incompleteUUIDs128)
            }
        if place == .serviceData {
            return uuids.map {
                AdvertisingData.Structure($0.count == 2 ? types.short : types.long, $0 + [1])
            }
        }
        return [(2, types.short), (16, types.long)].compactMap { size, type in
            let listed = uuids.filter { $0.count == size }
            return listed.isEmpty ? nil : AdvertisingData.Structure(type, Array(listed.joined()))
        }
    }

    // MARK: Services

    private static func service(_ reader: SettingReader) throws(PeerError) -> GATTService {
        var service = GATTService(BluetoothUUID(0), [])
        for member in try reader.members() {
            let reader = SettingReader(member)
            switch member.name {
            case "uuid": service.uuid = try reader.uuid()
            case "characteristics":
                for element in try reader.elements() {
                    service.characteristics.append(try characteristic(element))
                }
            default:
                throw reader.unknown(
                    member.name, of: "a service", among: ["uuid", "characteristics"])
            }
        }
        return service
    }

    private enum Property: String, CaseIterable {
        case read, write, writeWithoutResponse, notify, indicate

        var bit: GATTCharacteristic.Properties {
            switch self {
            case .read: .read
            case .write: .write
            case .writeWithoutResponse: .writeWithoutResponse
            case .notify: .notify
            case .indicate: .indicate
            }
        }
    }

    private static func characteristic(
        _ reader: SettingReader
    ) throws(PeerError) -> GATTCharacteristic {
        var result = GATTCharacteristic(BluetoothUUID(0), [])
        for member in try reader.members() {
            let reader = SettingReader(member)
            switch member.name {
            case "uuid": result.uuid = try reader.uuid()
            case "properties":
                for element in try reader.elements() {
                    result.properties.insert((try element.word() as Property).bit)
                }
            case "value": result.value = try reader.bytes()
            case "refuses":
                for member in try reader.members() {
                    let operation: GATTCharacteristic.Operation =
                        try SettingReader(reader.name, .string(member.name)).word()
                    let code = try SettingReader(member).integer(in: 1...255)
                    result.refuses[operation] = UInt8(clamping: code)
                }
            case "silent":
                for element in try reader.elements() {
                    result.silent.insert(try element.word())
                }
            case "late":
                for member in try reader.members() {
                    let operation: GATTCharacteristic.Operation =
                        try SettingReader(reader.name, .string(member.name)).word()
                    result.late[operation] = try SettingReader(member).duration(
                        "a duration such as 20ms")
                }
            case "encrypted": result.needsEncryption = try reader.boolean()
            case "answers": result.answer = try answer(reader)
            default:
                throw reader.unknown(
                    member.name, of: "a characteristic",
                    among: [
                        "uuid", "properties", "value", "refuses", "silent", "late", "encrypted",
                        "answers",
                    ])
            }
        }
        return result
    }

    private static func answer(
        _ reader: SettingReader
    ) throws(PeerError) -> GATTCharacteristic.Answer {
        var result = GATTCharacteristic.Answer(through: BluetoothUUID(0), value: nil)
        for member in try reader.members() {
            let reader = SettingReader(member)
            switch member.name {
            case "notify": result.through = try reader.uuid()
            case "with": result.value = member.value == "echo" ? nil : try reader.bytes()
            default:
                throw reader.unknown(member.name, of: "an answer", among: ["notify", "with"])
            }
        }
        return result
    }
}
