import Wire

/// A packet of the Security Manager Protocol (Core 5.4 Vol 3 Part H 3.3).
public enum SMPPacket: Sendable, Hashable {
    case pairingRequest(Features)
    case pairingResponse(Features)
    /// A value of 16 bytes.
    case pairingConfirm([UInt8])
    /// A value of 16 bytes.
    case pairingRandom([UInt8])
    case pairingFailed(reason: UInt8)
    /// A key of 16 bytes.
    case encryptionInformation(key: [UInt8])
    /// A diversifier and a random number of 8 bytes.
    case centralIdentification(diversifier: UInt16, random: [UInt8])
    /// A key of 16 bytes.
    case identityInformation(key: [UInt8])
    case identityAddressInformation(type: UInt8, address: UInt64)
    /// A key of 16 bytes.
    case signingInformation(key: [UInt8])
    case securityRequest(authentication: UInt8)
    /// The coordinates of a point, 32 bytes each.
    case pairingPublicKey(x: [UInt8], y: [UInt8])
    /// A value of 16 bytes.
    case pairingDHKeyCheck([UInt8])
    case pairingKeypressNotification(type: UInt8)
    /// A packet with a code that does not exist.
    case unknown(code: UInt8, [UInt8])

    /// The capabilities and requirements of a device, in a Pairing Request or Response (3.5.1).
    public struct Features: Sendable, Hashable {
        /// The input and output capability; 3 is none.
        public var ioCapability: UInt8
        /// Whether it has out-of-band data.
        public var outOfBand: UInt8
        /// The flags for bonding, protection, secure connections and keypresses.
        public var authentication: UInt8
        /// The largest length of the key in bytes, 7 to 16.
        public var maximumKeySize: UInt8
        /// The keys that the initiator distributes.
        public var initiatorKeys: UInt8
        /// The keys that the responder distributes.
        public var responderKeys: UInt8

        /// Creates features.
        public init(
            ioCapability: UInt8 = 3, outOfBand: UInt8 = 0, authentication: UInt8 = 0,
            maximumKeySize: UInt8 = 16, initiatorKeys: UInt8 = 0, responderKeys: UInt8 = 0
        ) {
            self.ioCapability = ioCapability
            self.outOfBand = outOfBand
            self.authentication = authentication
            self.maximumKeySize = maximumKeySize
            self.initiatorKeys = initiatorKeys
            self.responderKeys = responderKeys
        }
    }

    /// The code of the packet.
    public var code: UInt8 {
        switch self {
        case .pairingRequest: 0x01
        case .pairingResponse: 0x02
        case .pairingConfirm: 0x03
        case .pairingRandom: 0x04
        case .pairingFailed: 0x05
        case .encryptionInformation: 0x06
        case .centralIdentification: 0x07
        case .identityInformation: 0x08
        case .identityAddressInformation: 0x09
        case .signingInformation: 0x0A
        case .securityRequest: 0x0B
        case .pairingPublicKey: 0x0C
        case .pairingDHKeyCheck: 0x0D
        case .pairingKeypressNotification: 0x0E
        case .unknown(let code, _): code
        }
    }
}

extension SMPPacket {
    /// Reads a packet, which is the payload of an L2CAP unit.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "btsmp")
        let code = try reader.uint8("opcode")
        switch code {
        case 0x01: self = .pairingRequest(try Features(parsing: &reader))
        case 0x02: self = .pairingResponse(try Features(parsing: &reader))
        case 0x03: self = .pairingConfirm(try reader.array(16, "cfm_value"))
        case 0x04: self = .pairingRandom(try reader.array(16, "random_value"))
        case 0x05: self = .pairingFailed(reason: try reader.uint8("reason"))
        case 0x06: self = .encryptionInformation(key: try reader.array(16, "long_term_key"))
        case 0x07:
            let diversifier = try reader.littleEndian16("ediv")
            self = .centralIdentification(
                diversifier: diversifier, random: try reader.array(8, "random_value"))
        case 0x08: self = .identityInformation(key: try reader.array(16, "id_resolving_key"))
        case 0x09:
            let type = try reader.uint8("address_type")
            self = .identityAddressInformation(
                type: type, address: try reader.bluetoothAddress("bd_addr"))
        case 0x0A: self = .signingInformation(key: try reader.array(16, "signature_key"))
        case 0x0B: self = .securityRequest(authentication: try reader.uint8("authreq"))
        case 0x0C:
            let x = try reader.array(32, "public_key_x")
            self = .pairingPublicKey(x: x, y: try reader.array(32, "public_key_y"))
        case 0x0D: self = .pairingDHKeyCheck(try reader.array(16, "dhkey_check"))
        case 0x0E:
            self = .pairingKeypressNotification(type: try reader.uint8("notification_type"))
        default: self = .unknown(code: code, try reader.array(reader.remaining))
        }
        try reader.requireEnd(of: "btsmp")
    }

    /// The packet on the wire, which is the payload of an L2CAP unit; keys and values as given.
    public var bytes: [UInt8] {
        var bytes = [code]
        switch self {
        case .pairingRequest(let features), .pairingResponse(let features):
            bytes += features.bytes
        case .pairingConfirm(let value), .pairingRandom(let value),
            .encryptionInformation(let value), .identityInformation(let value),
            .signingInformation(let value), .pairingDHKeyCheck(let value),
            .unknown(_, let value):
            bytes += value
        case .pairingFailed(let number), .securityRequest(let number),
            .pairingKeypressNotification(let number):
            bytes.append(number)
        case .centralIdentification(let diversifier, let random):
            bytes.append(littleEndian: diversifier)
            bytes += random
        case .identityAddressInformation(let type, let address):
            bytes.append(type)
            bytes.append(littleEndian: Int64(bitPattern: address), bytes: 6)
        case .pairingPublicKey(let x, let y): bytes += x + y
        }
        return bytes
    }
}

extension SMPPacket.Features {
    init(parsing reader: inout ByteReader) throws(DecodeError) {
        ioCapability = try reader.uint8("io_capability")
        outOfBand = try reader.uint8("oob_data_flags")
        authentication = try reader.uint8("authreq")
        maximumKeySize = try reader.uint8("max_enc_key_size")
        initiatorKeys = try reader.uint8("initiator_key_distribution")
        responderKeys = try reader.uint8("responder_key_distribution")
    }

    var bytes: [UInt8] {
        [
            ioCapability, outOfBand, authentication, maximumKeySize, initiatorKeys,
            responderKeys,
        ]
    }
}
