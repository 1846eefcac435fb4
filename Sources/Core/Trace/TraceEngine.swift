import Bluetooth
import Capture
import TCPIP
import Wire

/// Turns packets into the messages of a trace: streaming, in bounded memory, without a clock.
///
/// The stages are packets, TCP connections, streams in order, protocol messages. Every byte and
/// packet that does not become part of a message is counted in `statistics`.
public struct TraceEngine: Sendable {
    var output: TraceOutput
    var flows = FlowTable()
    /// What was read of the packets of a batch.
    var anticipated = InlineArray<32, ParsedPacket>(repeating: ParsedPacket())
    /// The slots of their connections; negative if there is none.
    var anticipatedSlots = InlineArray<32, Int32>(repeating: -1)
    /// The flows that have acknowledged bytes outstanding.
    var awaiting: [Int] = []
    /// The earliest time at which such bytes may be given up, in nanoseconds.
    var awaitingDue = Int64.max
    /// The streams that are cut by pauses.
    var pauses = StreamPauses()
    /// The flows that have ended, in the order in which they did.
    var closedFlows = ClosedFlowQueue()
    /// The connections that ended and were dropped.
    var closedConnections = ClosedConnections()
    /// The bytes of streams, and the flows, at which the memory of the flows is estimated again.
    var nextEstimate = (bytes: 0, flows: 0)
    /// The time after which idle flows are looked for again.
    var nextSweep: Timestamp?
    /// The first frame of each connection; only in a share, whose own numbers are not global.
    public internal(set) var firstFrames: [Int32] = []
    var fragments = IPReassembly()
    var copies = DatagramCopies()
    var bluetooth = BluetoothTrace()
    var datagrams = DatagramTrace()

    /// Creates an engine without any state.
    ///
    /// - Parameters:
    ///   - options: Its options and limits.
    ///   - screen: Selects the messages that are wanted; without a screen all are.
    public init(_ options: TraceOptions, screen: (any MessageScreen)? = nil) {
        output = TraceOutput(options: options, screen: screen)
    }

    /// The statistics so far.
    public var statistics: TraceStatistics {
        guard output.options.shard.index > 0 else { return output.statistics }
        var own = TraceStatistics()
        own.merge(share: output.statistics)
        return own
    }

    /// The screen that selects messages, in its current state.
    public var screen: any MessageScreen { output.screening.screen }

    /// Changes the screen, if it has that type.
    public mutating func withScreen<Screen: MessageScreen>(
        _ type: Screen.Type, _ body: (inout Screen) -> Void
    ) { output.screening.withScreen(type, body) }

    /// Whether messages are held back because earlier ones may still follow.
    public var isHolding: Bool { !output.messages.isEmpty || !pauses.isEmpty }

    /// The number of connections that are being followed, including those that have just ended.
    var followedCount: Int { flows.count }

    /// Whether a packet has a time other than zero.
    private var hasTimes = false

    /// Processes the next packet and appends the messages that it completes.
    ///
    /// The time of a message is the packet's time. Its frames are all frames that carried it.
    public mutating func consume(
        _ packet: borrowing Packet, into messages: inout [TraceMessage]
    ) {
        output.statistics.packets += 1
        output.statistics.bytes += packet.bytes.byteCount
        output.recordTime(packet.timestamp, of: packet.interface, frame: packet.index)
        pass(to: packet.timestamp)
        if !packet.isTimed { output.recordUntimed(frame: packet.index) }
        limitMemory()
        consumeCounted(packet)
        output.screening.notify()
        flush(into: &messages)
    }

    /// Processes a packet that is counted already.
    mutating func consumeCounted(_ packet: borrowing Packet) {
        do {
            try consumeFrame(packet)
        } catch {
            let what = "malformed " + error.unit.prefix { $0 != "." }
            output.statistics.ignore(what)
            output.recordOpaque(what, frame: packet.index)
        }
        if !output.options.dissected.isEmpty { addDissected(frame: packet.index) }
    }

    /// The time until which nothing but packets is due.
    var nextDue: Int64 {
        mutating get { min(awaitingDue, closedFlows.due, pauses.due) }
    }

    /// Performs what is due by the time of a packet.
    mutating func pass(to timestamp: Int64) {
        output.now = Timestamp(nanoseconds: timestamp)
        hasTimes = hasTimes || timestamp != 0
        if pauses.due < timestamp { endPauses(before: timestamp) }
        if awaitingDue < timestamp { giveUpOverdue() }
        if closedFlows.due < timestamp { releaseClosed() }
    }

    /// Records that no packet arrived until `time`, so that overdue bytes are reported as missing.
    public mutating func advance(to time: Timestamp, into messages: inout [TraceMessage]) {
        guard !awaiting.isEmpty || !pauses.isEmpty else { return }
        output.now = max(output.now, time)
        endPauses(before: output.now.nanoseconds)
        if !awaiting.isEmpty { giveUpOverdue() }
        flush(into: &messages)
    }

    /// Ends all streams and reports what is missing or unfinished in them.
    ///
    /// - Parameters:
    ///   - time: The end of the capture; the last packet's time if `nil`.
    ///   - messages: The list to which messages are appended.
    public mutating func finish(at time: Timestamp?, into messages: inout [TraceMessage]) {
        if !hasTimes, output.statistics.packets > 1, output.statistics.untimedPackets == 0 {
            output.recordUntimed(frame: 1, count: output.statistics.packets)
        }
        if let time { output.now = time }
        fragments.finish(counting: &output.statistics)
        if let start = fragments.takeLost() {
            output.recordOpaque(IPReassembly.lost, frame: nil, since: start)
        }
        for slot in flows.slotsByNumber {
            flows[slot].finish(nil, reason: .end, into: &output)
            output.screening.release(slot: slot)
        }
        bluetooth.finish(into: &output)
        flows = FlowTable()
        awaiting = []
        awaitingDue = .max
        pauses = StreamPauses()
        closedFlows = ClosedFlowQueue()
        closedConnections = ClosedConnections()
        (output.waitingBytes, output.waitingSegments) = (0, 0)
        output.screening.notify()
        flushAll(into: &messages)
    }

    /// Returns a message for an event that was not on the wire, with the next number in the trace.
    public mutating func insert(event: DeviceEvent, at time: Timestamp) -> TraceMessage {
        defer { output.nextNumber += 1 }
        return TraceMessage(number: output.nextNumber, time: time, frames: [], content: event)
    }

    /// Starts to look for bytes in streams.
    ///
    /// Where they are found, a `SentBytes` message precedes the messages that they decode to.
    public mutating func watch(for bytes: ByteWatch) {
        output.watches.append(bytes)
        flows.endHotConnections()
    }

    /// Returns what the capture does not show, as far as it was revealed since the last call.
    ///
    /// The result is empty unless the options request it.
    public mutating func takeUnseen() -> [UnseenSpan] {
        if output.unseen.isEmpty { return [] }
        defer { output.unseen = [] }
        return output.unseen
    }

    /// Returns whether something may still turn out to be missing in one of these connections.
    ///
    /// This applies to an open connection, and to what was sent before `time`.
    public mutating func mayLack(before time: Timestamp, in connections: Set<Int>) -> Bool {
        flows.usedSlots.contains { slot in
            connections.contains(flows[slot].number)
                && !flows.isSeen(until: time, slot: slot)
        }
    }

    /// Delivers the messages, in the order of time.
    ///
    /// While acknowledged bytes are outstanding, messages of other streams wait for those after the
    /// hole, which are earlier.
    mutating func flush(into messages: inout [TraceMessage]) {
        if output.messages.isEmpty { return }
        if !pauses.isEmpty {
            // A message that has begun is earlier than what arrived since.
            guard output.messages.count > output.options.heldMessagesMax else { return }
            endPauses(before: .max)
        }
        if !awaiting.isEmpty {
            awaiting.removeAll { !flows[$0].isAwaiting }
            if !awaiting.isEmpty {
                guard output.messages.count > output.options.heldMessagesMax else { return }
                stopAwaiting()
            }
        }
        flushAll(into: &messages)
    }

    /// Delivers the messages that are complete, whatever may be outstanding.
    public mutating func flushAll(into messages: inout [TraceMessage]) {
        if output.isOutOfOrder { output.sortMessages() }
        messages += output.messages
        output.messages.removeAll(keepingCapacity: true)
    }
}
