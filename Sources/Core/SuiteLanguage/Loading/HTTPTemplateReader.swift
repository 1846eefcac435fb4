import HTTP

/// Reads a message that an HTTP peer sends: `{status: 200, json: {...}}`, `{method: GET, uri: /}`.
struct HTTPTemplateReader {
    let scope: VariableScope
    /// Whether the peer sends requests.
    let isClient: Bool

    private var findings: Findings { scope.findings }

    /// Reads a message; `nil`, after a report, if it cannot be used.
    func template(_ node: YAMLNode) -> HTTPTemplate? {
        guard var reader = scope.mapping(node, as: SuiteVocabulary.httpMessage) else { return nil }
        let foreign = isClient ? ["status", "reason"] : ["method", "uri"]
        if let key = foreign.first(where: { reader.has($0) }) {
            findings.report(
                "misplaced-key",
                isClient
                    ? "a client sends requests, \"\(key)\" is of a response"
                    : "a server sends responses, \"\(key)\" is of a request",
                at: reader.entry(key)?.keyPosition,
                advice: isClient ? "write method and uri" : "write status")
            return nil
        }
        guard let start = start(&reader) else { return nil }
        var template = HTTPTemplate(start: start)
        let bytes = ByteNotationReader(scope: scope)
        for entry in reader.mapping("headers") ?? [] {
            guard
                let value = bytes.bytes(
                    entry.value, plain: .text, name: "\"\(entry.key)\"", allowsEmpty: true)
            else { return nil }
            template.fields.append(HTTPTemplate.Field(name: entry.key, value: value))
        }
        if let entry = reader.entry("body") {
            guard
                let body = bytes.bytes(
                    entry.value, plain: .text, name: "\"body\"", allowsEmpty: true)
            else { return nil }
            template.body = body
        }
        if let entry = reader.entry("json") {
            guard template.body == nil else {
                findings.report(
                    "misplaced-key", "a message has one body, \"body\" or \"json\"",
                    at: entry.keyPosition)
                return nil
            }
            guard
                let json = ValueReader(scope: scope, misfit: .irregular)
                    .expression(entry.value, type: .any, name: "json")
            else { return nil }
            template.json = json
        }
        template.isChunked = reader.boolean("chunked") ?? false
        reader.finish()
        return template
    }

    private func start(_ reader: inout YAMLMappingReader) -> HTTPTemplate.Start? {
        guard isClient else {
            let status = reader.has("status") ? reader.integer("status", in: 100...999) : 200
            guard let status else { return nil }
            let code = Int(status)
            return .response(
                status: code, reason: reader.text("reason") ?? HTTPHead.reason(of: code))
        }
        let method = reader.text("method") ?? "GET"
        guard let entry = reader.entry("uri") else {
            return .request(method: method, target: ByteExpression(Array("/".utf8), .text))
        }
        return ByteNotationReader(scope: scope)
            .bytes(entry.value, plain: .text, name: "\"uri\"")
            .map { .request(method: method, target: $0) }
    }
}
