import Wire

/// A request of the control channel: a JSON-RPC 2.0 object on a line of its own.
struct ControlRequest: Sendable, Hashable {
    /// The identifier to repeat in the answer; `nil` for a notification, which gets no answer.
    let id: Value?
    let method: String
    let params: Value?

    /// Parses one line; the error contains the answer to send.
    init(line: String) throws(ControlError) {
        let document: Value
        do {
            document = try Value(json: line)
        } catch {
            throw ControlError(.parseError, "not JSON: \(error.detail)")
        }
        guard document["jsonrpc"] == "2.0", let method = document["method"]?.stringValue else {
            throw ControlError(
                .invalidRequest, "expected {\"jsonrpc\": \"2.0\", \"id\": ..., \"method\": ...}",
                id: document["id"])
        }
        self.id = document["id"]
        self.method = method
        self.params = document["params"]
    }

    /// Returns the answer with a result; `nil` for a notification.
    func answer(_ result: Value) -> Value? {
        id.map { ["jsonrpc": "2.0", "id": $0, "result": result] }
    }

    /// Returns the answer with an error; `nil` for a notification.
    func refusal(_ code: ControlError.Code, _ message: String) -> Value? {
        id.map { ControlError(code, message, id: $0).answer }
    }

    /// Returns the answer to an unknown method; `nil` for a notification.
    func unknownMethod<Method>(among methods: Method.Type) -> Value?
    where Method: CaseIterable & RawRepresentable<String> {
        let names = Method.allCases.map(\.rawValue).joined(separator: ", ")
        return refusal(
            .methodNotFound, "unknown method \"\(method)\"; the methods are \(names)")
    }
}

/// A control request that cannot be carried out.
struct ControlError: Error, Sendable, Hashable {
    /// The codes of JSON-RPC 2.0, section 5.1.
    enum Code: Int64, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
    }

    let code: Code
    let message: String
    let id: Value

    init(_ code: Code, _ message: String, id: Value? = nil) {
        self.code = code
        self.message = message
        self.id = id ?? .null
    }

    /// The error as an answer.
    var answer: Value {
        [
            "jsonrpc": "2.0", "id": id,
            "error": ["code": .integer(code.rawValue), "message": .string(message)],
        ]
    }
}
