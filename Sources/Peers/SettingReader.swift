import SDL
import Suites
import Wire

/// Reads one setting's value of a kind of peer.
struct SettingReader {
    let name: String
    let value: Value
    let kind: PeerKind

    init(_ member: Value.Member, of kind: PeerKind) {
        name = member.name
        value = member.value
        self.kind = kind
    }

    func integer(in range: ClosedRange<Int64>) throws(PeerError) -> Int64 {
        guard let number = value.integerValue, range.contains(number) else {
            throw wrong("an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func boolean() throws(PeerError) -> Bool {
        guard let flag = value.boolValue else { throw wrong("true or false") }
        return flag
    }

    func object() throws(PeerError) -> Value {
        guard value.objectValue != nil else { throw wrong("an object") }
        return value
    }

    func text() throws(PeerError) -> String {
        guard let text = value.stringValue, !text.isEmpty else { throw wrong("a text") }
        return text
    }

    func word() throws(PeerError) -> String {
        let setting = kind.settings.first { $0.path == name }
        guard let word = value.stringValue, case .enumeration(_, let words)? = setting?.type else {
            throw wrong("a word")
        }
        guard words.contains(word) else {
            throw PeerError(
                .badSetting, "\"\(word)\" is no \(name)",
                advice: Suggestion.advice(for: word, in: words))
        }
        return word
    }

    func protocolVersion() throws(PeerError) -> ProtocolVersion {
        let text: String? =
            switch value {
            case .string(let text): text
            case .integer(let number): "\(number)"
            case .double(let number): "\(number)"
            default: nil
            }
        guard let text, let version = ProtocolVersion(text), version.major <= 5 else {
            throw wrong("a protocol version from 1 to 5, such as 5.4.0")
        }
        return version
    }

    func messages() throws(PeerError) -> [String] {
        guard let elements = value.arrayValue else { throw wrong("a list of message names") }
        var names: [String] = []
        for element in elements {
            guard let name = element.stringValue else { throw wrong("a list of message names") }
            let pattern = MessagePattern(
                message: name, position: SourcePosition(file: "", line: 0, column: 0))
            guard SDL.registry.messageNames.contains(where: pattern.covers) else {
                throw PeerError(
                    .badSetting, "\(name) in `\(self.name)` is not a message",
                    advice: Suggestion.advice(for: name, in: SDL.registry.messageNames))
            }
            names.append(name)
        }
        return names
    }

    private func wrong(_ expected: String) -> PeerError {
        PeerError(
            .badSetting, "the setting \"\(name)\" is of the wrong type or out of range",
            advice: "give \(expected)")
    }
}
