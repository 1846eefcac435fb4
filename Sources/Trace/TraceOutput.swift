import TCPIP
import Wire

/// Where a flow puts what it finds, and the packet that it finds it by.
struct TraceOutput {
    let options: TraceOptions
    /// `options.closedWait` in nanoseconds.
    let closedWait: Int64
    /// `options.lossWait` in nanoseconds.
    let lossWait: Int64
    /// What is looked for in streams.
    let stack: DissectionStack
    /// What is looked for in those of TCP connections.
    let candidates: [StreamProtocol]
    /// The connections in which another program has found messages.
    let dissectedConnections: Set<FlowKey>
    var statistics = TraceStatistics()
    /// Messages of the current packet.
    var messages: [TraceMessage] = []
    /// Decoded units of the current call, kept to spare an allocation.
    var units: [StreamMessage] = []
    /// Bytes that are looked for in the streams.
    var watches: [ByteWatch] = []
    /// Bytes that wait for holes to be filled, over all flows.
    var waitingBytes = 0
    /// Segments that wait, over all flows.
    var waitingSegments = 0
    /// When the current packet was captured.
    var now = Timestamp(nanoseconds: 0)
    /// Who says which messages are wanted.
    var screening: Screening
    /// Who reads the streams of the first protocol by heads that can be read so; `nil` if everything
    /// is wanted.
    let headerReader: (any HeaderReader.Type)?
    /// Whether pauses of streams matter.
    let heedsPauses: Bool
    /// Whether it matters that a message of a stream has begun.
    let cutsStreams: Bool
    /// The number of the next message.
    var nextNumber = 1
    /// What the capture does not show, since it was taken out last.
    var unseen: [UnseenSpan] = []
    /// Whether a packet that is not dissected has been noted: the first one says it all.
    private var isOpaque = false
    /// Whether messages were added after others that came later.
    var isOutOfOrder = false

    init(options: TraceOptions, screen: (any MessageScreen)?) {
        self.options = options
        closedWait = options.closedWait.wholeNanoseconds
        lossWait = options.lossWait.wholeNanoseconds
        screening = Screening(screen)
        heedsPauses = options.heedsPauses
        cutsStreams = options.cutsStreams
        stack = DissectionStack(options.protocols)
        candidates = stack.candidates(in: .tcp)
        dissectedConnections = Set(
            options.dissected.values.joined().filter { !$0.isDatagram }.map {
                FlowKey.make(from: $0.source, to: $0.destination).key
            })
        headerReader = screen == nil ? nil : candidates.lazy.compactMap(\.headerReader).first
    }

    /// Takes what waits in a flow out of the sums, before that changes.
    mutating func leave(_ flow: inout Flow) {
        waitingBytes -= flow.waitingBytes
        waitingSegments -= flow.waitingSegments
    }

    /// Adds what waits in a flow to the sums.
    mutating func join(_ flow: inout Flow) {
        waitingBytes += flow.waitingBytes
        waitingSegments += flow.waitingSegments
    }

    /// Puts the messages in the order of time; they keep the numbers that they have together.
    mutating func sortMessages() {
        isOutOfOrder = false
        let numbers = messages.map(\.number)
        let order = messages.indices.sorted {
            (messages[$0].time, $0) < (messages[$1].time, $1)
        }
        messages = zip(order, numbers).map { index, number in
            var message = messages[index]
            message.number = number
            return message
        }
    }

    /// Adds a message and gives it its number.
    mutating func append(_ message: TraceMessage) {
        var message = message
        if let last = messages.last, message.time < last.time { isOutOfOrder = true }
        message.number = nextNumber
        nextNumber += 1
        messages.append(message)
    }

    /// Notes a packet of which nothing is known but that it was there.
    mutating func noteOpaque(_ what: String, frame: Int?, since: Timestamp? = nil) {
        guard options.notesUnseen, !isOpaque else { return }
        isOpaque = true
        let time = since ?? now
        unseen.append(
            UnseenSpan(
                cause: .undissected(what), since: time.oneTickEarlier, until: now, frame: frame))
    }

    /// Whether a segment's checksum agrees, if it matters; counts one that does not.
    @inline(__always)
    mutating func hasValidChecksum(_ segment: EthernetSegment, in frame: RawSpan) -> Bool {
        if !options.verifiesChecksums || InternetChecksum.isValid(segment, in: frame) {
            return true
        }
        statistics.ignore(TraceStatistics.badChecksum)
        return false
    }
}
