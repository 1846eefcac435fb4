extension IAP2 {
    /// A phone on a link, which asks for the accessory's identification and opens sessions for
    /// apps.
    public struct DeviceEnd: Sendable {
        /// An event for its owner.
        public enum Event: Sendable, Hashable {
            /// An accessory has been identified and accepted.
            case identified(Identification)
            /// The accessory has opened a session.
            case opened(session: UInt16)
            /// The accessory refuses a session with a status, of which only 1 is known.
            case refused(session: UInt16, status: UInt8)
            /// The accessory has closed a session.
            case closedSession(session: UInt16)
            /// The next bytes of a session.
            case data(session: UInt16, [UInt8])
            /// The link has ended, for this reason.
            case closed(String)
        }

        private var layer: SessionLayer
        private var nextSession: UInt16 = 1
        /// The requested sessions, and whether they are open.
        private var sessions: [UInt16: Bool] = [:]
        /// The accessory's identification; `nil` before it was accepted.
        public private(set) var identification: Identification?

        /// Creates a phone that has sent nothing.
        public init(proposing proposal: LinkSynchronization = LinkSynchronization()) {
            layer = SessionLayer(Link(.device, proposing: proposal, initialSequence: 100))
        }

        /// Starts to wait for an accessory.
        public mutating func start(at now: Duration) { layer.link.start(at: now) }

        /// Takes bytes from the accessory.
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
        public mutating func takeOutput() -> [UInt8] { layer.link.takeOutput().flatMap(\.self) }

        /// Asks for a session.
        ///
        /// - Returns: Its number; `nil` if the accessory has not declared the string.
        public mutating func open(_ protocolString: String, at now: Duration) -> UInt16? {
            guard
                let declared = identification?.protocols.first(where: {
                    $0.name == protocolString
                })
            else { return nil }
            let session = nextSession
            nextSession = nextSession == .max ? 1 : nextSession + 1
            sessions[session] = false
            layer.send(.startSession(protocolID: declared.id, sessionID: session), at: now)
            return session
        }

        /// Ends a session.
        public mutating func close(session: UInt16, at now: Duration) {
            guard sessions.removeValue(forKey: session) != nil else { return }
            layer.send(.stopSession(session), at: now)
        }

        /// Sends bytes of an open session; returns whether the link has taken all of them.
        @discardableResult
        public mutating func send(_ bytes: [UInt8], session: UInt16, at now: Duration) -> Bool {
            guard sessions[session] == true else { return false }
            return layer.send(bytes, of: session, at: now)
        }

        private mutating func takeEvents(at now: Duration) -> [Event] {
            layer.takeEvents().compactMap { event in
                switch event {
                case .established:
                    layer.send(.startIdentification, at: now)
                    return nil
                case .closed(let why): return .closed(why)
                case .data(let session, let bytes):
                    return sessions[session] == nil ? nil : .data(session: session, bytes)
                case .control(let message): return consume(message, at: now)
                }
            }
        }

        private mutating func consume(_ message: ControlMessage, at now: Duration) -> Event? {
            switch message.id {
            case Identification.messageID:
                guard let found = try? Identification(message) else { return nil }
                identification = found
                layer.send(.identificationAccepted, at: now)
                return .identified(found)
            case 0xEA03:
                guard let session = message[0]?.number, let status = message[1]?.number,
                    let isOpen = sessions[session]
                else { return nil }
                return consume(status: status, of: session, isOpen: isOpen)
            default: return nil
            }
        }

        private mutating func consume(
            status: UInt16, of session: UInt16, isOpen: Bool
        ) -> Event? {
            if status == 0 {
                sessions[session] = true
                return isOpen ? nil : .opened(session: session)
            }
            sessions[session] = nil
            return isOpen
                ? .closedSession(session: session)
                : .refused(session: session, status: UInt8(truncatingIfNeeded: status))
        }
    }
}
