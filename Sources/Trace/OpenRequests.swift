import Capture
import Wire

/// The requests of every connection that wait for their answers, known by the headers of messages.
///
/// An answer belongs to the request of the same connection that has the name it answers and the same
/// correlation fields.
public struct OpenRequests: Sendable {
    /// What a message is in an exchange.
    private struct Role: Sendable {
        /// The code of the answer to it; -1 if it is no request.
        let response: Int32
        /// Whether it answers something.
        let isResponse: Bool
    }

    /// By the code of a message.
    private let roles: [Role]
    /// By slot of the connection.
    private var waiting: [WaitingRequests] = []
    /// Those of all connections that are not the newest of theirs.
    private var older = OlderRequests()
    /// How many requests were taken.
    public private(set) var requestCount = 0
    /// How many of them were answered.
    public private(set) var answeredCount = 0

    private static func roles(in protocols: ProtocolRegistry) -> [Role] {
        let responses = protocols.table(nil) { name in
            protocols.message(named: name)?.response.flatMap { protocols.code(ofMessage: $0) }
        }
        var answers = [Bool](repeating: false, count: responses.count)
        for case let response? in responses { answers[Int(response.index)] = true }
        return zip(responses, answers).map { response, isResponse in
            Role(response: response?.index ?? -1, isResponse: isResponse)
        }
    }

    /// Starts with nothing.
    ///
    /// - Parameter protocols: Those whose descriptions say what answers what.
    public init(_ protocols: ProtocolRegistry) {
        roles = Self.roles(in: protocols)
    }

    /// Whether the specification has an answer to a message.
    public func isRequest(_ code: MessageCode) -> Bool { roles[Int(code.index)].response >= 0 }

    /// Takes the next messages; a request that has the same answer and correlation as one that is
    /// open is the same request.
    ///
    /// - Parameters:
    ///   - headers: Their headers.
    ///   - answered: Called for each answer to a request: with the code of the request, and after how
    ///     many nanoseconds the answer came.
    public mutating func take(
        _ headers: Span<CountedHeader>, _ answered: (MessageCode, Int64) -> Void = { _, _ in }
    ) {
        var last = Int32(0)
        for index in headers.indices {
            waiting.prefetch(Int(headers[index].slot))
            last = max(last, headers[index].slot)
        }
        if waiting.count <= last { grow(to: Int(last)) }
        let counts = Self.take(headers, roles, &waiting, &older, answered)
        requestCount += counts.asked
        answeredCount += counts.answered
    }

    private static func take(
        _ headers: Span<CountedHeader>, _ roles: [Role], _ all: inout [WaitingRequests],
        _ older: inout OlderRequests, _ answered: (MessageCode, Int64) -> Void
    ) -> (asked: Int, answered: Int) {
        // One span for all of them: an array is found unique at every access.
        var waiting = all.mutableSpan
        var counts = (asked: 0, answered: 0)
        for index in headers.indices {
            let header = headers[index]
            let role = roles[Int(header.code.index)]
            let slot = Int(header.slot)
            if role.response >= 0 {
                let request = OpenRequest(header, answeredBy: role.response)
                if waiting[slot].add(request, &older) { counts.asked += 1 }
            }
            if role.isResponse, let request = waiting[slot].settle(header, &older) {
                counts.answered += 1
                answered(request.code, header.nanoseconds - request.nanoseconds)
            }
        }
        return counts
    }

    private mutating func grow(to slot: Int) {
        while waiting.count <= slot { waiting.append(WaitingRequests()) }
    }

    /// Has the processor fetch what is open on connections; a slot below 0 is none.
    public func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { waiting.prefetch(Int(slots[index])) }
    }

    /// Forgets what is open on a connection.
    public mutating func release(slot: Int) {
        guard slot < waiting.count else { return }
        waiting[slot].removeAll(&older)
    }
}

/// A request that waits.
private struct OpenRequest: BitwiseCopyable {
    let correlation: UInt64
    let nanoseconds: Int64
    /// The code of its answer; -1 for no request.
    let response: Int32
    let code: MessageCode

    /// None.
    init() {
        self.init(.none, answeredBy: -1)
    }

    init(_ header: CountedHeader, answeredBy response: Int32) {
        correlation = header.correlation
        nanoseconds = header.nanoseconds
        self.response = response
        code = header.code
    }

    func isAnswered(by response: Int32, _ correlation: UInt64) -> Bool {
        self.response == response && self.correlation == correlation
    }
}

/// The requests of a connection: the newest, and where the one before it is.
private struct WaitingRequests: BitwiseCopyable {
    private var newest = OpenRequest()
    /// Its place among the older ones; -1 if there is none.
    private var before: Int32 = -1

    /// Requests without an answer that are remembered; of more the oldest count as unanswered.
    private static var countMax: Int { 64 }

    /// Adds a request; `false` if it is open already.
    mutating func add(_ request: OpenRequest, _ older: inout OlderRequests) -> Bool {
        if newest.response >= 0, !push(behind: request, &older) { return false }
        newest = request
        return true
    }

    /// Puts the newest request to the older ones; `false` if the new one is open already.
    private mutating func push(behind new: OpenRequest, _ older: inout OlderRequests) -> Bool {
        if newest.isAnswered(by: new.response, new.correlation) { return false }
        var count = 1
        var place = before
        var last = Int32(-1)
        while place >= 0 {
            if older[place].request.isAnswered(by: new.response, new.correlation) { return false }
            count += 1
            if older[place].before >= 0 { last = place }
            place = older[place].before
        }
        if count >= Self.countMax, last >= 0 { _ = older.take(before: last) }
        before = older.add(newest, before: before)
        return true
    }

    /// Takes the request out that is answered; `nil` if there is none.
    mutating func settle(
        _ answer: CountedHeader, _ older: inout OlderRequests
    ) -> OpenRequest? {
        let request = newest
        if request.isAnswered(by: answer.code.index, answer.correlation) {
            newest = before >= 0 ? older.take(&before) : OpenRequest()
            return request
        }
        return before >= 0 ? settleOlder(answer, &older) : nil
    }

    /// Takes the request out that is answered, if it is not the newest.
    private mutating func settleOlder(
        _ answer: CountedHeader, _ older: inout OlderRequests
    ) -> OpenRequest? {
        if older[before].request.isAnswered(by: answer.code.index, answer.correlation) {
            return older.take(&before)
        }
        var place = before
        while true {
            let next = older[place].before
            guard next >= 0 else { return nil }
            if older[next].request.isAnswered(by: answer.code.index, answer.correlation) {
                return older.take(before: place)
            }
            place = next
        }
    }

    /// Forgets all of them.
    mutating func removeAll(_ older: inout OlderRequests) {
        while before >= 0 { _ = older.take(&before) }
        newest = OpenRequest()
    }
}

/// Requests that are not the newest of their connections, in places that are used again.
private struct OlderRequests {
    struct Entry: BitwiseCopyable {
        let request: OpenRequest
        /// The place of the one before it; -1 if there is none.
        var before: Int32
    }

    private var entries: [Entry] = []
    /// The place that is used next, linked as requests are; -1 for a new one.
    private var free: Int32 = -1

    subscript(place: Int32) -> Entry { entries[Int(place)] }

    /// Adds a request and returns its place.
    mutating func add(_ request: OpenRequest, before: Int32) -> Int32 {
        let entry = Entry(request: request, before: before)
        guard free >= 0 else {
            entries.append(entry)
            return Int32(truncatingIfNeeded: entries.count - 1)
        }
        let place = free
        free = entries[Int(place)].before
        entries[Int(place)] = entry
        return place
    }

    /// Takes the request at a place out and returns it; the place becomes that of the one before it.
    mutating func take(_ place: inout Int32) -> OpenRequest {
        let entry = entries[Int(place)]
        entries[Int(place)].before = free
        free = place
        place = entry.before
        return entry.request
    }

    /// Takes out the request before the one at a place, and returns it.
    mutating func take(before place: Int32) -> OpenRequest {
        var before = entries[Int(place)].before
        let request = take(&before)
        entries[Int(place)].before = before
        return request
    }
}
