import Suites
import TCPIP
import Trace
import Wire

/// Judges cases on every connection by the heads of messages, and hands those that may not be a pass
/// over to the matcher, with the messages that steps have taken so far.
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
        _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].take(head, unit, at: place)
            && (!isIdle[Int(head.code.index)] || !head.isSound(unit))
    }

    /// Whether the event is for the matcher, or says who called whom.
    public mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        // A datagram is on none of the connections that are followed.
        place.slot >= 0 && state[0].take(event: code, at: place)
    }

    /// Leaves a connection whose messages their heads do not tell to the matcher.
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
    /// A message that a step has taken, as it was on the wire.
    struct Unit: Sendable {
        let place: MessagePlace
        let content: Content

        enum Content: Sendable {
            /// Its head and its bytes.
            case message(MessageHead, [UInt8])
            case event(MessageCode)
        }
    }

    /// The connection's number in the trace.
    public let flow: Int
    /// Its slot.
    public let slot: Int
    /// The first packet that shows anything of it.
    let firstFrame: Int
    /// Whether the first of its ends called; `nil` if that was not seen.
    let isCallerFirst: Bool?
    /// Whether a message of the peer's protocol was seen on it.
    let speaks: Bool
    /// What steps have taken.
    let units: [Unit]
}

/// How far the cases have come on each connection.
private struct ConnectionProgress {
    /// What is known of a connection, and how far one case has come on it: that they lie in one piece
    /// of memory spares looking for another one at each message.
    private struct Standing {
        var flow = -1
        /// The first packet that shows anything of it.
        var firstFrame = 0
        /// Whether the first of its ends called; `nil` if that was not seen.
        var isCallerFirst: Bool?
        /// Whether a message of the peer's protocol was seen on it.
        var speaks = false
        /// Whether the matcher judges it.
        var isHandedOver = false
        /// Whether the matcher has judged it.
        var isLeft = false
        var progress = CaseScreen.Progress(start: 0)
        /// What steps have taken.
        var units: [Handover.Unit] = []
    }

    private var cases: [CaseScreen]
    private let protocols: ProtocolRegistry
    /// How many messages their steps take.
    private let lineCount: Int
    /// For each message, whether it belongs to the peer's protocol.
    private let isSpoken: [Bool]
    private let syn = TCPEvent.Kind.syn.code
    private let gap = TCPEvent.Kind.gap.code
    /// By slot and case; what is known of a connection is with the first case.
    private var standings: [Standing] = []
    /// How many of them a slot has.
    private let stride: Int
    /// Which requests were answered, on the connections that have ended.
    private(set) var exchanges: OpenRequests
    /// Messages that they have not been told of.
    private var untold = CountedHeads()
    private var lastTime = Int64.min
    private var handovers: [Handover] = []
    private var ended: [Int] = []
    /// How many connections spoke the protocol and have ended as a pass.
    private(set) var passedCount = 0

    init(cases: [CaseScreen], protocolName: String, in protocols: ProtocolRegistry) {
        self.cases = cases
        self.protocols = protocols
        exchanges = OpenRequests(protocols)
        lineCount = cases.reduce(0) { $0 + $1.lineCount }
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
        guard first < standings.count, standings[first].flow == flow else { return }
        standings[first].isLeft = true
    }

    mutating func take(_ head: MessageHead, _ unit: RawSpan, at place: MessagePlace) -> Bool {
        let first = meet(place)
        if untold.isFull { tellExchanges() }
        untold.append(CountedHead(head, at: place))
        if isSpoken[Int(head.code.index)], !standings[first].speaks {
            standings[first].speaks = true
        }
        if standings[first].isHandedOver { return !standings[first].isLeft }
        let isSound = head.isSound(unit)
        guard isSound || protocols.message(of: head, in: unit) != nil,
            let isCallerFirst = standings[first].isCallerFirst
        else { return handOver(first, place) }
        let isFromDevice = place.isFromFirst == isCallerFirst
        var isKept = false
        for index in cases.indices {
            let stage = standings[first + index].progress.stage
            cases[index].take(
                head, unit, isSound: isSound, isFromDevice: isFromDevice,
                at: place.nanoseconds, &standings[first + index].progress)
            if standings[first + index].progress.isDoubtful { return handOver(first, place) }
            isKept = isKept || standings[first + index].progress.stage != stage
        }
        if isKept {
            keep(.message(head, [UInt8](copying: unit)), first, place)
        }
        return false
    }

    mutating func take(event code: MessageCode, at place: MessagePlace) -> Bool {
        let first = meet(place)
        if isSpoken[Int(code.index)], !standings[first].speaks { standings[first].speaks = true }
        if standings[first].isHandedOver { return !standings[first].isLeft }
        if code == syn, standings[first].isCallerFirst == nil {
            standings[first].isCallerFirst = place.isFromFirst
        }
        guard code != gap, let isCallerFirst = standings[first].isCallerFirst else {
            return handOver(first, place)
        }
        var isKept = false
        for index in cases.indices {
            let stage = standings[first + index].progress.stage
            cases[index].take(
                code, isFromDevice: place.isFromFirst == isCallerFirst, at: place.nanoseconds,
                &standings[first + index].progress)
            if standings[first + index].progress.isDoubtful { return handOver(first, place) }
            isKept = isKept || standings[first + index].progress.stage != stage
        }
        // The attempt itself is handed over whole: it says who the ends are.
        if code == syn { return true }
        if isKept { keep(.event(code), first, place) }
        forgetIfOver(first)
        return false
    }

    /// Forgets what steps have taken once nothing can make the matcher ask for it.
    private mutating func forgetIfOver(_ first: Int) {
        guard !standings[first].units.isEmpty,
            cases.indices.allSatisfy({ standings[first + $0].progress.isOver })
        else { return }
        standings[first].units = []
    }

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        let first = meet(place)
        if let code = protocols.code(ofMessage: message.name),
            isSpoken[Int(code.index)]
        {
            standings[first].speaks = true
        }
        if message.name != "tcp.SYN" { _ = handOver(first, place) }
    }

    mutating func doubt(_ place: MessagePlace) { _ = handOver(meet(place), place) }

    /// Has the processor fetch what `take` will need.
    mutating func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { standings.prefetch(Int(slots[index]) * stride) }
    }

    private mutating func tellExchanges() { exchanges.take(untold.take()) }

    private mutating func keep(
        _ content: Handover.Unit.Content, _ first: Int, _ place: MessagePlace
    ) {
        if standings[first].units.isEmpty { standings[first].units.reserveCapacity(lineCount) }
        standings[first].units.append(Handover.Unit(place: place, content: content))
    }

    /// Leaves a connection to the matcher from this message on; returns whether it wants it.
    private mutating func handOver(_ first: Int, _ place: MessagePlace) -> Bool {
        guard !standings[first].isHandedOver else { return !standings[first].isLeft }
        standings[first].isHandedOver = true
        handOver(first, slot: place.slot)
        return true
    }

    private mutating func handOver(_ first: Int, slot: Int) {
        let connection = standings[first]
        handovers.append(
            Handover(
                flow: connection.flow, slot: slot, firstFrame: connection.firstFrame,
                isCallerFirst: connection.isCallerFirst, speaks: connection.speaks,
                units: connection.units))
        standings[first].units = []
    }

    /// Concludes what was on a slot.
    mutating func release(slot: Int) {
        tellExchanges()
        exchanges.release(slot: slot)
        let first = slot * stride
        guard first < standings.count, standings[first].flow >= 0 else { return }
        let connection = standings[first]
        ended.append(connection.flow)
        standings[first] = Standing()
        guard !connection.isHandedOver, connection.speaks else { return }
        let isPassed = cases.indices.allSatisfy { index in
            let progress =
                index == 0 ? connection.progress : standings[first + index].progress
            return cases[index].isPassed(progress, at: lastTime)
        }
        if isPassed {
            passedCount += 1
        } else {
            standings[first] = connection
            handOver(first, slot: slot)
            standings[first] = Standing()
        }
    }

    /// Where what is known of the connection at a place is.
    private mutating func meet(_ place: MessagePlace) -> Int {
        lastTime = max(lastTime, place.nanoseconds)
        let first = place.slot * stride
        while standings.count < first + stride { standings.append(Standing()) }
        if standings[first].flow != place.flow { begin(first, place) }
        return first
    }

    /// Begins with the cases on a connection that has not been met before.
    private mutating func begin(_ first: Int, _ place: MessagePlace) {
        var standing = Standing()
        standing.flow = place.flow
        standing.firstFrame = place.frame
        standing.progress = CaseScreen.Progress(start: place.nanoseconds)
        for index in first..<first + stride { standings[index] = standing }
    }
}
