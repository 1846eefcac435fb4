/// A service of a GATT server, with its characteristics (Core 5.4 Vol 3 Part G 3.1).
package struct GATTService: Sendable, Hashable {
    /// What it is.
    package var uuid: ServiceUUID
    /// Its characteristics, in the order of their handles.
    package var characteristics: [GATTCharacteristic]

    /// Makes a service.
    package init(_ uuid: ServiceUUID, _ characteristics: [GATTCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic, and what its server does with it.
package struct GATTCharacteristic: Sendable, Hashable {
    /// What clients may do, by the bits of Vol 3 Part G 3.3.1.1.
    package struct Properties: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Its value can be read.
        package static let read = Properties(rawValue: 0x02)
        /// Its value can be written without an answer.
        package static let writeWithoutResponse = Properties(rawValue: 0x04)
        /// Its value can be written.
        package static let write = Properties(rawValue: 0x08)
        /// Its value can be notified.
        package static let notify = Properties(rawValue: 0x10)
        /// Its value can be indicated.
        package static let indicate = Properties(rawValue: 0x20)
    }

    /// Something that a client asks of it.
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case read, write, subscribe
    }

    /// What is sent by another characteristic when this one is written.
    package struct Answer: Sendable, Hashable {
        /// By which.
        package var through: ServiceUUID
        /// What; the written value itself if `nil`.
        package var value: [UInt8]?

        /// Makes an answer.
        package init(through uuid: ServiceUUID, value: [UInt8]?) {
            through = uuid
            self.value = value
        }
    }

    /// What it is.
    package var uuid: ServiceUUID
    /// What clients may do.
    package var properties: Properties
    /// Its value.
    package var value: [UInt8]
    /// The errors by which operations are refused.
    package var refuses: [Operation: UInt8] = [:]
    /// Operations that are left without an answer.
    package var silent: Set<Operation> = []
    /// Nanoseconds that the answers to operations take longer than others.
    package var late: [Operation: Int64] = [:]
    /// Whether every operation needs an encrypted link.
    package var needsEncryption = false
    /// What a write is followed by.
    package var answer: Answer?

    /// Makes a characteristic that does what its properties say.
    package init(_ uuid: ServiceUUID, _ properties: Properties, value: [UInt8] = []) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
    }
}
