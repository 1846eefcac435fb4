import Capture
import Wire

/// The requests of every connection that wait for their responses, recognised by message headers.
///
/// A response belongs to the request of the same connection whose response has its name, and which
/// has the same correlation fields.
public struct OpenRequests: Sendable {
    /// The role of a message in an exchange.
    private struct Role: Sendable {
        /// The code of its response; -1 if it is not a request.
        let response: Int32
        /// Whether it is the response to some request.
        let isResponse: Bool
    }

    /// The roles, by the code of a message.
    private let roles: [Role]
    /// The newest requests, by slot of the connection.
    private var waiting: [WaitingRequests] = []
    /// The requests of all connections that are not the newest of their connection.
    private var older = OlderRequests()
    /// The number of requests that were added.
    public private(set) var requestCount = 0
    /// The number of requests that were answered.
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

    /// Creates an empty list.
    ///
    /// - Parameter protocols: The protocols whose descriptions define responses.
    public init(_ protocols: ProtocolRegistry) {
        roles = Self.roles(in: protocols)
    }

    /// Returns whether the specification defines a response to a message.
    public func isRequest(_ code: MessageCode) -> Bool { roles[Int(code.index)].response >= 0 }

    /// Processes the next messages.
    ///
    /// A request with the same response and correlation as an open one is the same request.
    ///
    /// - Parameters:
    ///   - headers: Their headers.
    ///   - answered: Called for each response to a request, with the code of the request and the
    ///     response time in nanoseconds.
    public mutating func consume(
        _ headers: Span<CountedHeader>, _ answered: (MessageCode, Int64) -> Void = { _, _ in }
    ) {
        var last = Int32(0)
        for index in headers.indices {
            waiting.prefetch(Int(headers[index].slot))
            last = max(last, headers[index].slot)
        }
        if waiting.count <= last { grow(to: Int(last)) }
        let counts = Self.consume(headers, roles, &waiting, &older, answered)
        requestCount += counts.requested
        answeredCount += counts.answered
    }

    private static func consume(
        _ headers: Span<CountedHeader>, _ roles: [Role], _ all: inout [WaitingRequests],
        _ older: inout OlderRequests, _ answered: (MessageCode, Int64) -> Void
    ) -> (requested: Int, answered: Int) {
        // One span for all of them, because each access to an array checks that it is uniquely
        // referenced.
        var waiting = all.mutableSpan
        var counts = (requested: 0, answered: 0)
        for index in headers.indices {
            let header = headers[index]
            let role = roles[Int(header.code.index)]
            let slot = Int(header.slot)
            if role.response >= 0 {
                let request = OpenRequest(header, answeredBy: role.response)
                if waiting[slot].add(request, &older) { counts.requested += 1 }
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

    /// Prefetches what is open on connections; slots below 0 are ignored.
    public func prefetch(_ slots: Span<Int32>) {
        for index in slots.indices { waiting.prefetch(Int(slots[index])) }
    }

    /// Forgets what is open on a connection.
    public mutating func release(slot: Int) {
        guard slot < waiting.count else { return }
        waiting[slot].removeAll(&older)
    }
}

/// A request that waits for its response.
private struct OpenRequest: BitwiseCopyable {
    let correlation: UInt64
    let nanoseconds: Int64
    /// The code of its response; -1 for no request.
    let response: Int32
    let code: MessageCode

    /// Creates a placeholder for no request.
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

/// The requests of a connection: the newest, and the place of the one before it.
private struct WaitingRequests: BitwiseCopyable {
    private var newest = OpenRequest()
    /// The place of the previous request among the older ones; -1 if there is none.
    private var before: Int32 = -1

    /// The maximum number of unanswered requests that are kept.
    ///
    /// Above it the oldest ones count as unanswered.
    private static var countMax: Int { 64 }

    /// Adds a request; returns `false` if it is open already.
    mutating func add(_ request: OpenRequest, _ older: inout OlderRequests) -> Bool {
        if newest.response >= 0, !push(behind: request, &older) { return false }
        newest = request
        return true
    }

    /// Moves the newest request to the older ones; returns `false` if the new one is open already.
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
        if count >= Self.countMax, last >= 0 { _ = older.removeFirst(before: last) }
        before = older.add(newest, before: before)
        return true
    }

    /// Removes and returns the request that is answered; `nil` if there is none.
    mutating func settle(
        _ answer: CountedHeader, _ older: inout OlderRequests
    ) -> OpenRequest? {
        let request = newest
        if request.isAnswered(by: answer.code.index, answer.correlation) {
            newest = before >= 0 ? older.consume(&before) : OpenRequest()
            return request
        }
        return before >= 0 ? settleOlder(answer, &older) : nil
    }

    /// Removes and returns the request that is answered, if it is not the newest.
    private mutating func settleOlder(
        _ answer: CountedHeader, _ older: inout OlderRequests
    ) -> OpenRequest? {
        if older[before].request.isAnswered(by: answer.code.index, answer.correlation) {
            return older.consume(&before)
        }
        var place = before
        while true {
            let next = older[place].before
            guard next >= 0 else { return nil }
            if older[next].request.isAnswered(by: answer.code.index, answer.correlation) {
                return older.removeFirst(before: place)
            }
            place = next
        }
    }

    /// Removes all requests of the connection.
    mutating func removeAll(_ older: inout OlderRequests) {
        while before >= 0 { _ = older.consume(&before) }
        newest = OpenRequest()
    }
}

/// Requests that are not the newest of their connections, in reusable places.
private struct OlderRequests {
    struct Entry: BitwiseCopyable {
        let request: OpenRequest
        /// The place of the previous request; -1 if there is none.
        var before: Int32
    }

    private var entries: [Entry] = []
    /// The next free place, linked as requests are; -1 if a new one must be created.
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

    /// Removes and returns the request at a place; the place becomes that of the previous request.
    mutating func consume(_ place: inout Int32) -> OpenRequest {
        let entry = entries[Int(place)]
        entries[Int(place)].before = free
        free = place
        place = entry.before
        return entry.request
    }

    /// Removes and returns the request before the one at a place.
    mutating func removeFirst(before place: Int32) -> OpenRequest {
        var before = entries[Int(place)].before
        let request = consume(&before)
        entries[Int(place)].before = before
        return request
    }
}
