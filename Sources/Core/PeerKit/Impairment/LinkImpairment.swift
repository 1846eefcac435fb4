import SuiteLanguage
import Wire

/// The impairment of the link between a peer and the device.
///
/// What the peer sends passes through it: late, slowly, in pieces or not at all, as the suite says.
/// It holds no clock and no socket: it takes times, and returns operations for the sockets. Times
/// are in nanoseconds of any clock that does not go back.
public struct LinkImpairment: Sendable {
    /// An operation for the sockets of a peer.
    public enum Operation: Sendable, Hashable {
        /// Carry out a command of the peer.
        case command(PeerCommand)
        /// Close the listening socket.
        case stopListening
        /// Open it again, and end the effects of the other operations.
        case listen
        /// Reset every connection.
        case resetAll
        /// End each connection as soon as it is accepted; `nil` stops that.
        case turnAway(End)
        /// Drop every packet of the device before the kernel sees it.
        case blackHole
        /// Discard every connection without sending a packet.
        case forgetAll
        /// Stop reading and writing (`true`), or resume both (`false`).
        case setStalled(Bool)
    }

    /// How a connection is ended.
    public enum End: String, Sendable, Hashable, CaseIterable {
        case close
        case reset
    }

    /// Operations that are due later, in the order in which they were added.
    private var waiting: [(due: Int64, operation: Operation)] = []
    private var delay: Int64 = 0
    private var bytesPerSecond = 0
    private var pieceLength = 0
    /// Bytes until the connection that sends them is reset; `nil` for never.
    private var bytesToCut: Int?
    private var packetFaults: PacketFaults
    /// When the link is free for the next piece.
    private var freeAt: Int64 = 0

    /// When the last command that was taken is due.
    private var lastDue: Int64 = 0

    /// The time between two pieces of split writes, so that the kernel does not join them.
    private let pieceGap: Int64

    /// Creates an impairment without a fault.
    ///
    /// - Parameters:
    ///   - pieceGap: The time between two pieces of split writes, in nanoseconds.
    ///   - seed: The seed that decides which packets are lost, repeated or overtaken.
    public init(pieceGap: Int64 = 1_000_000, seed: UInt64 = 0) {
        self.pieceGap = pieceGap
        packetFaults = PacketFaults(seed: seed)
    }

    /// The names of the link's actions.
    public static let actions =
        [
            "refuse", "kill", "listen", "downFor", "turnAway", "blackHole", "halfOpen", "stall",
            "resume", "delay", "throttle", "split", "cut",
        ] + PacketFaults.actions

    /// When the next waiting operation is due; `nil` if there is none.
    public var nextDeadline: Int64? { waiting.map(\.due).min() }

    // MARK: - Commands of the peer

    /// Takes commands of the peer; returns the operations that are due now.
    public mutating func consume(_ commands: [PeerCommand], at now: Int64) -> [Operation] {
        for command in commands {
            switch command {
            case .write(let connection, let bytes): write(bytes, on: connection, at: now)
            case .packet(_, let packet) where packet.isEmpty:
                enqueue(command, at: max(now, freeAt))
            case .packet(let connection, let packet): send(packet, on: connection, at: now)
            default: enqueue(command, at: max(now, freeAt))
            }
        }
        return due(at: now)
    }

    private mutating func send(_ packet: [UInt8], on connection: PeerConnection, at now: Int64) {
        for copy in packetFaults.copies() {
            switch copy {
            case .inOrder: write(packet, on: connection, at: now)
            case .late:
                let due = max(now, freeAt) + delay + PacketFaults.lateness
                waiting.append((due, .command(.write(connection, packet))))
            }
        }
    }

    private mutating func write(_ bytes: [UInt8], on connection: PeerConnection, at now: Int64) {
        var rest = bytes[...]
        var isCut = false
        if let left = bytesToCut {
            isCut = bytes.count >= left
            rest = bytes.prefix(left)
            bytesToCut = isCut ? nil : left - bytes.count
        }
        let length = pieceLength > 0 ? pieceLength : max(1, rest.count)
        while !rest.isEmpty {
            let piece = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            let start = max(now, freeAt)
            enqueue(.write(connection, piece), at: start)
            freeAt = start + duration(of: piece.count)
        }
        if isCut { enqueue(.reset(connection), at: max(now, freeAt)) }
    }

    /// Queues a command after all that was sent before it.
    private mutating func enqueue(_ command: PeerCommand, at time: Int64) {
        lastDue = max(lastDue, time + delay)
        waiting.append((lastDue, .command(command)))
    }

    private func duration(of count: Int) -> Int64 {
        let gap = pieceLength > 0 ? pieceGap : 0
        guard bytesPerSecond > 0 else { return gap }
        return max(gap, Int64(count) * 1_000_000_000 / Int64(bytesPerSecond))
    }

    /// Returns and removes the operations that are due at a time, in order.
    public mutating func due(at now: Int64) -> [Operation] {
        let ready = waiting.enumerated().filter { $0.element.due <= now }.sorted {
            ($0.element.due, $0.offset) < ($1.element.due, $1.offset)
        }
        waiting.removeAll { $0.due <= now }
        return ready.map(\.element.operation)
    }

    // MARK: - Actions of the suite

    /// Carries out an action of a `do` step; returns the operations that are due now.
    ///
    /// - Throws: `PeerError` if there is no such action, or its argument is invalid.
    public mutating func perform(
        _ action: String, _ argument: Value, at now: Int64
    ) throws(PeerError) -> [Operation] {
        switch action {
        case "refuse": return [.stopListening]
        case "kill": return [.stopListening, .resetAll]
        case "downFor":
            let length = try duration(action, argument)
            waiting.append((now + length, .listen))
            return [.stopListening, .resetAll]
        case "turnAway":
            guard let end = argument.stringValue.flatMap(End.init(rawValue:)) else {
                throw refusal(action, "close or reset")
            }
            return [.turnAway(end)]
        case "blackHole": return [.blackHole]
        case "halfOpen": return [.forgetAll]
        case "stall", "resume": return [.setStalled(action == "stall")]
        case "listen":
            (delay, bytesPerSecond, pieceLength, bytesToCut) = (0, 0, 0, nil)
            (freeAt, lastDue) = (0, 0)
            packetFaults.end()
            waiting.removeAll { $0.operation == .listen }
            return due(at: .max) + [.listen]
        case "delay":
            delay = try duration(action, argument)
        case "throttle": bytesPerSecond = try number(action, argument)
        case "split": pieceLength = try number(action, argument)
        case "cut": bytesToCut = try number(action, argument)
        case _ where PacketFaults.actions.contains(action):
            guard let percent = argument.integerValue, 0...100 ~= percent else {
                throw refusal(action, "a number of packets in a hundred")
            }
            packetFaults.set(action, Int(percent))
        default:
            throw PeerError(
                .unknownAction, "a link has no action \"\(action)\"",
                advice: Suggestion.advice(for: action, in: Self.actions))
        }
        return []
    }

    private func duration(_ action: String, _ argument: Value) throws(PeerError) -> Int64 {
        guard let length = argument.stringValue.flatMap(Duration.init(suiteText:)) else {
            throw refusal(action, "a duration such as 300ms")
        }
        return Int64(length / .nanoseconds(1))
    }

    private func number(_ action: String, _ argument: Value) throws(PeerError) -> Int {
        guard let number = argument.integerValue, number >= 0, number <= Int64(Int32.max) else {
            throw refusal(action, "a number of bytes")
        }
        return Int(number)
    }

    private func refusal(_ action: String, _ what: String) -> PeerError {
        PeerError(.badArgument, "\(action) takes \(what)", advice: "write `{peer.\(action): ...}`")
    }
}
