import Wire

extension SDL {
    /// Returns a field that frame or RPC headers contain, or a parameter of an RPC.
    static func screenedField(_ path: FieldPath) -> ScreenedField? {
        guard let names = FieldPath.memberNames(path.components[...]), names.count > 1 else {
            return nil
        }
        switch names[0] {
        case "sdl" where names.count == 2:
            return HeaderField(rawValue: names[1]).map {
                ScreenedField(HeaderFieldReader(field: $0))
            }
        case "rpc" where names.count == 2:
            return RPCField(rawValue: names[1]).map { ScreenedField(RPCFieldReader(field: $0)) }
        case "params":
            return ScreenedField(ParameterReader(pointer: JSONPointer(Array(names.dropFirst()))))
        default: return nil
        }
    }
}

/// Reads a field of a frame's header.
private struct HeaderFieldReader: ScreenedFieldReader {
    let field: SDL.HeaderField
    var isNumber: Bool { field.isNumber }

    func value(of messageHeader: MessageHeader, in unit: RawSpan) -> ScreenedField.Finding {
        guard SDL.MessageCodes.shared.contains(messageHeader.code) else { return .undecided }
        let header = SDL.Header(beginning: unit)
        let value = field.value(in: header, isProtected: header.isEncrypted)
        return value.map { .value($0) } ?? .absent
    }
}

/// Reads a field of an RPC's header.
private struct RPCFieldReader: ScreenedFieldReader {
    let field: SDL.RPCField
    var isNumber: Bool { field.isNumber }

    func value(of messageHeader: MessageHeader, in unit: RawSpan) -> ScreenedField.Finding {
        guard SDL.MessageCodes.shared.contains(messageHeader.code) else { return .undecided }
        guard case .json(let json) = messageHeader.body else { return .absent }
        guard let rpc = SDL.RPCHeader(before: json, in: unit) else { return .undecided }
        return field.value(in: rpc, functionName: rpc.functionName).map { .value($0) } ?? .absent
    }
}

/// Reads a parameter of an RPC.
private struct ParameterReader: ScreenedFieldReader {
    let pointer: JSONPointer
    var isNumber: Bool { false }

    func value(of messageHeader: MessageHeader, in unit: RawSpan) -> ScreenedField.Finding {
        guard SDL.MessageCodes.shared.contains(messageHeader.code),
            case .json(let json) = messageHeader.body
        else {
            return .undecided
        }
        let value = json.isEmpty ? nil : Value.member(of: unit.extracting(json), at: pointer)
        return value.map { .value($0) } ?? .absent
    }
}
