import Capture
import Protocols
import Suites
import Trace
import Verdicts

/// Judges a case on every connection by the heads of messages; leaves those that may not be a pass
/// to the matcher.
struct ConnectionScreen: MessageScreen {
    /// One, in an array because a value of one word lies in an existential itself: what is larger
    /// lies in a box that must be found unique at every call.
    private var state: [ConnectionProgress]

    /// Prepares to judge cases of a peer that speaks a protocol.
    init(cases: [TestCase], protocolName: String) {
        state = [ConnectionProgress(cases: cases, protocolName: protocolName)]
    }

    /// What it leaves to the matcher is read once more.
    var needsFrames: Bool { false }
    /// It follows them by their heads and bodies.
    var wantsNone: Bool { true }

    /// How many connections spoke the protocol and have ended.
    var judgedCount: Int { state[0].judgedCount }
    /// The first frames of those that the matcher must judge.
    var doubtful: [Int] { state[0].doubtful }
    /// Which requests were answered.
    var exchanges: OpenRequests { state[0].exchanges }

    mutating func wants(
        _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].take(head, unit, at: place)
        return false
    }

    mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        state[0].take(event: code, at: place)
        return false
    }

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        state[0].note(message, at: place)
    }

    mutating func prefetch(_ slots: Span<Int32>) { state[0].prefetch(slots) }

    mutating func release(slot: Int) { state[0].release(slot: slot) }
}

/// How far the cases have come on each connection.
private struct ConnectionProgress {
    /// What is known of a connection, and how far one case has come on it: that they lie in one piece
    /// of memory spares looking for another one at each message.
    private struct Standing {
        var flow = -1
        /// The packet by which it was met: its name from one reading of the capture to the next.
        var firstFrame = 0
        /// Whether the first of its ends called; `nil` if that was not seen.
        var isCallerFirst: Bool?
        /// Whether a message of the peer's protocol was seen on it.
        var speaks = false
        var isDoubtful = false
        var progress = CaseScreen.Progress(start: 0)
    }

    /// The cases; none if only the matcher can judge one of them.
    private var cases: [CaseScreen]
    private let isJudgedByMatcher: Bool
    /// For each message, whether it belongs to the peer's protocol.
    private let isSpoken: [Bool]
    private let syn = TCPEvent.Kind.syn.code
    private let gap = TCPEvent.Kind.gap.code
    /// By slot and case; what is known of a connection stands with the first case.
    private var standings: [Standing] = []
    /// How many of them a slot has.
    private let stride: Int
    /// Which requests were answered, on the connections that have ended.
    private(set) var exchanges = OpenRequests()
    /// Messages that they have not been told of.
    private var untold = CountedHeads()
    private var lastTime = Int64.min

    /// How many connections spoke the protocol and have ended.
    private(set) var judgedCount = 0
    /// The first frames of those that the matcher must judge.
    private(set) var doubtful: [Int] = []

    /// Prepares to judge cases of a peer that speaks a protocol.
    init(cases: [TestCase], protocolName: String) {
        let screens = cases.compactMap(CaseScreen.init)
        isJudgedByMatcher = screens.count < cases.count
        self.cases = isJudgedByMatcher ? [] : screens
        stride = max(1, self.cases.count)
        isSpoken = ProtocolCatalogue.messageNames.map { $0.hasPrefix(protocolName + ".") }
    }

    mutating func take(_ head: MessageHead, _ unit: RawSpan, at place: MessagePlace) {
        let first = meet(place)
        if untold.isFull { tellExchanges() }
        untold.append(CountedHead(head, at: place))
        let isSound = head.isSound(unit)
        if isSpoken[Int(head.code.index)], !standings[first].speaks {
            standings[first].speaks = true
        }
        guard isSound || head.message(of: unit) != nil,
            let isCallerFirst = standings[first].isCallerFirst
        else {
            standings[first].isDoubtful = true
            return
        }
        for index in cases.indices {
            cases[index].take(
                head, unit, isSound: isSound, isFromDevice: place.isFromFirst == isCallerFirst,
                at: place.nanoseconds, &standings[first + index].progress)
        }
    }

    mutating func take(event code: MessageCode, at place: MessagePlace) {
        let first = meet(place)
        if code == syn, standings[first].isCallerFirst == nil {
            standings[first].isCallerFirst = place.isFromFirst
        }
        guard code != gap, let isCallerFirst = standings[first].isCallerFirst else {
            standings[first].isDoubtful = true
            return
        }
        for index in cases.indices {
            cases[index].take(
                code, isFromDevice: place.isFromFirst == isCallerFirst, at: place.nanoseconds,
                &standings[first + index].progress)
        }
    }

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        let first = meet(place)
        if let code = MessageCode(message.name), isSpoken[Int(code.index)] {
            standings[first].speaks = true
        }
        standings[first].isDoubtful = true
    }

    /// Has the processor fetch what `take` will need.
    mutating func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { standings.prefetch(Int(slots[index]) * stride) }
    }

    private mutating func tellExchanges() { exchanges.take(untold.take()) }

    /// Concludes what was on a slot.
    mutating func release(slot: Int) {
        tellExchanges()
        exchanges.release(slot: slot)
        let first = slot * stride
        guard first < standings.count, standings[first].flow >= 0 else { return }
        let connection = standings[first]
        standings[first].flow = -1
        guard connection.speaks || connection.isDoubtful else { return }
        let isPassed =
            !isJudgedByMatcher
            && cases.indices.allSatisfy { index in
                cases[index].isPassed(standings[first + index].progress, at: lastTime)
            }
        if connection.isDoubtful || !isPassed { doubtful.append(connection.firstFrame) }
        if connection.speaks { judgedCount += 1 }
    }

    /// Where what is known of the connection at a place stands.
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

/// Wants every message of certain connections, and none of the others.
struct SelectedConnections: MessageScreen {
    private let firstFrames: Set<Int>
    private var flows: [Int] = []
    private var isWanted: [Bool] = []

    /// Takes the packets by which the connections were met.
    init(firstFrames: Set<Int>) {
        self.firstFrames = firstFrames
    }

    mutating func wants(
        _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        meets(place)
    }

    mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        meets(place)
    }

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        _ = meets(place)
    }

    private mutating func meets(_ place: MessagePlace) -> Bool {
        while flows.count <= place.slot {
            flows.append(-1)
            isWanted.append(false)
        }
        if flows[place.slot] != place.flow {
            flows[place.slot] = place.flow
            isWanted[place.slot] = firstFrames.contains(place.frame)
        }
        return isWanted[place.slot]
    }
}
