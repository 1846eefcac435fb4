import TCPIP
import Wire

/// The latest packets without a connection, to recognise one that is captured more than once.
///
/// Several interfaces, VLANs and hops of a network show the same packet, and so does a port that
/// mirrors others. Two packets that a program really sent have different identifications, or come
/// from the same place if the sender does not count.
struct DatagramCopies {
    /// What all copies of a packet have in common.
    private struct Key: Hashable {
        let source: IPAddress
        let destination: IPAddress
        let identification: UInt32?
        let count: Int
        let hash: Int
    }

    private struct Packet {
        let time: Timestamp
        /// Where it was captured, by hash: interface, link layer and remaining hops.
        var places: [Int]
    }

    private var packets: [Key: [Packet]] = [:]
    private var order: [(key: Key, time: Timestamp)] = []
    private var first = 0

    /// The maximum time between the copies of one packet.
    private static let window = Duration.milliseconds(100)
    /// The maximum number of packets that are remembered.
    private static let countMax = 1 << 14

    /// Records a packet, and returns whether it is a copy of one that was recorded.
    ///
    /// - Parameters:
    ///   - payload: What the IP packet carries.
    ///   - header: The IP header.
    ///   - place: Where it was captured, by hash.
    ///   - now: When it was captured.
    mutating func has(
        _ payload: RawSpan, _ header: IPHeader, at place: Int, _ now: Timestamp
    ) -> Bool {
        forget(before: now)
        var hasher = Hasher()
        payload.withUnsafeBytes { hasher.combine(bytes: $0) }
        let isCounted = header.identification.map { $0 != 0 } ?? false
        let key = Key(
            source: header.source, destination: header.destination,
            identification: header.identification, count: payload.byteCount,
            hash: hasher.finalize())
        var places = Hasher()
        places.combine(place)
        places.combine(header.hops)
        let own = places.finalize()
        let known = packets[key]?.firstIndex { isCounted || !$0.places.contains(own) }
        if let known {
            packets[key]?[known].places.append(own)
            return true
        }
        packets[key, default: []].append(Packet(time: now, places: [own]))
        order.append((key, now))
        return false
    }

    private mutating func forget(before now: Timestamp) {
        while first < order.count,
            now - order[first].time > Self.window || order.count - first >= Self.countMax
        {
            let (key, time) = order[first]
            packets[key]?.removeAll { $0.time <= time }
            if packets[key]?.isEmpty == true { packets[key] = nil }
            first += 1
        }
        guard first > 4096 else { return }
        order.removeFirst(first)
        first = 0
    }
}
