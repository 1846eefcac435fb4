import PeerKit
import SDL
import SuiteLanguage
import Wire

/// The parts of a message that a peer is about to send, so that a suite can replace some.
package struct OutgoingMessage: Sendable {
    enum Content: Sendable {
        case control(SDL.ControlFrame, parameters: Value)
        case rpc(SDL.RPC)
    }

    var content: Content
    var version: UInt8
    var sessionID: UInt8
    var serviceType: UInt8
    /// The message id; `nil` for the next id of the connection.
    var messageID: UInt32?
    var isEncrypted = false

    /// Creates a control frame.
    package init(
        _ frame: SDL.ControlFrame, service: UInt8, parameters: [Value.Member] = [],
        version: UInt8, sessionID: UInt8, messageID: UInt32? = nil
    ) {
        content = .control(frame, parameters: .object(parameters))
        self.version = version
        self.sessionID = sessionID
        serviceType = service
        self.messageID = messageID
    }

    /// Creates an RPC in a session.
    init(_ rpc: SDL.RPC, in session: HeadUnitSession) {
        self.init(rpc, version: session.headerVersion, sessionID: session.id)
    }

    /// Creates an RPC in the session with an id.
    package init(_ rpc: SDL.RPC, version: UInt8, sessionID: UInt8) {
        content = .rpc(rpc)
        self.version = version
        self.sessionID = sessionID
        serviceType =
            (rpc.bulk.isEmpty ? SDL.ServiceType.rpc : SDL.ServiceType.bulk).rawValue
    }

    /// The message's full name.
    var name: String {
        switch content {
        case .control(let frame, _): "sdl.\(frame.messageName)"
        case .rpc(let rpc): rpc.messageName
        }
    }

    /// Returns the frames; advances `nextMessageID` unless the message has an id of its own.
    package func bytes(numberedBy nextMessageID: inout UInt32, maximumPayload: Int?) -> [UInt8] {
        var encoder = SDL.Encoder(
            version: version, sessionID: sessionID, maximumPayload: maximumPayload)
        encoder.nextMessageID = messageID ?? nextMessageID
        var bytes: [UInt8]
        switch content {
        case .control(let frame, let parameters):
            bytes = encoder.encode(
                frame, service: .rpc, parameters: parameters, messageID: messageID,
                isEncrypted: isEncrypted)
        case .rpc(let rpc):
            bytes = encoder.encode(rpc)
        }
        if messageID == nil { nextMessageID = encoder.nextMessageID }
        replaceService(in: &bytes)
        return bytes
    }

    /// Writes the service, which may be a reserved one, into the header of every frame.
    private func replaceService(in bytes: inout [UInt8]) {
        let headerSize = version == 1 ? 8 : 12
        var start = 0
        while start + headerSize <= bytes.count {
            bytes[start + 1] = serviceType
            let size = bytes[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
            start += headerSize + size
        }
    }
}

// MARK: - Fields that a suite replaces

extension OutgoingMessage {
    /// Replaces or removes one field.
    package mutating func replace(_ path: FieldPath, with value: Value?) throws(PeerError) {
        guard case .name(let section)? = path.components.first else { throw unknown(path) }
        let field = path.components.dropFirst().first
        switch (section, field) {
        case ("params", _):
            try replaceParameter(path, with: value)
        case ("sdl", .name(let name)?) where path.components.count == 2:
            try replaceHeaderField(name, path, with: value)
        case ("rpc", .name(let name)?) where path.components.count == 2:
            try replaceRPCField(name, path, with: value)
        case ("bulk", .name("data")?) where path.components.count == 2:
            try replaceBulk(path, with: value)
        default:
            throw unknown(path)
        }
    }

    private var parameters: Value {
        get {
            switch content {
            case .control(_, let parameters): parameters
            case .rpc(let rpc): rpc.parameters
            }
        }
        set {
            switch content {
            case .control(let frame, _):
                content = .control(frame, parameters: newValue)
            case .rpc(var rpc):
                rpc.parameters = newValue
                content = .rpc(rpc)
            }
        }
    }

    private mutating func replaceParameter(
        _ path: FieldPath, with value: Value?
    ) throws(PeerError) {
        let inner = FieldPath(components: Array(path.components.dropFirst()))
        guard !inner.components.isEmpty else {
            parameters = value ?? .object([])
            return
        }
        if let value {
            parameters = parameters.setting(inner, to: value)
            guard parameters[inner] == value else {
                throw bad(path, "there is no such element to replace")
            }
        } else {
            parameters = parameters.removing(inner)
            guard parameters[inner] == nil else {
                throw bad(path, "an element of an array cannot be taken out", "give the array")
            }
        }
    }

    private mutating func replaceHeaderField(
        _ name: String, _ path: FieldPath, with value: Value?
    ) throws(PeerError) {
        switch name {
        case "version":
            version = UInt8(try integer(value, in: 1...5, path))
        case "session_id":
            sessionID = UInt8(try integer(value, in: 0...255, path))
        case "service_type":
            serviceType = UInt8(try integer(value, in: 0...255, path))
        case "message_id":
            messageID = UInt32(try integer(value, in: 0...Int64(UInt32.max), path))
        case "encrypted":
            guard case .control = content, let flag = value?.boolValue else {
                throw bad(path, "only a control frame's E bit can be set, to true or false")
            }
            isEncrypted = flag
        default:
            throw unknown(path)
        }
    }

    private mutating func replaceRPCField(
        _ name: String, _ path: FieldPath, with value: Value?
    ) throws(PeerError) {
        guard case .rpc(var rpc) = content else { throw unknown(path) }
        switch name {
        case "correlation_id":
            rpc.correlationID = Int32(
                try integer(value, in: Int64(Int32.min)...Int64(Int32.max), path))
        case "function_id":
            rpc = SDL.RPC(
                rpc.type, functionID: UInt32(try integer(value, in: 0...0x0FFF_FFFF, path)),
                correlationID: rpc.correlationID, parameters: rpc.parameters, bulk: rpc.bulk)
        case "type":
            let number = try integer(value, in: 0...3, path)
            rpc.type = SDL.RPCType(rawValue: UInt8(number)) ?? rpc.type
        default:
            throw unknown(path)
        }
        content = .rpc(rpc)
    }

    private mutating func replaceBulk(_ path: FieldPath, with value: Value?) throws(PeerError) {
        guard case .rpc(var rpc) = content else { throw unknown(path) }
        switch value {
        case nil: rpc.bulk = []
        case .bytes(let bytes)?: rpc.bulk = bytes
        case .string(let text)?: rpc.bulk = Array(text.utf8)
        default: throw bad(path, "bulk data is bytes or text")
        }
        content = .rpc(rpc)
        if !rpc.bulk.isEmpty { serviceType = SDL.ServiceType.bulk.rawValue }
    }

    /// Throws for replaced fields that the version cannot carry: nothing is dropped silently.
    func checkEncodable(replaced paths: [FieldPath]) throws(PeerError) {
        switch content {
        case .control(let frame, _) where version < 5 && frame != .startService:
            let hash: [FieldPath.Component] = [.name("params"), .name("hashId")]
            let mayHaveHash = frame == .startServiceACK || frame == .endService
            for path in paths where path.components.first == .name("params") {
                guard mayHaveHash, path.components == hash else {
                    throw bad(
                        path, "\(frame.messageName) cannot carry it in version \(version)",
                        "set `sdl.version: 5`, or `protocol: 5.4.0` for the peer")
                }
            }
        case .rpc(let rpc) where version == 1 && !rpc.bulk.isEmpty:
            throw PeerError(.badField, "\(name): version 1 has no bulk data")
        default:
            break
        }
    }

    private func integer(
        _ value: Value?, in range: ClosedRange<Int64>, _ path: FieldPath
    ) throws(PeerError) -> Int64 {
        guard let number = value?.integerValue, range.contains(number) else {
            throw bad(path, "expected an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func bad(_ path: FieldPath, _ why: String, _ advice: String = "") -> PeerError {
        PeerError(.badField, "\(path) of \(name): \(why)", advice: advice)
    }

    private func unknown(_ path: FieldPath) -> PeerError {
        var known = ["sdl.version", "sdl.session_id", "sdl.service_type", "sdl.message_id"]
        switch content {
        case .control: known.append("sdl.encrypted")
        case .rpc: known += ["rpc.correlation_id", "rpc.function_id", "rpc.type", "bulk.data"]
        }
        known += SDL.registry.fields(ofMessage: name).map(\.path).filter {
            $0.hasPrefix("params.")
        }
        let near = Suggestion.closest(to: path.description, in: known)
        return PeerError(
            .unknownField, "\(path) of \(name) cannot be replaced",
            advice: near.map { "did you mean \"\($0)\"?" }
                ?? "\(known.prefix(5).joined(separator: ", ")) and `params` can be")
    }
}
