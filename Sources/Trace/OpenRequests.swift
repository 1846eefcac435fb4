import Capture
import Protocols

/// The requests of every connection that wait for their answers, known by the heads of messages.
///
/// An answer belongs to the request of the same connection that has the name it answers and the same
/// correlation fields.
public struct OpenRequests: Sendable {
    /// What a message is in an exchange.
    @usableFromInline
    struct Role: Sendable {
        /// The code of the answer to it; -1 if it is no request.
        @usableFromInline let response: Int32
        /// Whether it answers something.
        @usableFromInline let isResponse: Bool
    }

    /// A request that waits.
    @usableFromInline
    struct Open: Sendable {
        @usableFromInline let correlation: UInt64
        @usableFromInline let nanoseconds: Int64
        /// The code of its answer.
        @usableFromInline let response: Int32
        @usableFromInline let request: MessageCode

        @inlinable
        init(correlation: UInt64, nanoseconds: Int64, response: Int32, request: MessageCode) {
            self.correlation = correlation
            self.nanoseconds = nanoseconds
            self.response = response
            self.request = request
        }

        @inlinable
        func isAnswered(by response: Int32, _ correlation: UInt64) -> Bool {
            self.response == response && self.correlation == correlation
        }
    }

    /// The requests of a connection: the newest, and where the one before it is.
    @usableFromInline
    struct Waiting: Sendable {
        @usableFromInline var newest: Open?
        /// Its place in `older`; -1 if there is none.
        @usableFromInline var before: Int32 = -1
    }

    /// A request that is not the newest of its connection.
    private struct Older {
        var open: Open
        /// The place of the one before it; -1 if there is none.
        var before: Int32
    }

    /// By the code of a message.
    @usableFromInline let roles = Self.catalogueRoles
    /// By slot of the connection.
    @usableFromInline var open: [Waiting] = []
    /// Those of all connections, in places that are used again.
    private var older: [Older] = []
    /// The place in `older` that is used next, linked as requests are; -1 for a new one.
    private var free: Int32 = -1
    @usableFromInline var asked = 0
    @usableFromInline var answered = 0

    /// How many requests were taken.
    public var requestCount: Int { asked }
    /// How many of them were answered.
    public var answeredCount: Int { answered }

    /// Requests without an answer that are remembered of one connection; of more the oldest count
    /// as unanswered.
    private static let openMax = 64

    private static let catalogueRoles: [Role] = {
        let responses = ProtocolCatalogue.responses
        var answers = [Bool](repeating: false, count: responses.count)
        for case let response? in responses { answers[Int(response.index)] = true }
        return zip(responses, answers).map { response, isResponse in
            Role(response: response?.index ?? -1, isResponse: isResponse)
        }
    }()

    /// Starts with nothing.
    public init() {}

    /// Whether the specification has an answer to a message.
    public func isRequest(_ code: MessageCode) -> Bool { roles[Int(code.index)].response >= 0 }

    /// Takes the next message; a request that has the same answer and correlation as one that is
    /// open is the same request.
    ///
    /// - Returns: If it is an answer, the code of its request and after how many nanoseconds it came.
    @inlinable
    public mutating func take(
        _ head: CountedHead
    ) -> (request: MessageCode, latency: Int64)? {
        let role = roles[Int(head.code.index)]
        if role.response >= 0 {
            ask(
                Open(
                    correlation: head.correlation, nanoseconds: head.nanoseconds,
                    response: role.response, request: head.code), Int(head.slot))
        }
        return role.isResponse ? settle(head) : nil
    }

    /// Has the processor fetch what `take` will need for connections; a slot below 0 is none.
    public func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { open.prefetch(Int(slots[index])) }
    }

    /// Has the processor fetch what `take` will need for all of these.
    public func prefetch(_ heads: Span<CountedHead>) {
        for index in heads.indices { open.prefetch(Int(heads[index].slot)) }
    }

    /// Forgets what is open on a connection.
    public mutating func release(slot: Int) {
        guard slot < open.count else { return }
        while open[slot].before >= 0 { _ = takeOlder(slot) }
        open[slot].newest = nil
    }

    @inlinable
    mutating func ask(_ new: Open, _ slot: Int) {
        if open.count <= slot { grow(to: slot) }
        if let newest = open[slot].newest, !push(newest, behind: new, slot) { return }
        asked += 1
        open[slot].newest = new
    }

    @usableFromInline
    mutating func grow(to slot: Int) {
        open += Array(repeating: Waiting(), count: slot + 1 - open.count)
    }

    /// Puts the newest request to the older ones; `false` if the new one is open already.
    @usableFromInline
    mutating func push(_ newest: Open, behind new: Open, _ slot: Int) -> Bool {
        if newest.isAnswered(by: new.response, new.correlation) { return false }
        var count = 1
        var place = open[slot].before
        var last = Int32(-1)
        while place >= 0 {
            if older[Int(place)].open.isAnswered(by: new.response, new.correlation) {
                return false
            }
            count += 1
            if older[Int(place)].before >= 0 { last = place }
            place = older[Int(place)].before
        }
        if count >= Self.openMax, last >= 0 { drop(behind: last) }
        let entry = Older(open: newest, before: open[slot].before)
        if free >= 0 {
            open[slot].before = free
            free = older[Int(free)].before
            older[Int(open[slot].before)] = entry
        } else {
            open[slot].before = Int32(truncatingIfNeeded: older.count)
            older.append(entry)
        }
        return true
    }

    /// Takes out the request before the newest, and returns it.
    @usableFromInline
    mutating func takeOlder(_ slot: Int) -> Open {
        let place = open[slot].before
        let entry = older[Int(place)]
        open[slot].before = entry.before
        older[Int(place)].before = free
        free = place
        return entry.open
    }

    /// Takes out the request before an older one, and returns it.
    @discardableResult
    private mutating func drop(behind later: Int32) -> Open {
        let place = older[Int(later)].before
        let entry = older[Int(place)]
        older[Int(later)].before = entry.before
        older[Int(place)].before = free
        free = place
        return entry.open
    }

    @inlinable
    mutating func settle(_ head: CountedHead) -> (request: MessageCode, latency: Int64)? {
        let slot = Int(head.slot)
        guard slot < open.count, let newest = open[slot].newest else { return nil }
        var request = newest
        if newest.isAnswered(by: head.code.index, head.correlation) {
            open[slot].newest = open[slot].before >= 0 ? takeOlder(slot) : nil
        } else {
            guard let found = settleOlder(head.code, head.correlation, slot) else { return nil }
            request = found
        }
        answered += 1
        return (request.request, head.nanoseconds - request.nanoseconds)
    }

    /// Takes the request out that is answered, if it is not the newest.
    @usableFromInline
    mutating func settleOlder(
        _ code: MessageCode, _ correlation: UInt64, _ slot: Int
    ) -> Open? {
        var place = open[slot].before
        guard place >= 0 else { return nil }
        if older[Int(place)].open.isAnswered(by: code.index, correlation) {
            return takeOlder(slot)
        }
        while true {
            let next = older[Int(place)].before
            guard next >= 0 else { return nil }
            if older[Int(next)].open.isAnswered(by: code.index, correlation) {
                return drop(behind: place)
            }
            place = next
        }
    }
}
