import SDL
import Wire

/// Encodes the messages of a trace, with the encoder of the protocol itself.
struct MessageEncoder {
    /// An error for a message that cannot be encoded.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    private var encoders: [String: SDL.Encoder] = [:]
    private var correlationID: Int32 = 0
    private var latestRequest: [String: Int32] = [:]

    /// Returns the bytes of a message from one party to another.
    ///
    /// A response answers the latest request of its function. `sdl` and `rpc` among the fields
    /// replace the numbers that the encoder would set itself.
    mutating func bytes(
        _ name: String, _ fields: Value, from sender: String, to receiver: String
    ) throws -> [UInt8] {
        let stream = "\(sender)>\(receiver)"
        var encoder = encoders[stream] ?? SDL.Encoder(version: 5, sessionID: 1)
        defer { encoders[stream] = encoder }
        let parts = name.split(separator: ".").map(String.init)
        let parameters = fields["params"] ?? .object([])
        let header = fields["sdl"]
        if let version = header?["version"]?.integerValue { encoder.version = UInt8(version) }
        if let session = header?["session_id"]?.integerValue { encoder.sessionID = UInt8(session) }
        if let size = header?["data_size"]?.integerValue { encoder.maximumPayload = Int(size) }
        if parts.count == 2,
            let frame = SDL.ControlFrame.allCases.first(where: { $0.messageName == parts[1] })
        {
            return encoder.encode(frame, service: .rpc, parameters: parameters)
        }
        guard parts.count == 3,
            let type = SDL.RPCType.allCases.first(where: { "\($0)" == parts[2] })
        else { throw Unknown(description: "\(name) cannot be made") }
        let own = fields["rpc"]?["correlation_id"]?.integerValue.map { Int32($0) }
        let id = own ?? nextCorrelationID(parts[1], type)
        guard
            let rpc = SDL.RPC(
                type, parts[1], correlationID: id, parameters: parameters,
                bulk: Self.octets(fields["bulk"]?["data"]))
        else { throw Unknown(description: "\(name) is not in the specification") }
        return encoder.encode(rpc)
    }

    /// Returns the bytes of a text, or of `{hex: digits}`.
    private static func octets(_ value: Value?) -> [UInt8] {
        value?["hex"]?.stringValue.flatMap([UInt8].init(hexDigits:))
            ?? Array((value?.stringValue ?? "").utf8)
    }

    /// The start of a session: StartService as in the specification, in version 1.
    static var opening: [UInt8] {
        var encoder = SDL.Encoder(version: 1)
        return encoder.encode(.startService, service: .rpc)
    }

    private mutating func nextCorrelationID(_ function: String, _ type: SDL.RPCType) -> Int32 {
        switch type {
        case .request:
            correlationID += 1
            latestRequest[function] = correlationID
            return correlationID
        case .response, .errorResponse: return latestRequest[function] ?? 1
        case .notification: return -1
        }
    }
}
