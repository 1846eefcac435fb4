import Bluetooth

/// The responder's side of LE legacy pairing with Just Works (Core 5.4 Vol 3 Part H 2.3.5).
struct Pairing: Sendable {
    private let initiator: DeviceAddress
    private let responder: DeviceAddress
    private var request: [UInt8] = []
    private var response: [UInt8] = []
    private var random: [UInt8] = []
    /// The short-term key, lowest byte first; `nil` until both sides have it.
    private(set) var key: [UInt8]?

    /// Creates a pairing that has not begun.
    init(initiator: DeviceAddress, responder: DeviceAddress) {
        self.initiator = initiator
        self.responder = responder
    }

    /// Processes a PDU of the initiator and returns the answers.
    ///
    /// The initiator's confirm value is not checked, because with Just Works it proves nothing: the
    /// result is whether both ends have the same key.
    mutating func consume(_ pdu: [UInt8]) -> [SMPPacket] {
        switch try? SMPPacket(parsing: pdu.span.bytes) {
        case .pairingRequest:
            request = pdu
            // No input and output, no OOB, no bonding, key size 16, no keys.
            let answer = SMPPacket.pairingResponse(SMPPacket.Features())
            response = answer.bytes
            return [answer]
        case .pairingConfirm where !request.isEmpty:
            random = (0..<16).map { _ in UInt8.random(in: 0...255) }
            return [.pairingConfirm(confirm)]
        case .pairingRandom(let other) where !random.isEmpty:
            // s1: the lower halves of both random numbers, the responder's in the upper half
            // (2.2.4).
            let joined = Array(other.prefix(8)) + Array(random.prefix(8))
            key = Self.encrypt([UInt8](repeating: 0, count: 16), joined)
            return [.pairingRandom(random)]
        default:
            // Command Not Supported (3.5.5).
            return [.pairingFailed(reason: 0x07)]
        }
    }

    /// The confirm value: function c1 with key 0 (2.2.3).
    private var confirm: [UInt8] {
        let key = [UInt8](repeating: 0, count: 16)
        let first = [initiator.type, responder.type] + request + response
        let second = responder.hci + initiator.hci + [0, 0, 0, 0]
        let inner = Self.encrypt(key, zip(random, first).map { $0 ^ $1 })
        return Self.encrypt(key, zip(inner, second).map { $0 ^ $1 })
    }

    /// Returns the value of function e (2.2.1); all values have the lowest byte first.
    private static func encrypt(_ key: [UInt8], _ block: [UInt8]) -> [UInt8] {
        AES128(key: key.reversed()).encrypt(block.reversed()).reversed()
    }
}
