/// What can be noticed of a loss from the packets that remain.
///
/// The rule uses only TCP and nothing from the judge. The loss of a packet can be noticed
/// - if the packet comes after the last remaining packet: a capture has an end, and anyone who
///    judges it knows where, unless the capture itself says that it continued for longer;
/// - if it took sequence numbers (bytes, SYN, FIN), no other remaining packet took the same, and a
///    remaining packet of the same connection proves that they were sent: one of the same direction
///    with a higher number, or one of the other direction that acknowledges them;
/// - if it only acknowledges: nothing that is judged depends on it, so its loss needs no proof.
///    Only the acknowledgement that completes a handshake is an event. Its loss can be noticed if
///    its sender is seen to continue in that connection.
///
/// The loss of any other packet cannot be noticed. A capture without such packets is as good as the
/// original, so a mutation is compared with the verdict on *that* capture. If nothing else is lost,
/// nothing can be compared, and the mutation is excluded, for the reason of the first such packet.
struct LossVisibility {
    /// Why the loss of a packet cannot be noticed.
    enum Reason: String, CaseIterable {
        case connection = "the whole connection is lost"
        case reset = "a reset, to which no packet refers"
        case copy = "one of several copies of the same bytes"
        case handshake = "the end of a handshake, after which its sender is not seen"
        case lastBytes = "the last bytes of a direction, without what acknowledges them"
        case foreign = "not TCP"
        case order = "no number says which of the two came first"
        case sameTime = "both have the same time"
        case end = "a rule of the whole trace is judged as far as the capture goes"
    }

    /// The packets whose loss cannot be noticed, by index, and the reason for the first.
    let unseen: Set<Int>
    let reason: Reason?

    init(of mutation: LossMutation, in capture: LossCapture, _ segments: [LossSegment?]) {
        if case .swap(let frame, let withTimes) = mutation {
            unseen = []
            reason = Self.swapReason(frame, withTimes, capture, segments)
            return
        }
        let lost = mutation.lost(of: segments)
        let left = segments.indices.filter { !lost.contains($0) }
        let end = capture.metadata == nil ? left.last ?? -1 : .max
        let byConnection = Dictionary(
            grouping: left.compactMap { segments[$0] }, by: \.connection)
        var unseen: [Int: Reason] = [:]
        for index in lost where index < end {
            unseen[index] = Self.reason(segments[index], among: byConnection)
        }
        self.unseen = Set(unseen.keys)
        reason = unseen.min { $0.key < $1.key }?.value
        onlyUnseen = !unseen.isEmpty && unseen.count == lost.count
    }

    /// Whether the capture is as good as one in which nothing is lost.
    var isExcluded: Bool { unseen.isEmpty ? reason != nil : onlyUnseen }
    private var onlyUnseen = false

    /// Returns why a loss cannot be noticed; `nil` if it can be, or if it need not be.
    private static func reason(
        _ lost: LossSegment?, among left: [Int: [LossSegment]]
    ) -> Reason? {
        guard let lost else { return .foreign }
        guard let others = left[lost.connection] else { return .connection }
        if lost.isRST { return .reset }
        let same = others.filter { $0.isFromCaller == lost.isFromCaller }
        if lost.isPureAcknowledgement {
            let continues = same.contains { !$0.isSYN && !$0.isRST }
            return !lost.isFromCaller || continues ? nil : .handshake
        }
        let first = lost.sequence
        if same.contains(where: { first &- $0.sequence < $0.span }) { return .copy }
        let isProven = others.contains { proves(first, of: lost, by: $0) }
        return isProven ? nil : .lastBytes
    }

    /// Whether a packet proves that a sequence number of another one was sent before it.
    private static func proves(
        _ number: UInt32, of lost: LossSegment, by other: LossSegment
    ) -> Bool {
        let reached =
            other.isFromCaller == lost.isFromCaller ? other.sequence : other.acknowledgement
        guard let reached, other.isFromCaller != lost.isFromCaller || !other.opens else {
            return false
        }
        return Int32(bitPattern: reached &- number) > 0
    }

    /// Returns why the swap of two neighbours cannot be noticed; `nil` if it can be.
    ///
    /// It can be noticed if the second follows from the first, which it acknowledges or continues.
    /// A mere acknowledgement has no order of its own, but a packet that is swapped with it takes
    /// its time.
    private static func swapReason(
        _ frame: Int, _ withTimes: Bool, _ capture: LossCapture, _ segments: [LossSegment?]
    ) -> Reason? {
        let packets = capture.packets
        if withTimes {
            // Times that run backwards can always be noticed.
            return packets[frame - 1].time == packets[frame].time ? .sameTime : nil
        }
        guard let first = segments[frame - 1], let second = segments[frame],
            first.connection == second.connection
        else { return .order }
        return first.span > 0 && proves(first.sequence, of: first, by: second) ? nil : .order
    }
}
