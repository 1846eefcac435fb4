/// A packet of the Attribute Protocol (Core 5.4 Vol 3 Part F 3.4).
public enum ATTPacket: Sendable, Hashable {
    case errorResponse(request: UInt8, handle: UInt16, error: UInt8)
    case exchangeMTURequest(mtu: UInt16)
    case exchangeMTUResponse(mtu: UInt16)
    case findInformationRequest(Handles)
    case findInformationResponse([Information])
    case findByTypeValueRequest(Handles, type: UInt16, value: [UInt8])
    case findByTypeValueResponse([Handles])
    case readByTypeRequest(Handles, type: BluetoothUUID)
    case readByTypeResponse([Attribute])
    case readRequest(handle: UInt16)
    case readResponse(value: [UInt8])
    case readBlobRequest(handle: UInt16, offset: UInt16)
    case readBlobResponse(value: [UInt8])
    case readMultipleRequest(handles: [UInt16])
    case readMultipleResponse(values: [UInt8])
    case readByGroupTypeRequest(Handles, type: BluetoothUUID)
    case readByGroupTypeResponse([Group])
    case writeRequest(handle: UInt16, value: [UInt8])
    case writeResponse
    case writeCommand(handle: UInt16, value: [UInt8])
    case signedWriteCommand(handle: UInt16, value: [UInt8], signature: [UInt8])
    case prepareWriteRequest(handle: UInt16, offset: UInt16, value: [UInt8])
    case prepareWriteResponse(handle: UInt16, offset: UInt16, value: [UInt8])
    case executeWriteRequest(flags: UInt8)
    case executeWriteResponse
    case readMultipleVariableRequest(handles: [UInt16])
    case readMultipleVariableResponse(values: [[UInt8]])
    case handleValueNotification(handle: UInt16, value: [UInt8])
    case handleValueIndication(handle: UInt16, value: [UInt8])
    case handleValueConfirmation
    case multipleHandleValueNotification([Attribute])
    /// A packet of an operation that does not exist.
    case unknown(opcode: UInt8, [UInt8])

    /// A range of handles, including both ends.
    public struct Handles: Sendable, Hashable {
        /// The first handle.
        public var start: UInt16
        /// The last handle.
        public var end: UInt16

        /// Creates a range.
        public init(_ start: UInt16, _ end: UInt16) {
            self.start = start
            self.end = end
        }
    }

    /// An attribute and its type.
    public struct Information: Sendable, Hashable {
        /// The handle of the attribute.
        public var handle: UInt16
        /// Its type.
        public var type: BluetoothUUID

        /// Creates an item.
        public init(handle: UInt16, type: BluetoothUUID) {
            self.handle = handle
            self.type = type
        }
    }

    /// An attribute and its value.
    public struct Attribute: Sendable, Hashable {
        /// The handle of the attribute.
        public var handle: UInt16
        /// Its value.
        public var value: [UInt8]

        /// Creates an item.
        public init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }
    }

    /// A group of attributes, such as a service, and its value.
    public struct Group: Sendable, Hashable {
        /// The handles of the group.
        public var handles: Handles
        /// The value of its first attribute.
        public var value: [UInt8]

        /// Creates an item.
        public init(_ handles: Handles, value: [UInt8]) {
            self.handles = handles
            self.value = value
        }
    }

    /// The declaration of a characteristic, which is the value of an attribute (Core 5.4 Vol 3 Part
    /// G 3.3.1).
    public struct Characteristic: Sendable, Hashable {
        /// The operations allowed to clients.
        public var properties: UInt8
        /// The handle of the value.
        public var value: UInt16
        /// The type of the value.
        public var uuid: BluetoothUUID

        /// Creates a declaration.
        public init(properties: UInt8, value: UInt16, uuid: BluetoothUUID) {
            self.properties = properties
            self.value = value
            self.uuid = uuid
        }

        /// Reads the value of a declaration; `nil` for any other length.
        public init?(parsing bytes: [UInt8]) {
            guard bytes.count > 3, let uuid = BluetoothUUID(littleEndian: bytes.dropFirst(3)) else {
                return nil
            }
            self.init(
                properties: bytes[0], value: UInt16(bytes[1]) | UInt16(bytes[2]) << 8, uuid: uuid)
        }

        /// The value of the declaration.
        public var bytes: [UInt8] {
            [properties, UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] + uuid.attributeBytes
        }

        /// Whether clients can subscribe to the value.
        public var isConfigurable: Bool { properties & 0x30 != 0 }
    }

    /// The MTU of a link until another one is agreed (Core 5.4 Vol 3 Part G 5.2.1).
    public static let defaultMTU = 23
}

extension ATTPacket {
    /// The opcode of the operation.
    public var opcode: UInt8 {
        if case .unknown(let opcode, _) = self { return opcode }
        return operation?.rawValue ?? 0
    }

    /// The operation; `nil` for one that does not exist.
    public var operation: ATTOpcode? {
        switch self {
        case .errorResponse: .errorResponse
        case .exchangeMTURequest: .exchangeMTURequest
        case .exchangeMTUResponse: .exchangeMTUResponse
        case .findInformationRequest: .findInformationRequest
        case .findInformationResponse: .findInformationResponse
        case .findByTypeValueRequest: .findByTypeValueRequest
        case .findByTypeValueResponse: .findByTypeValueResponse
        case .readByTypeRequest: .readByTypeRequest
        case .readByTypeResponse: .readByTypeResponse
        case .readRequest: .readRequest
        case .readResponse: .readResponse
        case .readBlobRequest: .readBlobRequest
        case .readBlobResponse: .readBlobResponse
        case .readMultipleRequest: .readMultipleRequest
        case .readMultipleResponse: .readMultipleResponse
        case .readByGroupTypeRequest: .readByGroupTypeRequest
        case .readByGroupTypeResponse: .readByGroupTypeResponse
        case .writeRequest: .writeRequest
        case .writeResponse: .writeResponse
        case .writeCommand: .writeCommand
        case .signedWriteCommand: .signedWriteCommand
        case .prepareWriteRequest: .prepareWriteRequest
        case .prepareWriteResponse: .prepareWriteResponse
        case .executeWriteRequest: .executeWriteRequest
        case .executeWriteResponse: .executeWriteResponse
        case .readMultipleVariableRequest: .readMultipleVariableRequest
        case .readMultipleVariableResponse: .readMultipleVariableResponse
        case .handleValueNotification: .handleValueNotification
        case .handleValueIndication: .handleValueIndication
        case .handleValueConfirmation: .handleValueConfirmation
        case .multipleHandleValueNotification: .multipleHandleValueNotification
        case .unknown: nil
        }
    }
}
