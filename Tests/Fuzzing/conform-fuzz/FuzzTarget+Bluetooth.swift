import Bluetooth
import Wire

extension FuzzTarget {
    /// Reads a packet with the codec that the first byte chooses.
    ///
    /// A packet that is read and written is read again as the same packet.
    static func bluetooth(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let packet = Array(bytes.dropFirst())
        switch choice % 9 {
        case 0: again(packet, \.bytes) { try? HCIPacket(parsing: $0.span.bytes) }
        case 1: again(packet, \.bytes) { try? ATTPacket(parsing: $0.span.bytes) }
        case 2: again(packet, \.bytes) { try? SMPPacket(parsing: $0.span.bytes) }
        case 3: again(packet, \.bytes) { try? SDPPacket(parsing: $0.span.bytes) }
        case 4: again(packet, \.bytes) { try? RFCOMMFrame(parsing: $0) }
        case 5: again(packet, \.bytes) { try? L2CAPFrame(parsing: $0.span.bytes) }
        case 6:
            again(packet, \.bytes) { bytes in
                var reader = ByteReader(bytes.span.bytes, unit: "btl2cap")
                return try? L2CAPSignal(parsing: &reader)
            }
        case 7:
            again(packet, \.bytes) { bytes in
                var reader = ByteReader(bytes.span.bytes, unit: "btrfcomm.mcc")
                return try? RFCOMMCommand(parsing: &reader)
            }
        default: again(packet, \.line) { try? ProfileReport(parsing: $0.span.bytes) }
        }
        _ = AdvertisingData(parsing: packet).services
    }

    private static func again<Packet: Hashable>(
        _ bytes: [UInt8], _ write: (Packet) -> [UInt8], _ read: ([UInt8]) -> Packet?
    ) {
        guard let packet = read(bytes) else { return }
        precondition(read(write(packet)) == packet, "\(packet)")
    }
}
