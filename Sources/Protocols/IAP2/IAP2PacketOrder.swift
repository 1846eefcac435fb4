extension IAP2 {
    /// Puts the data packets of one direction in order and tells repeated ones.
    struct PacketOrder<Element: Sendable>: Sendable {
        /// What became of a packet.
        enum Fate: Sendable, Hashable {
            /// It was the next one.
            case next
            /// It waits for others before it.
            case early
            /// It has come before.
            case repeated
        }

        /// The number that is due; `nil` if none is known.
        private(set) var due: UInt8?
        /// Packets that wait, by the distance from the one that is due.
        private(set) var waiting: [(number: UInt8, element: Element)] = []

        /// Knows of no packet before the next one.
        init() {}

        /// Begins behind a number.
        init(after number: UInt8) {
            due = number &+ 1
        }

        /// Takes a packet; those that are in order now are in `takeReady`.
        mutating func accept(_ number: UInt8, _ element: Element) -> Fate {
            let expected = due ?? number
            due = expected
            let distance = number &- expected
            guard distance < 128 else { return .repeated }
            guard !waiting.contains(where: { $0.number == number }) else { return .repeated }
            let place = waiting.firstIndex { $0.number &- expected > distance } ?? waiting.count
            waiting.insert((number, element), at: place)
            return distance == 0 ? .next : .early
        }

        /// The packets that are in order now; they do not wait any more.
        mutating func takeReady() -> [Element] {
            var ready: [Element] = []
            while let first = waiting.first, first.number == due {
                ready.append(first.element)
                waiting.removeFirst()
                due = first.number &+ 1
            }
            return ready
        }

        /// Goes on at the first packet that waits.
        mutating func giveUpMissing() {
            if let first = waiting.first { due = first.number }
        }

        /// Forgets what is due: the next packet tells.
        mutating func forget() {
            waiting = []
            due = nil
        }

        /// Whether a receiver who acknowledges a number has got the packet that is due.
        func isPast(_ acknowledgement: UInt8) -> Bool {
            guard let due else { return false }
            return acknowledgement &- due < 128
        }
    }
}
