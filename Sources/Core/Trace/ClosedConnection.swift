import TCPIP

/// What identifies the late segments of a connection that has ended.
struct ClosedConnection {
    /// The positions of one stream.
    private struct Stream {
        var base: TCPSequence?
        var hasSyn = false
        var hasFin = false
        var next: TCPSequence?
        var seenUntil = Int64.min
    }

    let key: FlowKey
    let number: Int32
    let isEstablished: Bool
    let caller: Direction?
    private var streams: InlineArray<2, Stream> = [Stream(), Stream()]

    init(_ flow: inout Flow) {
        key = flow.key
        number = Int32(clamping: flow.number)
        isEstablished = flow.isEstablished
        caller = flow.caller
        for index in streams.indices {
            let stream = flow.streams[index]
            streams[index] = Stream(
                base: stream.baseSequence, hasSyn: stream.hasSyn, hasFin: stream.hasFin,
                next: stream.reassembly.nextSequence, seenUntil: stream.seenUntil)
        }
    }

    /// Returns the state of a stream that has ended.
    func stream(_ direction: Direction) -> StreamState {
        let known = streams[direction.rawValue]
        var stream = StreamState()
        stream.baseSequence = known.base
        stream.hasSyn = known.hasSyn
        stream.hasFin = known.hasFin
        stream.decoding = .ended
        stream.seenUntil = known.seenUntil
        if let next = known.next { stream.reassembly.start(at: next) }
        return stream
    }
}

extension Flow {
    /// Returns whether the stream has already had all bytes of a segment.
    func has(_ carrier: CarryingSegment, _ direction: Direction) -> Bool {
        guard let next = streams[direction.rawValue].reassembly.nextSequence else { return false }
        return (-Self.repeatedBytesMax...0).contains(carrier.end.distance(from: next))
    }

    /// The maximum distance of repeated bytes from the end of their stream: a window of 16 MiB.
    static let repeatedBytesMax = 16 << 20
}

/// The connections that ended and were dropped, by their ends: the latest, in bounded memory.
///
/// Each has a place by its hash. When the table is full, a new one takes the place of another.
struct ClosedConnections {
    private var places: [ClosedConnection?] = []
    private var count = 0

    /// The maximum number of places: 7 MiB.
    private static let placesMax = 1 << 16

    /// Returns the last connection between two ends that was dropped.
    subscript(key: FlowKey) -> ClosedConnection? {
        guard !places.isEmpty, let found = places[place(of: key)], found.key == key else {
            return nil
        }
        return found
    }

    /// Remembers a connection that is dropped.
    mutating func remember(_ flow: inout Flow) {
        if count * 2 >= places.count, places.count < Self.placesMax { grow() }
        put(ClosedConnection(&flow))
    }

    private mutating func put(_ closed: ClosedConnection) {
        let place = place(of: closed.key)
        if places[place] == nil { count += 1 }
        places[place] = closed
    }

    private mutating func grow() {
        let former = places
        places = Array(repeating: nil, count: max(64, former.count * 2))
        count = 0
        for case let closed? in former { put(closed) }
    }

    private func place(of key: FlowKey) -> Int { Int(key.tag) & (places.count - 1) }
}
