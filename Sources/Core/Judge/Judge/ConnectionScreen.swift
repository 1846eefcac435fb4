import SuiteLanguage
import TCPIP
import Trace
import Wire

/// Judges cases on every connection by the headers of messages.
///
/// A connection that may not pass is handed over to the matcher, which continues from the steps
/// that its cases have reached.
public struct ConnectionScreen: MessageScreen {
    /// The only element, in an array because an existential stores a value of one word directly.
    ///
    /// A larger value is stored in a box, whose uniqueness must be checked at every call.
    private var state: [ConnectionProgress]
    private let isIdle: [Bool]

    /// Prepares to judge cases of a peer with this protocol.
    ///
    /// The result is `nil` if only the matcher can judge one of the cases.
    public init?(_ cases: [PreparedCase], protocolName: String) {
        let screens = cases.compactMap(CaseScreen.init)
        guard screens.count == cases.count, let protocols = cases.first?.protocols else {
            return nil
        }
        state = [
            ConnectionProgress(cases: screens, protocolName: protocolName, in: protocols)
        ]
        isIdle = cases.isIdle
    }

    /// Always `false`, because nothing needs the frames of skipped messages.
    public var needsFrames: Bool { false }

    /// Whether the message changes nothing for any case.
    public func selectsNothing(of code: MessageCode) -> Bool { isIdle[Int(code.index)] }

    /// How many connections used the protocol and ended as a pass.
    public var passedCount: Int { state[0].passedCount }
    /// The requests, and which of them were answered.
    public var exchanges: OpenRequests { state[0].exchanges }

    /// Returns the connections that the matcher must judge, since the last call.
    public mutating func takeHandovers() -> [Handover] { state[0].takeHandovers() }

    /// Returns the connections that have ended, since the last call.
    public mutating func takeEnded() -> [Int] { state[0].takeEnded() }

    /// Skips all further messages of a connection that was handed over.
    public mutating func leave(_ flow: Int, slot: Int) { state[0].leave(flow, slot: slot) }

    /// Whether the message is for the matcher.
    public mutating func selects(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].consume(header, unit, at: place)
            && (!isIdle[Int(header.code.index)] || !header.isSound(unit))
    }

    /// Whether the event is for the matcher, or shows which end called the other.
    public mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        // A datagram does not belong to a followed connection.
        place.slot >= 0 && state[0].consume(event: code, at: place)
    }

    /// Hands a connection over to the matcher if a message cannot be recognised by its headers.
    public mutating func record(_ message: any DissectedMessage, at place: MessagePlace) {
        state[0].record(message, at: place)
    }

    /// Hands a connection over to the matcher if parts of it were not captured.
    public mutating func recordUnseen(at place: MessagePlace) { state[0].markUndecided(place) }

    /// Prefetches the states of connections into the processor's cache.
    public mutating func prefetch(_ slots: Span<Int32>) { state[0].prefetch(slots) }

    /// Concludes the connection of a slot.
    public mutating func release(slot: Int) { state[0].release(slot: slot) }
}

/// A connection that the matcher must judge.
public struct Handover: Sendable {
    /// A message that a case's step has taken, or the first one of the device.
    struct Mark: Sendable {
        let nanoseconds: Int64
        let frame: Int
        let caseIndex: Int32
        /// The step; `nil` if none has taken it.
        let line: Int32?

        /// A mark without a message.
        static let none = Mark(nanoseconds: 0, frame: 0, caseIndex: 0, line: nil)
    }

    /// The connection's number in the trace.
    public let flow: Int
    /// Its slot.
    public let slot: Int
    /// Whether a message of the peer's protocol was seen on it.
    let speaks: Bool
    /// The messages that led the cases to their positions, in order.
    let marks: [Mark]
    /// The longest time in which every case is decided if no further message comes.
    let patience: Duration
}

/// The positions of the cases on each connection.
private struct ConnectionProgress {
    /// The state of a connection, and the position of one case on it.
    ///
    /// They are in one piece of memory, so that each message needs only one look-up.
    private struct ConnectionEntry {
        var flow = -1
        /// Whether its first end called; `nil` if that was not seen.
        var isCallerFirst: Bool?
        /// Whether a message of the peer's protocol was seen on it.
        var speaks = false
        /// Whether the matcher judges it.
        var isHandedOver = false
        /// Whether the matcher has finished judging it.
        var isLeft = false
        var progress = CaseScreen.Progress(start: 0)
        /// How many of the connection's marks are valid.
        var markCount = 0
    }

    /// A case that the present message has advanced, with its former position.
    private struct Advance {
        let index: Int
        let former: CaseScreen.Progress
    }

    private var cases: [CaseScreen]
    private let protocols: ProtocolRegistry
    /// The messages that led the cases of each slot to their positions, in order.
    ///
    /// Each slot has room for the largest number of marks. The attempt is not one of them.
    private var marks: [Handover.Mark] = []
    /// The largest number of marked messages of a connection.
    private let marksMax: Int
    private var advances: [Advance] = []
    /// For each message, whether it belongs to the peer's protocol.
    private let isSpoken: [Bool]
    private let syn = TCPEvent.Kind.syn.code
    private let gap = TCPEvent.Kind.gap.code
    /// By slot and case; the state of a connection is with the first case.
    private var entries: [ConnectionEntry] = []
    /// How many entries a slot has.
    private let stride: Int
    /// The requests of ended connections, and which of them were answered.
    private(set) var exchanges: OpenRequests
    /// The headers that `exchanges` has not been given yet.
    private var untold = CountedHeaders()
    private var lastTime = Int64.min
    private var handovers: [Handover] = []
    private var ended: [Int] = []
    /// How many connections used the protocol and ended as a pass.
    private(set) var passedCount = 0

    init(cases: [CaseScreen], protocolName: String, in protocols: ProtocolRegistry) {
        self.cases = cases
        self.protocols = protocols
        exchanges = OpenRequests(protocols)
        marksMax = cases.reduce(0) { $0 + $1.lineCount + 1 }
        stride = max(1, cases.count)
        isSpoken = protocols.table(false) { $0.hasPrefix(protocolName + ".") }
    }

    mutating func takeHandovers() -> [Handover] {
        if handovers.isEmpty { return [] }
        defer { handovers = [] }
        return handovers
    }

    mutating func takeEnded() -> [Int] {
        if ended.isEmpty { return [] }
        defer { ended = [] }
        return ended
    }

    mutating func leave(_ flow: Int, slot: Int) {
        let first = slot * stride
        guard first < entries.count, entries[first].flow == flow else { return }
        entries[first].isLeft = true
    }

    mutating func consume(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool
    {
        let first = meet(place)
        if untold.isFull { flushExchanges() }
        untold.append(CountedHeader(header, at: place))
        if isSpoken[Int(header.code.index)], !entries[first].speaks {
            entries[first].speaks = true
        }
        if entries[first].isHandedOver { return !entries[first].isLeft }
        let isSound = header.isSound(unit)
        guard isSound || protocols.message(of: header, in: unit) != nil,
            let isCallerFirst = entries[first].isCallerFirst
        else { return handOver(first, place) }
        let isFromCaller = place.isFromFirst == isCallerFirst
        if !advances.isEmpty { advances.removeAll(keepingCapacity: true) }
        for index in cases.indices {
            let former = entries[first + index].progress
            cases[index].consume(
                header, unit, isSound: isSound, isFromCaller: isFromCaller,
                at: place.nanoseconds, &entries[first + index].progress)
            if !mark(index, first, place, since: former) { return handOver(first, place) }
        }
        return false
    }

    mutating func consume(event code: MessageCode, at place: MessagePlace) -> Bool {
        let first = meet(place)
        if isSpoken[Int(code.index)], !entries[first].speaks { entries[first].speaks = true }
        if entries[first].isHandedOver { return !entries[first].isLeft }
        if code == syn, entries[first].isCallerFirst == nil {
            entries[first].isCallerFirst = place.isFromFirst
        }
        guard code != gap, let isCallerFirst = entries[first].isCallerFirst else {
            return handOver(first, place)
        }
        let isFromCaller = place.isFromFirst == isCallerFirst
        if !advances.isEmpty { advances.removeAll(keepingCapacity: true) }
        for index in cases.indices {
            let former = entries[first + index].progress
            cases[index].consume(
                code, isFromCaller: isFromCaller, at: place.nanoseconds,
                &entries[first + index].progress)
            if !mark(index, first, place, isAttempt: code == syn, since: former) {
                return handOver(first, place)
            }
        }
        // The attempt itself is handed over with its content, because it shows the ends of the
        // connection.
        return code == syn
    }

    /// Marks a message that has advanced a case, and returns whether no case became undecided.
    ///
    /// If the case became undecided, the message is undone for all cases and handed over to the
    /// matcher with its content.
    @inline(__always)
    private mutating func mark(
        _ index: Int, _ first: Int, _ place: MessagePlace, isAttempt: Bool = false,
        since former: CaseScreen.Progress
    ) -> Bool {
        let progress = entries[first + index].progress
        if progress.isUndecided {
            for advance in advances {
                entries[first + advance.index].progress = advance.former
                if !isAttempt { entries[first].markCount -= 1 }
            }
            entries[first + index].progress = former
            return false
        }
        guard progress.stage != former.stage else { return true }
        if index + 1 < stride { advances.append(Advance(index: index, former: former)) }
        if isAttempt { return true }
        let end = (place.slot + 1) * marksMax
        if marks.count < end {
            marks.append(contentsOf: repeatElement(.none, count: end - marks.count))
        }
        marks[place.slot * marksMax + entries[first].markCount] = Handover.Mark(
            nanoseconds: place.nanoseconds, frame: place.frame,
            caseIndex: Int32(truncatingIfNeeded: index),
            line: progress.lineCount > former.lineCount ? former.lineCount : nil)
        entries[first].markCount += 1
        return true
    }

    mutating func record(_ message: any DissectedMessage, at place: MessagePlace) {
        let first = meet(place)
        if let code = protocols.code(ofMessage: message.name),
            isSpoken[Int(code.index)]
        {
            entries[first].speaks = true
        }
        if message.name != "tcp.SYN" { _ = handOver(first, place) }
    }

    mutating func markUndecided(_ place: MessagePlace) { _ = handOver(meet(place), place) }

    /// Prefetches what `take` will need.
    mutating func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { entries.prefetch(Int(slots[index]) * stride) }
    }

    private mutating func flushExchanges() { exchanges.consume(untold.take()) }

    /// Hands a connection over to the matcher; returns whether the matcher wants this message.
    private mutating func handOver(_ first: Int, _ place: MessagePlace) -> Bool {
        guard !entries[first].isHandedOver else { return !entries[first].isLeft }
        entries[first].isHandedOver = true
        handOver(first, slot: place.slot)
        return true
    }

    private mutating func handOver(_ first: Int, slot: Int) {
        let connection = entries[first]
        let patience = cases.indices.reduce(Int64(0)) {
            max($0, cases[$1].patience(of: entries[first + $1].progress))
        }
        let own = marks.dropFirst(slot * marksMax).prefix(connection.markCount)
        handovers.append(
            Handover(
                flow: connection.flow, slot: slot, speaks: connection.speaks,
                marks: Array(own), patience: .nanoseconds(patience)))
    }

    /// Concludes the connection of a slot.
    mutating func release(slot: Int) {
        flushExchanges()
        exchanges.release(slot: slot)
        let first = slot * stride
        guard first < entries.count, entries[first].flow >= 0 else { return }
        ended.append(entries[first].flow)
        if !entries[first].isHandedOver, entries[first].speaks {
            let isPassed = cases.indices.allSatisfy {
                cases[$0].isPassed(entries[first + $0].progress, at: lastTime)
            }
            if isPassed { passedCount += 1 } else { handOver(first, slot: slot) }
        }
        entries[first] = ConnectionEntry()
    }

    /// Returns the index of the first entry of the connection at a place.
    private mutating func meet(_ place: MessagePlace) -> Int {
        lastTime = max(lastTime, place.nanoseconds)
        let first = place.slot * stride
        while entries.count < first + stride {
            entries.append(contentsOf: repeatElement(ConnectionEntry(), count: stride))
        }
        if entries[first].flow != place.flow { begin(first, place) }
        return first
    }

    /// Starts the cases on a new connection.
    private mutating func begin(_ first: Int, _ place: MessagePlace) {
        var entry = ConnectionEntry()
        entry.flow = place.flow
        entry.progress = CaseScreen.Progress(start: place.nanoseconds)
        for index in first..<first + stride { entries[index] = entry }
    }
}
