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
    }

    /// By the code of a message.
    private let roles = Self.catalogueRoles
    /// By slot of the connection.
    private var open: [[Open]] = []
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

    /// Forgets what is open on a connection.
    public mutating func release(slot: Int) {
        if slot < open.count { open[slot].removeAll(keepingCapacity: true) }
    }

    private mutating func ask(_ head: MessageHead, _ response: Int32, _ place: MessagePlace) {
        while open.count <= place.slot { open.append([]) }
        let isOpen = open[place.slot].contains {
            $0.correlation == head.correlation && $0.response == response
        }
        if isOpen { return }
        requestCount += 1
        if open[place.slot].count >= Self.openMax { open[place.slot].removeFirst() }
        open[place.slot].append(
            Open(
                response: response, request: head.code, correlation: head.correlation,
                nanoseconds: place.nanoseconds))
    }

    private mutating func settle(
        _ head: MessageHead, _ place: MessagePlace
    ) -> (request: MessageCode, latency: Int64)? {
        guard place.slot < open.count else { return nil }
        for index in open[place.slot].indices {
            let request = open[place.slot][index]
            guard request.correlation == head.correlation, request.response == head.code.index
            else { continue }
            if index == open[place.slot].count - 1 {
                open[place.slot].removeLast()
            } else {
                open[place.slot].remove(at: index)
            }
            answeredCount += 1
            return (request.request, place.nanoseconds - request.nanoseconds)
        }
        return nil
    }
}
