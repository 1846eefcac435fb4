import Results
import Trace
import Wire

/// What has been seen of a case: the material of its report.
struct CaseRecord: Sendable {
    /// One message beside what was expected.
    enum Entry: Sendable {
        /// A line took it.
        case taken(line: Int, TraceMessage)
        /// A line was done without a message.
        case done(line: Int)
        /// It is harmless.
        case ignored(TraceMessage)
    }

    /// What came, in order; of ignored messages only the first few.
    private(set) var entries = History<Entry>()
    /// What came after the failure.
    private(set) var aftermath: [PlacedMessage] = []
    private var aftermathCount = 0
    /// How many messages were ignored, by name.
    private(set) var ignored: [String: Int] = [:]
    /// When the first message came.
    private(set) var firstTime: Timestamp?
    /// The devices of which a packet was seen; that they were started says nothing of them.
    private(set) var seenDevices: Set<String> = []
    /// The first event that says that a device hangs.
    @Boxed private(set) var hang: TraceMessage?
    /// The last segment by which a device ended a connection and that no line took.
    @Boxed private(set) var departure: PlacedMessage?
    /// The last refusal of a call where no peer listens.
    @Boxed private(set) var refusal: TraceMessage?
    /// The first fault of a carrier in the body of the case, which no line took and nobody ignores.
    @Boxed private(set) var carrierFault: TraceMessage?
    /// The first message of which something matters that its decoder did not read.
    @Boxed private(set) var unread: TraceMessage?
    /// Whether the trace says that the device's process has ended.
    private(set) var sawExit = false
    /// The number of the last message.
    private(set) var lastNumber = 0
    /// The waits of the schedules that were followed, by line.
    private(set) var schedules: [Int: [ScheduledInterval]] = [:]
    /// Those of them that chance has drawn.
    private(set) var samples: [Int: [SpreadTest.Sample]] = [:]
    /// Whether the harness keeps time.
    var lateness = LatenessWatch()
    /// When the machine held up somebody.
    var stalls = StallRecord()
    /// Why peers did not answer.
    var silences = SilenceRecord()
    private var ignoredRowCount = 0
    /// Whether the messages that a report shows are kept.
    private let keepsRows: Bool

    init(keepsRows: Bool) { self.keepsRows = keepsRows }

    /// Takes note of a message, whatever it is.
    mutating func see(_ message: PlacedMessage) {
        firstTime = firstTime ?? message.time
        lastNumber = message.message.number
        if message.showsDevice, let sender = message.sender, !seenDevices.contains(sender) {
            seenDevices.insert(sender)
        }
        if message.name == DeviceEvent.hung { hang = hang ?? message.message }
        sawExit = sawExit || message.name == DeviceEvent.exited
    }

    /// Takes note of a segment by which a device ends a connection.
    mutating func noteDeparture(_ message: PlacedMessage) { departure = message }

    /// Takes note of the refusal of a call, if no peer refuses it.
    mutating func noteRefusal(_ message: PlacedMessage) {
        if message.sender == nil || message.isFromDevice { refusal = message.message }
    }

    /// Takes note of a fault of a carrier.
    mutating func noteCarrierFault(_ message: PlacedMessage) {
        carrierFault = carrierFault ?? message.message
    }

    /// Takes note of a message of which something matters that its decoder did not read.
    mutating func noteUnread(_ message: PlacedMessage) { unread = unread ?? message.message }

    /// Takes note of a line that is done.
    mutating func complete(line: Int, by message: TraceMessage?) {
        guard keepsRows else { return }
        entries.append(message.map { .taken(line: line, $0) } ?? .done(line: line))
    }

    /// Takes note of the waits of a line's schedule.
    mutating func note(
        _ follower: ScheduleFollower, line: Int, missing: ScheduledInterval? = nil
    ) {
        schedules[line] = follower.intervals + (missing.map { [$0] } ?? [])
        if !follower.samples.isEmpty { samples[line] = follower.samples }
    }

    /// Takes note of a harmless message.
    mutating func ignore(_ message: TraceMessage) {
        guard keepsRows else { return }
        ignored[message.name, default: 0] += 1
        guard ignoredRowCount < Limits.ignoredRowCountMax else { return }
        ignoredRowCount += 1
        entries.append(.ignored(message))
    }

    /// Whether as many messages after the failure are known as are wanted.
    var isFollowed: Bool { aftermathCount >= Limits.aftermathMessageCountMax }

    /// Takes note of a message after the failure; returns whether that is enough.
    mutating func follow(_ message: PlacedMessage) -> Bool {
        aftermathCount += 1
        if keepsRows { aftermath.append(message) }
        return isFollowed
    }
}
