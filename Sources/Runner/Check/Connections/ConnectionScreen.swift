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

    mutating func touch(slot: Int) -> Int { state[0].touch(slot: slot) }

    mutating func release(slot: Int) { state[0].release(slot: slot) }
}

/// How far the cases have come on each connection.
private struct ConnectionProgress {
    /// What is known of a connection.
    private struct Connection {
        var flow = -1
        /// The packet by which it was met: its name from one reading of the capture to the next.
        var firstFrame = 0
        /// Whether the first of its ends called; `nil` if that was not seen.
        var isCallerFirst: Bool?
        /// Whether a message of the peer's protocol was seen on it.
        var speaks = false
        var isDoubtful = false
    }

    /// The cases; `nil` for one that only the matcher can judge.
    private var cases: [CaseScreen?]
    /// For each message, whether it belongs to the peer's protocol.
    private let isSpoken: [Bool]
    private let syn = TCPEvent.Kind.syn.code
    private let gap = TCPEvent.Kind.gap.code
    private var connections: [Connection] = []
    /// Which requests were answered.
    private(set) var exchanges = OpenRequests()
    /// By slot and case.
    private var progress: [CaseScreen.Progress] = []
    private var lastTime = Int64.min

    /// How many connections spoke the protocol and have ended.
    private(set) var judgedCount = 0
    /// The first frames of those that the matcher must judge.
    private(set) var doubtful: [Int] = []

    /// Prepares to judge cases of a peer that speaks a protocol.
    init(cases: [TestCase], protocolName: String) {
        self.cases = cases.map(CaseScreen.init)
        isSpoken = ProtocolCatalogue.messageNames.map { $0.hasPrefix(protocolName + ".") }
    }

    mutating func take(_ head: MessageHead, _ unit: RawSpan, at place: MessagePlace) {
        let slot = meet(place)
        if isSpoken[Int(head.code.index)] { connections[slot].speaks = true }
        _ = exchanges.take(head, at: place)
        let isSound = head.isSound(unit)
        guard isSound || head.message(of: unit) != nil,
            let isCallerFirst = connections[slot].isCallerFirst
        else {
            connections[slot].isDoubtful = true
            return
        }
        for index in cases.indices {
            let own = slot * cases.count + index
            var content: (any DissectedMessage)?
            if cases[index]?.needsContent(head.code, progress[own]) == true {
                content = isSound ? head.content(of: unit) : head.message(of: unit)
            }
            cases[index]?.take(
                head.code, isFromDevice: place.isFromFirst == isCallerFirst,
                at: place.nanoseconds, &progress[own], content: content)
        }
    }

    mutating func take(event code: MessageCode, at place: MessagePlace) {
        let slot = meet(place)
        if code == syn, connections[slot].isCallerFirst == nil {
            connections[slot].isCallerFirst = place.isFromFirst
        }
        guard code != gap, let isCallerFirst = connections[slot].isCallerFirst else {
            connections[slot].isDoubtful = true
            return
        }
        for index in cases.indices {
            let own = slot * cases.count + index
            cases[index]?.take(
                code, isFromDevice: place.isFromFirst == isCallerFirst, at: place.nanoseconds,
                &progress[own])
        }
    }

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        let slot = meet(place)
        if let code = MessageCode(message.name), isSpoken[Int(code.index)] {
            connections[slot].speaks = true
        }
        connections[slot].isDoubtful = true
    }

    /// Reads what `take` will need; what it returns is of no interest.
    mutating func touch(slot: Int) -> Int {
        guard slot < connections.count else { return 0 }
        let isOver = cases.isEmpty ? false : progress[slot * cases.count].isDoubtful
        return connections[slot].flow &+ (isOver ? 1 : 0) &+ exchanges.touch(slot: slot)
    }

    /// Concludes what was on a slot.
    mutating func release(slot: Int) {
        exchanges.release(slot: slot)
        guard slot < connections.count, connections[slot].flow >= 0 else { return }
        let connection = connections[slot]
        connections[slot] = Connection()
        guard connection.speaks || connection.isDoubtful else { return }
        let isPassed = cases.indices.allSatisfy { index in
            cases[index]?.isPassed(progress[slot * cases.count + index], at: lastTime) ?? false
        }
        if connection.isDoubtful || !isPassed { doubtful.append(connection.firstFrame) }
        if connection.speaks { judgedCount += 1 }
    }

    /// The slot of a place, with the connection that is on it now.
    private mutating func meet(_ place: MessagePlace) -> Int {
        lastTime = max(lastTime, place.nanoseconds)
        while connections.count <= place.slot {
            connections.append(Connection())
            for _ in cases { progress.append(CaseScreen.Progress(start: 0)) }
        }
        if connections[place.slot].flow != place.flow {
            connections[place.slot].flow = place.flow
            connections[place.slot].firstFrame = place.frame
            for index in cases.indices {
                progress[place.slot * cases.count + index] = CaseScreen.Progress(
                    start: place.nanoseconds)
            }
        }
        return place.slot
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
