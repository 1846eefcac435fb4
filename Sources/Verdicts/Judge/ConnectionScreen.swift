import Suites
import TCPIP
import Trace
import Wire

/// Judges cases on every connection by the headers of messages, and hands those that may not be a pass
/// over to the matcher, which goes on where their steps have come to.
public struct ConnectionScreen: MessageScreen {
    /// One, in an array because a value of one word lies in an existential itself: what is larger
    /// lies in a box that must be found unique at every call.
    private var state: [ConnectionProgress]
    private let isIdle: [Bool]

    /// Prepares to judge cases of a peer that speaks a protocol; `nil` if only the matcher can judge
    /// one of them.
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

    /// Nobody asks which frames carried what is passed over.
    public var needsFrames: Bool { false }

    /// Whether it changes nothing for any case.
    public func wantsNothing(of code: MessageCode) -> Bool { isIdle[Int(code.index)] }

    /// How many connections spoke the protocol and have ended as a pass.
    public var passedCount: Int { state[0].passedCount }
    /// Which requests were answered.
    public var exchanges: OpenRequests { state[0].exchanges }

    /// Connections that the matcher must judge, since they were taken out last.
    public mutating func takeHandovers() -> [Handover] { state[0].takeHandovers() }

    /// Connections that have ended, since they were taken out last.
    public mutating func takeEnded() -> [Int] { state[0].takeEnded() }

    /// Wants nothing more of a connection that was handed over.
    public mutating func leave(_ flow: Int, slot: Int) { state[0].leave(flow, slot: slot) }

    /// Whether the message is for the matcher.
    public mutating func wants(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].take(header, unit, at: place)
            && (!isIdle[Int(header.code.index)] || !header.isSound(unit))
    }

    /// Whether the event is for the matcher, or says who called whom.
    public mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        // A datagram is on none of the connections that are followed.
        place.slot >= 0 && state[0].take(event: code, at: place)
    }

    /// Leaves a connection whose messages their headers do not tell to the matcher.
    public mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        state[0].note(message, at: place)
    }

    /// Leaves a connection that is not seen whole to the matcher.
    public mutating func noteUnseen(at place: MessagePlace) { state[0].doubt(place) }

    /// Has the processor fetch what is known of connections.
    public mutating func prefetch(_ slots: Span<Int32>) { state[0].prefetch(slots) }

    /// Concludes what was on a slot.
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

        /// Of no message.
        static let none = Mark(nanoseconds: 0, frame: 0, caseIndex: 0, line: nil)
    }

    /// The connection's number in the trace.
    public let flow: Int
    /// Its slot.
    public let slot: Int
    /// Whether a message of the peer's protocol was seen on it.
    let speaks: Bool
    /// What has brought the cases to where they are, in its order.
    let marks: [Mark]
    /// In how much time every case is decided at the latest if no message comes any more.
    let patience: Duration
}

/// How far the cases have come on each connection.
private struct ConnectionProgress {
    /// What is known of a connection, and how far one case has come on it: that they lie in one piece
    /// of memory spares looking for another one at each message.
    private struct ConnectionEntry {
        var flow = -1
        /// Whether the first of its ends called; `nil` if that was not seen.
        var isCallerFirst: Bool?
        /// Whether a message of the peer's protocol was seen on it.
        var speaks = false
        /// Whether the matcher judges it.
        var isHandedOver = false
        /// Whether the matcher has judged it.
        var isLeft = false
        var progress = CaseScreen.Progress(start: 0)
        /// How many of the connection's marks count.
        var markCount = 0
    }

    /// A case that the present message has brought on, and how far it had come before.
    private struct Advance {
        let index: Int
        let former: CaseScreen.Progress
    }

    private var cases: [CaseScreen]
    private let protocols: ProtocolRegistry
    /// What has brought the cases of each slot to where they are, in its order, with room for as many
    /// as there can be; the attempt is not among it.
    private var marks: [Handover.Mark] = []
    /// How many messages of a connection are marked at most.
    private let marksMax: Int
    private var advances: [Advance] = []
    /// For each message, whether it belongs to the peer's protocol.
    private let isSpoken: [Bool]
    private let syn = TCPEvent.Kind.syn.code
    private let gap = TCPEvent.Kind.gap.code
    /// By slot and case; what is known of a connection is with the first case.
    private var entries: [ConnectionEntry] = []
    /// How many of them a slot has.
    private let stride: Int
    /// Which requests were answered, on the connections that have ended.
    private(set) var exchanges: OpenRequests
    /// Messages that they have not been told of.
    private var untold = CountedHeaders()
    private var lastTime = Int64.min
    private var handovers: [Handover] = []
    private var ended: [Int] = []
    /// How many connections spoke the protocol and have ended as a pass.
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

    mutating func take(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
        let first = meet(place)
        if untold.isFull { tellExchanges() }
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
            cases[index].take(
                header, unit, isSound: isSound, isFromCaller: isFromCaller,
                at: place.nanoseconds, &entries[first + index].progress)
            if !mark(index, first, place, since: former) { return handOver(first, place) }
        }
        return false
    }

    mutating func take(event code: MessageCode, at place: MessagePlace) -> Bool {
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
            cases[index].take(
                code, isFromCaller: isFromCaller, at: place.nanoseconds,
                &entries[first + index].progress)
            if !mark(index, first, place, isAttempt: code == syn, since: former) {
                return handOver(first, place)
            }
        }
        // The attempt itself is handed over whole: it says who the ends are.
        return code == syn
    }

    /// Marks a message that has brought a case on; if it makes the case doubtful, takes it back from
    /// the cases before and returns `false`: the matcher is given it whole.
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

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        let first = meet(place)
        if let code = protocols.code(ofMessage: message.name),
            isSpoken[Int(code.index)]
        {
            entries[first].speaks = true
        }
        if message.name != "tcp.SYN" { _ = handOver(first, place) }
    }

    mutating func doubt(_ place: MessagePlace) { _ = handOver(meet(place), place) }

    /// Has the processor fetch what `take` will need.
    mutating func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { entries.prefetch(Int(slots[index]) * stride) }
    }

    private mutating func tellExchanges() { exchanges.take(untold.take()) }

    /// Leaves a connection to the matcher from this message on; returns whether it wants it.
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

    /// Concludes what was on a slot.
    mutating func release(slot: Int) {
        tellExchanges()
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

    /// Where what is known of the connection at a place is.
    private mutating func meet(_ place: MessagePlace) -> Int {
        lastTime = max(lastTime, place.nanoseconds)
        let first = place.slot * stride
        while entries.count < first + stride {
            entries.append(contentsOf: repeatElement(ConnectionEntry(), count: stride))
        }
        if entries[first].flow != place.flow { begin(first, place) }
        return first
    }

    /// Begins with the cases on a connection that has not been met before.
    private mutating func begin(_ first: Int, _ place: MessagePlace) {
        var entry = ConnectionEntry()
        entry.flow = place.flow
        entry.progress = CaseScreen.Progress(start: place.nanoseconds)
        for index in first..<first + stride { entries[index] = entry }
    }
}
