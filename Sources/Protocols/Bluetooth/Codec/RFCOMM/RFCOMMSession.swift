import Wire

/// The serial channels of a link, with their streams; frames open and end them.
///
/// A link has at most one session (RFCOMM 1.2, 5.2), so its number alone identifies a channel.
struct RFCOMMSession: Sendable {
    private let stack: DissectionStack
    private var channels: [UInt8: NestedConnection] = [:]

    init(_ stack: DissectionStack) {
        self.stack = stack
    }

    /// Takes a frame, which begins at `start`.
    mutating func consume(
        _ bytes: [UInt8], from side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let range = start..<(start + UInt64(bytes.count))
        let frame: RFCOMMFrame
        do throws(DecodeError) {
            frame = try RFCOMMFrame(parsing: bytes)
        } catch {
            let sample = Array(bytes.prefix(BluetoothLimits.malformedSample))
            return emit(
                .malformed(sample, of: "btrfcomm", "\(error)", "TS 07.10 5.2"), range,
                dlci: bytes.first.map { $0 >> 2 } ?? 0, into: &messages)
        }
        switch frame.kind {
        case .uih where frame.dlci == 0: command(frame, range, into: &messages)
        case .uih:
            let last = range.upperBound - 1
            data(frame, (last - UInt64(frame.payload.count))..<last, side, into: &messages)
        case .sabm, .ua, .dm, .disc:
            // A channel that is opened again was closed, even if the capture lacks that.
            if frame.kind == .sabm { cut(frame.dlci, into: &messages) }
            emit(
                PacketMessage(packet: frame, bytes: bytes), range, dlci: frame.dlci,
                into: &messages)
            if frame.kind == .disc || frame.kind == .dm { end(frame.dlci, side, into: &messages) }
        }
    }

    /// Handles missing bytes of a side.
    mutating func lose(
        _ side: ConnectionSide, into messages: inout [BluetoothChannelMessage]
    ) {
        for dlci in channels.keys.sorted() {
            guard var channel = channels.removeValue(forKey: dlci) else { continue }
            var units: [StreamMessage] = []
            channel.lose(side, opaque: { Self.data(dlci, $0) }, into: &units)
            channels[dlci] = channel
            emit(units, dlci: dlci, into: &messages)
        }
    }

    /// Handles the end of a side.
    mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd,
        into messages: inout [BluetoothChannelMessage]
    ) {
        for dlci in channels.keys.sorted() { finish(dlci, side, end, into: &messages) }
    }

    /// Returns the offset of the oldest byte of a side that a later message may refer to.
    func oldestPendingOffset(of side: ConnectionSide) -> UInt64? {
        channels.values.compactMap { $0.oldestPendingOffset(of: side) }.min()
    }
}

extension RFCOMMSession {
    private mutating func data(
        _ frame: RFCOMMFrame, _ place: Range<UInt64>, _ side: ConnectionSide,
        into messages: inout [BluetoothChannelMessage]
    ) {
        guard !frame.payload.isEmpty else { return }
        var channel =
            channels.removeValue(forKey: frame.dlci)
            ?? NestedConnection(in: .rfcomm, of: stack)
        var units: [StreamMessage] = []
        channel.consume(
            frame.payload.span.bytes, from: side, at: [place],
            opaque: { Self.data(frame.dlci, $0) }, into: &units)
        channels[frame.dlci] = channel
        emit(units, dlci: frame.dlci, into: &messages)
    }

    /// Decodes the commands of the multiplexer in a frame (TS 07.10 5.4.6.1).
    private func command(
        _ frame: RFCOMMFrame, _ range: Range<UInt64>,
        into messages: inout [BluetoothChannelMessage]
    ) {
        var reader = ByteReader(frame.payload.span.bytes, unit: "btrfcomm.mcc")
        while reader.remaining > 0 {
            do throws(DecodeError) {
                let command = try RFCOMMCommand(parsing: &reader)
                emit(
                    PacketMessage(packet: command, bytes: frame.payload), range, dlci: 0,
                    into: &messages)
            } catch {
                return emit(
                    .malformed(frame.payload, of: "btrfcomm", "\(error)", "TS 07.10 5.4.6.1"),
                    range, dlci: 0, into: &messages)
            }
        }
    }

    /// Ends all channels because the session's own channel ends.
    mutating func end(into messages: inout [BluetoothChannelMessage]) {
        cut(0, into: &messages)
    }

    /// Ends a channel whose end is nobody's message; number 0 ends all channels.
    private mutating func cut(_ dlci: UInt8, into messages: inout [BluetoothChannelMessage]) {
        for ended in dlci == 0 ? channels.keys.sorted() : [dlci] {
            for side in ConnectionSide.allCases { finish(ended, side, .cut, into: &messages) }
            channels[ended] = nil
        }
    }

    /// Ends a channel that a side closed; number 0 is the multiplexer and ends all channels.
    private mutating func end(
        _ dlci: UInt8, _ side: ConnectionSide,
        into messages: inout [BluetoothChannelMessage]
    ) {
        for ended in dlci == 0 ? channels.keys.sorted() : [dlci] {
            finish(ended, side, .closed, into: &messages)
            finish(ended, side.other, .cut, into: &messages)
            channels[ended] = nil
        }
    }

    private mutating func finish(
        _ dlci: UInt8, _ side: ConnectionSide, _ end: StreamEnd,
        into messages: inout [BluetoothChannelMessage]
    ) {
        guard var channel = channels.removeValue(forKey: dlci) else { return }
        var units: [StreamMessage] = []
        channel.finish(side, end, opaque: { Self.data(dlci, $0) }, into: &units)
        channels[dlci] = channel
        emit(units, dlci: dlci, of: side, into: &messages)
    }

    private static func data(_ dlci: UInt8, _ bytes: [UInt8]) -> PacketMessage {
        PacketMessage(packet: RFCOMMData(dlci: dlci, bytes: bytes), bytes: bytes)
    }

    private func emit(
        _ units: [StreamMessage], dlci: UInt8, of origin: ConnectionSide? = nil,
        into messages: inout [BluetoothChannelMessage]
    ) {
        messages += units.map {
            BluetoothChannelMessage(message: $0, channel: .rfcomm(dlci >> 1), origin: origin)
        }
    }

    private func emit(
        _ content: PacketMessage, _ range: Range<UInt64>, dlci: UInt8,
        into messages: inout [BluetoothChannelMessage]
    ) {
        messages.append(
            BluetoothChannelMessage(
                message: StreamMessage(content: content, ranges: [range]),
                channel: .rfcomm(dlci >> 1)))
    }
}
