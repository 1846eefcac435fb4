extension IAP2 {
    /// One end of a link, without I/O and clock: bytes and times in, bytes and events out.
    ///
    /// Times count from any moment that all calls share. How the ends agree on the values of the
    /// link is not publicly known; here the accessory proposes, the device answers with what both
    /// can do, and that holds.
    public struct Link: Sendable {
        /// Which end it is.
        public enum Role: Sendable, Hashable {
            /// Looks for the other end, and opens the link.
            case accessory
            /// Answers.
            case device
        }

        /// What the link tells its owner.
        public enum Event: Sendable, Hashable {
            /// The link stands.
            case established(LinkSynchronization)
            /// The next payload of a session, in order.
            case received(session: UInt8, [UInt8])
            /// The link has ended, and why.
            case closed(String)
        }

        enum State: Sendable, Hashable {
            case idle
            case detecting
            /// The SYN is not acknowledged, or the other side's has not come.
            case synchronising
            case established
            case closed
        }

        /// A packet that is not acknowledged.
        struct Outstanding: Sendable {
            let packet: Packet
            var due: Duration
            var retransmissions = 0
        }

        /// How long an end waits for an answer to the detection sequence before it repeats it.
        static let detectionInterval = Duration.seconds(1)
        /// How often it repeats it before it gives up.
        static let detectionsMax = 30
        /// The shortest time after which a SYN is repeated.
        static let synTimeoutMin = Duration.milliseconds(500)
        /// How often a SYN is repeated at least.
        static let synsMax = 10
        /// Most packets that may be outstanding: half of the numbers, so that none is ambiguous.
        static let outstandingMax: UInt8 = 127
        /// Most payloads that wait for the window or the link.
        public static let queueMax = 65_536

        let role: Role
        /// The values that hold; before the link stands, the own ones.
        public internal(set) var values: LinkSynchronization
        var state = State.idle
        var reader = PacketReader()
        var readerOffset: UInt64 = 0
        var output: [[UInt8]] = []
        var events: [Event] = []

        /// The last number that was used.
        var sent: UInt8
        var outstanding: [Outstanding] = []
        var queue: [(session: UInt8, payload: [UInt8])] = []
        var order = PacketOrder<Packet>()
        /// The number of the other side's SYN.
        var peerInitial: UInt8?
        /// Whether the own SYN is acknowledged.
        var isOwnSynAcknowledged = false
        /// Packets that came and are not acknowledged.
        var unacknowledged = 0
        var acknowledgementDue: Duration?
        var detectionDue: Duration?
        var detections = 0

        /// Makes an end that has sent nothing.
        ///
        /// - Parameters:
        ///   - role: Which end it is.
        ///   - proposal: The values that it would like, and its sessions.
        ///   - initialSequence: The number of its SYN.
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
        /// Whether everything that was sent has been acknowledged.
        public var isIdle: Bool { outstanding.isEmpty && queue.isEmpty }
        /// Most bytes of one payload, by the values that hold.
        public var payloadMax: Int {
            max(1, min(Packet.payloadMax, Int(values.maximumLength) - PacketHeader.size - 1))
        }

        /// Begins: the accessory looks for the device; the device waits.
        public mutating func start(at now: Duration) {
            guard state == .idle else { return }
            state = .detecting
            if role == .accessory { detect(at: now) }
        }

        /// Sends a payload of a session, as soon as the window lets it.
        ///
        /// - Returns: Whether it was taken: not when the link has ended, when the payload is
        ///   empty or longer than `payloadMax`, or when `queueMax` payloads wait.
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

        /// Breaks the link.
        public mutating func reset(_ reason: String) {
            guard state != .closed else { return }
            if state != .idle {
                output.append(
                    Packet(.rst, sequence: sent, acknowledgement: lastReceived).bytes)
            }
            close(reason)
        }

        /// What is to be written, packet by packet; it is not handed out again.
        public mutating func takeOutput() -> [[UInt8]] {
            defer { output = [] }
            return output
        }

        /// What has happened, in order; it is not handed out again.
        public mutating func takeEvents() -> [Event] {
            defer { events = [] }
            return events
        }

        /// When `advance` is due; `nil` for never.
        public var nextDeadline: Duration? {
            guard state != .closed else { return nil }
            let retransmission = outstanding.map(\.due).min()
            return [detectionDue, acknowledgementDue, retransmission].compactMap { $0 }.min()
        }

        /// The last number of the other side that came in order.
        var lastReceived: UInt8 { order.due.map { $0 &- 1 } ?? 0 }
    }
}

// MARK: - Times

extension IAP2.Link {
    /// Does what is due: repeats what was not answered, sends acknowledgements that were held back.
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

    /// The time until a packet is repeated; that of a SYN does not go below `synTimeoutMin`.
    var retransmissionTimeout: Duration {
        let agreed = Duration.milliseconds(Int(values.retransmissionTimeout))
        return isEstablished ? agreed : max(agreed, Self.synTimeoutMin)
    }

    /// How often a packet is repeated; a SYN even where nothing else is.
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
