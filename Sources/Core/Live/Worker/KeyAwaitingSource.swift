import Capture
import Devices
import Offline
import Trace
import Wire

/// A source whose packets wait for the keys that devices write.
///
/// The order of the packets stays: one that waits holds back all that follow it.
final class KeyAwaitingSource: PacketSource {
    /// How often to check whether keys have come.
    private static let pollInterval: Duration = .milliseconds(5)

    private let source: any PacketSource
    private let keys: DeviceKeys
    private var held: [DeviceKeys.Held] = []

    init(_ source: any PacketSource, _ keys: DeviceKeys) {
        self.source = source
        self.keys = keys
    }

    var interfaces: [CaptureInterface] { source.interfaces }
    var pollDescriptors: [Int32] { source.pollDescriptors }
    /// While packets wait, the trace is as late as one of a capture made elsewhere.
    var isElsewhere: Bool { source.isElsewhere || !held.isEmpty }
    var lostCount: Int { source.lostCount }
    var fault: InconclusiveFinding? { source.fault }
    var inconclusiveFindings: [InconclusiveFinding] { source.inconclusiveFindings }

    var remarks: [String] {
        guard keys.missingCount > 0 else { return source.remarks }
        return source.remarks + [
            "the key log of the device has no keys of \(keys.missingCount) TLS connections "
                + "\(DeviceKeys.patience) after they were needed; what these carry is not seen"
        ]
    }

    func consume(_ body: (borrowing Packet) -> Void) throws -> Bool {
        let isMore = try source.consume { packet in
            let segment = DeviceKeys.Segment(packet)
            let time = Timestamp(nanoseconds: packet.timestamp)
            if held.isEmpty, keys.admits(segment, at: time, before: []) {
                body(packet)
            } else {
                held.append(DeviceKeys.Held(packet: KeptPacket(packet), segment: segment))
            }
        }
        var count = 0
        while count < held.count {
            let next = held[count]
            let time = Timestamp(nanoseconds: next.packet.timestamp)
            guard keys.admits(next.segment, at: time, before: held[(count + 1)...]) else { break }
            next.packet.withPacket(index: 0, body)
            count += 1
        }
        held.removeFirst(count)
        return isMore
    }

    func known(at now: Timestamp) -> Timestamp {
        let known = source.known(at: now)
        return held.first.map { min(known, Timestamp(nanoseconds: $0.packet.timestamp)) } ?? known
    }

    func probe(isUrgent: Bool) -> Duration? {
        let due = source.probe(isUrgent: isUrgent)
        return held.isEmpty ? due : min(due ?? Self.pollInterval, Self.pollInterval)
    }

    func stop() { source.stop() }
}
