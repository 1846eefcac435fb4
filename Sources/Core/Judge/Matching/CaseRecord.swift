import Results
import Trace
import Wire

/// The record of a case, for its report.
struct CaseRecord: Sendable {
    /// One message with the line that took it.
    enum Entry: Sendable {
        /// A line took it.
        case taken(line: Int, TraceMessage)
        /// A line was done without a message.
        case done(line: Int)
        /// The message is harmless.
        case ignored(TraceMessage)
    }

    /// The messages in order; of ignored messages only the first few.
    private(set) var entries = History<Entry>()
    /// The messages after the failure.
    private(set) var aftermath: [PlacedMessage] = []
    private var aftermathCount = 0
    /// How many messages were ignored, by name.
    private(set) var ignored: [String: Int] = [:]
    /// When the first message came.
    private(set) var firstTime: Timestamp?
    /// The devices of which a packet was seen; being started does not count.
    private(set) var seenDevices: Set<String> = []
    /// The first event that reports that a device hangs.
    @Boxed private(set) var hang: TraceMessage?
    /// The last segment by which a device ended a connection and that no line took.
    @Boxed private(set) var departure: PlacedMessage?
    /// The last refusal of a call to an address where no peer listens.
    @Boxed private(set) var refusal: TraceMessage?
    /// The first fault of a carrier in the body that no line took and no rule ignores.
    @Boxed private(set) var carrierFault: TraceMessage?
    /// The last messages of peers that call for an answer and that no line took.
    private(set) var extras: [TraceMessage] = []
    /// The bytes that steps sent and that no message has shown yet.
    private var sentBytes: [Configuration.StreamSide: [UInt8]] = [:]
    /// The first message of which the decoder did not read something relevant.
    @Boxed private(set) var unread: TraceMessage?
    /// The waits of the schedules that were followed, by line.
    private(set) var schedules: [Int: [ScheduledInterval]] = [:]
    /// The random waits among them.
    private(set) var samples: [Int: [SpreadTest.Sample]] = [:]
    /// Records whether the harness is in time.
    var lateness = LatenessWatch()
    /// When the machine delayed a party.
    var stalls = MachineStallRecord()
    /// Why peers did not answer.
    var silences = SilenceRecord()
    /// How many steps of the acts of a drawn run a message showed, and how many were skipped.
    private var acts = (shown: 0, skipped: 0)
    private var ignoredRowCount = 0
    /// Whether to keep the messages that a report shows.
    private let keepsRows: Bool

    init(keepsRows: Bool) { self.keepsRows = keepsRows }

    /// Records any message.
    mutating func see(_ message: PlacedMessage) {
        firstTime = firstTime ?? message.time
        if message.showsDevice, let sender = message.sender, !seenDevices.contains(sender) {
            seenDevices.insert(sender)
        }
        if message.name == DeviceEvent.hung { hang = hang ?? message.message }
    }

    /// Records a segment by which a device ends a connection.
    mutating func recordDeparture(_ message: PlacedMessage) { departure = message }

    /// Records the refusal of a call, unless a peer refuses it.
    mutating func recordRefusal(_ message: PlacedMessage) {
        if message.sender == nil || message.isFromDevice { refusal = message.message }
    }

    /// Records a fault of a carrier.
    mutating func recordCarrierFault(_ message: PlacedMessage) {
        carrierFault = carrierFault ?? message.message
    }

    /// Records a message of which the decoder did not read something relevant.
    mutating func recordUnread(_ message: PlacedMessage) { unread = unread ?? message.message }

    /// Records a message of a peer that calls for an answer and that no line took.
    mutating func recordExtra(_ message: TraceMessage) {
        if extras.count == Limits.extraCountMax { extras.removeFirst() }
        extras.append(message)
    }

    /// Records bytes that a step sent, if a message shows them.
    mutating func recordSent(_ message: TraceMessage) {
        guard let sent = message.content as? SentBytes else { return }
        let side = Configuration.StreamSide(flow: message.flow, source: message.source)
        sentBytes[side, default: []] += sent.bytes
    }

    /// Whether a message consists of bytes that a step sent; each byte is of one message.
    mutating func isSent(_ message: PlacedMessage) -> Bool {
        guard let bytes = sentBytes[message.side],
            let range = bytes.firstRange(of: message.content.bytes), !range.isEmpty
        else { return false }
        sentBytes[message.side] = Array(bytes[range.upperBound...])
        return true
    }

    /// Records a line that is done.
    mutating func complete(line: Int, by message: TraceMessage?) {
        guard keepsRows else { return }
        entries.append(message.map { .taken(line: line, $0) } ?? .done(line: line))
    }

    /// Records a step of an act of a drawn run that is done.
    mutating func recordAct(isShown: Bool) {
        if isShown { acts.shown += 1 } else { acts.skipped += 1 }
    }

    /// How many steps of the acts of a drawn run were skipped if none had an effect; otherwise `nil`.
    var skippedActs: Int? { acts.shown == 0 && acts.skipped > 0 ? acts.skipped : nil }

    /// Records the waits of a line's schedule.
    mutating func record(
        _ follower: ScheduleFollower, line: Int, missing: ScheduledInterval? = nil
    ) {
        schedules[line] = follower.intervals + (missing.map { [$0] } ?? [])
        if !follower.samples.isEmpty { samples[line] = follower.samples }
    }

    /// Records a harmless message.
    mutating func ignore(_ message: TraceMessage) {
        guard keepsRows else { return }
        ignored[message.name, default: 0] += 1
        guard ignoredRowCount < Limits.ignoredRowCountMax else { return }
        ignoredRowCount += 1
        entries.append(.ignored(message))
    }

    /// Whether enough messages after the failure are recorded.
    var isFollowed: Bool { aftermathCount >= Limits.aftermathMessageCountMax }

    /// Records a message after the failure; returns whether there are enough now.
    mutating func follow(_ message: PlacedMessage) -> Bool {
        aftermathCount += 1
        if keepsRows { aftermath.append(message) }
        return isFollowed
    }
}
