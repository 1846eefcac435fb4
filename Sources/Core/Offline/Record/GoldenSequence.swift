import SuiteLanguage
import Trace
import Wire

/// The common message sequence of several captures, found by aligning them.
struct GoldenSequence {
    /// One position of the sequence.
    struct Slot {
        /// The sender and the message's name.
        let key: GoldenTrace.Key
        /// The message in each capture that contains it, by the capture's index.
        var events: [Int: GoldenTrace.Event]
    }

    /// One or more slots that become steps together.
    enum Item {
        /// In every capture.
        case always(Int)
        /// In some captures, and in those always together.
        case optional([Int])
        /// In every capture, but not in the same order.
        ///
        /// The lists are one slot, and the slots that it precedes in some captures and follows in
        /// the others.
        case anyOrder([[Int]])
    }

    /// The slots, in order.
    private(set) var slots: [Slot] = []
    /// Messages that are repeated at even intervals: they have no position in the sequence.
    let keepAlives: [GoldenTrace.Key]
    /// How many captures there are.
    let captures: Int
    /// The slots that may come before or after the given number of slots that follow them.
    private var swaps: [Int: Int] = [:]

    /// The largest deviation of a keep-alive's gaps, as a share of their mean.
    private static let evenness = 0.25
    private static let keepAliveGapMin: Duration = .seconds(1)
    private static let keepAliveCountMin = 3
    /// The largest table for the alignment of two captures.
    private static let tableMax = 25_000_000
    /// The largest number of messages between the two positions of a message that changes position.
    private static let swapMax = 16

    /// Aligns captures with each other.
    ///
    /// - Throws: `RecordingError` if they are too long to be aligned.
    init(_ traces: [GoldenTrace], _ known: KnownMessages) throws(RecordingError) {
        captures = traces.count
        var alive = traces.reduce(into: Set<GoldenTrace.Key>()) {
            $0.formUnion(Self.keepAlives($1, known))
        }
        // A device that does nothing but poll is recorded by its polls.
        let hasMore = traces.allSatisfy { trace in
            trace.events.contains { $0.key.party == Step.device && !alive.contains($0.key) }
        }
        if !hasMore { alive = [] }
        keepAlives = alive.sorted { ($0.message, $0.party) < ($1.message, $1.party) }
        for (number, trace) in traces.enumerated() {
            let ignored = Set(keepAlives.map(\.message))
            try add(trace.events.filter { !ignored.contains($0.message) }, of: number, trace.path)
        }
    }

    /// Whether every capture has the slot.
    func isInAll(_ slot: Int) -> Bool { slots[slot].events.count == captures }

    private static func keepAlives(
        _ trace: GoldenTrace, _ known: KnownMessages
    ) -> Set<GoldenTrace.Key> {
        let groups = Dictionary(grouping: trace.events, by: \.key)
        return Set(
            groups.filter { _, events in
                guard events.count >= keepAliveCountMin,
                    Set(events.map { $0.content(known) }).count == 1
                else { return false }
                let gaps = zip(events, events.dropFirst()).map { $1.time - $0.time }
                let mean = gaps.reduce(.zero, +) / gaps.count
                guard mean >= keepAliveGapMin else { return false }
                return gaps.allSatisfy { gap in
                    let off = gap > mean ? gap - mean : mean - gap
                    return off <= mean * evenness
                }
            }.keys)
    }

    /// Aligns one more capture with the slots so far, along their longest common sequence.
    private mutating func add(
        _ events: [GoldenTrace.Event], of number: Int, _ path: String
    ) throws(RecordingError) {
        guard slots.count * events.count <= Self.tableMax else {
            throw RecordingError(
                description:
                    "\(path): \(events.count) messages against \(slots.count) of the captures before "
                    + "it are too many to be aligned; record shorter captures")
        }
        let width = events.count + 1
        var table = [Int32](repeating: 0, count: (slots.count + 1) * width)
        for i in slots.indices.reversed() {
            for j in events.indices.reversed() {
                table[i * width + j] =
                    slots[i].key == events[j].key
                    ? table[(i + 1) * width + j + 1] + 1
                    : max(table[(i + 1) * width + j], table[i * width + j + 1])
            }
        }
        var merged: [Slot] = []
        var (i, j) = (0, 0)
        while i < slots.count || j < events.count {
            if i < slots.count, j < events.count, slots[i].key == events[j].key {
                var slot = slots[i]
                slot.events[number] = events[j]
                merged.append(slot)
                (i, j) = (i + 1, j + 1)
            } else if j == events.count
                || (i < slots.count && table[(i + 1) * width + j] >= table[i * width + j + 1])
            {
                merged.append(slots[i])
                i += 1
            } else {
                merged.append(Slot(key: events[j].key, events: [number: events[j]]))
                j += 1
            }
        }
        slots = merged
    }

    /// Returns the slots of a range as steps.
    ///
    /// Slots that some captures lack are optional. A message that comes before others in some
    /// captures and after them in the rest may come in any order.
    func items(_ range: Range<Int>) -> [Item] {
        var items: [Item] = []
        var place = range.lowerBound
        while place < range.upperBound {
            if let length = swaps[place] {
                items.append(.anyOrder([[place], Array(place + 1...place + length)]))
                place += length + 2
            } else if isInAll(place) {
                items.append(.always(place))
                place += 1
            } else {
                let captures = Set(slots[place].events.keys)
                var end = place + 1
                while end < range.upperBound, Set(slots[end].events.keys) == captures,
                    swaps[end] == nil
                {
                    end += 1
                }
                items.append(.optional(Array(place..<end)))
                place = end
            }
        }
        return items
    }

    /// Finds messages that come earlier in some captures than in others, and merges their slots.
    mutating func gatherSwaps(_ range: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            guard let length = swapLength(place, below: range.upperBound) else {
                place += 1
                continue
            }
            swaps[place] = length
            slots[place].events.merge(slots[place + length + 1].events) { own, _ in own }
            place += length + 2
        }
    }

    /// Returns the number of slots, each in all captures, between the two positions of a message.
    private func swapLength(_ place: Int, below end: Int) -> Int? {
        guard !isInAll(place) else { return nil }
        let early = slots[place]
        var last = place + 1
        while last < end, isInAll(last), slots[last].key != early.key,
            last - place <= Self.swapMax
        {
            last += 1
        }
        guard last < end, last > place + 1, slots[last].key == early.key,
            Set(early.events.keys).isDisjoint(with: slots[last].events.keys),
            early.events.count + slots[last].events.count == captures
        else { return nil }
        return last - place - 1
    }
}
