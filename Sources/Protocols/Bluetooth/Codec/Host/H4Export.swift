import Wire

/// The packets of UART transport in connections, without decoding, for export in another form.
public enum H4Export {
    /// A packet with its type.
    public struct Packet: DissectedMessage, Hashable {
        /// The packet.
        public let bytes: [UInt8]
        /// Whether the host sent it.
        public let isFromHost: Bool
        /// A name that suites cannot use.
        public var name: String { "hci_h4.packet" }
        /// Always empty.
        public var fields: Value { .object([]) }
        /// Always empty.
        public var anomalies: [Anomaly] { [] }
    }

    /// The transport, with each packet as a message.
    public static let streamProtocol = StreamProtocol(
        name: "hci_h4", recognises: { bytes, _ in H4.recognises(bytes) },
        makeConnectionDecoder: { _ in Decoder() })

    private struct Decoder: ConnectionDecoder {
        private var readers = BothSides { H4Reader() }
        private var positions = BothSides { UInt64(0) }
        private var hostSide: ConnectionSide?

        mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            var start = offset - UInt64(readers[side].pendingCount)
            for packet in readers[side].consume(bytes) {
                let range = start..<(start + UInt64(packet.count))
                start = range.upperBound
                if packet[0] == H4Type.command.rawValue { hostSide = hostSide ?? side }
                if packet[0] == H4Type.event.rawValue { hostSide = hostSide ?? side.other }
                guard let hostSide else { continue }
                messages.append(
                    StreamMessage(
                        content: Packet(bytes: packet, isFromHost: side == hostSide),
                        ranges: [range]))
            }
            positions[side] = start
        }

        mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
        ) {
            readers[side] = H4Reader(isLost: true)
            positions[side] = offset
        }

        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {}

        func oldestPendingOffset(of side: ConnectionSide) -> UInt64 { positions[side] }
    }
}
