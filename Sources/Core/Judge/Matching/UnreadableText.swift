import SuiteLanguage
import TCPIP
import Wire

/// Conditions on the `text` of a message whose bytes are not UTF-8.
///
/// The message has no text, so that an expected text differs. What forbids a text, or depends on
/// it otherwise, does not end there: the receiver may read most of the bytes as a text.
extension MessagePattern {
    private static let text = FieldPath(components: [.name("text")])
    private static let data = FieldPath(components: [.name("data")])

    /// Returns why it is not decided whether the pattern fits a message; `nil` if it is.
    func unreadableText(in message: PlacedMessage, bindings: [String: Value]) -> String? {
        guard [UDPDatagram.name, StreamUnit.messageName].contains(message.name),
            covers(message.name), from.map({ $0 == message.sender }) ?? true,
            conditions.contains(where: { $0.path == Self.text }),
            message.content.field(Self.text) == nil,
            let data = message.content.field(Self.data)
        else { return nil }
        func isOpen(_ condition: FieldCondition) -> Bool {
            condition.path == Self.text && condition.matcher.isOpen(for: data, bindings)
        }
        let rest = conditions.filter { !isOpen($0) }
        guard rest.count < conditions.count else { return nil }
        if case .differs = rest.comparison(with: message.content, bindings: bindings) { return nil }
        return "the bytes are not UTF-8, so that a condition on their text is not decided, in "
            + message.name
    }
}

extension ValueMatcher {
    /// Whether bytes that are not UTF-8 leave open whether their text satisfies it.
    fileprivate func isOpen(for data: Value, _ bindings: [String: Value]) -> Bool {
        switch self {
        case .present, .equals, .oneOf, .type, .not(.present): false
        case .bytes, .starts, .ends, .contains:
            result(for: data, bindings: bindings) != .differs
        case .any(let inner): inner.contains { $0.isOpen(for: data, bindings) }
        case .all(let inner):
            inner.contains { $0.isOpen(for: data, bindings) }
                && inner.allSatisfy {
                    $0.isOpen(for: data, bindings)
                        || $0.result(for: nil, bindings: bindings) == .matches
                }
        default: true
        }
    }
}
