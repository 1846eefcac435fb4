import Wire

extension IAP2 {
    /// The External Accessory sessions of a link, with their streams.
    ///
    /// It follows what is declared, opened and closed.
    struct AccessorySessions: Sendable {
        private struct Session: Sendable {
            /// The session as shown in messages.
            var shown: ExternalAccessory.Session
            var streams: NestedConnection
            var isOpen = false
            /// Whether the capture contains the app's request for it.
            var isAsked = false
        }

        /// A session that one side has ended.
        private struct Ended: Sendable {
            let id: UInt16
            /// The other side, which may not have seen the end yet.
            let side: ConnectionSide
            var session: Session
            /// Whether held bytes of that side are reported when it sends something else.
            var isPending: Bool
        }

        private let stack: DissectionStack
        private var identification: Identification?
        /// The side that has identified itself.
        private var accessorySide: ConnectionSide?
        private var sessions: [UInt16: Session] = [:]
        /// The sessions that one side has ended, in which the other may still send.
        private var ended: [Ended] = []

        init(_ stack: DissectionStack) {
            self.stack = stack
        }

        /// Takes a control message.
        mutating func control(
            _ message: ControlMessage, from side: ConnectionSide, at ranges: [Range<UInt64>],
            into messages: inout [StreamMessage]
        ) {
            flush(side, into: &messages)
            switch message.id {
            case Identification.messageID:
                guard let identification = try? Identification(message) else { return }
                self.identification = identification
                accessorySide = side
                // iAP2 does not show whether an app gets a notification or finds the accessory
                // itself.
                emit(.connected(identification.accessory), message, ranges, into: &messages)
                emit(.accessory(identification.accessory), message, ranges, into: &messages)
            case 0xEA00:
                guard let id = message[1]?.number else { return }
                open(id, message, side, ranges, into: &messages)
            case 0xEA01:
                guard let id = message[0]?.number else { return }
                close(id, by: side, message, ranges, into: &messages)
            case 0xEA03:
                guard let id = message[0]?.number, let status = message[1]?.number else { return }
                self.status(status, of: id, message, side, ranges, into: &messages)
            default: break
            }
        }

        /// Takes the payload of an External Accessory packet, which begins at `offset`.
        mutating func data(
            _ payload: [UInt8], at offset: UInt64, from side: ConnectionSide,
            into messages: inout [StreamMessage]
        ) {
            let range = offset..<(offset + UInt64(payload.count))
            guard payload.count >= 2 else {
                flush(side, into: &messages)
                let why = "data of a session without its number"
                messages.append(
                    StreamMessage(
                        content: Message(
                            .malformed(why), bytes: payload, anomalies: [violation(why)]),
                        ranges: [range]))
                return
            }
            let id = UInt16(payload[0]) << 8 | UInt16(payload[1])
            flush(side, besides: id, into: &messages)
            let bytes = Array(payload.dropFirst(2))
            let place = (range.lowerBound + 2)..<range.upperBound
            if sessions[id] == nil,
                let index = ended.lastIndex(where: { $0.id == id && $0.side == side })
            {
                // It was in transit when the other side ended the session.
                if !ended[index].isPending {
                    let string = ended[index].session.shown.protocolString
                    ended[index].session.streams = ExternalAccessory.streams(
                        of: string, in: stack)
                    ended[index].isPending = true
                }
                Self.consume(bytes, side, place, of: &ended[index].session, into: &messages)
                return
            }
            if sessions[id] == nil { begin(id, nil, into: &messages) }
            guard var session = sessions.removeValue(forKey: id) else { return }
            Self.consume(bytes, side, place, of: &session, into: &messages)
            sessions[id] = session
        }

        private static func consume(
            _ bytes: [UInt8], _ side: ConnectionSide, _ place: Range<UInt64>,
            of session: inout Session, into messages: inout [StreamMessage]
        ) {
            let shown = session.shown
            session.streams.consume(
                bytes.span.bytes, from: side, at: [place], opaque: { Self.data(shown, $0) },
                into: &messages)
        }

        /// Handles missing packets of a side.
        mutating func lose(_ side: ConnectionSide, into messages: inout [StreamMessage]) {
            for id in sessions.keys.sorted() {
                guard var session = sessions.removeValue(forKey: id) else { continue }
                let shown = session.shown
                session.streams.lose(
                    side, opaque: { Self.data(shown, $0) }, into: &messages)
                sessions[id] = session
            }
            for index in ended.indices where ended[index].side == side && ended[index].isPending {
                let shown = ended[index].session.shown
                ended[index].session.streams.lose(
                    side, opaque: { Self.data(shown, $0) }, into: &messages)
            }
        }

        /// Ends all sessions, because a side reset the link or opened it again.
        mutating func closeAll(
            by side: ConnectionSide, at range: Range<UInt64>?,
            into messages: inout [StreamMessage]
        ) {
            flush(side, into: &messages)
            for id in sessions.keys.sorted() {
                end(id, by: side, range.map { [$0] } ?? [], [], into: &messages)
            }
            identification = nil
        }

        /// Handles the end of a side.
        mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            flush(side, into: &messages)
            if end.isOfSender {
                if side == accessorySide, let id = identification?.accessoryID {
                    let gone = ExternalAccessory.Message(.disconnected(id: id))
                    messages.append(StreamMessage(content: gone, ranges: []))
                }
                closeAll(by: side, at: nil, into: &messages)
            }
            for id in sessions.keys.sorted() {
                guard var session = sessions.removeValue(forKey: id) else { continue }
                let shown = session.shown
                session.streams.finish(
                    side, end, opaque: { Self.data(shown, $0) }, into: &messages)
                sessions[id] = session
            }
        }

        /// The offset of the oldest byte of a side that a later message may refer to.
        func oldestPendingOffset(of side: ConnectionSide) -> UInt64? {
            let open = sessions.values.compactMap { $0.streams.oldestPendingOffset(of: side) }
            let ended = ended.compactMap { entry in
                entry.side == side && entry.isPending
                    ? entry.session.streams.oldestPendingOffset(of: side) : nil
            }
            return (open + ended).min()
        }
    }
}

extension IAP2.AccessorySessions {
    private mutating func begin(
        _ id: UInt16, _ protocolString: String?, into messages: inout [StreamMessage]
    ) {
        // The previous session with the number is over for both sides.
        for side in ConnectionSide.allCases { notify(side, { $0.id == id }, into: &messages) }
        ended.removeAll { $0.id == id }
        if sessions.count >= IAP2.Limits.sessions, let oldest = sessions.keys.min() {
            sessions[oldest] = nil
        }
        let shown = ExternalAccessory.Session(
            accessoryID: identification?.accessoryID, protocolString: protocolString,
            id: UInt32(id))
        sessions[id] = Session(
            shown: shown, streams: ExternalAccessory.streams(of: protocolString, in: stack))
    }

    private mutating func open(
        _ id: UInt16, _ message: IAP2.ControlMessage, _ side: ConnectionSide,
        _ ranges: [Range<UInt64>], into messages: inout [StreamMessage]
    ) {
        if sessions[id] != nil { end(id, by: side, ranges, message.bytes, into: &messages) }
        let number = message[0]?.number.map { UInt8(truncatingIfNeeded: $0) }
        begin(id, number.flatMap { identification?.protocolName($0) }, into: &messages)
        sessions[id]?.isAsked = true
        guard let shown = sessions[id]?.shown else { return }
        emit(.open(shown), message, ranges, into: &messages)
    }

    private mutating func status(
        _ status: UInt16, of id: UInt16, _ message: IAP2.ControlMessage, _ side: ConnectionSide,
        _ ranges: [Range<UInt64>], into messages: inout [StreamMessage]
    ) {
        guard let session = sessions[id] else { return }
        if status == 0 {
            guard !session.isOpen else { return }
            sessions[id]?.isOpen = true
            emit(.opened(session.shown), message, ranges, into: &messages)
        } else if session.isAsked, !session.isOpen {
            sessions[id] = nil
            emit(
                .refused(session.shown, reason: "status \(status)"), message, ranges,
                into: &messages)
        } else {
            close(id, by: side, message, ranges, into: &messages)
        }
    }

    private mutating func close(
        _ id: UInt16, by side: ConnectionSide, _ message: IAP2.ControlMessage,
        _ ranges: [Range<UInt64>], into messages: inout [StreamMessage]
    ) {
        guard sessions[id] != nil else { return }
        end(id, by: side, ranges, message.bytes, into: &messages)
    }

    /// Ends a session; held bytes of the side that ends it are reported first.
    private mutating func end(
        _ id: UInt16, by side: ConnectionSide, _ ranges: [Range<UInt64>], _ bytes: [UInt8],
        into messages: inout [StreamMessage]
    ) {
        guard var session = sessions.removeValue(forKey: id) else { return }
        let shown = session.shown
        session.streams.finish(
            side, .closed, opaque: { Self.data(shown, $0) }, into: &messages)
        messages.append(
            StreamMessage(
                content: ExternalAccessory.Message(.close(shown), bytes: bytes), ranges: ranges))
        if ended.count >= IAP2.Limits.sessions {
            let oldest = ended[0].id
            notify(ended[0].side, { $0.id == oldest }, into: &messages)
            ended.removeFirst()
        }
        ended.append(Ended(id: id, side: side.other, session: session, isPending: true))
    }

    /// Reports held bytes of a side in ended sessions, because it sends something else.
    private mutating func flush(
        _ side: ConnectionSide, besides id: UInt16? = nil, into messages: inout [StreamMessage]
    ) {
        notify(side, { $0.id != id }, into: &messages)
    }

    private mutating func notify(
        _ side: ConnectionSide, _ isMeant: (Ended) -> Bool,
        into messages: inout [StreamMessage]
    ) {
        for index in ended.indices
        where ended[index].side == side && ended[index].isPending && isMeant(ended[index]) {
            ended[index].isPending = false
            let shown = ended[index].session.shown
            ended[index].session.streams.finish(
                side, .closed, opaque: { Self.data(shown, $0) }, into: &messages)
        }
    }

    private static func data(
        _ session: ExternalAccessory.Session, _ bytes: [UInt8]
    ) -> ExternalAccessory.Message {
        ExternalAccessory.Message(.data(session, bytes), bytes: bytes)
    }

    private func emit(
        _ content: ExternalAccessory.Message.Content, _ message: IAP2.ControlMessage,
        _ ranges: [Range<UInt64>], into messages: inout [StreamMessage]
    ) {
        messages.append(
            StreamMessage(
                content: ExternalAccessory.Message(content, bytes: message.bytes),
                ranges: ranges))
    }
}

extension ExternalAccessory {
    /// The streams of a session with a protocol string.
    ///
    /// No protocol is recognised under the hub's string, because its only byte could also be the
    /// first of a frame.
    static func streams(
        of protocolString: String?, in stack: DissectionStack
    ) -> NestedConnection {
        NestedConnection(
            in: mayNest(protocolString) ? .externalAccessory : StreamCarrier("hub"), of: stack)
    }
}
