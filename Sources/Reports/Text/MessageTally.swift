import Protocols
import Trace

/// Counts messages by their heads, so that none of their bodies need be decoded.
///
/// It is what `MessageStatistics` counts, but for one thing: a message whose body does not decode
/// counts under the name that its headers give it.
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

    /// What has been seen.
    private struct State {
        var counts = [Count](repeating: Count(), count: ProtocolCatalogue.messageNames.count)
        var open = OpenRequests()
        var firstTime: Int64?
        var lastTime: Int64 = 0

        mutating func take(_ head: MessageHead, _ place: MessagePlace) {
            count(Int(head.code.index), head.byteCount, place)
            if let (request, latency) = open.take(head, at: place) {
                counts[Int(request.index)].latency.add(latency)
            }
        }

        mutating func count(_ code: Int, _ byteCount: Int, _ place: MessagePlace) {
            counts[code].add(byteCount)
            if firstTime == nil { firstTime = place.nanoseconds }
            lastTime = place.nanoseconds
        }
    }

    /// One, in an array because a value of one word lies in an existential itself: what is larger
    /// lies in a box that must be found unique at every call.
    private var state = [State()]

    /// Starts with nothing.
    public init() {}

    /// Headers are enough.
    public var onlyCounts: Bool { true }
    /// Nothing that is counted is a frame.
    public var needsFrames: Bool { false }

    /// Counts it; it is not wanted any more.
    public mutating func wants(
        _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].take(head, place)
        return false
    }

    /// Counts it.
    public mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        state[0].count(Int(code.index), byteCount, place)
        return false
    }

    /// Looks at what is open.
    public mutating func touch(slot: Int) -> Int { state[0].open.touch(slot: slot) }

    /// Forgets what was open.
    public mutating func release(slot: Int) { state[0].open.release(slot: slot) }

    // MARK: - Results

    /// What was counted, by name.
    var kinds: [(String, MessageStatistics.Kind)] {
        zip(ProtocolCatalogue.messageNames, state[0].counts).compactMap { name, count in
            guard count.count > 0 else { return nil }
            let kind = MessageStatistics.Kind(
                count: count.count, bytes: count.bytes, latency: count.latency,
                isRequest: MessageCode(name).map(state[0].open.isRequest) ?? false)
            return (name, kind)
        }
    }

    var first: Timestamp? { state[0].firstTime.map(Timestamp.init(nanoseconds:)) }
    var last: Timestamp? { first == nil ? nil : Timestamp(nanoseconds: state[0].lastTime) }
}
