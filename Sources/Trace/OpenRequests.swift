import Protocols

/// The requests of every connection that wait for their answers, known by the heads of messages.
///
/// An answer belongs to the request of the same connection that has the name it answers and the same
/// correlation fields.
public struct OpenRequests: Sendable {
    /// What a message is in an exchange.
    struct Role: Sendable {
        /// The code of the answer to it; -1 if it is no request.
        let response: Int32
        /// Whether it answers something.
        let isResponse: Bool
    }

    private struct Open {
        let response: Int32
        let request: MessageCode
        let correlation: UInt64
        let nanoseconds: Int64

        func isAnswered(by response: Int32, _ correlation: UInt64) -> Bool {
            self.response == response && self.correlation == correlation
        }
    }

    /// The requests of one connection: seldom more than one, which lies with those of the others in
    /// one piece of memory.
    private struct Waiting {
        var newest: Open?
        /// The others, oldest first.
        var older: [Open] = []
    }

    /// By the code of a message.
    private let roles = Self.catalogueRoles
    /// By slot of the connection.
    private var open: [Waiting] = []
    /// How many requests were taken.
    public private(set) var requestCount = 0
    /// How many of them were answered.
    public private(set) var answeredCount = 0

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
    @inline(__always)
    public mutating func take(
        _ head: MessageHead, at place: MessagePlace
    ) -> (request: MessageCode, latency: Int64)? {
        let role = roles[Int(head.code.index)]
        if role.response >= 0 { ask(head, role.response, place) }
        return role.isResponse ? settle(head, place) : nil
    }

    /// Reads what `take` will need, so that the processor fetches it; what it returns is of no
    /// interest.
    public mutating func touch(slot: Int) -> Int {
        guard slot < open.count else { return 0 }
        return (open[slot].newest == nil ? 0 : 1) &+ (open[slot].older.isEmpty ? 0 : 1)
    }

    /// Forgets what is open on a connection.
    public mutating func release(slot: Int) {
        if slot < open.count { open[slot] = Waiting() }
    }

    private mutating func ask(_ head: MessageHead, _ response: Int32, _ place: MessagePlace) {
        while open.count <= place.slot { open.append(Waiting()) }
        if let newest = open[place.slot].newest {
            let isOpen =
                newest.isAnswered(by: response, head.correlation)
                || open[place.slot].older.contains {
                    $0.isAnswered(by: response, head.correlation)
                }
            if isOpen { return }
            if open[place.slot].older.count + 1 >= Self.openMax {
                open[place.slot].older.removeFirst()
            }
            open[place.slot].older.append(newest)
        }
        requestCount += 1
        open[place.slot].newest = Open(
            response: response, request: head.code, correlation: head.correlation,
            nanoseconds: place.nanoseconds)
    }

    private mutating func settle(
        _ head: MessageHead, _ place: MessagePlace
    ) -> (request: MessageCode, latency: Int64)? {
        guard place.slot < open.count, let newest = open[place.slot].newest else { return nil }
        let request: Open
        if newest.isAnswered(by: head.code.index, head.correlation) {
            request = newest
            open[place.slot].newest =
                open[place.slot].older.isEmpty ? nil : open[place.slot].older.removeLast()
        } else {
            let index = open[place.slot].older.firstIndex {
                $0.isAnswered(by: head.code.index, head.correlation)
            }
            guard let index else { return nil }
            request = open[place.slot].older.remove(at: index)
        }
        answeredCount += 1
        return (request.request, place.nanoseconds - request.nanoseconds)
    }
}
