import TCPIP
import Wire

/// What is known of one direction of a connection.
struct StreamState {
    /// What becomes of the bytes in order.
    enum Decoding {
        /// No protocol has been recognised yet; the bytes are held back.
        case undecided
        /// A decoder takes them.
        case decoded
        /// No protocol was recognised; each stretch is a `tcp.data` message.
        case undecoded
        /// The stream has ended.
        case ended
    }

    /// Acknowledged bytes that have not been captured; they may still come late.
    struct Awaited {
        /// Where the acknowledged bytes end.
        var end: UInt64
        /// When the first acknowledgement was captured.
        var since: Timestamp
        /// Segments of the connection until the bytes are given up.
        var segmentsLeft: Int32
    }

    /// A stretch of the stream and the segment that carried it.
    struct Carried {
        var range: Range<UInt64>
        var carrier: Carrier
    }

    /// What few streams have ever, and hardly any for long.
    private struct Rare {
        var held: [UInt8] = []
        var awaited: Awaited?
        var fin: (offset: UInt64, frame: Int)?

        var isEmpty: Bool { held.isEmpty && awaited == nil && fin == nil }
    }

    // In this order little of it is padding: with many connections time goes into fetching them.
    var reassembly = Reassembly()
    /// When its last segment was captured that left nothing open before it, in nanoseconds.
    var seenUntil = Int64.min
    var decoding = Decoding.undecided
    /// Whether the other side has reset the connection; segments may have been under way.
    var isCut = false
    /// Whether bytes of it are missing.
    var hasGap = false
    /// The sequence number of the SYN.
    var initialSequence: TCPSequence?
    /// Whether its FIN has come.
    var hasFin = false
    /// Who carried what a later message may refer to, ascending.
    private(set) var carried: [Carried] = []
    /// One, or none if nothing is to be said.
    private var rare: [Rare] = []

    /// Pieces whose frames are remembered for one message: 380 MB in full segments.
    ///
    /// A decoder that never lets go of old bytes must not fill the memory.
    static let carriedMax = 262_144

    /// First bytes, until a protocol is recognised.
    var held: [UInt8] { rare.first?.held ?? [] }

    /// Adds to the first bytes that are held back.
    mutating func hold(_ bytes: RawSpan) {
        change { rare in bytes.withUnsafeBytes { rare.held += $0 } }
    }

    /// Takes out the bytes that were held back.
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

    /// Where its FIN stands if bytes before it have not come, and the FIN's frame.
    var pendingFin: (offset: UInt64, frame: Int)? {
        get { rare.first?.fin }
        set { if newValue != nil || !rare.isEmpty { change { $0.fin = newValue } } }
    }

    private mutating func change(_ body: (inout Rare) -> Void) {
        if rare.isEmpty { rare.append(Rare()) }
        body(&rare[0])
        if rare[0].isEmpty { rare = [] }
    }

    /// Whether anything was captured of this direction that has a sequence number.
    var hasStarted: Bool { reassembly.nextSequence != nil }

    /// Whether its first bytes may not be the first that were sent.
    var lacksBeginning: Bool { initialSequence == nil || hasGap }

    /// Where the last captured byte ends, be it in order or waiting.
    var captureEnd: UInt64 { reassembly.lastWaiting?.end ?? reassembly.next }

    /// Where the next byte in order stands, if a decoder takes all that comes, and nothing is
    /// missing.
    var position: (offset: UInt64, sequence: TCPSequence)? {
        mutating get {
            guard decoding == .decoded, !hasFin, awaited == nil, !isCut,
                !reassembly.isWaiting, let sequence = reassembly.nextSequence
            else { return nil }
            return (reassembly.next, sequence)
        }
    }

    /// Whether it is remembered who carried bytes.
    var isRemembering: Bool {
        mutating get { !carried.isEmpty }
    }

    /// Goes on behind bytes that were taken elsewhere.
    mutating func resume(at offset: UInt64, _ sequence: TCPSequence) {
        reassembly.resume(at: offset, sequence)
    }

    /// Remembers who carried a stretch; returns how many older ones had to be forgotten.
    mutating func remember(_ range: Range<UInt64>, _ carrier: Carrier) -> Int {
        carried.append(Carried(range: range, carrier: carrier))
        guard carried.count > Self.carriedMax else { return 0 }
        let count = Self.carriedMax / 4
        carried.removeFirst(count)
        return count
    }

    /// Forgets who carried what no later message can refer to.
    mutating func forget(before offset: UInt64) {
        if carried.isEmpty { return }
        if let last = carried.last, last.range.upperBound <= offset {
            carried = []
        } else if let first = carried.first, first.range.upperBound <= offset {
            carried.removeFirst(firstCarried(endingAfter: offset))
        }
    }

    /// Forgets everybody, and returns them.
    mutating func takeCarried() -> [Carried] {
        defer { carried = [] }
        return carried
    }

    /// The frames that carried those stretches, ascending.
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

    /// When the last bytes were captured of which it is remembered who carried them.
    var lastCarried: Timestamp? { carried.last?.carrier.time }

    /// When the bytes of a stretch were captured; `nil` if that is forgotten.
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
