import HTTP
import PeerKit
import SuiteLanguage
import Wire

/// A frame or message of WebSocket that a step sends, with every header field that it sets.
package struct OutgoingFrame {
    /// The messages that a step can send.
    static let sendable: [String: WebSocket.Opcode] = [
        "websocket.text": .text, "websocket.binary": .binary, "websocket.close": .close,
        "websocket.ping": .ping, "websocket.pong": .pong, "websocket.continuation": .continuation,
        "websocket.reserved": WebSocket.Opcode(rawValue: 3),
    ]

    private var frame: WebSocket.Frame
    /// The number of fragments.
    private var count = 1
    /// Whether it is masked; `nil` if its sender decides.
    private var isMasked: Bool?
    /// The length in the header; `nil` for that of the payload.
    private var length: Int?

    /// The key of masked frames.
    private static let maskingKey: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// Creates the frame of a message with fields; `nil` if there is no such frame.
    ///
    /// - Throws: `PeerError` for a field that cannot be sent, or an invalid value.
    package init?(_ message: String, _ fields: [(FieldPath, Value?)]) throws(PeerError) {
        guard let opcode = Self.sendable[message] else { return nil }
        frame = WebSocket.Frame(opcode, opcode == .close ? [0x03, 0xE8] : [])
        for (path, value) in fields {
            if replaceContent(path.description, value) || replaceHeader(path.description, value) {
                continue
            }
            throw PeerError(
                .unknownField, "\(path) of \(message) cannot be sent with this value",
                advice: "give text, data, close.status_code, close.reason, or a field of the "
                    + "frame's header")
        }
    }

    /// Replaces the payload or a part of it; returns whether the field and its value can be sent.
    private mutating func replaceContent(_ path: String, _ value: Value?) -> Bool {
        switch (path, value) {
        case ("text", .string(let text)?), ("data", .string(let text)?):
            frame.payload = Array(text.utf8)
        case ("data", .bytes(let bytes)?): frame.payload = bytes
        case ("data", nil), ("text", nil), ("close.status_code", nil): frame.payload = []
        case ("close.status_code", .integer(let code)?) where frame.opcode == .close:
            guard let code = UInt16(exactly: code), frame.payload.count >= 2 else { return false }
            let reason = frame.payload.dropFirst(2)
            frame.payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + reason
        case ("close.reason", .string(let text)?) where frame.opcode == .close:
            frame.payload = frame.payload.prefix(2) + Array(text.utf8)
        case ("close.reason", nil): frame.payload = Array(frame.payload.prefix(2))
        default: return false
        }
        return true
    }

    /// Replaces a field of the header; returns whether the field and its value can be sent.
    private mutating func replaceHeader(_ path: String, _ value: Value?) -> Bool {
        switch (path, value) {
        case ("websocket.fin", .bool(let flag)?): frame.isFinal = flag
        case ("websocket.mask", .bool(let flag)?): isMasked = flag
        case ("websocket.rsv", .integer(let bits)?) where (0...7).contains(bits):
            frame.reserved = UInt8(truncatingIfNeeded: bits)
        case ("websocket.opcode", .integer(let code)?) where (0...15).contains(code):
            frame.opcode = WebSocket.Opcode(rawValue: UInt8(truncatingIfNeeded: code))
        case ("websocket.frames", .integer(let number)?) where (1...1_000).contains(number):
            count = Int(truncatingIfNeeded: number)
        case ("websocket.payload_length", .integer(let bytes)?) where bytes >= 0:
            guard let bytes = Int(exactly: bytes) else { return false }
            length = bytes
        default: return false
        }
        return true
    }

    /// The frames on the wire.
    ///
    /// - Parameter isMasked: Whether its sender masks frames that do not say otherwise.
    package func bytes(isMasked usually: Bool) -> [UInt8] {
        var whole = frame
        whole.maskingKey = isMasked ?? usually ? Self.maskingKey : nil
        guard count > 1 else { return whole.bytes(length: length) }
        let size = (whole.payload.count + count - 1) / count
        return (0..<count).flatMap { number in
            var part = whole
            part.payload = Array(whole.payload.dropFirst(number * size).prefix(size))
            part.isFinal = number == count - 1 && whole.isFinal
            if number > 0 {
                part.opcode = .continuation
                part.reserved = 0
            }
            return part.bytes(length: length)
        }
    }
}
