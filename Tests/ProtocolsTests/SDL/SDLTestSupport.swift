import TestSupport

@testable import SDL
@testable import Wire

/// Frames and messages for the tests of SDL.
enum Wire {
    /// Decodes a whole stream, cut into pieces that end at `cuts`.
    static func decode(_ bytes: [UInt8], cuts: [Int] = [], finish: Bool = true) -> [StreamMessage] {
        var decoder = SDL.StreamDecoder()
        var messages: [StreamMessage] = []
        var start = 0
        for end in cuts + [bytes.count] {
            let piece = Array(bytes[start..<end])
            decoder.consume(piece.span.bytes, at: UInt64(start), into: &messages)
            start = end
        }
        if finish { decoder.finish(into: &messages) }
        return messages
    }

    /// Returns the SDL messages of a whole stream.
    static func messages(_ bytes: [UInt8]) -> [SDL.Message] {
        decode(bytes).compactMap { $0.content as? SDL.Message }
    }

    /// Returns one frame, with the correct data size unless another is given.
    static func frame(
        _ type: SDL.FrameType, _ payload: [UInt8] = [], service: UInt8 = 7, info: UInt8 = 0,
        session: UInt8 = 1, id: UInt32 = 1, version: UInt8 = 5, size: UInt32? = nil,
        encrypted: Bool = false
    ) -> [UInt8] {
        SDL.Header(
            version: version, isEncrypted: encrypted, frameType: type, serviceType: service,
            frameInfo: info, sessionID: session, dataSize: size ?? UInt32(payload.count),
            messageID: version == 1 ? 0 : id
        ).bytes + payload
    }

    /// Returns the payload of a First frame.
    static func announcement(total: Int, frames: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(total))
        bytes.append(bigEndian: UInt32(frames))
        return bytes
    }

    /// Splits a stream of whole frames.
    static func frames(_ bytes: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = rest.first.map { $0 >> 4 } == 1 ? 8 : 12
            let length = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            frames.append(Array(rest.prefix(size + length)))
            rest = rest.dropFirst(size + length)
        }
        return frames
    }

    /// Returns an RPC payload of version 2 or later from its parts.
    static func rpc(
        _ json: String, type: UInt32 = 0, function: UInt32 = 34, correlationID: Int32 = 1,
        jsonSize: UInt32? = nil, bulk: [UInt8] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: type << 28 | function)
        bytes.append(bigEndian: correlationID)
        bytes.append(bigEndian: jsonSize ?? UInt32(json.utf8.count))
        return bytes + Array(json.utf8) + bulk
    }

    /// Returns name, fields and ranges of each message, for comparisons.
    static func summary(_ messages: [StreamMessage]) -> [String] {
        messages.map { "\($0.content.name) \($0.content.fields.jsonText()) \($0.ranges)" }
    }
}

/// A generator of arbitrary messages.
struct MessageGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Returns any known RPC with arbitrary parameters, and bulk data only from version 2 on.
    mutating func rpc(version: UInt8) -> SDL.RPC {
        let id =
            RPCFunctions.shared.names.keys.sorted()
            .randomElement(using: &random) ?? 1
        let types: [SDL.RPCType] =
            version == 1 ? [.request, .response, .notification] : SDL.RPCType.allCases
        let bulkSize =
            version > 1 && Bool.random(using: &random) ? Int.random(in: 1...300, using: &random) : 0
        return SDL.RPC(
            types.randomElement(using: &random) ?? .request, functionID: id,
            correlationID: .random(in: .min ... .max, using: &random),
            parameters: random.object(), bulk: random.bytes(bulkSize))
    }

    /// Returns a control frame with parameters that fit the version.
    mutating func control(version: UInt8) -> (SDL.ControlFrame, Value) {
        let frame = SDL.ControlFrame.allCases.randomElement(using: &random) ?? .heartbeat
        if frame == .serviceDataACK { return (frame, ["data": .bytes(random.bytes(4))]) }
        guard version == 5 || frame == .startService else {
            let hash = Int64(Int32.random(in: .min ... .max, using: &random))
            return (frame, frame.hasRawHash ? ["hashId": .integer(hash)] : .object([]))
        }
        var members: [Value.Member] = []
        for parameter in frame.parameters where Bool.random(using: &random) {
            members.append(.init(parameter.name, value(of: parameter.kind)))
        }
        return (frame, .object(members))
    }

    private mutating func value(of kind: SDL.ControlParameter.Kind) -> Value {
        let narrow = Int64(Int32.random(in: .min ... .max, using: &random))
        switch kind {
        case .string: return .string(random.text())
        case .int32: return .integer(narrow)
        case .int64: return .integer(.random(in: .min ... .max, using: &random))
        case .strings: return .array([.string(random.text()), .string(random.text())])
        case .int32s: return .array([.integer(narrow), 1])
        }
    }
}
