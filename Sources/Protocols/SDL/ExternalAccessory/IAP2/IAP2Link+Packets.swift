// MARK: - Receiving

extension IAP2.Link {
    /// Takes bytes from the other side, in pieces of any size.
    public mutating func receive(_ bytes: [UInt8], at now: Duration) {
        guard state != .closed, state != .idle else { return }
        reader.append(bytes.span.bytes, at: readerOffset)
        readerOffset += UInt64(bytes.count)
        while state != .closed, let unit = reader.next() {
            switch unit.content {
            case .detection: detected(at: now)
            case .packet(let packet): consume(packet, at: now)
            // Damaged packets are not acknowledged, so they are sent again.
            case .malformed: break
            }
        }
    }

    private mutating func detected(at now: Duration) {
        guard state == .detecting else { return }
        if role == .device {
            output.append(IAP2.detection)
        } else {
            detectionDue = nil
            synchronise(.syn, at: now)
        }
    }

    private mutating func consume(_ packet: IAP2.Packet, at now: Duration) {
        if packet.flags.contains(.rst) { return close("the other side has reset the link") }
        if packet.flags.contains(.syn) { return synchronised(packet, at: now) }
        if !packet.flags.isDisjoint(with: [.ack, .eak]) {
            acknowledged(packet.acknowledgement, at: now)
        }
        if packet.flags.contains(.eak) { missing(packet.payload, at: now) }
        if packet.isData { data(packet, at: now) }
    }

    private mutating func data(_ packet: IAP2.Packet, at now: Duration) {
        guard peerInitial != nil else { return }
        switch order.accept(packet.sequence, packet) {
        case .repeated:
            acknowledge()
        case .early:
            acknowledgementDue = nil
            unacknowledged = 0
            output.append(
                IAP2.Packet(
                    [.ack, .eak], sequence: sent, acknowledgement: lastReceived,
                    payload: order.waiting.map(\.number)
                ).bytes)
        case .next:
            let ready = order.takeReady()
            for packet in ready {
                events.append(.received(session: packet.sessionID, packet.payload))
            }
            unacknowledged += ready.count
            if unacknowledged >= max(1, Int(values.maximumAcknowledgements)) {
                acknowledge()
            } else if acknowledgementDue == nil {
                acknowledgementDue = now + .milliseconds(Int(values.acknowledgementTimeout))
            }
        }
    }

    mutating func acknowledge() {
        acknowledgementDue = nil
        unacknowledged = 0
        guard isReliable else { return }
        output.append(
            IAP2.Packet(.ack, sequence: sent, acknowledgement: lastReceived).bytes)
    }

    /// Drops the packets that the other side has acknowledged.
    private mutating func acknowledged(_ number: UInt8, at now: Duration) {
        guard let first = outstanding.first?.packet.sequence else { return }
        let count = Int(number &- first &+ 1)
        guard count <= outstanding.count, count > 0 else { return }
        let isSyn = outstanding[0].packet.flags.contains(.syn)
        outstanding.removeFirst(count)
        if isSyn {
            isOwnSynAcknowledged = true
            establish(at: now)
        }
        sendQueued(at: now)
    }

    /// Retransmits the packets up to the last number of an EAK, whichever way its list is meant.
    private mutating func missing(_ numbers: [UInt8], at now: Duration) {
        guard let first = outstanding.first?.packet.sequence else { return }
        let distances = numbers.map { Int($0 &- first) }.filter { $0 < outstanding.count }
        guard let last = distances.max() else { return }
        for index in 0...last where outstanding[index].retransmissions == 0 {
            // Once for all EAKs: packets that are lost again are left to the time-out.
            outstanding[index].retransmissions = 1
            resend(index, at: now)
        }
    }
}

// MARK: - Opening and sending

extension IAP2.Link {
    private mutating func synchronise(_ flags: IAP2.PacketFlags, at now: Duration) {
        state = .synchronising
        let packet = IAP2.Packet(
            flags, sequence: sent, acknowledgement: lastReceived, payload: values.bytes)
        output.append(packet.bytes)
        outstanding = [Outstanding(packet: packet, due: now + retransmissionTimeout)]
    }

    /// Takes a SYN, with or without an acknowledgement of this end's SYN.
    private mutating func synchronised(_ packet: IAP2.Packet, at now: Duration) {
        if let peerInitial {
            guard peerInitial == packet.sequence else {
                return reset("the other side has opened the link again")
            }
            if role == .accessory { return acknowledgeSyn() }
            return repeatAnswer(at: now)
        }
        guard let offered = try? IAP2.LinkSynchronization(parsing: packet.payload) else { return }
        peerInitial = packet.sequence
        order = IAP2.PacketOrder(after: packet.sequence)
        if role == .device {
            values = values.answer(to: offered)
            synchronise([.syn, .ack], at: now)
        } else {
            values = offered
            values.maximumOutstanding = min(max(1, offered.maximumOutstanding), Self.outstandingMax)
            acknowledgeSyn()
            if packet.flags.contains(.ack) { acknowledged(packet.acknowledgement, at: now) }
            establish(at: now)
        }
    }

    private mutating func acknowledgeSyn() {
        output.append(
            IAP2.Packet(.ack, sequence: sent, acknowledgement: lastReceived).bytes)
    }

    private mutating func repeatAnswer(at now: Duration) {
        guard !isOwnSynAcknowledged, !outstanding.isEmpty else { return acknowledge() }
        resend(0, at: now)
    }

    private mutating func establish(at now: Duration) {
        guard state == .synchronising, isOwnSynAcknowledged, peerInitial != nil else { return }
        state = .established
        events.append(.established(values))
        sendQueued(at: now)
    }

    mutating func sendQueued(at now: Duration) {
        guard state == .established else { return }
        while !queue.isEmpty, outstanding.count < Int(values.maximumOutstanding) {
            let next = queue.removeFirst()
            sent &+= 1
            let packet = IAP2.Packet(
                .ack, sequence: sent, acknowledgement: lastReceived, sessionID: next.session,
                payload: next.payload)
            output.append(packet.bytes)
            acknowledgementDue = nil
            unacknowledged = 0
            guard isReliable else { continue }
            outstanding.append(Outstanding(packet: packet, due: now + retransmissionTimeout))
        }
    }
}

extension IAP2.LinkSynchronization {
    /// Returns the values of a device's answer.
    ///
    /// They are what both ends support, and the accessory's sessions of kinds that the device
    /// knows.
    func answer(to offered: IAP2.LinkSynchronization) -> IAP2.LinkSynchronization {
        var answer = offered
        answer.version = min(version, offered.version)
        answer.maximumOutstanding = max(1, min(maximumOutstanding, offered.maximumOutstanding))
        answer.maximumLength = min(maximumLength, offered.maximumLength)
        answer.sessions = offered.sessions.filter { session in
            sessions.contains { $0.kind == session.kind }
        }
        return answer
    }
}
