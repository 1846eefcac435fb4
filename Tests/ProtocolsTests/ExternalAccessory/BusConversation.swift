import BuiltInProtocols
import ExternalAccessory
import Wire

/// A connection of the bus with the messages of both sides.
struct BusConversation {
    /// A message and its sender.
    struct Said {
        var isPhone: Bool
        var message: StreamMessage
    }

    private var decoder = ExternalAccessory.busProtocol.makeDecoder(
        DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
    private var offsets: [ConnectionSide: UInt64] = [:]
    private(set) var said: [Said] = []

    mutating func phone(_ bytes: [UInt8]) { give(bytes, .first) }
    mutating func accessory(_ bytes: [UInt8]) { give(bytes, .second) }

    /// Loses bytes of a direction.
    mutating func lose(_ count: Int, isPhone: Bool) {
        let side: ConnectionSide = isPhone ? .first : .second
        offsets[side, default: 0] += UInt64(count)
        let offset = offsets[side, default: 0]
        notify(side) { $0.gap(upTo: offset, from: side, into: &$1) }
    }

    /// A side ends its stream itself.
    mutating func end(isPhone: Bool) {
        let side: ConnectionSide = isPhone ? .first : .second
        notify(side) { $0.finish(side, .closed, into: &$1) }
    }

    /// A side resets the connection.
    mutating func reset(isPhone: Bool) {
        let side: ConnectionSide = isPhone ? .first : .second
        notify(side.other) { $0.finish(side.other, .cut, into: &$1) }
        notify(side) { $0.finish(side, .closed, into: &$1) }
    }

    /// The capture ends.
    mutating func finish() {
        for side in ConnectionSide.allCases {
            notify(side) { $0.finish(side, .captureEnded, into: &$1) }
        }
    }

    private mutating func give(_ bytes: [UInt8], _ side: ConnectionSide) {
        let offset = offsets[side, default: 0]
        notify(side) { $0.consume(bytes.span.bytes, from: side, at: offset, into: &$1) }
        offsets[side] = offset + UInt64(bytes.count)
    }

    private mutating func notify(
        _ side: ConnectionSide,
        _ body: (inout any ConnectionDecoder, inout [StreamMessage]) -> Void
    ) {
        var messages: [StreamMessage] = []
        body(&decoder, &messages)
        said += messages.map { Said(isPhone: side == .first, message: $0) }
    }

    /// The sender, the name and the fields of each message: `phone ea.open {"ea":...}`.
    var lines: [String] {
        said.map {
            "\($0.isPhone ? "phone" : "accessory") \($0.message.content.name) "
                + $0.message.content.fields.jsonText()
        }
    }

    var names: [String] { said.map(\.message.content.name) }

    /// Returns the number of bytes of a direction that belong to messages.
    func covered(isPhone: Bool) -> Int {
        said.filter { $0.isPhone == isPhone }.flatMap(\.message.ranges).reduce(0) {
            $0 + $1.count
        }
    }

    /// The messages, with the bytes of all data messages joined so that cuts make no difference.
    var summary: [String] {
        var lines: [String] = []
        var data: [UInt8] = []
        for said in said {
            if case .data(_, let bytes)? = (said.message.content as? ExternalAccessory.Message)?
                .content
            {
                data += bytes
                continue
            }
            lines.append(
                "\(said.isPhone) \(said.message.content.name) \(said.message.ranges) "
                    + said.message.content.fields.jsonText())
        }
        return lines + [data.hexText]
    }
}
