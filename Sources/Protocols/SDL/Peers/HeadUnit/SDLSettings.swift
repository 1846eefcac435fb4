import PeerKit
import SDL
import SuiteLanguage
import Wire

/// Settings that are common to the SDL peers.
extension SettingForm<ProtocolVersion> {
    /// A version of the SDL protocol.
    static let protocolVersion = SettingForm(.string(maxLength: nil)) { reader throws(PeerError) in
        let text: String? =
            switch reader.value {
            case .string(let text): text
            case .integer(let number): "\(number)"
            case .double(let number): "\(number)"
            default: nil
            }
        guard let text, let version = ProtocolVersion(text), version.major <= 5 else {
            throw reader.wrong("a protocol version from 1 to 5, such as 5.4.0")
        }
        return version
    }
}

extension SettingForm<[MessagePattern]> {
    /// Names of SDL messages.
    static let messages = SettingForm(.array(of: .string(maxLength: nil), count: nil)) {
        reader throws(PeerError) in
        guard let elements = reader.value.arrayValue else {
            throw reader.wrong("a list of message names")
        }
        return try elements.map { element throws(PeerError) in
            guard let name = element.stringValue else {
                throw reader.wrong("a list of message names")
            }
            let pattern = MessagePattern(
                message: name, position: SourcePosition(file: "", line: 0, column: 0))
            guard SDL.registry.messageNames.contains(where: pattern.covers) else {
                throw PeerError(
                    .badSetting, "\(name) in `\(reader.name)` is not a message",
                    advice: Suggestion.advice(for: name, in: SDL.registry.messageNames))
            }
            return pattern
        }
    }
}
