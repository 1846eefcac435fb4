extension IAP2 {
    /// The layer on top of a link at either end: complete control messages, and the data of
    /// External Accessory sessions.
    struct SessionLayer: Sendable {
        /// An event for the owner.
        enum Event: Sendable, Hashable {
            case established
            case control(ControlMessage)
            case data(session: UInt16, [UInt8])
            /// The link has ended, for this reason.
            case closed(String)
        }

        var link: Link
        private var control: [UInt8] = []

        init(_ link: Link) {
            self.link = link
        }

        /// Sends a control message in as many packets as necessary.
        mutating func send(_ message: ControlMessage, at now: Duration) {
            guard let session = session(.control) else { return }
            for part in message.bytes.parts(of: link.payloadMax) {
                link.send(part, session: session, at: now)
            }
        }

        /// Sends data of a session; returns whether the link has taken all of it.
        mutating func send(_ bytes: [UInt8], of id: UInt16, at now: Duration) -> Bool {
            guard let session = session(.externalAccessory) else { return false }
            let head = [UInt8(id >> 8), UInt8(truncatingIfNeeded: id)]
            for part in bytes.parts(of: max(1, link.payloadMax - head.count)) {
                guard link.send(head + part, session: session, at: now) else { return false }
            }
            return true
        }

        /// Takes the events since the last call.
        mutating func takeEvents() -> [Event] {
            link.takeEvents().flatMap { event -> [Event] in
                switch event {
                case .established: return [.established]
                case .closed(let why): return [.closed(why)]
                case .received(let session, let payload):
                    switch link.values.sessions.first(where: { $0.id == session })?.kind {
                    case .control?: return controlMessages(payload)
                    case .externalAccessory? where payload.count >= 2:
                        let id = UInt16(payload[0]) << 8 | UInt16(payload[1])
                        return [.data(session: id, Array(payload.dropFirst(2)))]
                    default: return []
                    }
                }
            }
        }

        private func session(_ kind: LinkSessionKind) -> UInt8? {
            link.values.sessions.first { $0.kind == kind }?.id
        }

        private mutating func controlMessages(_ payload: [UInt8]) -> [Event] {
            control += payload
            var events: [Event] = []
            while !control.isEmpty {
                guard let length = try? ControlMessage.length(of: control[...]) else {
                    // Too few bytes are kept; bytes that do not begin a message are dropped.
                    if !control.starts(with: ControlMessage.mark.prefix(control.count)) {
                        control = []
                    }
                    break
                }
                guard control.count >= length else { break }
                if let message = try? ControlMessage(parsing: Array(control.prefix(length))) {
                    events.append(.control(message))
                }
                control.removeFirst(length)
            }
            return events
        }
    }
}

extension [UInt8] {
    /// The bytes in parts of at most `size`.
    fileprivate func parts(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min(count, $0 + size)]) }
    }
}
