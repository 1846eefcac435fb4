/// Finds types and enumerations by name.
struct Names {
    var types: [TypeModel]
    var files: [DescribedFile]

    /// Returns the type of a name, searched outwards from a type, then among imports.
    func type(_ path: [String], isAbsolute: Bool = false, from scope: TypeID) -> TypeID? {
        guard let first = path.first else { return nil }
        let file = files[types[scope].file]
        var start: TypeID? = isAbsolute ? file.top : scope
        while let current = start {
            if let found = types[current].types[first],
                let type = descend(path.dropFirst(), from: found)
            {
                return type
            }
            start = isAbsolute ? nil : types[current].enclosing
        }
        if types[file.top].name == first, let type = descend(path.dropFirst(), from: file.top) {
            return type
        }
        return file.imports[first].flatMap { descend(path.dropFirst(), from: $0) }
    }

    /// Resolves each further name, searched outwards from the type before it.
    private func descend(_ path: ArraySlice<String>, from start: TypeID) -> TypeID? {
        var type = start
        for name in path {
            var place: TypeID? = type
            while let current = place, types[current].types[name] == nil {
                place = types[current].enclosing
            }
            guard let next = place.flatMap({ types[$0].types[name] }) else { return nil }
            type = next
        }
        return type
    }

    /// Returns the enumeration of a name.
    func enumeration(
        _ path: [String], isAbsolute: Bool = false, from scope: TypeID
    ) -> EnumerationID? {
        guard let name = path.last else { return nil }
        let prefix = Array(path.dropLast())
        if prefix.isEmpty {
            var start: TypeID? = isAbsolute ? files[types[scope].file].top : scope
            while let current = start {
                if let found = types[current].enumerations[name] { return found }
                start = types[current].enclosing
            }
            return nil
        }
        var start: TypeID? = scope
        while let current = start {
            if let type = self.type(prefix, isAbsolute: isAbsolute, from: current),
                let found = types[type].enumerations[name]
            {
                return found
            }
            start = types[current].enclosing
        }
        return nil
    }

    /// Returns the names of types that may be meant, for advice.
    func typeNames(from scope: TypeID) -> [String] {
        var names: [String] = []
        var start: TypeID? = scope
        while let current = start {
            names += types[current].types.keys
            start = types[current].enclosing
        }
        return (names + files[types[scope].file].imports.keys).sorted()
    }

    /// Returns the names of enumerations that may be meant, for advice.
    func enumerationNames(from scope: TypeID) -> [String] {
        var names: [String] = []
        var start: TypeID? = scope
        while let current = start {
            names += types[current].enumerations.keys
            start = types[current].enclosing
        }
        return names.sorted()
    }
}

/// The built-in types by their names.
enum BuiltInType {
    /// Returns the number type of a name such as `u2le`, `f4` or `b12`.
    static func number(_ name: String) -> FieldType? {
        var rest = Substring(name)
        guard let kind = rest.popFirst() else { return nil }
        let order: ByteOrder =
            rest.hasSuffix("le") ? .little : rest.hasSuffix("be") ? .big : .inherited
        if order != .inherited { rest.removeLast(2) }
        guard let width = Int(rest), rest.first != "0", rest.allSatisfy(\.isNumber) else {
            return nil
        }
        switch kind {
        case "u", "s":
            guard [1, 2, 4, 8].contains(width), width > 1 || order == .inherited else { return nil }
            return .integer(width: width, isSigned: kind == "s", order)
        case "f":
            return width == 4 || width == 8 ? .float(width: width, order) : nil
        case "b":
            return (1...64).contains(width) ? .bits(width, order) : nil
        default: return nil
        }
    }
}
