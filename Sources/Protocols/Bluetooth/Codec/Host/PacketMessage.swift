import Wire

/// A packet of one of the layers in a trace.
struct PacketMessage: DissectedMessage {
    /// What a message shows of a packet.
    protocol Packet: Sendable {
        /// The name of the message.
        var messageName: String { get }
        /// The parameters under Wireshark's names.
        var fields: Value { get }
    }

    /// Bytes that are not a packet.
    private struct Malformed: Packet {
        let messageName: String
        let error: String

        var fields: Value { ["error": .string(error)] }
    }

    let packet: any Packet
    let bytes: [UInt8]
    var anomalies: [Anomaly] = []

    var name: String { packet.messageName }
    var fields: Value { packet.fields }

    /// Returns the message for bytes that are not a packet of a protocol.
    static func malformed(
        _ bytes: [UInt8], of name: String, _ error: String, _ specification: String
    ) -> PacketMessage {
        PacketMessage(
            packet: Malformed(messageName: "\(name).malformed", error: error), bytes: bytes,
            anomalies: [Anomaly(.violation, error, specification: specification)])
    }
}
