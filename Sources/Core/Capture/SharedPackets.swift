/// Returns a value that identifies a packet in captures at different points.
///
/// It is equal for the same packet wherever it was seen, and `nil` if the packet cannot be
/// identified.
public typealias PacketIdentity = (borrowing Packet) -> UInt64?

/// The clock difference of two captures that are read as one, by the packets that both have.
public struct ClockOffset: Sendable, Hashable, CustomStringConvertible {
    /// The capture.
    public let path: String
    /// The capture that it is compared with.
    public let reference: String
    /// The amount by which its clock is ahead, in nanoseconds: the median of the packets'
    /// differences.
    public let ahead: Int64
    /// The maximum deviation of nine of ten packets from that, in nanoseconds.
    public let spread: Int64
    /// The number of packets that were compared.
    public let count: Int

    /// A sentence for a report.
    public var description: String {
        "\(path) and \(reference) have \(count) packets in common, which are counted once; its clock "
            + (isAhead
                ? "is \(Self.seconds(ahead.magnitude)) \(ahead < 0 ? "behind" : "ahead"), which is corrected"
                : "agrees") + " (within \(Self.seconds(spread.magnitude)))"
    }

    /// Whether it is worth correcting: a smaller difference may be the delay between two points.
    var isAhead: Bool { ahead.magnitude >= 1_000_000 }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        "\((Double(nanoseconds) / 1_000_000).rounded() / 1000) s"
    }
}

/// The identifiable packets at the beginning of a capture, and their times.
struct PacketSample {
    let path: String
    /// The time of each packet that was seen exactly once.
    private(set) var times: [UInt64: Int64] = [:]
    private var repeated: Set<UInt64> = []
    /// The time of the last packet of the sample.
    private var end = Int64.min

    /// The number of packets that are read for the sample.
    private static let countMax = 20_000

    /// Reads a capture's first packets.
    init(_ file: inout CaptureFile, path: String, identity: PacketIdentity) {
        self.path = path
        for _ in 0..<Self.countMax {
            // Damage is reported when the capture is read.
            guard let packet = try? file.next() else { return }
            end = max(end, packet.timestamp)
            guard let key = identity(packet), !repeated.contains(key) else { continue }
            if times.updateValue(packet.timestamp, forKey: key) != nil {
                times[key] = nil
                repeated.insert(key)
            }
        }
    }

    /// Returns how far its clock is ahead of another.
    ///
    /// The result is `nil` if the captures have too little in common.
    ///
    /// Two points of one network share most of what they saw while both were capturing. Captures
    /// that follow one another share a few repetitions at most.
    func offset(from other: PacketSample) -> ClockOffset? {
        let differences = times.compactMap { key, time in
            other.times[key].map { time &- $0 }
        }.sorted()
        guard differences.count >= Self.commonMin else { return nil }
        let ahead = differences[differences.count / 2]
        let distances = differences.map { ($0 &- ahead).magnitude }.sorted()
        let spread = Int64(clamping: distances[(distances.count - 1) * 9 / 10])
        let least = min(
            count(until: other.end, shiftedBy: ahead),
            other.count(until: end, shiftedBy: 0 &- ahead))
        guard spread <= Self.spreadMax, differences.count * 2 >= least else { return nil }
        return ClockOffset(
            path: path, reference: other.path, ahead: ahead, spread: spread,
            count: differences.count)
    }

    /// Returns the number of packets before the end of another sample.
    private func count(until end: Int64, shiftedBy ahead: Int64) -> Int {
        times.values.count { $0 <= end &+ ahead }
    }

    private static let commonMin = 3
    /// A network whose delays vary by more does not show a clock difference.
    private static let spreadMax: Int64 = 500_000_000
}

/// The packets of several captures that were delivered lately.
///
/// They ensure that a packet that is seen at two points is delivered once.
public struct SharedPackets {
    private struct Entry {
        let file: Int
        let time: Int64
        /// The other captures that contain it too.
        var others: Set<Int> = []
    }

    /// The maximum difference between the times of one packet, in nanoseconds.
    public let window: Int64
    private var entries: [UInt64: [Entry]] = [:]
    private var order: [(key: UInt64, time: Int64)] = []
    private var first = 0

    /// Creates an empty record for captures whose clocks agree within a spread, in nanoseconds.
    public init(spread: Int64) { window = max(100_000_000, 4 * spread) }

    init(_ offsets: [ClockOffset]) { self.init(spread: offsets.map(\.spread).max() ?? 0) }

    /// Records a packet of a file, and returns whether another file has delivered it.
    public mutating func has(_ key: UInt64, of file: Int, at time: Int64) -> Bool {
        forget(before: time &- window)
        let known = entries[key]?.firstIndex { $0.file != file && !$0.others.contains(file) }
        if let known {
            entries[key]?[known].others.insert(file)
            return true
        }
        entries[key, default: []].append(Entry(file: file, time: time))
        order.append((key, time))
        return false
    }

    private mutating func forget(before time: Int64) {
        while first < order.count, order[first].time < time {
            let key = order[first].key
            entries[key]?.removeAll { $0.time < time }
            if entries[key]?.isEmpty == true { entries[key] = nil }
            first += 1
        }
        guard first > 4096 else { return }
        order.removeFirst(first)
        first = 0
    }
}
