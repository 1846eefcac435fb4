import Bluetooth

/// A service of a GATT server, with its characteristics (Core 5.4 Vol 3 Part G 3.1).
package struct GATTService: Sendable, Hashable {
    /// The UUID of the service type.
    package var uuid: BluetoothUUID
    /// The characteristics, in the order of their handles.
    package var characteristics: [GATTCharacteristic]

    /// Creates a service.
    package init(_ uuid: BluetoothUUID, _ characteristics: [GATTCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic, and the behaviour of its server.
package struct GATTCharacteristic: Sendable, Hashable {
    /// The permitted operations, as the bits of Vol 3 Part G 3.3.1.1.
    package struct Properties: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The value can be read.
        package static let read = Properties(rawValue: 0x02)
        /// The value can be written without an answer.
        package static let writeWithoutResponse = Properties(rawValue: 0x04)
        /// The value can be written.
        package static let write = Properties(rawValue: 0x08)
        /// The value can be notified.
        package static let notify = Properties(rawValue: 0x10)
        /// The value can be indicated.
        package static let indicate = Properties(rawValue: 0x20)
    }

    /// An operation that a client requests.
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case read, write, subscribe
    }

    /// What another characteristic sends when this one is written.
    package struct Answer: Sendable, Hashable {
        /// The characteristic that sends the answer.
        package var through: BluetoothUUID
        /// The value to send; `nil` stands for the written value itself.
        package var value: [UInt8]?

        /// Creates an answer.
        package init(through uuid: BluetoothUUID, value: [UInt8]?) {
            through = uuid
            self.value = value
        }
    }

    /// The UUID of the characteristic type.
    package var uuid: BluetoothUUID
    /// The permitted operations.
    package var properties: Properties
    /// The value.
    package var value: [UInt8]
    /// The error codes of refused operations.
    package var refuses: [Operation: UInt8] = [:]
    /// Operations that get no answer.
    package var silent: Set<Operation> = []
    /// The extra delay of the answers to operations, in nanoseconds.
    package var late: [Operation: Int64] = [:]
    /// Whether every operation requires an encrypted link.
    package var needsEncryption = false
    /// The answer that follows a write.
    package var answer: Answer?

    /// Creates a characteristic that behaves according to its properties.
    package init(_ uuid: BluetoothUUID, _ properties: Properties, value: [UInt8] = []) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
    }
}
