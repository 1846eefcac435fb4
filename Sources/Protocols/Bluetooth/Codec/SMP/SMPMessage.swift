import Wire

extension SMPPacket: PacketMessage.Packet {
    var messageName: String { "btsmp.\(name)" }

    /// Keys and values are only in the bytes of the message.
    var fields: Value {
        let opcode = Value.Member("opcode", .integer(Int64(code)))
        return ["btsmp": .object([opcode] + members.map { Value.Member($0.0, $0.1) })]
    }

    /// The violation in the size of a key.
    var anomalies: [Anomaly] {
        switch self {
        case .pairingRequest(let features), .pairingResponse(let features):
            let size = features.maximumKeySize
            guard !(7...16).contains(size) else { return [] }
            return [
                Anomaly(
                    .violation, "a maximum key size of \(size), expected 7 to 16",
                    specification: "Core 5.4 Vol 3 Part H 3.5.1")
            ]
        default: return []
        }
    }
}

extension SMPPacket {
    fileprivate var name: String {
        switch self {
        case .pairingRequest: "PairingRequest"
        case .pairingResponse: "PairingResponse"
        case .pairingConfirm: "PairingConfirm"
        case .pairingRandom: "PairingRandom"
        case .pairingFailed: "PairingFailed"
        case .encryptionInformation: "EncryptionInformation"
        case .centralIdentification: "CentralIdentification"
        case .identityInformation: "IdentityInformation"
        case .identityAddressInformation: "IdentityAddressInformation"
        case .signingInformation: "SigningInformation"
        case .securityRequest: "SecurityRequest"
        case .pairingPublicKey: "PairingPublicKey"
        case .pairingDHKeyCheck: "PairingDHKeyCheck"
        case .pairingKeypressNotification: "PairingKeypressNotification"
        case .unknown: "packet"
        }
    }

    fileprivate var members: [(String, Value)] {
        func number(_ name: String, _ value: UInt8) -> (String, Value) {
            (name, .integer(Int64(value)))
        }
        switch self {
        case .pairingRequest(let features), .pairingResponse(let features):
            return [
                number("io_capability", features.ioCapability),
                number("oob_data_flags", features.outOfBand),
                number("authreq", features.authentication),
                number("max_enc_key_size", features.maximumKeySize),
                number("initiator_key_distribution", features.initiatorKeys),
                number("responder_key_distribution", features.responderKeys),
            ]
        case .pairingFailed(let reason): return [number("reason", reason)]
        case .securityRequest(let authentication): return [number("authreq", authentication)]
        case .pairingKeypressNotification(let type): return [number("notification_type", type)]
        case .identityAddressInformation(let type, let address):
            return [
                number("address_type", type),
                ("bd_addr", .string(BluetoothNode.address(address).description)),
            ]
        case .centralIdentification(let diversifier, _):
            return [("ediv", .integer(Int64(diversifier)))]
        default: return []
        }
    }
}
