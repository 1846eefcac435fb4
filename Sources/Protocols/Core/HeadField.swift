/// A field that a message's head tells, so that the message need not be made for it: found by its
/// path once, then read of each message.
public struct HeadField: Sendable {
    private enum Kind: Sendable {
        case header(SDL.HeaderField)
        case rpc(SDL.RPCField)
        case parameter(JSONPointer)
    }

    /// What a head tells of a field.
    public enum Finding: Sendable, Hashable {
        case value(Value)
        /// The message does not have it.
        case absent
        /// Only the whole message tells.
        case undecided
    }

    private let kind: Kind

    /// Finds a field; `nil` if no head tells it.
    public init?(_ path: FieldPath) {
        guard let names = FieldPath.memberNames(path.components[...]), names.count > 1 else {
            return nil
        }
        switch names[0] {
        case "sdl" where names.count == 2:
            guard let field = SDL.HeaderField(rawValue: names[1]) else { return nil }
            kind = .header(field)
        case "rpc" where names.count == 2:
            guard let field = SDL.RPCField(rawValue: names[1]) else { return nil }
            kind = .rpc(field)
        case "params": kind = .parameter(JSONPointer(Array(names.dropFirst())))
        default: return nil
        }
    }

    /// What the head of a sound message tells of the field.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - unit: The message's bytes, as a screen is shown them.
    public func value(of head: MessageHead, in unit: RawSpan) -> Finding {
        guard SDL.MessageCodes.shared.contains(head.code) else { return .undecided }
        switch kind {
        case .header(let field):
            let header = SDL.Header(beginning: unit)
            let value = field.value(in: header, isProtected: header.isEncrypted)
            return value.map { .value($0) } ?? .absent
        case .rpc(let field):
            guard case .json(let json) = head.body else { return .absent }
            guard let rpc = SDL.RPCHead(before: json, in: unit) else { return .undecided }
            return .value(field.value(in: rpc))
        case .parameter(let pointer):
            guard case .json(let json) = head.body else { return .undecided }
            let value =
                json.isEmpty
                ? nil : Value.member(of: unit.extracting(json), at: pointer)
            return value.map { .value($0) } ?? .absent
        }
    }
}
