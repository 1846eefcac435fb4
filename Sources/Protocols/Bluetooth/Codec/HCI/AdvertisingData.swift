/// The data of an advertisement, a scan response or an extended inquiry response.
///
/// It has structures of a type and its data (Core 5.4 Vol 3 Part C 11; Core Specification
/// Supplement Part A 1).
public struct AdvertisingData: Sendable, Hashable {
    /// A structure.
    public struct Structure: Sendable, Hashable {
        /// Its type.
        public var type: UInt8
        /// Its data.
        public var data: [UInt8]

        /// Creates a structure.
        public init(_ type: UInt8, _ data: [UInt8]) {
            self.type = type
            self.data = data
        }
    }

    /// The types of structures (Assigned Numbers 2.3).
    public enum Kind {
        /// Flags.
        public static let flags: UInt8 = 0x01
        /// Some of the 16-bit service UUIDs.
        public static let incompleteUUIDs16: UInt8 = 0x02
        /// All 16-bit service UUIDs.
        public static let completeUUIDs16: UInt8 = 0x03
        /// Some of the 32-bit service UUIDs.
        public static let incompleteUUIDs32: UInt8 = 0x04
        /// All 32-bit service UUIDs.
        public static let completeUUIDs32: UInt8 = 0x05
        /// Some of the 128-bit service UUIDs.
        public static let incompleteUUIDs128: UInt8 = 0x06
        /// All 128-bit service UUIDs.
        public static let completeUUIDs128: UInt8 = 0x07
        /// The first part of the name.
        public static let shortName: UInt8 = 0x08
        /// The name.
        public static let completeName: UInt8 = 0x09
        /// The 16-bit UUIDs of solicited services.
        public static let solicitedUUIDs16: UInt8 = 0x14
        /// The 128-bit UUIDs of solicited services.
        public static let solicitedUUIDs128: UInt8 = 0x15
        /// Data of a service with a 16-bit UUID.
        public static let serviceData16: UInt8 = 0x16
        /// Data of a service with a 128-bit UUID.
        public static let serviceData128: UInt8 = 0x21
    }

    /// The structures, in their order.
    public var structures: [Structure]

    /// Creates data from structures.
    public init(_ structures: [Structure] = []) {
        self.structures = structures
    }

    /// Reads structures up to the end or to one of length 0, after which nothing is significant.
    ///
    /// A structure that the bytes do not contain as a whole is omitted.
    public init(parsing bytes: some RandomAccessCollection<UInt8>) {
        structures = []
        var rest = bytes[...]
        while let length = rest.first, length > 0 {
            rest = rest.dropFirst()
            guard rest.count >= Int(length), let type = rest.first else { return }
            structures.append(Structure(type, Array(rest.dropFirst().prefix(Int(length) - 1))))
            rest = rest.dropFirst(Int(length))
        }
    }

    /// The data on the wire; at most the 254 bytes of a structure that its length can count.
    public var bytes: [UInt8] {
        structures.flatMap { structure -> [UInt8] in
            let data = structure.data.prefix(0xFE)
            return [UInt8(data.count + 1), structure.type] + data
        }
    }

    /// The listed services in any form, complete or not, without those of service data or
    /// solicitation.
    public var services: [BluetoothUUID] {
        structures.flatMap { structure -> [BluetoothUUID] in
            let size: Int
            switch structure.type {
            case Kind.incompleteUUIDs16, Kind.completeUUIDs16: size = 2
            case Kind.incompleteUUIDs32, Kind.completeUUIDs32: size = 4
            case Kind.incompleteUUIDs128, Kind.completeUUIDs128: size = 16
            default: return []
            }
            return stride(from: 0, to: structure.data.count, by: size).compactMap { start in
                BluetoothUUID(littleEndian: structure.data[start...].prefix(size))
            }
        }
    }

    /// The name, complete or shortened.
    public var name: String? {
        structures.last { $0.type == Kind.completeName || $0.type == Kind.shortName }
            .map { String(decoding: $0.data, as: UTF8.self) }
    }
}
