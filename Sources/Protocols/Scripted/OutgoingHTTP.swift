import HTTP
import PeerKit
import SuiteLanguage
import Wire

/// An HTTP message that a step sends.
package struct OutgoingHTTP {
    private var head: HTTPHead
    private var body: [UInt8] = []

    /// Creates the message of a `send` step from its fields.
    ///
    /// They replace the default, GET / or 200 without a body.
    ///
    /// - Throws: `PeerError` for a field that cannot be sent, or an invalid value.
    package init(_ message: String, _ fields: [(FieldPath, Value?)]) throws(PeerError) {
        var (method, target, status) = ("GET", "/", 200)
        var phrase: String?
        var headers: [HTTPHead.Field] = []
        var isJSON = false
        for (path, value) in fields {
            switch (path.description, value) {
            case ("http.request.method", .string(let text)?): method = text
            case ("http.request.uri", .string(let text)?): target = text
            case ("http.response.code", .integer(let code)?) where (100...999).contains(code):
                status = Int(code)
            case ("http.response.phrase", .string(let text)?): phrase = text
            case ("headers", .object(let members)?):
                headers += members.map { HTTPHead.Field($0.name, Self.text(of: $0.value)) }
            case (let name, let value?) where name.hasPrefix("headers."):
                headers.append(
                    HTTPHead.Field(String(name.dropFirst("headers.".count)), Self.text(of: value)))
            case ("data", .bytes(let bytes)?): body = bytes
            case ("data", .string(let text)?), ("text", .string(let text)?):
                body = Array(text.utf8)
            case ("json", let value?):
                body = Array(value.jsonText().utf8)
                isJSON = true
            default:
                throw PeerError(
                    .unknownField, "\(path) of \(message) cannot be sent",
                    advice: message == "http.request"
                        ? "give http.request.method, http.request.uri, headers, and text, data or json"
                        : "give http.response.code, http.response.phrase, headers, and text, data or "
                            + "json")
            }
        }
        head =
            message == "http.request"
            ? HTTPHead(.request(method: method, target: target), fields: headers)
            : HTTPHead(
                .response(status: status, reason: phrase ?? HTTPHead.reason(of: status)),
                fields: headers)
        if isJSON, head["Content-Type"] == nil {
            head.fields.append(HTTPHead.Field("Content-Type", "application/json"))
        }
    }

    /// Whether it is a response before the final one (RFC 9110 15.2).
    var isInterim: Bool { HTTP.Message(.head(head), bytes: []).isInterim }

    /// Returns the bytes of the message.
    package func bytes(host: String, answering method: String?) -> [UInt8] {
        head.addressed(to: host).message(body, answering: method)
    }

    private static func text(of value: Value) -> String { value.stringValue ?? value.suiteText }
}

extension DissectedMessage {
    /// The head of an HTTP request or response.
    var httpHead: HTTPHead? { (self as? HTTP.Message)?.head }

    /// The method of an HTTP request.
    package var httpMethod: String? {
        if case .request(let method, _)? = httpHead?.start { method } else { nil }
    }
}
