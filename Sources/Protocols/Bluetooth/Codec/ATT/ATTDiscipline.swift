import Wire

/// What the Attribute Protocol demands of the order and the size of packets on a bearer.
///
/// It does not apply to a bearer of which packets are missing.
struct ATTDiscipline: Sendable {
    /// The longest packet that has been agreed on, in bytes (Core 5.4 Vol 3 Part F 3.2.8).
    var sizeMax = ATTPacket.defaultMTU
    /// The sides that have sent an Exchange MTU Request.
    private var haveOfferedMTU: Set<ConnectionSide> = []
    /// The sides whose last indication is not confirmed.
    private var areIndicating: Set<ConnectionSide> = []

    private static func violation(_ text: String, _ section: String) -> Anomaly {
        Anomaly(.violation, text, specification: "Core 5.4 Vol 3 Part F \(section)")
    }

    /// Returns the anomaly of a packet of that many bytes.
    func anomaly(ofSize size: Int) -> Anomaly? {
        guard size > sizeMax else { return nil }
        return Self.violation("\(size) bytes, with an ATT_MTU of \(sizeMax)", "3.2.8")
    }

    /// Takes a packet and returns its anomaly; answers are checked where they find their request.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - side: Its sender.
    ///   - pending: The request of that side that is not answered.
    mutating func anomaly(
        of packet: ATTPacket, from side: ConnectionSide, pending: ATTPacket?
    ) -> Anomaly? {
        if packet.operation?.isRequest == true, let pending {
            let name = pending.operation?.name ?? "one"
            return Self.violation("a request before \(name) is answered", "3.3.2")
        }
        switch packet {
        case .exchangeMTURequest(let mtu):
            guard haveOfferedMTU.insert(side).inserted else {
                return Self.violation("a second Exchange MTU Request", "3.4.2.1")
            }
            return Self.anomaly(ofMTU: mtu, "3.4.2.1")
        case .exchangeMTUResponse(let mtu): return Self.anomaly(ofMTU: mtu, "3.4.2.2")
        default: break
        }
        switch packet.operation {
        case .handleValueIndication?:
            guard areIndicating.insert(side).inserted else {
                return Self.violation(
                    "an indication before the previous one is confirmed", "3.3.2")
            }
        case .handleValueConfirmation?:
            guard areIndicating.remove(side.other) != nil else {
                return Self.violation("a confirmation without an indication", "3.4.7.3")
            }
        default: break
        }
        return nil
    }

    /// Takes a packet of which only the operation could be read.
    mutating func takeUnread(_ operation: ATTOpcode?, from side: ConnectionSide) {
        switch operation {
        case .handleValueIndication?: areIndicating.insert(side)
        case .handleValueConfirmation?: areIndicating.remove(side.other)
        default: break
        }
    }

    private static func anomaly(ofMTU mtu: UInt16, _ section: String) -> Anomaly? {
        guard mtu < UInt16(ATTPacket.defaultMTU) else { return nil }
        return violation("an MTU of \(mtu), below \(ATTPacket.defaultMTU)", section)
    }
}
