import TCPIP
import Wire

/// The state of one direction of a connection.
struct StreamState {
    /// What happens to the bytes in order.
    enum Decoding {
        /// No protocol has been recognised yet; the bytes are held back.
        case undecided
        /// A decoder processes them.
        case decoded
        /// No protocol was recognised; each range is a `tcp.data` message.
        case undecoded
        /// The stream has ended.
        case ended
    }

    /// Acknowledged bytes that have not been captured; they may still arrive late.
    struct Awaited {
        /// The end of the acknowledged bytes.
        var end: UInt64
        /// The time at which the first acknowledgement was captured.
        var since: Timestamp
        /// The number of segments of the connection until the bytes are given up.
        var segmentsLeft: Int32
    }

    /// A range of the stream and the segment that carried it.
    struct Carried {
        var range: Range<UInt64>
        var carrier: CarryingSegment
    }

    /// State that few streams ever have, and hardly any stream for long.
    private struct Rare {
        var held: [UInt8] = []
        var awaited: Awaited?
        var fin: CarryingSegment?

        var isEmpty: Bool { held.isEmpty && awaited == nil && fin == nil }
    }

    // This order has little padding: with many connections, fetching them dominates the time.
    var reassembly = Reassembly()
    /// The time of its last segment before which nothing is missing, in nanoseconds.
    var seenUntil = Int64.min
    var decoding = Decoding.undecided
    /// Whether the other side has reset the connection; segments may have been under way.
    var isCut = false
    /// Whether its sender has reset the connection.
    var hasReset = false
    /// Whether bytes of it are missing.
    var hasGap = false
    /// The sequence number before the first byte, which the SYN has; `nil` if nothing shows it.
    ///
    /// As in Wireshark, the first segment of either side shows it if the SYN was not captured.
    var baseSequence: TCPSequence?
    /// Whether its SYN was captured.
    var hasSyn = false
    /// Whether its FIN has arrived.
    var hasFin = false
    /// The carriers of what a later message may refer to, ascending.
    private(set) var carried: [Carried] = []
    /// The rare state: one element, or none if it is empty.
    private var rare: [Rare] = []

    /// The maximum number of pieces whose frames are kept for one message: 380 MB in full segments.
    ///
    /// A decoder that never releases old bytes must not fill the memory.
    static let carriedMax = 262_144

    /// The first bytes, until a protocol is recognised.
    var held: [UInt8] { rare.first?.held ?? [] }

    /// Adds to the first bytes, which are held back.
    mutating func hold(_ bytes: RawSpan) {
        change { rare in bytes.withUnsafeBytes { rare.held += $0 } }
    }

    /// Removes and returns the bytes that were held back.
    mutating func takeHeld() -> [UInt8] {
        if rare.isEmpty { return [] }
        var held: [UInt8] = []
        change { swap(&held, &$0.held) }
        return held
    }

    var awaited: Awaited? {
        get { rare.first?.awaited }
        set { if newValue != nil || !rare.isEmpty { change { $0.awaited = newValue } } }
    }

    /// Its FIN if bytes before it have not arrived.
    var pendingFin: CarryingSegment? {
        get { rare.first?.fin }
        set { if newValue != nil || !rare.isEmpty { change { $0.fin = newValue } } }
    }

    /// The offset at which it ends if bytes before its FIN have not arrived.
    var pendingEnd: UInt64? {
        pendingFin.flatMap { reassembly.offset(of: $0.end) }.map { UInt64(max($0, 0)) }
    }

    private mutating func change(_ body: (inout Rare) -> Void) {
        if rare.isEmpty { rare.append(Rare()) }
        body(&rare[0])
        if rare[0].isEmpty { rare = [] }
    }

    /// The sequence number of the SYN; `nil` if it was not captured.
    var initialSequence: TCPSequence? { hasSyn ? baseSequence : nil }

    /// Whether any packet of this direction with a sequence number was captured.
    var hasStarted: Bool { reassembly.nextSequence != nil }

    /// Whether its first bytes may not be the first that were sent.
    var lacksBeginning: Bool { !hasSyn || hasGap }

    /// The end of the last captured byte, whether in order or waiting.
    var captureEnd: UInt64 { reassembly.lastWaiting?.end ?? reassembly.next }

    /// The position of the next byte in order.
    ///
    /// It is `nil` unless a decoder processes all bytes and nothing is missing.
    var position: (offset: UInt64, sequence: TCPSequence)? {
        mutating get {
            guard decoding == .decoded, !hasFin, awaited == nil, !isCut,
                !reassembly.isWaiting, let sequence = reassembly.nextSequence
            else { return nil }
            return (reassembly.next, sequence)
        }
    }

    /// Whether carriers of bytes are recorded.
    var isRemembering: Bool {
        mutating get { !carried.isEmpty }
    }

    /// Continues after bytes that were processed elsewhere.
    mutating func resume(at offset: UInt64, _ sequence: TCPSequence) {
        reassembly.resume(at: offset, sequence)
    }

    /// The most bytes of an unfinished message that a decoder keeps.
    private static let keptMax: UInt64 = 16 << 20

    /// About how many bytes its unfinished messages take.
    var pendingWeight: Int {
        guard let first = carried.first, let last = carried.last else { return 0 }
        let pending = last.range.upperBound - min(first.range.lowerBound, last.range.upperBound)
        return 3 * Int(clamping: min(pending, Self.keptMax)) + MemoryLayout<Carried>.stride
            * carried.count
    }

    /// Records the carrier of a range; returns how many older ones had to be dropped.
    mutating func remember(_ range: Range<UInt64>, _ carrier: CarryingSegment) -> Int {
        carried.append(Carried(range: range, carrier: carrier))
        guard carried.count > Self.carriedMax else { return 0 }
        let count = Self.carriedMax / 4
        carried.removeFirst(count)
        return count
    }

    /// Drops the carriers of bytes that no later message can refer to.
    mutating func forget(before offset: UInt64) {
        if carried.isEmpty { return }
        if let last = carried.last, last.range.upperBound <= offset {
            carried = []
        } else if let first = carried.first, first.range.upperBound <= offset {
            carried.removeFirst(firstCarried(endingAfter: offset))
        }
    }

    /// Removes and returns all carriers.
    mutating func takeCarried() -> [Carried] {
        defer { carried = [] }
        return carried
    }

    /// Returns the frames that carried the given ranges, ascending.
    func frames(of ranges: [Range<UInt64>]) -> [Int] {
        var frames: [Int] = []
        for range in ranges {
            var index = firstCarried(endingAfter: range.lowerBound)
            while index < carried.count, carried[index].range.lowerBound < range.upperBound {
                let frame = carried[index].carrier.frame
                if frames.last != frame { frames.append(frame) }
                index += 1
            }
        }
        guard frames.count > 1 else { return frames }
        frames.sort()
        var unique: [Int] = []
        for frame in frames where unique.last != frame { unique.append(frame) }
        return unique
    }

    /// The capture time of the last bytes whose carrier is recorded.
    var lastCarried: Timestamp? { carried.last?.carrier.time }

    /// Returns when the bytes of a range were captured.
    ///
    /// The result is `nil` if their carriers are no longer recorded.
    func arrival(of range: Range<UInt64>) -> Arrival? {
        var index = firstCarried(endingAfter: range.lowerBound)
        guard index < carried.count, carried[index].range.lowerBound < range.upperBound else {
            return nil
        }
        var arrival = Arrival(at: carried[index].carrier.time)
        index += 1
        while index < carried.count, carried[index].range.lowerBound < range.upperBound {
            arrival.add(carried[index].carrier.time)
            index += 1
        }
        return arrival
    }

    private func firstCarried(endingAfter offset: UInt64) -> Int {
        var (low, high) = (0, carried.count)
        while low < high {
            let middle = (low + high) / 2
            if carried[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
