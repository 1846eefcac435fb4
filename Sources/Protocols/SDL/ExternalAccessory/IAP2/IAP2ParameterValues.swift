import Wire

extension IAP2.ControlMessage {
    /// The known parameters under their names.
    ///
    /// Those whose data has another form than expected are omitted.
    var namedValues: Value {
        guard let kind = IAP2.ControlMessageKind(id: id) else { return .object([]) }
        return IAP2.ParameterKind.values(of: parameters, as: kind.parameters)
    }

    /// All parameters by their numbers.
    var numberedValues: Value {
        .array(
            parameters.map { ["id": .integer(Int64($0.id)), "data": .bytes($0.data)] })
    }
}

extension IAP2.ParameterKind {
    /// Parameters under their names.
    static func values(of parameters: [IAP2.Parameter], as kinds: [IAP2.ParameterKind]) -> Value {
        .object(
            kinds.compactMap { kind in
                let found = parameters.filter { $0.id == kind.id }
                guard !found.isEmpty else { return nil }
                return kind.value(of: found).map { Value.Member(kind.name, $0) }
            })
    }

    private func value(of found: [IAP2.Parameter]) -> Value? {
        let data = found[0].data
        switch form {
        case .number:
            guard (1...8).contains(data.count) else { return nil }
            return .integer(data.reduce(0) { $0 << 8 | Int64($1) })
        case .text: return found[0].text.map(Value.string)
        case .bytes: return .bytes(data)
        case .flag: return true
        case .numbers:
            guard data.count.isMultiple(of: 2) else { return nil }
            return .array(
                stride(from: 0, to: data.count, by: 2).map {
                    .integer(Int64(data[$0]) << 8 | Int64(data[$0 + 1]))
                })
        case .texts:
            let texts = found.flatMap { $0.data.split(separator: 0) }
            return .array(texts.map { .string(String(decoding: $0, as: UTF8.self)) })
        case .groups(let kinds):
            let groups = found.flatMap { IAP2.Parameter.groups($0.data) }
            return .array(groups.map { Self.values(of: $0, as: kinds) })
        }
    }

    /// The type of the field in suites.
    var fieldType: FieldType {
        switch form {
        case .number: .integer(nil)
        case .text: .string(maxLength: nil)
        case .bytes: .bytes
        case .flag: .boolean
        case .numbers: .array(of: .integer(0...0xFFFF), count: nil)
        case .texts: .array(of: .string(maxLength: nil), count: nil)
        case .groups(let kinds):
            .array(
                of: .structure(
                    name: name, fields: kinds.map { FieldDescription($0.name, $0.fieldType) }),
                count: nil)
        }
    }
}

extension IAP2.Parameter {
    /// Returns the consecutive groups in one parameter; none if the data is not valid.
    ///
    /// A new group begins when a number is repeated in the current one. Accessories repeat the
    /// parameter, with one group in each. Some write one parameter with all groups in it.
    static func groups(_ data: [UInt8]) -> [[IAP2.Parameter]] {
        guard let parameters = try? list(data) else { return [] }
        var groups: [[IAP2.Parameter]] = []
        for parameter in parameters {
            if let last = groups.indices.last,
                !groups[last].contains(where: { $0.id == parameter.id })
            {
                groups[last].append(parameter)
            } else {
                groups.append([parameter])
            }
        }
        return groups
    }
}
