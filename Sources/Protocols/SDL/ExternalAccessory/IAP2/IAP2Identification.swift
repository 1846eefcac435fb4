import Wire

extension IAP2 {
    /// The identification of an accessory: the parts that External Accessory needs.
    public struct Identification: Sendable, Hashable {
        /// A protocol string and its number on the link.
        public struct DeclaredProtocol: Sendable, Hashable {
            /// The number.
            public var id: UInt8
            /// The protocol string.
            public var name: String
        }

        /// The name shown to the user.
        public var name: String
        /// The model.
        public var model: String
        /// The manufacturer.
        public var manufacturer: String
        /// Its serial number.
        public var serialNumber: String
        /// The protocols under which apps may open sessions, in their order.
        public var protocols: [DeclaredProtocol]

        /// Creates an identification; protocols are numbered from 1.
        public init(
            name: String, model: String, manufacturer: String, serialNumber: String,
            protocols: [String]
        ) {
            self.name = name
            self.model = model
            self.manufacturer = manufacturer
            self.serialNumber = serialNumber
            self.protocols = protocols.enumerated().map {
                DeclaredProtocol(id: UInt8(clamping: $0.offset + 1), name: $0.element)
            }
        }

        /// Reads the message; missing parts are empty.
        ///
        /// - Throws: `.badValue` if it is another message.
        public init(_ message: ControlMessage) throws(DecodeError) {
            guard message.id == Self.messageID else {
                throw DecodeError(
                    .badValue, in: "iap2.control.message_id", at: 4,
                    "message \(message.id), expected IdentificationInformation")
            }
            name = message[0]?.text ?? ""
            model = message[1]?.text ?? ""
            manufacturer = message[2]?.text ?? ""
            serialNumber = message[3]?.text ?? ""
            let declared = message.parameters.filter { $0.id == 10 }
            protocols = declared.flatMap { Parameter.groups($0.data) }.compactMap { group in
                guard let id = group.first(where: { $0.id == 0 })?.number,
                    let name = group.first(where: { $0.id == 1 })?.text
                else { return nil }
                return DeclaredProtocol(id: UInt8(truncatingIfNeeded: id), name: name)
            }
        }

        /// The number of the message.
        static let messageID: UInt16 = 0x1D01

        /// The message; each protocol is a separate parameter.
        public var message: ControlMessage {
            ControlMessage(
                Self.messageID,
                [
                    Parameter(0, text: name), Parameter(1, text: model),
                    Parameter(2, text: manufacturer), Parameter(3, text: serialNumber),
                    Parameter(4, text: "1.0"), Parameter(5, text: "1.0"),
                    Parameter(6, [0xEA, 0x03]), Parameter(7, [0xEA, 0x00, 0xEA, 0x01]),
                    Parameter(8, uint8: 0), Parameter(9, uint16: 0),
                ]
                    + protocols.map {
                        Parameter(
                            10,
                            group: [
                                Parameter(0, uint8: $0.id), Parameter(1, text: $0.name),
                                Parameter(2, uint8: 0),
                            ])
                    } + [Parameter(12, text: "en"), Parameter(13, text: "en")])
        }

        /// Returns the protocol string that was declared with a number.
        public func protocolName(_ id: UInt8) -> String? {
            protocols.first { $0.id == id }?.name
        }

        /// The accessory as a phone sees it; a numeric serial number is its id.
        var accessory: ExternalAccessory.Accessory {
            ExternalAccessory.Accessory(
                id: accessoryID ?? 0, name: name, manufacturer: manufacturer, model: model,
                protocols: protocols.map(\.name))
        }

        var accessoryID: UInt32? { UInt32(serialNumber) }
    }
}

extension IAP2.ControlMessage {
    /// The message that asks for the accessory's identification.
    public static let startIdentification = IAP2.ControlMessage(0x1D00)
    /// The message that accepts the identification.
    public static let identificationAccepted = IAP2.ControlMessage(0x1D02)

    /// Returns the message that rejects the identification because of parameters.
    public static func identificationRejected(_ parameters: [UInt16]) -> IAP2.ControlMessage {
        IAP2.ControlMessage(0x1D03, parameters.map { IAP2.Parameter($0) })
    }

    /// Returns the message by which an app opens a session.
    public static func startSession(protocolID: UInt8, sessionID: UInt16) -> IAP2.ControlMessage {
        IAP2.ControlMessage(
            0xEA00,
            [IAP2.Parameter(0, uint8: protocolID), IAP2.Parameter(1, uint16: sessionID)])
    }

    /// Returns the message that ends a session.
    public static func stopSession(_ sessionID: UInt16) -> IAP2.ControlMessage {
        IAP2.ControlMessage(0xEA01, [IAP2.Parameter(0, uint16: sessionID)])
    }

    /// Returns the accessory's status of a session: 0 good, 1 closed; other numbers are unknown.
    public static func sessionStatus(_ sessionID: UInt16, _ status: UInt8) -> IAP2.ControlMessage {
        IAP2.ControlMessage(
            0xEA03, [IAP2.Parameter(0, uint16: sessionID), IAP2.Parameter(1, uint8: status)])
    }
}
