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
    /// What each side waits for, with the time since which it does.
    private var waits = BothSides { [Wait: Timestamp]() }
    /// The sides that waited for too long.
    private var haveTimedOut: Set<ConnectionSide> = []

    /// What a side waits for on a bearer.
    private enum Wait: Hashable {
        case response, confirmation
    }

    /// After how long a transaction has failed, 30 s (Core 5.4 Vol 3 Part F 3.3.3).
    ///
    /// A host may have sent a packet half a second before it was captured.
    private static let timeout = Duration.milliseconds(30_500)
    /// Longer waits are ignored: they are more likely a clock change than a wait.
    private static let waitMax = Duration.seconds(600)

    /// Returns a violation of a section about the protocol's packets.
    static func violation(_ text: String, _ section: String) -> Anomaly {
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

    /// Returns the anomaly of a packet that is sent after a transaction of its sender timed out.
    ///
    /// Responses and confirmations may still be sent (3.3.3).
    ///
    /// Only what the capturing host sends is held to its own time: what the other side sent may
    /// have been repeated on the air for long.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - side: Its sender; the first side is the capturing host.
    ///   - now: Its time; `nil` if it is not known.
    mutating func anomaly(
        of packet: ATTPacket, from side: ConnectionSide, at now: Timestamp?
    ) -> Anomaly? {
        guard let operation = packet.operation else { return nil }
        let wait = Self.wait(endedBy: operation)
        let waiter = wait == nil ? side : side.other
        func hasFailed(_ since: Timestamp) -> Bool {
            now.map { Self.timeout < $0 - since && $0 - since < Self.waitMax } ?? false
        }
        let isLate = waits[waiter].contains {
            hasFailed($0.value) && (wait == nil || $0.key == wait)
        }
        if isLate { haveTimedOut.insert(waiter) }
        if let wait {
            waits[waiter][wait] = nil
        } else if let begun = Self.wait(begunBy: operation) {
            waits[side][begun] = waits[side][begun] ?? now
        }
        guard side == .first, wait == nil else { return nil }
        return haveTimedOut.contains(side)
            ? Self.violation("a packet after a transaction timed out", "3.3.3") : nil
    }

    /// Returns what a side waits for that a packet of the other side ends.
    private static func wait(endedBy operation: ATTOpcode) -> Wait? {
        if operation.isResponse { return .response }
        return operation == .handleValueConfirmation ? .confirmation : nil
    }

    /// Returns what the sender of a packet waits for from then on.
    private static func wait(begunBy operation: ATTOpcode) -> Wait? {
        if operation.isRequest { return .response }
        return operation == .handleValueIndication ? .confirmation : nil
    }

    /// Takes a packet of which only the operation could be read.
    mutating func takeUnread(_ operation: ATTOpcode?, from side: ConnectionSide) {
        if let wait = operation.flatMap(Self.wait(endedBy:)) { waits[side.other][wait] = nil }
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
