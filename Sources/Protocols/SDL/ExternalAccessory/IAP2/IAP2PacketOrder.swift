extension IAP2 {
    /// A queue that orders the data packets of one direction and detects repeated ones.
    struct PacketOrder<Element: Sendable>: Sendable {
        /// The result of accepting a packet.
        enum Fate: Sendable, Hashable {
            /// It was the next one.
            case next
            /// It waits for earlier packets.
            case early
            /// It was received before.
            case repeated
        }

        /// The sequence number that is due; `nil` if unknown.
        private(set) var due: UInt8?
        /// The waiting packets, by their distance from the one that is due.
        private(set) var waiting: [(number: UInt8, element: Element)] = []

        /// Creates a queue that starts at the next packet.
        init() {}

        /// Creates a queue that starts after a number.
        init(after number: UInt8) {
            due = number &+ 1
        }

        /// Takes a packet; `takeReady` then returns those that are in order.
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

        /// Takes the packets that are in order now.
        mutating func takeReady() -> [Element] {
            var ready: [Element] = []
            while let first = waiting.first, first.number == due {
                ready.append(first.element)
                waiting.removeFirst()
                due = first.number &+ 1
            }
            return ready
        }

        /// Continues at the first waiting packet.
        mutating func giveUpMissing() {
            if let first = waiting.first { due = first.number }
        }

        /// Discards the waiting packets and the due number; the next packet sets it.
        mutating func forget() {
            waiting = []
            due = nil
        }

        /// Whether a receiver that acknowledges a number has received the packet that is due.
        func isPast(_ acknowledgement: UInt8) -> Bool {
            guard let due else { return false }
            return acknowledgement &- due < 128
        }
    }
}
