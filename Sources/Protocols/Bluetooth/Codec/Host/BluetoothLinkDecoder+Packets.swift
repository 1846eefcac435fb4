import Wire

extension BluetoothLinkDecoder {
    /// Decodes a packet of the Attribute Protocol, with its plain messages.
    mutating func attribute(
        _ payload: [UInt8], on channel: UInt16, _ side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let ranges = [start..<(start + UInt64(payload.count))]
        do throws(DecodeError) {
            let packet = try ATTPacket(parsing: payload.span.bytes)
            let meaning = attributes.consume(
                packet, of: payload.count, from: side,
                isFixed: channel == L2CAPFrame.Channel.attributes, at: now)
            emit(
                PacketMessage(packet: packet, bytes: payload, anomalies: meaning.anomalies),
                ranges, channel, into: &messages)
            for (message, speaker) in meaning.messages {
                emit(message, ranges, channel, by: speaker, into: &messages)
            }
        } catch {
            attributes.takeMalformed(payload, from: side)
            emit(
                PacketMessage.malformed(
                    payload, of: "btatt", "\(error)", "Core 5.4 Vol 3 Part F 3.4"), ranges,
                channel, into: &messages)
        }
    }

    /// Decodes a packet of the Security Manager Protocol.
    func security(
        _ payload: [UInt8], on channel: UInt16, _ side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let content: PacketMessage
        do throws(DecodeError) {
            let packet = try SMPPacket(parsing: payload.span.bytes)
            content = PacketMessage(packet: packet, bytes: payload, anomalies: packet.anomalies)
        } catch {
            content = .malformed(payload, of: "btsmp", "\(error)", "Core 5.4 Vol 3 Part H 3.3")
        }
        emit(content, [start..<(start + UInt64(payload.count))], channel, into: &messages)
    }

    /// Decodes a packet of the Service Discovery Protocol, with its plain messages.
    mutating func search(
        _ payload: [UInt8], on channel: UInt16, _ side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let ranges = [start..<(start + UInt64(payload.count))]
        do throws(DecodeError) {
            let packet = try SDPPacket(parsing: payload.span.bytes)
            emit(
                PacketMessage(packet: packet, bytes: payload), ranges, channel, into: &messages)
            for message in searches.consume(packet, from: side) {
                emit(message, ranges, channel, into: &messages)
            }
        } catch {
            emit(
                PacketMessage.malformed(
                    payload, of: "btsdp", "\(error)", "Core 5.4 Vol 3 Part B 4"), ranges,
                channel, into: &messages)
        }
    }

    private func emit(
        _ content: any DissectedMessage, _ ranges: [Range<UInt64>], _ channel: UInt16,
        by speaker: ConnectionSide? = nil, into messages: inout [BluetoothChannelMessage]
    ) {
        messages.append(
            BluetoothChannelMessage(
                message: StreamMessage(content: content, ranges: ranges),
                channel: .l2cap(channel), speaker: speaker))
    }
}
