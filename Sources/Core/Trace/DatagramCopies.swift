import TCPIP
import Wire

/// The latest packets without a connection, to recognise one that is captured more than once.
///
/// Several interfaces, VLANs and hops of a network show the same packet, and so does a port that
/// mirrors others.
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
        var places: [Place]

        /// Whether an interface has shown it.
        func isCaptured(at place: Int) -> Bool { places.contains { $0.hash == place } }

        /// Records the capture of a copy, and returns whether it is one for certain.
        ///
        /// A router changes the link layer and lowers the hops. The same place with other hops shows
        /// a packet that its sender made twice, or one that came back.
        mutating func add(_ place: Place, _ now: Timestamp) -> Finding {
            let isRouted = places.contains { $0.hash != place.hash && $0.hops > place.hops }
            let hasOtherHops = places.contains { $0.hash == place.hash && $0.hops != place.hops }
            let isSure = isRouted || !hasOtherHops && now - time <= DatagramCopies.moment
            if !places.contains(place) { places.append(place) }
            return isSure ? .copy : .doubtfulCopy
        }
    }

    /// Where a packet was captured.
    private struct Place: Equatable {
        /// The interface and the link layer, by hash.
        let hash: Int
        /// The remaining hops.
        let hops: UInt8
    }

    private var packets: [Key: [Packet]] = [:]
    private var order: [(key: Key, time: Timestamp)] = []
    private var first = 0

    /// The maximum time between the copies of one packet.
    private static let window = Duration.milliseconds(100)
    /// The maximum time between the copies of one packet, unless a router sent it on.
    private static let moment = Duration.milliseconds(1)
    /// The maximum number of packets that are remembered.
    private static let countMax = 1 << 14

    /// How a packet relates to those captured before it.
    enum Finding {
        /// Another packet.
        case other
        /// A packet that was captured already.
        case copy
        /// The same bytes again, sent twice or captured twice: it counts as another packet.
        case doubtful
        /// The same, but it counts as a copy.
        case doubtfulCopy
    }

    /// Records a packet, and returns what it is.
    ///
    /// A sender that counts gives each packet another identification; IPv6 has none, and some
    /// senders of IPv4 always write the same. Then the place and the time decide, as far as they
    /// can: one place repeats a packet immediately or never, another place shows it
    /// immediately, or after a router. A loopback carries each packet once.
    ///
    /// - Parameters:
    ///   - payload: What the IP packet carries.
    ///   - header: The IP header.
    ///   - place: Where it was captured, by hash.
    ///   - now: When it was captured.
    mutating func add(
        _ payload: RawSpan, _ header: IPHeader, at place: Int, _ now: Timestamp
    ) -> Finding {
        forget(before: now)
        var hasher = Hasher()
        payload.withUnsafeBytes { hasher.combine(bytes: $0) }
        let isCounted = header.identification.map { $0 != 0 } ?? false
        let key = Key(
            source: header.source, destination: header.destination,
            identification: header.identification, count: payload.byteCount,
            hash: hasher.finalize())
        let own = Place(hash: place, hops: header.hops)
        let isLoopback = header.source.isLoopback
        guard
            let index = packets[key]?.firstIndex(where: {
                !(isLoopback ? $0.isCaptured(at: place) : $0.places.contains(own))
            }) ?? (isCounted && !isLoopback ? packets[key]?.indices.last : nil)
        else {
            let isSoon =
                !isLoopback && packets[key]?.last.map { now - $0.time <= Self.moment } ?? false
            packets[key, default: []].append(Packet(time: now, places: [own]))
            order.append((key, now))
            return isSoon ? .doubtful : .other
        }
        return packets[key]?[index].add(own, now) ?? .other
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
