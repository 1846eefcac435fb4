import Wire

extension ExpressionFunction {
    /// The maximum number of elements or members of a list or mapping that a function returns.
    static let elementsMax = 10_000

    /// Applies a function on lists, mappings and conditions.
    ///
    /// Null counts as an empty list or mapping, because a field or member may be absent.
    func collected(
        _ values: [Value], in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        switch self {
        case .get: return values[0].part(values[1]) ?? (values.count > 2 ? values[2] : .null)
        case .has: return .bool(values[0].has(values[1]))
        case .entry: return .object([Value.Member(values[0].textInTemplate, values[1])])
        case .merge: return try merged(values, in: whole)
        case .insert:
            return try bounded(.array(list(values[0], in: whole).inserting(values[1])), in: whole)
        case .remove:
            if case .object = values[0] { return values[0].removing(values[1]) }
            return Value.array(try list(values[0], in: whole)).removing(values[1])
        case .set: return .array(try list(values[0], in: whole).asSet)
        case .keys: return .array(try members(values[0], in: whole).map { .string($0.name) })
        case .values: return .array(try members(values[0], in: whole).map(\.value))
        case .pluck:
            return .array(
                try list(values[0], in: whole).map { $0.part(values[1]) ?? .null })
        case .find:
            return try list(values[0], in: whole).first {
                $0.part(values[1])?.isEqual(to: values[2]) ?? false
            } ?? .null
        case .first: return values.first { $0 != .null } ?? .null
        case .common: return try common(values[0], values[1], in: whole)
        case .except:
            let others = try list(values[1], in: whole)
            return .array(
                try list(values[0], in: whole).filter { element in
                    !others.contains { $0.isEqual(to: element) }
                })
        case .without: return .array(try list(values[0], in: whole).map { $0.removing(values[1]) })
        case .flat:
            var all: [Value] = []
            for element in try list(values[0], in: whole) {
                if let members = element.objectValue {
                    all += members.map(\.value)
                } else {
                    all += try list(element, in: whole)
                }
            }
            return try bounded(.array(all), in: whole)
        case .equal: return .bool(values[0].isEqual(to: values[1]))
        case .less:
            guard let left = values[0].numberValue, let right = values[1].numberValue else {
                return .bool(false)
            }
            return .bool(left < right)
        case .not: return .bool(try !flag(values[0], in: whole))
        case .choose: return try flag(values[0], in: whole) ? values[1] : values[2]
        case .both, .either:
            for value in values where try flag(value, in: whole) == (self == .either) {
                return .bool(self == .either)
            }
            return .bool(self == .both)
        default: throw whole.failure("\"\(rawValue)\" is not a function on collections")
        }
    }

    private func merged(
        _ values: [Value], in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        if values.contains(where: { $0.arrayValue != nil }) {
            var all: [Value] = []
            for value in values {
                for element in try list(value, in: whole) { all = all.inserting(element) }
            }
            return try bounded(.array(all), in: whole)
        }
        var all = Value.object([])
        for value in values { all = all.merging(try members(value, in: whole)) }
        return try bounded(all, in: whole)
    }

    /// Returns the members that are equal in two mappings, or the elements that two lists have.
    private func common(
        _ left: Value, _ right: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        if left.arrayValue != nil || right.arrayValue != nil {
            let others = try list(right, in: whole)
            return .array(
                try list(left, in: whole).filter { element in
                    others.contains { $0.isEqual(to: element) }
                })
        }
        let others = Value.object(try members(right, in: whole))
        return .object(
            try members(left, in: whole).filter { member in
                others[member.name]?.isEqual(to: member.value) ?? false
            })
    }

    private func bounded(
        _ value: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> Value {
        let count = value.arrayValue?.count ?? value.objectValue?.count ?? 0
        guard count <= Self.elementsMax else {
            throw whole.failure(
                "\"\(rawValue)\" gives at most \(Self.elementsMax) elements", isLimit: true)
        }
        return value
    }

    private func list(
        _ value: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> [Value] {
        if value == .null { return [] }
        if let elements = value.arrayValue { return elements }
        throw whole.failure("\"\(rawValue)\" takes a list, not \(value.inWords)")
    }

    private func members(
        _ value: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> [Value.Member] {
        if value == .null { return [] }
        if let members = value.objectValue { return members }
        throw whole.failure("\"\(rawValue)\" takes a mapping, not \(value.inWords)")
    }

    private func flag(
        _ value: Value, in whole: TemplateExpression
    ) throws(EvaluationError) -> Bool {
        if value == .null { return false }
        if let flag = value.boolValue { return flag }
        throw whole.failure("\"\(rawValue)\" takes true or false, not \(value.inWords)")
    }
}

extension Value {
    /// Returns the member or element of that name or number; `nil` if there is none.
    func part(_ key: Value) -> Value? {
        if let elements = arrayValue {
            guard let place = key.integerValue.flatMap({ Int(exactly: $0) }),
                elements.indices.contains(place)
            else { return nil }
            return elements[place]
        }
        return self[key.textInTemplate]
    }

    /// Whether a list has an element, a mapping a member of that name, or a text that part.
    func has(_ value: Value) -> Bool {
        if let elements = arrayValue { return elements.contains { $0.isEqual(to: value) } }
        if case .object = self { return self[value.textInTemplate] != nil }
        guard let whole = octets, let part = value.octets else { return false }
        return whole.hasPart(part)
    }

    /// Returns a mapping in which the given members replace those of the same name.
    package func merging(_ others: [Member]) -> Value {
        var members = objectValue ?? []
        for other in others {
            if let place = members.firstIndex(where: { $0.name == other.name }) {
                members[place].value = other.value
            } else {
                members.append(other)
            }
        }
        return .object(members)
    }

    /// Returns a list without the elements that are equal to a value, or a mapping without a member.
    package func removing(_ value: Value) -> Value {
        if case .object(let members) = self {
            return .object(members.filter { $0.name != value.textInTemplate })
        }
        return .array((arrayValue ?? []).filter { !$0.isEqual(to: value) })
    }
}

extension [Value] {
    /// Returns the list with a value, unless it has it.
    package func inserting(_ value: Value) -> [Value] {
        contains { $0.isEqual(to: value) } ? self : self + [value]
    }

    /// The elements without duplicates, in an order that depends only on their values.
    fileprivate var asSet: [Value] {
        reduce(into: [Value]()) { all, value in
            if !all.contains(where: { $0.isEqual(to: value) }) { all.append(value) }
        }.sorted { left, right in
            switch (left.numberValue, right.numberValue) {
            case (let first?, let second?): first < second
            case (nil, nil): left.suiteText < right.suiteText
            case (let first, _): first != nil
            }
        }
    }
}
