/// A field that a message's head tells, so that the message need not be made for it: found by its
/// path once, then read of each message.
public struct HeadField: Sendable {
    fileprivate enum Kind: Sendable {
        case header(SDL.HeaderField)
        case rpc(SDL.RPCField)
        case parameter
    }

    /// What a head tells of a field.
    public enum Finding: Sendable, Hashable {
        case value(Value)
        /// The message does not have it.
        case absent
        /// Only the whole message tells.
        case undecided
    }

    /// A field whose values are whole numbers.
    ///
    /// Nothing of it need be kept or released, and no values are made in a hot loop over some of them.
    public struct Number: Sendable {
        /// What a head tells of the field.
        public enum Reading: Sendable, Hashable {
            case number(Int64)
            /// The message does not have it.
            case absent
            /// Only the whole message tells.
            case undecided
        }

        fileprivate let kind: Kind

        /// What the head of a sound message tells of the field; see `HeadField.value(of:in:)`.
        public func reading(of head: MessageHead, in unit: RawSpan) -> Reading {
            switch kind.value(of: head, in: unit) {
            case .value(.integer(let number)): .number(number)
            case .absent: .absent
            case .value, .undecided: .undecided
            }
        }
    }

    private let kind: Kind
    /// Where a parameter is.
    private let parameter: JSONPointer

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
        case "params": kind = .parameter
        default: return nil
        }
        parameter = JSONPointer(Array(names.dropFirst()))
    }

    /// What the head of a sound message tells of the field.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - unit: The message's bytes, as a screen is shown them.
    public func value(of head: MessageHead, in unit: RawSpan) -> Finding {
        guard case .parameter = kind else { return kind.value(of: head, in: unit) }
        guard SDL.MessageCodes.shared.contains(head.code), case .json(let json) = head.body else {
            return .undecided
        }
        let value = json.isEmpty ? nil : Value.member(of: unit.extracting(json), at: parameter)
        return value.map { .value($0) } ?? .absent
    }

    /// The same field, if its values are whole numbers.
    public var number: Number? {
        switch kind {
        case .header(let field): field.isNumber ? Number(kind: kind) : nil
        case .rpc(let field): field.isNumber ? Number(kind: kind) : nil
        case .parameter: nil
        }
    }
}

extension HeadField.Kind {
    /// What the head of a sound message tells of a field other than a parameter.
    @inline(__always)
    fileprivate func value(of head: MessageHead, in unit: RawSpan) -> HeadField.Finding {
        guard SDL.MessageCodes.shared.contains(head.code) else { return .undecided }
        switch self {
        case .header(let field):
            let header = SDL.Header(beginning: unit)
            let value = field.value(in: header, isProtected: header.isEncrypted)
            return value.map { .value($0) } ?? .absent
        case .rpc(let field):
            guard case .json(let json) = head.body else { return .absent }
            guard let rpc = SDL.RPCHead(before: json, in: unit) else { return .undecided }
            return .value(field.value(in: rpc, functionName: rpc.functionName))
        case .parameter: return .undecided
        }
    }
}
