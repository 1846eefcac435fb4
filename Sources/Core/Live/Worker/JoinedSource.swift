import Capture
import Offline
import Trace
import Wire

/// Several captures of the same packets, made at different points, merged by time.
///
/// A packet that several captures have is delivered once; a packet that one has lost is taken from
/// another. No packet is delivered before all captures have shown a later one. Clocks agree only
/// approximately: before a packet that several captures have, everything before it in any of them
/// is delivered.
final class JoinedSource: PacketSource {
    private struct Kept {
        let packet: KeptPacket
        /// The identity by which it is recognised in another capture.
        let key: UInt64?
        var timestamp: Int64 { packet.timestamp }

        init(_ packet: borrowing Packet) {
            self.packet = KeptPacket(packet)
            key = CaptureSeries.identity(of: packet)
        }
    }

    private let members: [any PacketSource]
    /// The packets of each capture that have not been delivered.
    private var kept: [[Kept]]
    private var shared = SharedPackets(spread: 0)
    private var packetCount = 0
    private var lastTime = Int64.min
    private var known = Timestamp(nanoseconds: 0)

    /// How far clocks may still differ after their difference has been corrected.
    private static let slack: Duration = .milliseconds(5)

    init(_ members: [any PacketSource]) {
        self.members = members
        kept = members.map { _ in [] }
    }

    var interfaces: [CaptureInterface] { members.flatMap { $0.interfaces.prefix(1) } }
    var pollDescriptors: [Int32] { members.flatMap(\.pollDescriptors) }
    var isElsewhere: Bool { true }
    var lostCount: Int { members.reduce(0) { $0 + $1.lostCount } }
    var fault: InconclusiveFinding? { members.lazy.compactMap(\.fault).first }
    var inconclusiveFindings: [InconclusiveFinding] { members.flatMap(\.inconclusiveFindings) }
    var remarks: [String] { members.flatMap(\.remarks) }

    func consume(_ body: (borrowing Packet) -> Void) throws -> Bool {
        let now = WallClock.now
        var isMore = false
        for (number, member) in members.enumerated() {
            let isFull = try member.consume { kept[number].append(Kept($0)) }
            isMore = isMore || isFull
        }
        known = (members.map { $0.known(at: now) }.min() ?? now) - Self.slack
        let limit = (known - LiveCase.captureLag).nanoseconds
        while let next = earliest, kept[next][0].timestamp <= limit {
            let packet = kept[next].removeFirst()
            for other in kept.indices where other != next && packet.key != nil {
                let same = kept[other].firstIndex {
                    $0.key == packet.key
                        && ($0.timestamp - packet.timestamp).magnitude < shared.window
                }
                guard let same else { continue }
                for earlier in kept[other][..<same] { hand(earlier, of: other, to: body) }
                kept[other].removeFirst(same)
            }
            hand(packet, of: next, to: body)
        }
        return isMore
    }

    /// The capture whose next packet is the earliest.
    private var earliest: Int? {
        kept.indices.filter { !kept[$0].isEmpty }
            .min { kept[$0][0].timestamp < kept[$1][0].timestamp }
    }

    private func hand(_ kept: Kept, of member: Int, to body: (borrowing Packet) -> Void) {
        if let key = kept.key, shared.has(key, of: member, at: kept.timestamp) { return }
        packetCount += 1
        lastTime = max(lastTime, kept.timestamp)
        kept.packet.withPacket(
            index: packetCount, timestamp: lastTime, interface: member, body)
    }

    func known(at now: Timestamp) -> Timestamp { known }

    func probe(isUrgent: Bool) -> Duration? {
        let isWaiting = kept.contains { !$0.isEmpty }
        return members.compactMap { $0.probe(isUrgent: isUrgent || isWaiting) }.min()
    }

    func stop() { members.forEach { $0.stop() } }
}
