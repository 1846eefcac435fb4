extension IAP2 {
    /// One end of a link, without I/O and clock: bytes and times in, bytes and events out.
    ///
    /// Times count from any moment that all calls share. It is not publicly known how the ends
    /// agree on the values of the link. Here the accessory proposes, and the device answers with
    /// what both support; the answer applies.
    public struct Link: Sendable {
        /// The role of an end.
        public enum Role: Sendable, Hashable {
            /// Detects the other end, and opens the link.
            case accessory
            /// Answers the accessory.
            case device
        }

        /// An event for the owner of the link.
        public enum Event: Sendable, Hashable {
            /// The link is established.
            case established(LinkSynchronization)
            /// The next payload of a session, in order.
            case received(session: UInt8, [UInt8])
            /// The link has ended, for this reason.
            case closed(String)
        }

        enum State: Sendable, Hashable {
            case idle
            case detecting
            /// This end's SYN is not acknowledged, or the other side's has not arrived.
            case synchronising
            case established
            case closed
        }

        /// A packet that is not acknowledged yet.
        struct Outstanding: Sendable {
            let packet: Packet
            var due: Duration
            var retransmissions = 0
        }

        /// How long an end waits for an answer to the detection sequence before it repeats it.
        static let detectionInterval = Duration.seconds(1)
        /// How often an end repeats the detection sequence before it gives up.
        static let detectionsMax = 30
        /// The shortest time after which a SYN is repeated.
        static let synTimeoutMin = Duration.milliseconds(500)
        /// The smallest number of times that a SYN is repeated.
        static let synsMax = 10
        /// The largest number of outstanding packets: half of the numbers, so that none is
        /// ambiguous.
        static let outstandingMax: UInt8 = 127
        /// The largest number of payloads that wait for the window or the link.
        public static let queueMax = 65_536

        let role: Role
        /// The values that apply; those of this end before the link is established.
        public internal(set) var values: LinkSynchronization
        var state = State.idle
        var reader = PacketReader()
        var readerOffset: UInt64 = 0
        var output: [[UInt8]] = []
        var events: [Event] = []

        /// The last sequence number that was used.
        var sent: UInt8
        var outstanding: [Outstanding] = []
        var queue: [(session: UInt8, payload: [UInt8])] = []
        var order = PacketOrder<Packet>()
        /// The sequence number of the other side's SYN.
        var peerInitial: UInt8?
        /// Whether this end's SYN is acknowledged.
        var isOwnSynAcknowledged = false
        /// The number of received packets that are not acknowledged yet.
        var unacknowledged = 0
        var acknowledgementDue: Duration?
        var detectionDue: Duration?
        var detections = 0

        /// Creates an end that has sent nothing.
        ///
        /// - Parameters:
        ///   - role: The role of the end.
        ///   - proposal: The values that it proposes, and its sessions.
        ///   - initialSequence: The sequence number of its SYN.
        public init(
            _ role: Role, proposing proposal: LinkSynchronization = LinkSynchronization(),
            initialSequence: UInt8 = 0
        ) {
            self.role = role
            values = proposal
            values.maximumOutstanding = min(
                max(1, proposal.maximumOutstanding), Self.outstandingMax)
            sent = initialSequence
        }

        /// Whether data may be sent.
        public var isEstablished: Bool { state == .established }
        /// Whether it has ended.
        public var isClosed: Bool { state == .closed }
        /// The largest length of a payload in bytes, by the values that apply.
        public var payloadMax: Int {
            max(1, min(Packet.payloadMax, Int(values.maximumLength) - PacketHeader.size - 1))
        }

        /// Starts: the accessory looks for the device; the device waits.
        public mutating func start(at now: Duration) {
            guard state == .idle else { return }
            state = .detecting
            if role == .accessory { detect(at: now) }
        }

        /// Sends a payload of a session as soon as the window allows it.
        ///
        /// - Returns: Whether it was taken. It is not if the link has ended, if the payload is
        ///   empty or longer than `payloadMax`, or if `queueMax` payloads wait.
        @discardableResult
        public mutating func send(
            _ payload: [UInt8], session: UInt8, at now: Duration
        ) -> Bool {
            guard state != .closed, !payload.isEmpty, payload.count <= payloadMax,
                queue.count < Self.queueMax
            else { return false }
            queue.append((session, payload))
            sendQueued(at: now)
            return true
        }

        /// Resets the link.
        public mutating func reset(_ reason: String) {
            guard state != .closed else { return }
            if state != .idle {
                output.append(
                    Packet(.rst, sequence: sent, acknowledgement: lastReceived).bytes)
            }
            close(reason)
        }

        /// Takes the packets to be written; they are returned only once.
        public mutating func takeOutput() -> [[UInt8]] {
            defer { output = [] }
            return output
        }

        /// Takes the events in order; they are returned only once.
        public mutating func takeEvents() -> [Event] {
            defer { events = [] }
            return events
        }

        /// The time when `advance` is due; `nil` for never.
        public var nextDeadline: Duration? {
            guard state != .closed else { return nil }
            let retransmission = outstanding.map(\.due).min()
            return [detectionDue, acknowledgementDue, retransmission].compactMap { $0 }.min()
        }

        /// The last sequence number of the other side that was received in order.
        var lastReceived: UInt8 { order.due.map { $0 &- 1 } ?? 0 }
    }
}

// MARK: - Times

extension IAP2.Link {
    /// Performs due actions: repeats unanswered packets, sends delayed acknowledgements.
    public mutating func advance(to now: Duration) {
        guard state != .closed else { return }
        if let due = detectionDue, due <= now {
            if detections > Self.detectionsMax {
                return close("no answer to \(detections) detection sequences")
            }
            detect(at: now)
        }
        if let due = acknowledgementDue, due <= now { acknowledge() }
        for index in outstanding.indices where outstanding[index].due <= now {
            guard outstanding[index].retransmissions < retransmissionsMax else {
                let number = outstanding[index].packet.sequence
                return reset(
                    "packet \(number) was not acknowledged after "
                        + "\(retransmissionsMax) retransmissions")
            }
            outstanding[index].retransmissions += 1
            resend(index, at: now)
        }
    }

    private mutating func detect(at now: Duration) {
        output.append(IAP2.detection)
        detections += 1
        detectionDue = now + Self.detectionInterval
    }

    /// The time until a packet is repeated; at least `synTimeoutMin` for a SYN.
    var retransmissionTimeout: Duration {
        let agreed = Duration.milliseconds(Int(values.retransmissionTimeout))
        return isEstablished ? agreed : max(agreed, Self.synTimeoutMin)
    }

    /// How often a packet is repeated; a SYN is repeated even if nothing else is.
    private var retransmissionsMax: Int {
        let agreed = Int(values.maximumRetransmissions)
        return isEstablished ? agreed : max(agreed, Self.synsMax)
    }

    /// Whether packets are acknowledged and repeated at all.
    var isReliable: Bool { values.maximumRetransmissions > 0 && values.retransmissionTimeout > 0 }

    mutating func resend(_ index: Int, at now: Duration) {
        var packet = outstanding[index].packet
        packet.acknowledgement = lastReceived
        output.append(packet.bytes)
        outstanding[index].due = now + retransmissionTimeout
    }

    mutating func close(_ reason: String) {
        guard state != .closed else { return }
        state = .closed
        outstanding = []
        queue = []
        events.append(.closed(reason))
    }
}
