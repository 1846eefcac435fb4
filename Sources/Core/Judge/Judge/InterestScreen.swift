import SuiteLanguage
import TCPIP
import Trace
import Wire

/// Skips the messages of a trace that change nothing for any case, by their headers.
///
/// The messages of interest follow from the steps that are awaited now. The judge sets them after
/// each batch of packets. After the first message of interest in a batch, everything is wanted
/// until the judge is asked again.
public struct InterestScreen: MessageScreen {
    /// The only element, in an array because an existential stores a value of one word directly.
    private var state: [Interest]
    private let isIdle: [Bool]

    /// Creates a screen that wants every message until the judge says what is of interest.
    ///
    /// - Parameter cases: At least one case.
    public init(_ cases: [PreparedCase]) {
        state = [Interest(codeCount: cases.codeCount)]
        isIdle = cases.isIdle
    }

    /// Whether the message changes nothing for any case.
    public func selectsNothing(of code: MessageCode) -> Bool { isIdle[Int(code.index)] }

    /// Whether the message is of interest.
    public mutating func selects(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        // If its body does not decode, it is a different message.
        !isIdle[Int(header.code.index)] && state[0].selects(header.code, at: place)
            || !header.isSound(unit)
    }

    /// Whether the event is of interest.
    public mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        // A datagram does not belong to a connection with known ends.
        guard place.slot >= 0 else { return !isIdle[Int(code.index)] && state[0].selectsAnything() }
        return state[0].selects(code, at: place)
    }

    /// Records the ends of a connection.
    public mutating func record(_ message: any DissectedMessage, at place: MessagePlace) {
        state[0].record(message, at: place)
    }

    /// Gets the messages of interest from the judge.
    mutating func instruct(_ judge: inout Judge) { state[0].instruct(&judge) }
}

/// The messages of interest on each connection.
private struct Interest {
    private enum Role: UInt8 {
        /// The roles of the ends are not known: everything is of interest.
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
    /// For each message, a bit for each side that makes it of interest, and the bit `changes`.
    private var table: [UInt8] = []
    /// Whether a message that changes the interest has come since the judge was asked.
    private var isStale = true
    /// When time changes the messages of interest.
    private var deadline = Int64.min
    /// The parties of each case, once they are known.
    private var parties: [Parties] = []

    init(codeCount: Int) { self.codeCount = codeCount }

    private static let ofDevice: UInt8 = 1
    private static let ofPeer: UInt8 = 2
    /// After such a message other messages may be of interest.
    private static let changes: UInt8 = 4

    mutating func selects(_ code: MessageCode, at place: MessagePlace) -> Bool {
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

    /// Wants a message, and assumes that it changes the interest.
    mutating func selectsAnything() -> Bool {
        isStale = true
        return true
    }

    mutating func record(_ message: any DissectedMessage, at place: MessagePlace) {
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
        for interest in judge.interests() {
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
                $0.peer(at: ends.first, byDatagrams: false) != nil
                    || $0.peer(at: ends.second, byDatagrams: false) != nil
            }
            if !isPeer, judge.isDecided(connections[slot].flow) {
                connections[slot].role = .stranger
            } else {
                left.append(slot)
            }
        }
        unresolved = left
    }

    /// Returns the role of a connection's ends for every case; `open` if the cases differ.
    private func role(of ends: (first: Endpoint, second: Endpoint)) -> Role {
        var role = Role.open
        for parties in parties {
            let first = parties.peer(at: ends.first, byDatagrams: false)
            let second = parties.peer(at: ends.second, byDatagrams: false)
            guard (first == nil) != (second == nil) else { return .open }
            let own = first == nil ? Role.deviceFirst : .deviceSecond
            guard role == .open || role == own else { return .open }
            role = own
        }
        return role
    }
}

/// The messages that are of interest to a case now.
struct CaseInterest: Sendable {
    /// For each message, a bit for each side that makes it always of interest.
    ///
    /// The bit is 1 for the device and 2 for the peers.
    let table: [UInt8]
    /// The messages that steps wait for.
    let awaited: [MessageCode]
    /// The messages that explain why an awaited one does not come.
    let ends: [MessageCode]

    /// Whether a message may be of interest.
    func means(_ code: MessageCode) -> Bool {
        table[Int(code.index)] != 0 || awaited.contains(code) || ends.contains(code)
    }

    /// Whether other messages may be of interest after this one.
    func isChanged(by code: MessageCode) -> Bool {
        table[Int(code.index)] != 0 || awaited.contains(code)
    }
}

extension PreparedCase {
    /// Returns the table of interest in the preamble, or after it.
    static func table(
        of testCase: TestCase, _ program: CaseProgram, _ isRuled: (String) -> Bool, isInBody: Bool
    ) -> [UInt8] {
        testCase.known.protocols.table(0) { name in
            if isRuled(name) { return 3 }
            return testCase.peers.reduce(into: UInt8(0)) { bits, peer in
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
    /// The number of entries of a table that is indexed by codes.
    fileprivate var codeCount: Int { first?.protocols.codeCount ?? 0 }

    /// For each message, whether it is of interest to none of the cases.
    var isIdle: [Bool] {
        (0..<codeCount).map { index in
            allSatisfy { $0.isIdle.indices.contains(index) && $0.isIdle[index] }
        }
    }
}

extension CaseMatcher {
    /// The messages of interest now; `nil` for all messages.
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
