import TCPIP
import Wire

/// The output of flows, and the state of the packet that is being processed.
struct TraceOutput {
    let options: TraceOptions
    /// `options.closedWait` in nanoseconds.
    let closedWait: Int64
    /// `options.lossWait` in nanoseconds.
    let lossWait: Int64
    /// The protocols that are looked for in streams.
    let stack: DissectionStack
    /// The protocols that are looked for in streams of TCP connections.
    let candidates: [StreamProtocol]
    /// The connections in which another program has found messages.
    let dissectedConnections: Set<FlowKey>
    var statistics = TraceStatistics()
    /// The messages that have not been delivered yet.
    var messages: [TraceMessage] = []
    /// Decoded units of the current call, kept to avoid an allocation.
    var units: [StreamMessage] = []
    /// Bytes that are looked for in the streams.
    var watches: [ByteWatch] = []
    /// The number of bytes that wait for holes to be filled, over all flows.
    var waitingBytes = 0
    /// The number of waiting segments, over all flows.
    var waitingSegments = 0
    /// The time at which the current packet was captured.
    var now = Timestamp(nanoseconds: 0)
    /// Selects the messages that are wanted.
    var screening: Screening
    /// The header reader of the first protocol that has one; `nil` if every message is wanted.
    let headerReader: (any HeaderReader.Type)?
    /// Whether pauses of streams matter.
    let recordsPauses: Bool
    /// Whether the beginning of a message of a stream is reported.
    let recordsBeginnings: Bool
    /// The latest note on an unfinished message of a stream that no suite cuts.
    var lastBeginning: Flow.BeginningNote?
    /// The latest segments, with which repetitions are compared.
    var log = SegmentLog()
    /// The number of the next message.
    var nextNumber = 1
    /// What the capture does not show, since the last `takeUnseen()`.
    var unseen: [UnseenSpan] = []
    /// Whether a packet that is not dissected has been recorded: the first one is enough.
    private var isOpaque = false
    /// The latest time of an interface on which the last packet was captured.
    private var timed = (interface: 0, last: Int64.min)
    /// The same of the other interfaces.
    private var times: [Int: Int64] = [:]
    /// Whether a step of the clock is recorded.
    private var isClockSet = false
    /// Whether messages were added after others that are later.
    var isOutOfOrder = false

    init(options: TraceOptions, screen: (any MessageScreen)?) {
        self.options = options
        closedWait = options.closedWait.wholeNanoseconds
        lossWait = options.lossWait.wholeNanoseconds
        screening = Screening(screen)
        recordsPauses = options.recordsPauses
        recordsBeginnings = options.cutsStreams || options.recordsBeginnings
        stack = DissectionStack(options.protocols, secrets: options.secrets)
        candidates = stack.candidates(in: .tcp)
        dissectedConnections = Set(
            options.dissected.values.joined().filter { !$0.isDatagram }.map {
                FlowKey.make(from: $0.source, to: $0.destination).key
            })
        headerReader = screen == nil ? nil : candidates.lazy.compactMap(\.headerReader).first
    }

    /// Subtracts what waits in a flow from the sums, before the flow changes.
    mutating func leave(_ flow: inout Flow) {
        waitingBytes -= flow.waitingBytes
        waitingSegments -= flow.waitingSegments
    }

    /// Adds what waits in a flow to the sums.
    mutating func join(_ flow: inout Flow) {
        waitingBytes += flow.waitingBytes
        waitingSegments += flow.waitingSegments
    }

    /// Sorts the messages by time; their set of numbers stays the same.
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

    /// Adds a message and assigns its number.
    mutating func append(_ message: TraceMessage) {
        var message = message
        if let last = messages.last, message.time < last.time { isOutOfOrder = true }
        message.number = nextNumber
        nextNumber += 1
        messages.append(message)
    }

    /// Records a packet whose time is not known; the first one is enough.
    mutating func recordUntimed(frame: Int, count: Int = 1) {
        statistics.untimedPackets += count
        guard options.recordsUnseen, statistics.untimedPackets == count else { return }
        unseen.append(
            UnseenSpan(
                cause: .untimed, since: now.oneTickEarlier, until: now, frame: frame,
                flow: UnseenSpan.timeKey))
    }

    /// Compares the time of a packet with those before it on its interface.
    ///
    /// Processors stamp packets with clocks that differ by less than a step of the clock.
    @inline(__always)
    mutating func recordTime(_ time: Int64, of interface: Int, frame: Int) {
        guard interface == timed.interface, time >= timed.last else {
            return recordStep(time, of: interface, frame: frame)
        }
        timed.last = time
    }

    @inline(never)
    private mutating func recordStep(_ time: Int64, of interface: Int, frame: Int) {
        if interface != timed.interface {
            times[timed.interface] = timed.last
            timed = (interface, times[interface] ?? .min)
        }
        guard time < timed.last else {
            timed.last = time
            return
        }
        let step = Timestamp(nanoseconds: timed.last) - Timestamp(nanoseconds: time)
        guard step >= Self.leastStep, options.recordsUnseen, !isClockSet else { return }
        isClockSet = true
        unseen.append(
            UnseenSpan(
                cause: .clock, since: Timestamp(nanoseconds: time).oneTickEarlier,
                until: Timestamp(nanoseconds: timed.last), frame: frame, flow: UnseenSpan.clockKey))
    }

    /// By how much a clock is set back at least.
    private static let leastStep: Duration = .milliseconds(50)

    /// Records a packet of which only the presence is known.
    mutating func recordOpaque(_ what: String, frame: Int?, since: Timestamp? = nil) {
        guard options.recordsUnseen, !isOpaque else { return }
        isOpaque = true
        let time = since ?? now
        unseen.append(
            UnseenSpan(
                cause: .undissected(what), since: time.oneTickEarlier, until: now, frame: frame))
    }

    /// Returns whether a segment's checksum is valid, if that matters; counts one that is not.
    @inline(__always)
    mutating func hasValidChecksum(_ segment: EthernetSegment, in frame: RawSpan) -> Bool {
        if !options.verifiesChecksums || InternetChecksum.isValid(segment, in: frame) {
            return true
        }
        statistics.ignore(TraceStatistics.badChecksum)
        return false
    }
}
