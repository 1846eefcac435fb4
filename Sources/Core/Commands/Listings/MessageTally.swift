import Reporting
import Trace
import Wire

/// Counts messages by their headers, so that none of their bodies need be decoded.
///
/// It counts the same as `MessageStatistics`, except for two things. A message whose body does not
/// decode counts under the name in its headers. Of a message that never becomes complete only the
/// bytes that were kept are counted.
public struct MessageTally: MessageScreen {
    private struct Count {
        var count = 0
        var bytes = 0
        var latency = LatencyDistribution()

        mutating func add(_ byteCount: Int) {
            count += 1
            bytes += byteCount
        }
    }

    /// The counts so far.
    private struct State {
        var counts: [Count]
        var open: OpenRequests
        var firstTime: Int64?
        var lastTime: Int64 = 0

        init(_ protocols: ProtocolRegistry) {
            counts = [Count](repeating: Count(), count: protocols.codeCount)
            open = OpenRequests(protocols)
        }

        mutating func count(_ headers: Span<CountedHeader>) {
            guard headers.count > 0 else { return }
            Self.count(headers, &counts, &open)
            if firstTime == nil { firstTime = headers[0].nanoseconds }
            lastTime = headers[headers.count - 1].nanoseconds
        }

        private static func count(
            _ headers: Span<CountedHeader>, _ all: inout [Count], _ open: inout OpenRequests
        ) {
            // One span for all of them, because each access to an array checks that it is uniquely
            // referenced.
            var counts = all.mutableSpan
            for index in headers.indices {
                counts[Int(headers[index].code.index)].add(headers[index].byteCount)
            }
            open.consume(headers) { request, latency in
                counts[Int(request.index)].latency.add(latency)
            }
        }
    }

    /// The state: one element, in an array because a one-word value is stored inline in an
    /// existential.
    ///
    /// A larger value is stored in a box whose uniqueness must be checked at every call.
    private var state: [State]
    private let protocols: ProtocolRegistry

    /// Creates empty counts.
    ///
    /// - Parameter protocols: The protocols whose messages are counted.
    public init(_ protocols: ProtocolRegistry) {
        state = [State(protocols)]
        self.protocols = protocols
    }

    /// Whether headers are enough: always `true`.
    public var onlyCounts: Bool { true }
    /// Whether frames are needed: always `false`, because none are counted.
    public var needsFrames: Bool { false }

    /// Returns `false`: no message is wanted whole.
    public func selects(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
        false
    }

    /// Counts the messages.
    public mutating func count(_ headers: Span<CountedHeader>) { state[0].count(headers) }

    /// Prefetches the open requests of connections.
    public mutating func prefetch(_ slots: Span<Int32>) { state[0].open.prefetch(slots) }

    /// Forgets the open requests of a connection.
    public mutating func release(slot: Int) { state[0].open.release(slot: slot) }

    // MARK: - Results

    /// The counts, by message name.
    var kinds: [(String, MessageStatistics.Kind)] {
        protocols.messageNames.compactMap { name in
            guard let code = protocols.code(ofMessage: name) else { return nil }
            let count = state[0].counts[Int(code.index)]
            guard count.count > 0 else { return nil }
            let kind = MessageStatistics.Kind(
                count: count.count, bytes: count.bytes, latency: count.latency,
                isRequest: state[0].open.isRequest(code))
            return (name, kind)
        }
    }

    var first: Timestamp? { state[0].firstTime.map(Timestamp.init(nanoseconds:)) }
    var last: Timestamp? { first == nil ? nil : Timestamp(nanoseconds: state[0].lastTime) }
}
