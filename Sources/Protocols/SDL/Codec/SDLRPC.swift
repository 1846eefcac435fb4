import Wire

extension SDL {
    /// The type of an RPC message (specification 5.2.1.1).
    public enum RPCType: UInt8, Sendable, Hashable, CaseIterable {
        case request, response, notification, errorResponse

        /// The last component of a message's name.
        var name: String {
            switch self {
            case .request: "request"
            case .response: "response"
            case .notification: "notification"
            case .errorResponse: "errorResponse"
            }
        }

        /// Returns the name of a message of this type for a function, such as `sdl.Show.request`.
        func messageName(of function: String) -> String { "sdl.\(function).\(name)" }
    }

    /// An RPC: a function with its parameters and, if present, bulk data.
    public struct RPC: Sendable, Hashable {
        /// The name for a function id that the specification does not define.
        public static let unknownFunction = "UnknownFunction"

        /// Request, response or notification.
        public var type: RPCType
        /// The number of the function; 0 for a version-1 message with an unknown function name.
        public let functionID: UInt32
        /// The name of the function; `UnknownFunction` for an unknown number.
        public let functionName: String
        /// The number that links a response to its request.
        public var correlationID: Int32
        private var body: Body

        /// The parameters as an object; those of a received message are parsed on first access.
        public var parameters: Value {
            get {
                switch body {
                case .made(let parameters, _): parameters
                case .received(let received): received.parameters
                }
            }
            set { body = .made(parameters: newValue, bulk: bulk) }
        }

        /// Returns one parameter, or a part of it.
        func parameter(at path: ArraySlice<FieldPath.Component>) -> Value? {
            switch body {
            case .made(let parameters, _): parameters[FieldPath(components: Array(path))]
            case .received(let received): received.parameter(at: path)
            }
        }

        /// Data that follows the parameters, such as the content of a file.
        public var bulk: [UInt8] {
            get {
                switch body {
                case .made(_, let bulk): bulk
                case .received(let received): received.bulk
                }
            }
            set { body = .made(parameters: parameters, bulk: newValue) }
        }

        /// The number of bytes of bulk data.
        var bulkCount: Int {
            switch body {
            case .made(_, let bulk): bulk.count
            case .received(let received): received.bulkCount
            }
        }

        /// Creates an RPC; `nil` if the specification has no function of that name.
        public init?(
            _ type: RPCType, _ function: String, correlationID: Int32,
            parameters: Value = .object([]), bulk: [UInt8] = []
        ) {
            guard let id = RPCFunctions.shared.ids[function] else { return nil }
            self.init(
                type: type, functionID: id, functionName: function, correlationID: correlationID,
                parameters: parameters, bulk: bulk)
        }

        /// Creates an RPC with any 28-bit function number, known or not.
        public init(
            _ type: RPCType, functionID: UInt32, correlationID: Int32,
            parameters: Value = .object([]), bulk: [UInt8] = []
        ) {
            let id =
                UInt32(
                    truncatingIfNeeded: RPCField.functionID.bits.range.upperBound) & functionID
            self.init(
                type: type, functionID: id,
                functionName: RPCFunctions.shared.names[id] ?? RPC.unknownFunction,
                correlationID: correlationID, parameters: parameters, bulk: bulk)
        }

        private init(
            type: RPCType, functionID: UInt32, functionName: String, correlationID: Int32,
            parameters: Value, bulk: [UInt8]
        ) {
            self.type = type
            self.functionID = functionID
            self.functionName = functionName
            self.correlationID = correlationID
            body = .made(parameters: parameters, bulk: bulk)
        }

        /// Creates an RPC of a reassembled message whose JSON is known to be an object.
        private init(
            _ type: RPCType, functionID: UInt32, correlationID: Int32, received: ReceivedBody
        ) {
            self.type = type
            self.functionID = functionID
            functionName = RPCFunctions.shared.names[functionID] ?? RPC.unknownFunction
            self.correlationID = correlationID
            body = .received(received)
        }

        /// Whether the specification defines the function.
        var isKnown: Bool { RPCFunctions.shared.names[functionID] != nil }

        /// The message's name, such as `sdl.Show.request`.
        public var messageName: String {
            SDL.MessageCodes.shared.code(ofRPC: firstWord).map(SDL.MessageCodes.shared.name)
                ?? type.messageName(of: isKnown ? functionName : RPC.unknownFunction)
        }
    }
}

extension SDL.RPC: CustomStringConvertible {
    /// The parts of the RPC, whether they have been parsed already or not.
    public var description: String {
        "RPC(\(type), \(functionID), \(functionName), \(correlationID), \(parameters), \(bulk))"
    }
}

// MARK: - Version 2 and later: a binary header, JSON, bulk data (5.2.1)

extension SDL.RPC {
    /// The size of the binary header in bytes: type and function id, correlation id, JSON size.
    static let headerSize = 12

    /// Reads a reassembled message of protocol version 2 or later.
    ///
    /// A JSON size of 0 means no parameters. Throws `badValue` for a reserved type or JSON that is
    /// not an object, `badLength` for a JSON size beyond the message, and `badText` for broken
    /// JSON.
    init(parsing payload: [UInt8]) throws(DecodeError) {
        var reader = ByteReader(payload.span.bytes, unit: "rpc")
        let start = UInt64(try reader.uint32("function_id")) << 32
        let typeNumber: UInt8 = SDL.RPCField.type.bits.number(in: start)
        guard let type = SDL.RPCType(rawValue: typeNumber) else {
            throw DecodeError(
                .badValue, in: "rpc.type", at: 0, "RPC type \(typeNumber), defined are 0 to 3")
        }
        let functionID: UInt32 = SDL.RPCField.functionID.bits.number(in: start)
        let correlationID = Int32(bitPattern: try reader.uint32("correlation_id"))
        let jsonSize = Int(try reader.uint32("json_size"))
        guard jsonSize <= reader.remaining else {
            throw DecodeError(
                .badLength, in: "rpc.json_size", at: 8,
                "JSON size \(jsonSize), but \(reader.remaining) byte(s) follow the header")
        }
        let json = try reader.span(jsonSize, "json")
        guard jsonSize == 0 || json.isJSONObject else {
            self.init(
                type, functionID: functionID, correlationID: correlationID,
                parameters: try Self.object(json, at: Self.headerSize),
                bulk: try reader.array(reader.remaining, "bulk"))
            return
        }
        self.init(
            type, functionID: functionID, correlationID: correlationID,
            received: SDL.ReceivedBody(payload, json: Self.headerSize..<reader.offset))
    }

    /// The first word of the header: type, function and correlation id.
    private var firstWord: UInt64 {
        SDL.RPCField.type.bits.placed(UInt64(type.rawValue))
            | SDL.RPCField.functionID.bits.placed(UInt64(functionID))
            | SDL.RPCField.correlationID.bits.placed(UInt64(UInt32(bitPattern: correlationID)))
    }

    /// The encoding of the message in version 2 and later.
    var binaryBytes: [UInt8] {
        let json = Array(parameters.jsonText().utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerSize + json.count + bulk.count)
        bytes.append(bigEndian: firstWord)
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: json.count))
        return bytes + json + bulk
    }

    private static func object(_ json: RawSpan, at offset: Int) throws(DecodeError) -> Value {
        do throws(DecodeError) {
            let value = try Value(json: json)
            guard value.objectValue != nil else {
                throw DecodeError(
                    .badValue, in: "rpc.json", at: offset,
                    "the JSON is of type \(value.typeName), expected object")
            }
            return value
        } catch {
            let place = error.unit == "json" ? offset + error.offset : offset
            throw DecodeError(error.code, in: "rpc.json", at: place, error.detail)
        }
    }
}

// MARK: - Version 1: a JSON envelope (5.2.1.1)

extension SDL.RPC {
    /// Reads a reassembled message of protocol version 1.
    ///
    /// The format is `{"request": {"name": …, "correlationID": …, "parameters": {…}}}`. The
    /// correlation id of a notification is optional; -1 means that it has none. NUL bytes after the
    /// JSON, which SDL core sends, are treated as bulk data: they are a violation, but the message
    /// is recognised.
    init(parsingEnvelope payload: RawSpan) throws(DecodeError) {
        let bytes = [UInt8](copying: payload)
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let envelope = try Self.object(payload.extracting(first: end), at: 0)
        guard let members = envelope.objectValue, members.count == 1, let member = members.first,
            let type = Self.envelopeTypes[member.name]
        else {
            throw DecodeError(
                .badValue, in: "rpc.envelope", at: 0,
                "expected exactly one of request, response, notification")
        }
        guard let name = member.value["name"]?.stringValue else {
            throw DecodeError(.badValue, in: "rpc.envelope.name", at: 0, "no function name")
        }
        self.init(
            type: type, functionID: RPCFunctions.shared.ids[name] ?? 0,
            functionName: name, correlationID: try Self.correlationID(in: member.value, type),
            parameters: member.value["parameters"] ?? .object([]), bulk: Array(bytes[end...]))
    }

    private static func correlationID(
        in body: Value, _ type: SDL.RPCType
    ) throws(DecodeError) -> Int32 {
        if type == .notification, body["correlationID"] == nil { return -1 }
        guard let number = body["correlationID"]?.integerValue, let id = Int32(exactly: number)
        else {
            throw DecodeError(
                .badValue, in: "rpc.envelope.correlationID", at: 0, "no 32-bit correlation id")
        }
        return id
    }

    /// Whether it has a correlation id in version 1.
    var hasEnvelopeID: Bool { type != .notification || correlationID != -1 }

    /// The encoding of the message in version 1, which cannot carry bulk data.
    var envelopeBytes: [UInt8] {
        var body: [Value.Member] = [.init("name", .string(functionName))]
        if hasEnvelopeID {
            body.append(.init("correlationID", .integer(Int64(correlationID))))
        }
        body.append(.init("parameters", parameters))
        let name = type == .errorResponse ? "response" : type.name
        return Array(Value.object([.init(name, .object(body))]).jsonText().utf8)
    }

    private static let envelopeTypes: [String: SDL.RPCType] = [
        "request": .request, "response": .response, "notification": .notification,
    ]
}

// MARK: - Anomalies

extension SDL.RPC {
    /// The largest correlation id of a version-1 message (5.2.1.1).
    private static let maximumEnvelopeID: Int32 = 65_536

    /// Returns the violations of the two specifications, as far as one message is sufficient for
    /// that.
    func anomalies(version: UInt8, service: SDL.ServiceType?) -> [Anomaly] {
        var anomalies: [Anomaly] = []
        func add(_ severity: Anomaly.Severity, _ text: String, _ section: String) {
            anomalies.append(.init(severity, text, specification: SDL.citation(section)))
        }
        if type == .request, correlationID < 0 {
            add(.violation, "negative correlation id \(correlationID) in a request", "5.2.1.1")
        }
        if version == 1, correlationID > Self.maximumEnvelopeID {
            add(
                .violation, "correlation id \(correlationID), at most 65536 in version 1", "5.2.1.1"
            )
        }
        if version == 1, bulkCount > 0 {
            add(.violation, "\(bulkCount) NUL byte(s) after the JSON of the message", "5.2.1.1")
        } else if service == .rpc, bulkCount > 0 {
            add(.warning, "\(bulkCount) byte(s) of bulk data on the RPC service", "5.3")
        }
        if let crc = wrongChecksum {
            anomalies.append(
                Anomaly(
                    .violation, "params.crc is \(crc), which is not the checksum of the data",
                    specification: "\(RPCSpecification.version) \(functionName)"))
        }
        return anomalies + ParameterCheck(self).anomalies
    }

    /// The checksum of a PutFile, if it does not match the data in the request.
    private var wrongChecksum: Int64? {
        guard functionName == "PutFile", type == .request, bulkCount > 0,
            let crc = parameters["crc"]?.integerValue,
            crc != Int64(CyclicCheck.crc32.value(of: bulk))
        else { return nil }
        return crc
    }
}
