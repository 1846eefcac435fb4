import Suites
import TCPIP
import Trace
import Wire

/// Passes over the messages of a trace that change nothing for any case, by their headers.
///
/// What is of interest follows from the steps that are awaited now. The judge says so after each batch
/// of packets; from the first message of interest in a batch on, everything is wanted until then.
public struct InterestScreen: MessageScreen {
    /// One, in an array because a value of one word lies in an existential itself.
    private var state: [Interest]
    private let isIdle: [Bool]

    /// Wants everything that may be of interest to a case, until the judge says what is.
    ///
    /// - Parameter cases: At least one.
    public init(_ cases: [PreparedCase]) {
        state = [Interest(codeCount: cases.codeCount)]
        isIdle = cases.isIdle
    }

    /// Whether it changes nothing for any case.
    public func wantsNothing(of code: MessageCode) -> Bool { isIdle[Int(code.index)] }

    /// Whether the message is of interest.
    public mutating func wants(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        // A body that does not decode makes it another message.
        !isIdle[Int(header.code.index)] && state[0].wants(header.code, at: place)
            || !header.isSound(unit)
    }

    /// Whether the event is of interest.
    public mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        // A datagram belongs to no connection whose ends are known here.
        guard place.slot >= 0 else { return !isIdle[Int(code.index)] && state[0].wantsAnything() }
        return state[0].wants(code, at: place)
    }

    /// Learns who the ends of a connection are.
    public mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        state[0].note(message, at: place)
    }

    /// Takes over what is of interest from now on.
    mutating func instruct(_ judge: inout Judge) { state[0].instruct(&judge) }
}

/// What of each connection is of interest.
private struct Interest {
    private enum Role: UInt8 {
        /// It is not known who is who: everything is of interest.
        case open
        case deviceFirst, deviceSecond
        case stranger
    }

    private struct Connection {
        var flow = -1
        var ends: (first: Endpoint, second: Endpoint)?
        var role = Role.open
    }

    /// How many entries a table by the index of codes has.
    private let codeCount: Int
    /// By slot.
    private var connections: [Connection] = []
    /// The slots of connections whose ends are known and whose roles are not.
    private var unresolved: [Int] = []
    /// For each message, a bit for each side from which it is of interest, and one for a message after
    /// which something else may be.
    private var table: [UInt8] = []
    /// Whether something of interest has come since the judge was asked.
    private var isStale = true
    /// When time changes what is of interest.
    private var deadline = Int64.min
    /// Who is who for each case, once that is known.
    private var parties: [Parties] = []

    init(codeCount: Int) { self.codeCount = codeCount }

    private static let ofDevice: UInt8 = 1
    private static let ofPeer: UInt8 = 2
    /// After which something else may be of interest.
    private static let changes: UInt8 = 4

    mutating func wants(_ code: MessageCode, at place: MessagePlace) -> Bool {
        if isStale || place.nanoseconds > deadline { return true }
        let index = place.slot
        guard index < connections.count, connections[index].flow == place.flow else { return true }
        let bit: UInt8
        switch connections[index].role {
        case .open: return true
        case .stranger: return false
        case .deviceFirst: bit = place.isFromFirst ? Self.ofDevice : Self.ofPeer
        case .deviceSecond: bit = place.isFromFirst ? Self.ofPeer : Self.ofDevice
        }
        let interest = table[Int(code.index)]
        guard interest & bit != 0 else { return false }
        if interest & Self.changes != 0 { isStale = true }
        return true
    }

    /// Wants a message that may change what is of interest.
    mutating func wantsAnything() -> Bool {
        isStale = true
        return true
    }

    mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {
        guard let event = message as? TCPEvent else { return }
        while connections.count <= place.slot { connections.append(Connection()) }
        guard connections[place.slot].flow != place.flow else { return }
        let source = Endpoint(address: event.source, port: event.header.sourcePort)
        let destination = Endpoint(
            address: event.destination, port: event.header.destinationPort)
        let ends = place.isFromFirst ? (source, destination) : (destination, source)
        connections[place.slot] = Connection(flow: place.flow, ends: ends, role: role(of: ends))
        if connections[place.slot].role == .open { unresolved.append(place.slot) }
    }

    mutating func instruct(_ judge: inout Judge) {
        guard judge.isResolved, judge.held.isEmpty else {
            isStale = true
            return
        }
        if isStale || !unresolved.isEmpty { parties = judge.whole?.instances.map(\.parties) ?? [] }
        if !unresolved.isEmpty { resolve(judge) }
        let next = judge.nextDeadline?.nanoseconds ?? .max
        guard isStale || next != deadline else { return }
        deadline = next
        table = [UInt8](repeating: 0, count: codeCount)
        isStale = false
        for interest in judge.look() {
            guard let interest else {
                isStale = true
                return
            }
            for index in table.indices where interest.table[index] != 0 {
                table[index] |= interest.table[index] | Self.changes
            }
            for code in interest.awaited {
                table[Int(code.index)] |= Self.ofDevice | Self.ofPeer | Self.changes
            }
            for code in interest.ends {
                table[Int(code.index)] |= Self.ofDevice | Self.ofPeer
            }
        }
    }

    private mutating func resolve(_ judge: borrowing Judge) {
        var left: [Int] = []
        for slot in unresolved {
            guard let ends = connections[slot].ends else { continue }
            connections[slot].role = role(of: ends)
            guard connections[slot].role == .open else { continue }
            let isPeer = parties.contains {
                $0.peer(at: ends.first) != nil || $0.peer(at: ends.second) != nil
            }
            if !isPeer, judge.isDecided(connections[slot].flow) {
                connections[slot].role = .stranger
            } else {
                left.append(slot)
            }
        }
        unresolved = left
    }

    /// The role that the ends of a connection have for every case; `open` if it is not the same.
    private func role(of ends: (first: Endpoint, second: Endpoint)) -> Role {
        var role = Role.open
        for parties in parties {
            let (first, second) = (parties.peer(at: ends.first), parties.peer(at: ends.second))
            guard (first == nil) != (second == nil) else { return .open }
            let own = first == nil ? Role.deviceFirst : .deviceSecond
            guard role == .open || role == own else { return .open }
            role = own
        }
        return role
    }
}

/// What is of interest to a case now.
struct CaseInterest: Sendable {
    /// For each message, a bit for each side from which it is of interest whatever is awaited: 1 for
    /// the device, 2 for the peers.
    let table: [UInt8]
    /// The messages that steps wait for.
    let awaited: [MessageCode]
    /// The messages that say why an awaited one does not come.
    let ends: [MessageCode]

    /// Whether a message may be of interest.
    func means(_ code: MessageCode) -> Bool {
        table[Int(code.index)] != 0 || awaited.contains(code) || ends.contains(code)
    }

    /// Whether something else may be of interest after a message that is.
    func isChanged(by code: MessageCode) -> Bool {
        table[Int(code.index)] != 0 || awaited.contains(code)
    }
}

extension PreparedCase {
    /// The table of interest in the preamble, or after it.
    static func table(
        of testCase: TestCase, _ program: CaseProgram, isInBody: Bool
    ) -> [UInt8] {
        testCase.known.protocols.table(0) { name in
            testCase.peers.reduce(into: UInt8(0)) { bits, peer in
                let inert = CaseScreen.inertness(of: name, in: testCase, program, peer: peer.name)
                for isFromDevice in [true, false]
                where inert & CaseScreen.bit(isFromDevice: isFromDevice, isInBody: isInBody) == 0 {
                    bits |= isFromDevice ? 1 : 2
                }
            }
        }
    }
}

extension [PreparedCase] {
    /// How many entries a table by the index of codes has.
    fileprivate var codeCount: Int { first?.protocols.codeCount ?? 0 }

    /// For each message, whether it is of interest to none of them.
    var isIdle: [Bool] {
        (0..<codeCount).map { index in
            allSatisfy { $0.isIdle.indices.contains(index) && $0.isIdle[index] }
        }
    }
}

extension CaseMatcher {
    /// What is of interest now; `nil` for everything.
    var interest: CaseInterest? {
        if isFinished { return CaseInterest(table: prepared.noInterest, awaited: [], ends: []) }
        guard hasSeenDevices, let names = awaitedNames else { return nil }
        var codes: [MessageCode] = []
        for name in names {
            guard let code = prepared.protocols.code(ofMessage: name) else { return nil }
            codes.append(code)
        }
        let ends: [TCPEvent.Kind] = part == .closing ? [] : [.fin, .rst]
        let table = part == .preamble ? prepared.preambleInterest : prepared.bodyInterest
        return CaseInterest(table: table, awaited: codes, ends: ends.compactMap(\.code))
    }
}
