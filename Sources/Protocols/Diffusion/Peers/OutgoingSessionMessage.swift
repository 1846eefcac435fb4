import Diffusion
import HTTP
import PeerKit
import SuiteLanguage
import Wire

/// The parts of a message that a session server is about to send.
///
/// A suite can replace some of them.
struct OutgoingSessionMessage: Sendable {
    /// The protocols of a session server.
    static let protocols = ProtocolRegistry([Diffusion.module, WebSocket.module])

    enum Content: Sendable {
        case handshake(HTTPHead)
        case response(OutgoingResponse)
        case message(Diffusion.Message.Content)
        case frame(WebSocket.Frame)
    }

    /// The full name.
    let name: String
    private(set) var content: Content

    /// Replaces or removes one field.
    mutating func replace(_ path: FieldPath, with value: Value?) throws(PeerError) {
        switch content {
        case .handshake(var head):
            try replace(path, with: value, in: &head)
            content = .handshake(head)
        case .response(var response):
            try replace(path, with: value, in: &response)
            content = .response(response)
        case .message(let message):
            content = .message(try replaced(path, by: value, in: message))
        case .frame(var frame):
            try replace(path, with: value, in: &frame)
            content = .frame(frame)
        }
    }

    // MARK: - The handshake

    private func replace(
        _ path: FieldPath, with value: Value?, in head: inout HTTPHead
    ) throws(PeerError) {
        if path.description == "http.response.code" {
            let status = Int(try integer(value, in: 100...999, path))
            head.start = .response(status: status, reason: SessionServerPeer.reason(of: status))
            return
        }
        guard path.components.count == 2, path.components[0] == .name("headers"),
            case .name(let name) = path.components[1]
        else { throw unknown(path) }
        head.fields.removeAll { $0.name.lowercased() == name.lowercased() }
        guard let value else { return }
        guard let text = value.stringValue, !text.contains(where: \.isNewline) else {
            throw bad(path, "a header field is one line of text")
        }
        head.fields.append(HTTPHead.Field(name, text))
    }

    // MARK: - The response

    private func replace(
        _ path: FieldPath, with value: Value?, in response: inout OutgoingResponse
    ) throws(PeerError) {
        switch path.description {
        case "version": response.version = UInt8(try integer(value, in: 0...255, path))
        case "code": response.code = UInt8(try integer(value, in: 0...255, path))
        case "sessionId":
            guard let value else { return response.session = nil }
            let parts = value.stringValue?.split(separator: "-").map { UInt64($0, radix: 16) }
            guard let parts, parts.count == 2, let server = parts[0], let number = parts[1],
                response.session != nil
            else {
                throw bad(
                    path,
                    "a successful response carries an id such as "
                        + "6c600e92e7b2bff0-0000000300000001")
            }
            response.session?.server = server
            response.session?.value = number
        case "token":
            guard let text = value?.stringValue, response.session != nil else {
                throw bad(path, "a successful response carries a token, 24 characters of text")
            }
            response.session?.token = Array(text.utf8)
        case "pingPeriod":
            response.session?.pingPeriod =
                value == nil ? nil : try integer(value, in: Int64.min...Int64.max, path)
        case "maxMessageSize", "recoverySequence":
            response.session?.last =
                value == nil ? nil : UInt32(try integer(value, in: 0...0xFFFF_FFFF, path))
        default: throw unknown(path)
        }
    }

    // MARK: - Messages of a session

    private func replaced(
        _ path: FieldPath, by value: Value?, in message: Diffusion.Message.Content
    ) throws(PeerError) -> Diffusion.Message.Content {
        let isBody = path.description == "body"
        func number(_ name: String, _ old: UInt64, _ most: Int64) throws(PeerError) -> UInt64 {
            path.description == name ? UInt64(try integer(value, in: 0...most, path)) : old
        }
        func known(_ names: [String]) throws(PeerError) {
            guard isBody || names.contains(path.description) else { throw unknown(path) }
        }
        func body(_ old: [UInt8]) throws(PeerError) -> [UInt8] {
            isBody ? try bytes(value, path) : old
        }
        switch message {
        case .serviceRequest(let service, let conversation, let old):
            try known(["service", "conversation"])
            return .serviceRequest(
                service: try number("service", service, .max),
                conversation: try number("conversation", conversation, .max), body: try body(old))
        case .serviceResponse(let conversation, let old):
            try known(["conversation"])
            return .serviceResponse(
                conversation: try number("conversation", conversation, .max), body: try body(old))
        case .serviceError(let conversation, let old):
            try known(["conversation"])
            return .serviceError(
                conversation: try number("conversation", conversation, .max), body: try body(old))
        case .topicValue(let topic, let old):
            try known(["topic"])
            let topic = try number("topic", UInt64(topic), 0xFFFF_FFFF)
            return .topicValue(topic: UInt32(topic), body: try body(old))
        case .topicDelta(let topic, let old):
            try known(["topic"])
            let topic = try number("topic", UInt64(topic), 0xFFFF_FFFF)
            return .topicDelta(topic: UInt32(topic), body: try body(old))
        case .other(let type, let old):
            try known(["type"])
            return .other(type: UInt8(try number("type", UInt64(type), 255)), body: try body(old))
        case .abort, .close, .malformed: throw unknown(path)
        }
    }

    // MARK: - Frames of WebSocket

    private func replace(
        _ path: FieldPath, with value: Value?, in frame: inout WebSocket.Frame
    ) throws(PeerError) {
        switch path.description {
        case "text":
            guard let text = value?.stringValue, frame.opcode == .text else {
                throw bad(path, "it must be text, of websocket.text")
            }
            frame.payload = Array(text.utf8)
        case "data" where frame.opcode != .text: frame.payload = try bytes(value, path)
        case "close.status_code" where frame.opcode == .close:
            guard value != nil else { return frame.payload = [] }
            let code = UInt16(try integer(value, in: 0...0xFFFF, path))
            let reason = frame.payload.dropFirst(2)
            frame.payload = []
            frame.payload.append(bigEndian: code)
            frame.payload += reason
        case "close.reason" where frame.opcode == .close:
            guard let text = value?.stringValue ?? (value == nil ? "" : nil) else {
                throw bad(path, "it must be text")
            }
            frame.payload = Array(frame.payload.prefix(2)) + Array(text.utf8)
        case "websocket.fin": frame.isFinal = try flag(value, path)
        case "websocket.rsv": frame.reserved = UInt8(try integer(value, in: 0...7, path))
        case "websocket.opcode":
            frame.opcode = WebSocket.Opcode(rawValue: UInt8(try integer(value, in: 0...15, path)))
        case "websocket.mask":
            frame.maskingKey = try flag(value, path) ? [0x37, 0xFA, 0x21, 0x3D] : nil
        default: throw unknown(path)
        }
    }

    // MARK: - Values

    private func integer(
        _ value: Value?, in range: ClosedRange<Int64>, _ path: FieldPath
    ) throws(PeerError) -> Int64 {
        guard let number = value?.integerValue, range.contains(number) else {
            throw bad(path, "expected an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func flag(_ value: Value?, _ path: FieldPath) throws(PeerError) -> Bool {
        guard let flag = value?.boolValue else { throw bad(path, "expected true or false") }
        return flag
    }

    private func bytes(_ value: Value?, _ path: FieldPath) throws(PeerError) -> [UInt8] {
        switch value {
        case nil: return []
        case .bytes(let bytes)?: return bytes
        case .string(let text)?: return Array(text.utf8)
        default: throw bad(path, "it must be bytes or text")
        }
    }

    private func bad(_ path: FieldPath, _ why: String) -> PeerError {
        PeerError(.badField, "\(path) of \(name): \(why)")
    }

    private func unknown(_ path: FieldPath) -> PeerError {
        let known = Self.protocols.fields(ofMessage: name).map(\.path)
        let near = Suggestion.closest(to: path.description, in: known)
        return PeerError(
            .unknownField, "\(path) of \(name) cannot be replaced",
            advice: near.map { "did you mean \"\($0)\"?" } ?? "")
    }
}
