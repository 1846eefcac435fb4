import TCPIP
import Wire

/// Puts the fragments of IP packets together (RFC 791 3.2, RFC 8200 4.5).
///
/// Of bytes that come twice the first ones count. What stays incomplete is given up after as long
/// as Linux waits, or when too much waits; it is counted, never silent.
struct IPReassembly: Sendable {
    /// What fragments of one packet have in common.
    private struct Key: Hashable {
        let source: IPAddress
        let destination: IPAddress
        let protocolNumber: IPProtocol
        let identification: UInt32
    }

    private struct Datagram {
        var bytes: [UInt8] = []
        /// The parts that have come: ascending, disjoint, not adjacent.
        var parts: [Range<Int>] = []
        /// The length, known from the last fragment.
        var length: Int?
        var fragmentCount = 0
        /// The frames that carried them; of very many the first.
        var frames: [Int] = []
        let start: Timestamp

        var isWhole: Bool { length.map { parts == [0..<$0] } ?? false }

        /// Adds a fragment's bytes where none are yet.
        mutating func add(_ payload: RawSpan, at offset: Int) {
            let range = offset..<(offset + payload.byteCount)
            if bytes.count < range.upperBound {
                bytes += repeatElement(0, count: range.upperBound - bytes.count)
            }
            var next = offset
            for part in parts where part.overlaps(range) {
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

    /// As long as Linux keeps fragments (net.ipv4.ipfrag_time).
    private static let wait = Duration.seconds(30)
    /// Packets that are put together at the same time; at 64 KiB each they take 16 MiB at most.
    private static let datagramsMax = 256
    /// A packet of the greatest length has no more fragments; duplicates beyond it are not named.
    private static let framesMax = 8_192
    /// The most bytes that an IP packet carries, jumbograms aside.
    private static let bytesMax = 65_535

    private var datagrams: [Key: Datagram] = [:]
    /// When the first packet began that was given up since this was asked last.
    private var firstLost: Timestamp?

    /// What fragments of packets that never became whole are counted as.
    static let lost = "ip fragment"

    /// Takes a fragment; when it is the one that was missing, returns the whole payload and the frames
    /// that carried it.
    mutating func accept(
        _ payload: RawSpan, _ fragment: IPHeader.Fragment, of header: IPHeader, frame: Int,
        at time: Timestamp, counting statistics: inout TraceStatistics
    ) -> (bytes: [UInt8], frames: [Int])? {
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
        if datagrams[key] == nil, datagrams.count >= Self.datagramsMax { giveUpOldest(&statistics) }
        var datagram = datagrams.removeValue(forKey: key) ?? Datagram(start: time)
        datagram.fragmentCount += 1
        if datagram.frames.count < Self.framesMax { datagram.frames.append(frame) }
        if !fragment.moreFragments { datagram.length = end }
        if payload.byteCount > 0 { datagram.add(payload, at: fragment.offset) }
        if datagram.isWhole { return (datagram.bytes, datagram.frames) }
        datagrams[key] = datagram
        return nil
    }

    /// When the first packet began that was given up since this was called last; `nil` for none.
    mutating func takeLost() -> Timestamp? {
        defer { firstLost = nil }
        return firstLost
    }

    /// Gives up everything.
    mutating func finish(counting statistics: inout TraceStatistics) {
        for datagram in datagrams.values {
            noteLost(datagram)
            statistics.ignore(Self.lost, count: datagram.fragmentCount)
        }
        datagrams = [:]
    }

    private mutating func noteLost(_ datagram: Datagram) {
        firstLost = firstLost.map { min($0, datagram.start) } ?? datagram.start
    }

    private mutating func giveUp(before time: Timestamp, _ statistics: inout TraceStatistics) {
        let overdue = datagrams.filter { $0.value.start + Self.wait < time }
        for (key, datagram) in overdue {
            datagrams[key] = nil
            noteLost(datagram)
            statistics.ignore(Self.lost, count: datagram.fragmentCount)
        }
    }

    private mutating func giveUpOldest(_ statistics: inout TraceStatistics) {
        guard let oldest = datagrams.min(by: { $0.value.start < $1.value.start }) else { return }
        datagrams[oldest.key] = nil
        noteLost(oldest.value)
        statistics.ignore(Self.lost, count: oldest.value.fragmentCount)
    }
}
