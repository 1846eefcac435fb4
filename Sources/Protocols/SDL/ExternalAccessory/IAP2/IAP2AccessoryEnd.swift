extension IAP2 {
    /// An accessory on a link, which identifies itself and serves the sessions that apps open.
    ///
    /// Authentication is omitted, because the certificate chip is not tested here.
    public struct AccessoryEnd: Sendable {
        /// An event for its owner.
        public enum Event: Sendable, Hashable {
            /// The device has accepted the identification.
            case accepted
            /// The device has rejected the identification because of these parameters.
            case rejected([UInt16])
            /// An app asks for a session, and an answer is due.
            ///
            /// The string is `nil` for a number that was not declared.
            case requested(session: UInt16, protocolString: String?)
            /// The next bytes of a session.
            case data(session: UInt16, [UInt8])
            /// The device has ended a session.
            case stopped(session: UInt16)
            /// The link has ended, for this reason.
            case closed(String)
        }

        /// Its identification.
        public let identification: Identification
        private var layer: SessionLayer

        /// Creates an accessory that has sent nothing.
        public init(
            _ identification: Identification,
            proposing proposal: LinkSynchronization = LinkSynchronization()
        ) {
            self.identification = identification
            layer = SessionLayer(Link(.accessory, proposing: proposal))
        }

        /// Starts the detection of a device.
        public mutating func start(at now: Duration) { layer.link.start(at: now) }

        /// Takes bytes from the device.
        public mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Event] {
            layer.link.receive(bytes, at: now)
            return takeEvents(at: now)
        }

        /// Performs due actions; see `nextDeadline`.
        public mutating func advance(to now: Duration) -> [Event] {
            layer.link.advance(to: now)
            return takeEvents(at: now)
        }

        /// The time when `advance` is due; `nil` for never.
        public var nextDeadline: Duration? { layer.link.nextDeadline }

        /// Takes the bytes to be written; they are returned only once.
        public mutating func takeOutput() -> [UInt8] { takePackets().flatMap(\.self) }

        /// Takes the packets to be written; they are returned only once.
        public mutating func takePackets() -> [[UInt8]] { layer.link.takeOutput() }

        /// Opens a session that an app asked for.
        public mutating func open(session: UInt16, at now: Duration) {
            layer.send(.sessionStatus(session, 0), at: now)
        }

        /// Refuses or closes a session with status 1, the only one that is known.
        public mutating func close(session: UInt16, at now: Duration) {
            layer.send(.sessionStatus(session, 1), at: now)
        }

        /// Sends bytes of a session; returns whether the link has taken all of them.
        @discardableResult
        public mutating func send(_ bytes: [UInt8], session: UInt16, at now: Duration) -> Bool {
            layer.send(bytes, of: session, at: now)
        }

        /// Breaks the link.
        public mutating func reset() { layer.link.reset("reset by the accessory") }

        private mutating func takeEvents(at now: Duration) -> [Event] {
            layer.takeEvents().compactMap { event in
                switch event {
                case .established: return nil
                case .closed(let why): return .closed(why)
                case .data(let session, let bytes): return .data(session: session, bytes)
                case .control(let message): return consume(message, at: now)
                }
            }
        }

        private mutating func consume(_ message: ControlMessage, at now: Duration) -> Event? {
            switch message.id {
            case ControlMessage.startIdentification.id:
                layer.send(identification.message, at: now)
                return nil
            case ControlMessage.identificationAccepted.id: return .accepted
            case 0x1D03: return .rejected(message.parameters.map(\.id))
            case 0xEA00:
                guard let id = message[0]?.number, let session = message[1]?.number else {
                    return nil
                }
                return .requested(
                    session: session,
                    protocolString: identification.protocolName(UInt8(truncatingIfNeeded: id)))
            case 0xEA01: return message[0]?.number.map { .stopped(session: $0) }
            default: return nil
            }
        }
    }
}
