import SuiteLanguage
import Wire

/// The setting `answers` of a peer: which messages it answers otherwise than by itself, and how.
///
/// It takes messages in the peer's place, holds those that must be answered later, and makes the
/// peer answer. The first entry that covers a message applies to it. It holds no clock: it takes
/// times, in nanoseconds of any clock that does not go back.
package struct AnswerTable: Sendable {
    /// How answers that are sent in one segment follow each other.
    enum Order: String, Sendable, Hashable, CaseIterable {
        case ordered
        case reversed
    }

    /// How the connection ends after an answer.
    enum End: String, Sendable, Hashable, CaseIterable {
        case close
        case reset
    }

    struct Entry: Sendable {
        /// The messages that are answered.
        var pattern = MessagePattern(
            message: "", position: SourcePosition(file: "", line: 0, column: 0))
        /// The delay of the answer, in nanoseconds.
        var after: Int64 = 0
        /// Whether answers that wait at the same time are sent in one segment, and in which order.
        var together: Order?
        /// The answer; `nil` for the peer's own.
        var answer: String?
        /// The fields that are replaced in the answer; `nil` removes one.
        var fields: [(path: FieldPath, value: Value?)] = []
        var isSilent = false
        /// How often it applies; `nil` for always.
        var times: Int?
        var end: End?
    }

    /// A message that is answered later.
    private struct Held: Sendable {
        let due: Int64
        /// What is answered together has the same number.
        let batch: Int
        let entry: Entry
        let message: any DissectedMessage
        let connection: PeerConnection
    }

    private var entries: [Entry] = []
    private var held: [Held] = []
    private var batchCount = 0
    private var now: Int64 = 0
    /// Returns the name of the message that answers a message of that name.
    private let response: @Sendable (String) -> String?

    /// The limit on messages that wait; beyond it messages are answered at once.
    private static let heldMax = 4_096

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - value: The setting; null for an empty table.
    ///   - response: Returns the name of the message that answers a message of that name.
    /// - Throws: `PeerError` with code `badSetting`.
    package init(
        _ value: Value, response: @escaping @Sendable (String) -> String?
    ) throws(PeerError) {
        self.response = response
        try change(to: value)
    }

    /// Replaces the entries; what waits is answered as it was to be.
    ///
    /// - Throws: `PeerError` with code `badSetting`; then nothing has changed.
    package mutating func change(to value: Value) throws(PeerError) {
        guard value != .null else { return entries = [] }
        entries = try SettingReader(FieldDescription.answers.path, value).elements().map {
            element throws(PeerError) in try Entry(element)
        }
    }

    /// When the next message must be answered; `nil` if none waits.
    package var nextDeadline: Int64? { held.map(\.due).min() }

    /// Shows a message to the peer, now or later; see `Peer.observe`.
    ///
    /// - Throws: `PeerError` if the peer cannot send an answer as the table has it.
    package mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool, by peer: inout any Peer
    ) throws(PeerError) -> [PeerCommand] {
        if Self.endings.contains(message.name) { held.removeAll { $0.connection == connection } }
        guard !sentByPeer, !withholdAnswer, let entry = take(message.name) else {
            return peer.observe(
                message, on: connection, sentByPeer: sentByPeer, withholdAnswer: withholdAnswer)
        }
        let partner = held.first {
            $0.connection == connection && $0.entry.together != nil
                && $0.entry.together == entry.together
        }
        let own = Held(
            due: partner?.due ?? now + entry.after, batch: partner?.batch ?? batchCount,
            entry: entry, message: message, connection: connection)
        batchCount += 1
        guard own.due > now, held.count < Self.heldMax else {
            return try answers([own], by: &peer)
        }
        held.append(own)
        return []
    }

    /// The messages at which a connection begins or ends: nothing is answered on it any more.
    private static let endings: Set<String> = ["tcp.SYN", "tcp.FIN", "tcp.RST"]

    /// Returns the entry for a message, and counts it.
    private mutating func take(_ name: String) -> Entry? {
        let found = entries.firstIndex { $0.times != 0 && $0.pattern.covers(name) }
        guard let found else { return nil }
        entries[found].times = entries[found].times.map { $0 - 1 }
        return entries[found]
    }

    /// Stores the time, and lets the peer answer what is due.
    ///
    /// - Throws: `PeerError` if the peer cannot send an answer as the table has it.
    package mutating func advance(
        to now: Int64, by peer: inout any Peer
    ) throws(PeerError) -> [PeerCommand] {
        self.now = max(self.now, now)
        guard !held.isEmpty else { return [] }
        let due = held.enumerated().filter { $0.element.due <= now }.sorted {
            ($0.element.due, $0.offset) < ($1.element.due, $1.offset)
        }.map(\.element)
        held.removeAll { $0.due <= now }
        var commands: [PeerCommand] = []
        var done: Set<Int> = []
        for first in due where done.insert(first.batch).inserted {
            commands += try answers(due.filter { $0.batch == first.batch }, by: &peer)
        }
        return commands
    }

    // MARK: - Answers

    /// Lets the peer answer messages that belong together.
    private func answers(
        _ batch: [Held], by peer: inout any Peer
    ) throws(PeerError) -> [PeerCommand] {
        var parts: [[PeerCommand]] = []
        // The peer takes them in their order, because one may need what the one before it has made.
        for held in batch { parts.append(try answer(held, by: &peer)) }
        switch batch.first?.entry.together {
        case .ordered?: return parts.flatMap(\.self).inOneSegment
        case .reversed?: return parts.reversed().flatMap(\.self).inOneSegment
        case nil: return parts.flatMap(\.self)
        }
    }

    private func answer(
        _ held: Held, by peer: inout any Peer
    ) throws(PeerError) -> [PeerCommand] {
        let entry = held.entry
        let isReplaced = entry.answer != nil || !entry.fields.isEmpty
        let name = isReplaced ? entry.answer ?? response(held.message.name) : nil
        var commands = peer.observe(
            held.message, on: held.connection, sentByPeer: false,
            withholdAnswer: entry.isSilent || name != nil)
        if let name, !entry.isSilent {
            do throws(PeerError) {
                let sent = try peer.send(
                    name, fields: entry.fields.map { ($0.path, $0.value) },
                    answering: held.message, on: held.connection)
                commands += peer.carry(sent)
            } catch {
                // The device has left it.
                guard [.noConnection, .noSession].contains(error.code) else { throw error }
            }
        }
        guard let end = entry.end else { return commands }
        return commands + Self.end(held.connection, end, by: &peer)
    }

    /// Ends the connection, or the session on it, by the peer's own action where it has one.
    private static func end(
        _ connection: PeerConnection, _ end: End, by peer: inout any Peer
    ) -> [PeerCommand] {
        let names = end == .close ? ["close"] : ["reset", "dropLink"]
        let action = peer.kind.actions.map(\.name).first(where: names.contains)
        if let action, peer.latestConnection == connection,
            let commands = try? peer.perform(action, arguments: .null)
        {
            return commands
        }
        return [end == .close ? .close(connection) : .reset(connection)]
    }
}

extension AnswerTable.Entry {
    fileprivate init(_ reader: SettingReader) throws(PeerError) {
        for member in try reader.members("a list of mappings") {
            let reader = SettingReader("answers.\(member.name)", member.value)
            switch member.name {
            case "message": pattern.message = try reader.text()
            case "after": after = try reader.duration()
            case "together": together = try reader.word()
            case "send": answer = try reader.text()
            case "with":
                for field in try reader.members("a mapping of fields") {
                    guard let path = FieldPath(field.name) else {
                        throw reader.wrong("paths of fields, such as params.language")
                    }
                    fields.append((path, field.value == .null ? nil : field.value))
                }
            case "silent": isSilent = try reader.boolean()
            case "times": times = Int(clamping: try reader.integer(in: 1...1_000_000))
            case "then": end = try reader.word()
            default:
                throw PeerError(.unknownSetting, "an answer has no key \"\(member.name)\"")
            }
        }
        guard !pattern.message.isEmpty else { throw reader.wrong("a message for each") }
    }
}

extension [PeerCommand] {
    /// The same commands, with one write for writes on one connection that follow each other.
    fileprivate var inOneSegment: [PeerCommand] {
        reduce(into: []) { result, command in
            if case .write(let connection, let bytes) = command,
                case .write(connection, let before)? = result.last
            {
                result[result.count - 1] = .write(connection, before + bytes)
            } else {
                result.append(command)
            }
        }
    }
}
