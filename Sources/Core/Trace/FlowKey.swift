import TCPIP
import Wire

/// The two ends of a connection, the same for both directions.
struct FlowKey: Sendable, Hashable {
    /// The words of the addresses, the first end's before the second's.
    private let words: InlineArray<4, UInt64>
    /// The ports in the lower half, the first end's first.
    ///
    /// The bits above show which ends have IPv6.
    private let ports: UInt64
    /// The hash that selects places in tables, and shards.
    let hashCode: UInt64

    private static let ipv6Shift: UInt64 = 32

    /// The half of `hashCode` that the table of connections uses, because shards use the other one.
    @inline(__always)
    var tag: UInt32 { UInt32(truncatingIfNeeded: hashCode) }

    /// Whether both ends have IPv4 addresses.
    @inline(__always)
    var isIPv4: Bool { ports >> Self.ipv6Shift == 0 }

    /// The numbers of two IPv4 addresses, the first end's in the upper half.
    @inline(__always)
    var ipv4Addresses: UInt64 { words[1] << 32 | words[3] & 0xFFFF_FFFF }

    /// The ports, the first end's in the upper half.
    @inline(__always)
    var portPair: UInt32 { UInt32(truncatingIfNeeded: ports) }

    private func end(_ index: Int) -> Endpoint {
        let isIPv6 = ports >> (Self.ipv6Shift + UInt64(index)) & 1 != 0
        let low = words[2 * index + 1]
        let address =
            isIPv6
            ? IPAddress(ipv6High: words[2 * index], low: low)
            : IPAddress(ipv4: UInt32(truncatingIfNeeded: low))
        return Endpoint(
            address: address,
            port: UInt16(truncatingIfNeeded: ports >> (index == 0 ? 16 : 0)))
    }

    private init(_ first: Endpoint, _ second: Endpoint) {
        let (one, two) = (first.address.words, second.address.words)
        words = [one.high, one.low, two.high, two.low]
        ports =
            (first.address.isIPv6 ? 1 << Self.ipv6Shift : 0)
            | (second.address.isIPv6 ? 2 << Self.ipv6Shift : 0)
            | UInt64(first.port) << 16 | UInt64(second.port)
        hashCode = Self.hash(
            one.low, two.low, one.high ^ two.high &* 3, ports, seed: Self.seed)
    }

    /// The seed of the hash: random in each process, so that nobody can provoke collisions in the
    /// table.
    static let seed = UInt64.random(in: .min ... .max)

    @inline(__always)
    private static func hash(
        _ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, seed: UInt64
    ) -> UInt64 {
        let ends = mix(a ^ seed, b ^ 0x9E37_79B9_7F4A_7C15)
        return mix(ends ^ d, seed ^ c ^ 0xD1B5_4A32_D192_ED03)
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    static func == (left: FlowKey, right: FlowKey) -> Bool {
        left.hashCode == right.hashCode && left.ports == right.ports
            && left.words[0] == right.words[0] && left.words[1] == right.words[1]
            && left.words[2] == right.words[2] && left.words[3] == right.words[3]
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hashCode)
    }

    /// Returns the key of a segment, and the direction in which it was sent.
    static func make(
        from source: Endpoint, to destination: Endpoint
    ) -> (key: FlowKey, direction: Direction) {
        if source.precedes(destination) {
            (FlowKey(source, destination), .fromFirst)
        } else {
            (FlowKey(destination, source), .fromSecond)
        }
    }

    /// Returns the key of a segment in an Ethernet frame, and the direction in which it was sent.
    static func make(_ segment: EthernetSegment) -> (key: FlowKey, direction: Direction) {
        let (key, direction) = IPv4Ends.make(segment, seed: Self.seed)
        return (FlowKey(key), direction)
    }

    /// Creates the key of a connection between IPv4 addresses.
    init(_ ends: IPv4Ends) {
        words = [0, ends.addresses >> 32, 0, ends.addresses & 0xFFFF_FFFF]
        ports = UInt64(ends.ports)
        hashCode = ends.hashCode
    }

    /// The two ends of a connection between IPv4 addresses, by which plain segments are looked up.
    struct IPv4Ends: Sendable, BitwiseCopyable {
        /// The numbers of the addresses, the first end's in the upper half.
        let addresses: UInt64
        /// The ports, the first end's in the upper half.
        let ports: UInt32
        /// The same as the key's hash code.
        let hashCode: UInt64
        /// The same as the key's tag.
        @inline(__always)
        var tag: UInt32 { UInt32(truncatingIfNeeded: hashCode) }

        /// Creates a placeholder that belongs to no connection.
        init() {
            (addresses, ports, hashCode) = (0, 0, 0)
        }

        @inline(__always)
        private init(addresses: UInt64, ports: UInt32, seed: UInt64) {
            self.addresses = addresses
            self.ports = ports
            hashCode = FlowKey.hash(
                addresses >> 32, addresses & 0xFFFF_FFFF, 0, UInt64(ports), seed: seed)
        }

        /// Returns the ends of a segment, and the direction in which it was sent.
        ///
        /// - Parameters:
        ///   - segment: The segment.
        ///   - seed: `FlowKey.seed`, passed in so that it is not looked up for each segment.
        @inline(__always)
        static func make(
            _ segment: EthernetSegment, seed: UInt64
        ) -> (ends: IPv4Ends, direction: Direction) {
            let addresses = segment.addresses
            let from = segment.header.sourcePort
            let to = segment.header.destinationPort
            let isFirst = from == to ? addresses >> 32 < addresses & 0xFFFF_FFFF : from < to
            // Rotated without a branch: both cases are equally likely, so a prediction would often
            // fail.
            let turn: UInt32 = isFirst ? 0 : 16
            let ports = UInt32(from) << 16 | UInt32(to)
            let ends = IPv4Ends(
                addresses: addresses.rotated(left: UInt64(turn) * 2),
                ports: ports.rotated(left: turn), seed: seed)
            return (ends, isFirst ? .fromFirst : .fromSecond)
        }
    }

    /// Returns the end that sends in a direction.
    func source(_ direction: Direction) -> Endpoint { end(direction == .fromFirst ? 0 : 1) }

    /// Returns the end that receives in a direction.
    func destination(_ direction: Direction) -> Endpoint {
        source(direction.opposite)
    }
}

extension FixedWidthInteger {
    /// Returns its bits rotated to the left.
    @inline(__always)
    fileprivate func rotated(left count: Self) -> Self {
        self &<< count | self &>> (0 &- count)
    }
}

/// One direction of a connection.
enum Direction: Int {
    case fromFirst
    case fromSecond

    var opposite: Direction { self == .fromFirst ? .fromSecond : .fromFirst }

    /// The side that sends in this direction, as decoders know it.
    var side: ConnectionSide { self == .fromFirst ? .first : .second }
}

extension Endpoint {
    /// Returns whether an endpoint comes first in a fixed but arbitrary order.
    fileprivate func precedes(_ other: Endpoint) -> Bool {
        port == other.port ? address.words < other.address.words : port < other.port
    }
}

/// The share of all connections that one of several engines follows, each on its own core.
///
/// Connections are assigned by their ends. So both directions of a connection, and later
/// connections between the same ends, belong to the same share.
public struct FlowShard: Sendable, Hashable {
    /// The index of the share, from 0.
    public var index: Int
    /// The number of shares.
    public var count: Int

    /// Creates a share; all connections belong to the only one of a count of 1.
    public init(index: Int = 0, count: Int = 1) {
        precondition(count > 0 && (0..<count).contains(index))
        self.index = index
        self.count = count
    }

    /// Returns whether a connection belongs to this share.
    func holds(_ key: FlowKey) -> Bool { holds(hashCode: key.hashCode) }

    /// Returns whether a connection belongs to this share, by its key's `hashCode`.
    ///
    /// It uses the upper bits; the lower bits are left to the table.
    @inline(__always)
    func holds(hashCode: UInt64) -> Bool {
        count == 1 || (hashCode >> 32 * UInt64(count)) >> 32 == UInt64(index)
    }
}
