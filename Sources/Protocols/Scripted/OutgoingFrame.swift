import PeerKit
import SuiteLanguage
import WebSocket
import Wire

extension WebSocket.Frame {
    private static let sendable: [String: WebSocket.Opcode] = [
        "websocket.text": .text, "websocket.binary": .binary, "websocket.close": .close,
        "websocket.ping": .ping, "websocket.pong": .pong,
    ]

    /// Creates the frame of a message with fields; `nil` if there is no such frame.
    ///
    /// The fields are `text`, `data`, or `close.status_code` and `close.reason`.
    ///
    /// - Throws: `PeerError` for a field that cannot be sent, or an invalid value.
    package init?(_ message: String, _ fields: [(FieldPath, Value?)]) throws(PeerError) {
        guard let opcode = Self.sendable[message] else { return nil }
        var payload: [UInt8] = opcode == .close ? [0x03, 0xE8] : []
        for (path, value) in fields {
            switch (path.description, value) {
            case ("text", .string(let text)?), ("data", .string(let text)?):
                payload = Array(text.utf8)
            case ("data", .bytes(let bytes)?): payload = bytes
            case ("close.status_code", .integer(let code)?)
            where opcode == .close && payload.count >= 2 && UInt16(exactly: code) != nil:
                payload[0] = UInt8(truncatingIfNeeded: code >> 8)
                payload[1] = UInt8(truncatingIfNeeded: code)
            case ("close.reason", .string(let text)?):
                payload = payload.prefix(2) + Array(text.utf8)
            default:
                throw PeerError(
                    .unknownField, "\(path) of \(message) cannot be sent",
                    advice: "give text, data, close.status_code or close.reason")
            }
        }
        self.init(opcode, payload)
    }
}
