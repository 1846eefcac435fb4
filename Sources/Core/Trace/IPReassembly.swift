import TCPIP
import Wire

/// Reassembles the fragments of IP packets (RFC 791 3.2, RFC 8200 4.5).
///
/// If bytes arrive twice, the first ones count. An incomplete packet is given up after the time
/// that Linux waits, or when too many packets wait. It is always counted.
package struct IPReassembly: Sendable {
    /// The fields that all fragments of one packet share.
    private struct Key: Hashable {
        let source: IPAddress
        let destination: IPAddress
        let protocolNumber: IPProtocol
        let identification: UInt32
    }

    private struct Datagram {
        var bytes: [UInt8] = []
        /// The parts that have arrived: ascending, disjoint, not adjacent.
        var parts: [Range<Int>] = []
        /// The length, known from the last fragment.
        var length: Int?
        var fragmentCount = 0
        /// The frames that carried them; only the first ones if there are very many.
        var frames: [Int] = []
        let start: Timestamp
        /// Whether two fragments had different bytes at the same place.
        var isDoubtful = false

        var isWhole: Bool { length.map { parts == [0..<$0] } ?? false }

        /// Adds a fragment's bytes where there are none yet.
        mutating func add(_ payload: RawSpan, at offset: Int) {
            let range = offset..<(offset + payload.byteCount)
            if bytes.count < range.upperBound {
                bytes += repeatElement(0, count: range.upperBound - bytes.count)
            }
            var next = offset
            for part in parts where part.overlaps(range) {
                let shared = part.clamped(to: range)
                let again = payload.extracting(
                    shared.lowerBound - offset..<shared.upperBound - offset)
                if !again.elementsEqual(bytes[shared]) { isDoubtful = true }
                if next < part.lowerBound { copy(payload, from: offset, next..<part.lowerBound) }
                next = max(next, part.upperBound)
            }
            if next < range.upperBound { copy(payload, from: offset, next..<range.upperBound) }
            insert(range)
        }

        private mutating func copy(_ payload: RawSpan, from offset: Int, _ range: Range<Int>) {
            payload.withUnsafeBytes { source in
                let piece = source[(range.lowerBound - offset)..<(range.upperBound - offset)]
                bytes.replaceSubrange(range, with: piece)
            }
        }

        private mutating func insert(_ range: Range<Int>) {
            var merged = range
            parts.removeAll { part in
                guard part.lowerBound <= merged.upperBound, merged.lowerBound <= part.upperBound
                else { return false }
                merged =
                    min(
                        part.lowerBound, merged.lowerBound)..<max(
                        part.upperBound, merged.upperBound)
                return true
            }
            let place = parts.firstIndex { $0.lowerBound > merged.lowerBound } ?? parts.count
            parts.insert(merged, at: place)
        }
    }

    /// The time for which Linux keeps fragments (net.ipv4.ipfrag_time).
    private static let wait = Duration.seconds(30)
    /// The maximum number of packets in reassembly; at 64 KiB each they take 16 MiB at most.
    private static let datagramsMax = 256
    /// The maximum number of recorded frames of a packet.
    ///
    /// A packet of the greatest length has no more fragments. Duplicates beyond it are not listed.
    private static let framesMax = 8_192
    /// The maximum number of bytes that an IP packet carries, except for jumbograms.
    private static let bytesMax = 65_535

    /// A packet of which all fragments have arrived.
    package struct Whole {
        /// The payload.
        package let bytes: [UInt8]
        /// The frames that carried it.
        package let frames: [Int]
        /// When its first fragment was captured.
        let start: Timestamp
        /// Whether two fragments had different bytes at the same place.
        let isDoubtful: Bool
    }

    private var datagrams: [Key: Datagram] = [:]
    /// The latest packets that became complete: fragments of theirs may be captured again.
    private var completed: [(key: Key, bytes: [UInt8], time: Timestamp)] = []
    /// The maximum number of these packets.
    private static let completedMax = 64
    /// The maximum time between two copies of a fragment.
    private static let copyWait = Duration.milliseconds(100)

    /// Returns whether a fragment is a copy of one whose packet is complete.
    private mutating func isCopy(
        _ payload: RawSpan, _ fragment: IPHeader.Fragment, _ key: Key, at time: Timestamp
    ) -> Bool {
        completed.removeAll { time - $0.time > Self.copyWait }
        let range = fragment.offset..<fragment.offset + payload.byteCount
        return completed.contains {
            $0.key == key && range.upperBound <= $0.bytes.count
                && payload.elementsEqual($0.bytes[range])
        }
    }

    /// The start of the first packet that was given up since the last `takeLost()`.
    private var firstLost: Timestamp?

    /// The category under which fragments of packets are counted that never became complete.
    static let lost = "ip fragment"

    /// Creates a reassembly without fragments.
    package init() {}

    /// Processes a fragment.
    ///
    /// When it completes a packet, the result is the whole payload and the frames that carried it.
    package mutating func accept(
        _ payload: RawSpan, _ fragment: IPHeader.Fragment, of header: IPHeader, frame: Int,
        at time: Timestamp, counting statistics: inout TraceStatistics
    ) -> Whole? {
        if !datagrams.isEmpty { giveUp(before: time, &statistics) }
        let end = fragment.offset + payload.byteCount
        guard end <= Self.bytesMax, payload.byteCount == header.payloadLength else {
            statistics.ignore(Self.lost)
            firstLost = firstLost ?? time
            return nil
        }
        let key = Key(
            source: header.source, destination: header.destination,
            protocolNumber: header.protocolNumber, identification: fragment.identification)
        if !completed.isEmpty, datagrams[key] == nil, isCopy(payload, fragment, key, at: time) {
            statistics.copiedDatagrams += 1
            return nil
        }
        if datagrams[key] == nil, datagrams.count >= Self.datagramsMax { giveUpOldest(&statistics) }
        var datagram = datagrams.removeValue(forKey: key) ?? Datagram(start: time)
        datagram.fragmentCount += 1
        if datagram.frames.count < Self.framesMax { datagram.frames.append(frame) }
        if !fragment.moreFragments { datagram.length = end }
        if payload.byteCount > 0 { datagram.add(payload, at: fragment.offset) }
        if datagram.isWhole {
            if completed.count >= Self.completedMax { completed.removeFirst() }
            completed.append((key, datagram.bytes, time))
            return Whole(
                bytes: datagram.bytes, frames: datagram.frames, start: datagram.start,
                isDoubtful: datagram.isDoubtful)
        }
        datagrams[key] = datagram
        return nil
    }

    /// Returns the start of the first packet given up since the last call; `nil` if there was none.
    mutating func takeLost() -> Timestamp? {
        defer { firstLost = nil }
        return firstLost
    }

    /// Gives up everything.
    mutating func finish(counting statistics: inout TraceStatistics) {
        for datagram in datagrams.values {
            recordLost(datagram)
            statistics.ignore(Self.lost, count: datagram.fragmentCount)
        }
        datagrams = [:]
    }

    private mutating func recordLost(_ datagram: Datagram) {
        firstLost = firstLost.map { min($0, datagram.start) } ?? datagram.start
    }

    private mutating func giveUp(before time: Timestamp, _ statistics: inout TraceStatistics) {
        let overdue = datagrams.filter { $0.value.start + Self.wait < time }
        for (key, datagram) in overdue {
            datagrams[key] = nil
            recordLost(datagram)
            statistics.ignore(Self.lost, count: datagram.fragmentCount)
        }
    }

    private mutating func giveUpOldest(_ statistics: inout TraceStatistics) {
        guard let oldest = datagrams.min(by: { $0.value.start < $1.value.start }) else { return }
        datagrams[oldest.key] = nil
        recordLost(oldest.value)
        statistics.ignore(Self.lost, count: oldest.value.fragmentCount)
    }
}
