import Wire

/// The state of a link's Attribute Protocol, which creates `gatt.*` messages from its packets.
///
/// It pairs requests with their answers, and learns from discovery what each handle is.
struct GATTConversation: Sendable {
    /// The state of a client.
    struct Client: Sendable {
        /// The unanswered requests, in their order; more than one breaks the rule.
        var pending: [ATTPacket] = []
        /// How many further requests may be answered, because they were not read.
        var unreadCount = 0
        /// A discovery whose range has not been searched to its end.
        var procedure: GATTProcedure?
        /// A value of which more may be read: the handle, and the bytes read so far.
        var reading: (handle: UInt16, value: [UInt8])?
        /// The prepared writes, in their order.
        var prepared: [(handle: UInt16, value: [UInt8])] = []
    }

    /// The largest number of requests that are kept for their answers.
    static let pendingMax = 16
    /// The largest length in bytes of a reassembled value (Core 5.4 Vol 3 Part F 3.2.9).
    static let valueMax = 512

    /// What is known of the attributes of each side.
    var databases = BothSides { GATTDatabase() }
    var clients = BothSides { Client() }
    var mtu = ATTPacket.defaultMTU
    /// Whether all packets since the beginning of the link were seen.
    var isWhole: Bool
    var discipline = ATTDiscipline()

    /// Starts again with a new channel, whose beginning was captured.
    ///
    /// What was unanswered on an earlier channel of the link stays so.
    mutating func begin() {
        let known = databases
        self = GATTConversation(isWhole: true)
        databases = known
    }

    /// Handles missing packets.
    mutating func lose() {
        clients = BothSides { Client() }
        isWhole = false
    }

    /// Takes a packet; returns its plain messages with their senders, and its anomalies.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - size: Its length in bytes.
    ///   - side: Its sender.
    ///   - isFixed: Whether the channel is the fixed one of LE, whose MTU only the Attribute Protocol
    ///     agrees on.
    ///   - now: Its time; `nil` if it is not known.
    mutating func consume(
        _ packet: ATTPacket, of size: Int, from side: ConnectionSide, isFixed: Bool,
        at now: Timestamp?
    ) -> (messages: [(PlainMessage, ConnectionSide)], anomalies: [Anomaly]) {
        var messages: [(PlainMessage, ConnectionSide)] = []
        let order = discipline.anomaly(
            of: packet, from: side, pending: clients[side].pending.first)
        let length = isFixed ? discipline.anomaly(ofSize: size) : nil
        let time = discipline.anomaly(of: packet, from: side, at: now)
        var anomalies = isWhole ? [length, time ?? order].compactMap(\.self) : []
        if let wrong = packet.valueAnomaly { anomalies.append(wrong) }
        if packet.operation?.isRequest == true {
            if clients[side].pending.count == Self.pendingMax {
                clients[side].pending.removeFirst()
                clients[side].unreadCount += 1
            }
            clients[side].pending.append(packet)
            request(packet, side, &messages)
        } else if packet.operation?.isResponse == true {
            let isOnly = clients[side.other].pending.count == 1
            if let pending = takePending(of: side.other, where: packet.answers) {
                if isWhole, isOnly, let wrong = packet.anomaly(answering: pending) {
                    anomalies.append(wrong)
                }
                answer(packet, to: pending, of: side.other, &messages)
            } else if clients[side.other].unreadCount > 0 {
                clients[side.other].unreadCount -= 1
            } else if isWhole {
                anomalies.append(
                    Anomaly(
                        .violation, "an answer without a request",
                        specification: "Core 5.4 Vol 3 Part F 3.3.2"))
            }
        } else {
            if packet.mayBeUnknownRequest { clients[side].unreadCount += 1 }
            unsolicited(packet, side, &messages)
        }
        discipline.sizeMax = max(discipline.sizeMax, mtu)
        return (messages, anomalies)
    }

    /// Takes an unreadable packet, whose opcode still shows which request it answers.
    mutating func takeMalformed(_ payload: [UInt8], from side: ConnectionSide) {
        discipline.takeUnread(payload.first.flatMap(ATTOpcode.init), from: side)
        guard let operation = payload.first.flatMap(ATTOpcode.init), operation.isResponse else {
            // Its receiver may answer it.
            clients[side].unreadCount += 1
            return
        }
        _ = takePending(of: side.other) {
            operation == .errorResponse || $0.operation?.response == operation
        }
    }

    /// Removes the oldest matching request and those before it.
    ///
    /// The earlier ones will not be answered, because answers come in the order of their requests.
    private mutating func takePending(
        of side: ConnectionSide, where isAnswered: (ATTPacket) -> Bool
    ) -> ATTPacket? {
        guard let place = clients[side].pending.firstIndex(where: isAnswered) else { return nil }
        defer { clients[side].pending.removeFirst(place + 1) }
        return clients[side].pending[place]
    }
}

extension ATTPacket {
    /// Whether it may be a request of an unknown kind, which its receiver refuses.
    ///
    /// Bit 6 of an opcode marks a command, which is not answered (Core 5.4 Vol 3 Part F 3.3.1).
    var mayBeUnknownRequest: Bool { operation == nil && opcode & 0x40 == 0 }

    /// Whether it answers the request.
    func answers(_ request: ATTPacket) -> Bool {
        if case .errorResponse(let code, _, _) = self { return code == request.opcode }
        return operation == request.operation?.response
    }
}

// MARK: - Requests

extension GATTConversation {
    private mutating func request(
        _ packet: ATTPacket, _ side: ConnectionSide,
        _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        if let procedure = GATTProcedure(packet) {
            if clients[side].procedure?.isContinued(by: procedure) == true { return }
            endProcedure(of: side, &messages)
            clients[side].procedure = procedure
            return messages.append((procedure.requested, side))
        }
        endProcedure(of: side, &messages)
        if case .readBlobRequest(let handle, let offset) = packet,
            let reading = clients[side].reading, reading.handle == handle,
            reading.value.count == Int(offset)
        {
            return
        }
        clients[side].reading = nil
        let server = databases[side.other]
        switch packet {
        case .readRequest(let handle):
            messages.append((attribute("gatt.read", handle, server), side))
        case .readBlobRequest(let handle, let offset):
            messages.append(
                (attribute("gatt.read", handle, server, offset: .number(offset)), side))
        case .readByTypeRequest(let handles, let type):
            messages.append(
                (
                    PlainMessage(
                        "gatt.read",
                        [
                            "characteristic": .uuid(type), "start": .number(handles.start),
                            "end": .number(handles.end),
                        ]), side
                ))
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            for handle in handles {
                messages.append((attribute("gatt.read", handle, server), side))
            }
        case .writeRequest(let handle, let value):
            messages.append((write(handle, value, server, isCommand: false), side))
        case .prepareWriteRequest(let handle, let offset, let value):
            prepare(handle, Int(offset), value, side)
        case .executeWriteRequest(let flags):
            if flags & 1 == 1 {
                for part in clients[side].prepared {
                    messages.append(
                        (write(part.handle, part.value, server, isCommand: false), side))
                }
            } else {
                clients[side].prepared = []
            }
        default: break
        }
    }

    /// Ends a discovery that the client does not continue, because it has found what it wanted.
    mutating func endProcedure(
        of side: ConnectionSide, _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        guard let procedure = clients[side].procedure else { return }
        clients[side].procedure = nil
        messages.append((procedure.answered, side.other))
    }

    private mutating func prepare(
        _ handle: UInt16, _ offset: Int, _ value: [UInt8], _ side: ConnectionSide
    ) {
        let index = clients[side].prepared.firstIndex { $0.handle == handle }
        if let index, offset == clients[side].prepared[index].value.count,
            offset + value.count <= Self.valueMax
        {
            clients[side].prepared[index].value += value
        } else if index == nil, clients[side].prepared.count < BluetoothLimits.channels {
            clients[side].prepared.append((handle, value))
        }
    }

    /// Returns the message for a write, which subscribes or unsubscribes at a client configuration.
    func write(
        _ handle: UInt16, _ value: [UInt8], _ server: GATTDatabase, isCommand: Bool
    ) -> PlainMessage {
        guard !isCommand, server.isClientConfiguration(handle), let bits = value.first else {
            return attribute(
                "gatt.write", handle, server, value: .bytes(value),
                withoutResponse: .bool(isCommand))
        }
        return attribute(
            bits & 3 == 0 ? "gatt.unsubscribe" : "gatt.subscribe", handle, server,
            bits: .number(bits))
    }

    /// Returns a message about an attribute.
    func attribute(
        _ name: String, _ handle: UInt16, _ server: GATTDatabase, value: Value? = nil,
        bits: Value? = nil, offset: Value? = nil, withoutResponse: Value? = nil,
        isPartial: Value? = nil
    ) -> PlainMessage {
        PlainMessage(
            name,
            [
                "handle": .number(handle), "service": .uuid(server.service(of: handle)),
                "characteristic": .uuid(server.characteristic(of: handle)), "value": value,
                "bits": bits, "offset": offset, "withoutResponse": withoutResponse,
                "isPartial": isPartial,
            ])
    }
}

// MARK: - Commands and notifications

extension GATTConversation {
    private func unsolicited(
        _ packet: ATTPacket, _ side: ConnectionSide,
        _ messages: inout [(PlainMessage, ConnectionSide)]
    ) {
        switch packet {
        case .writeCommand(let handle, let value), .signedWriteCommand(let handle, let value, _):
            messages.append((write(handle, value, databases[side.other], isCommand: true), side))
        case .handleValueNotification(let handle, let value):
            messages.append(
                (
                    attribute(
                        "gatt.notification", handle, databases[side], value: .bytes(value)), side
                ))
        case .multipleHandleValueNotification(let items):
            for item in items {
                messages.append(
                    (
                        attribute(
                            "gatt.notification", item.handle, databases[side],
                            value: .bytes(item.value)), side
                    ))
            }
        case .handleValueIndication(let handle, let value):
            messages.append(
                (
                    attribute("gatt.indication", handle, databases[side], value: .bytes(value)),
                    side
                ))
        case .handleValueConfirmation:
            messages.append((PlainMessage("gatt.confirmation", [:]), side))
        default: break
        }
    }
}
