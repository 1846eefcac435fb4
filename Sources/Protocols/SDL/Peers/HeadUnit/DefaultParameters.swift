import PeerKit
import SDL
import Wire

/// The default parameters of messages: the mandatory ones.
enum DefaultParameters {
    /// Returns the mandatory parameters of a message, each with the simplest value of its type.
    static func mandatory(of message: String) -> Value {
        let fields = SDL.registry.message(named: message)?.fields ?? []
        return .object(
            fields.filter { $0.isMandatory && $0.path.hasPrefix("params.") }.map { field in
                Value.Member(String(field.path.dropFirst("params.".count)), value(of: field.type))
            })
    }

    private static func value(of type: FieldType) -> Value {
        switch type {
        case .boolean:
            return false
        case .integer(let range):
            return .integer(range.map { $0.contains(0) ? 0 : $0.lowerBound } ?? 0)
        case .number:
            return .double(0)
        case .string(let maximum):
            return .string(String("conform".prefix(maximum ?? 7)))
        case .bytes:
            return .bytes([])
        case .duration:
            return .string("0s")
        case .enumeration(_, let words, _):
            return .string(words.first ?? "")
        case .structure(_, let fields):
            return .object(
                fields.filter(\.isMandatory).map { Value.Member($0.path, value(of: $0.type)) })
        case .array(let element, let count):
            return .array(Array(repeating: value(of: element), count: count?.lowerBound ?? 0))
        case .any:
            return .object([])
        }
    }
}
