/// Calculates sizes that do not depend on the bytes read, in bits.
struct TypeSizes {
    let names: Names
    let sources: [ExpressionSource]
    private var open: Set<TypeID> = []

    init(names: Names, sources: [ExpressionSource]) {
        self.names = names
        self.sources = sources
    }

    /// Returns the size of a type; `nil` if it depends on what is read.
    mutating func bits(of type: TypeID) -> Int? {
        guard open.count < KaitaiLimits().depth, open.insert(type).inserted else { return nil }
        defer { open.remove(type) }
        let model = names.types[type]
        var total = 0
        for slot in model.sequence {
            guard let size = bits(of: model.fields[slot]) else { return nil }
            if case .bits = model.fields[slot].type {} else { total = (total + 7) / 8 * 8 }
            let (sum, isOver) = total.addingReportingOverflow(size)
            if isOver { return nil }
            total = sum
        }
        return total
    }

    /// Returns the size of a field; `nil` if it depends on what is read.
    mutating func bits(of field: Field) -> Int? {
        guard field.condition == nil, case .once = field.repetition else { return nil }
        return bits(of: field.type)
    }

    /// Returns the size of a value of a field type; `nil` if it depends on what is read.
    mutating func bits(of type: FieldType) -> Int? {
        switch type {
        case .integer(let width, _, _), .float(let width, _): return width * 8
        case .bits(let count, _): return count
        case .bytes(let extent), .string(let extent, _): return bits(of: extent)
        case .object(let type, _, let extent):
            return extent.isLimited ? bits(of: extent) : bits(of: type)
        default: return nil
        }
    }

    private func bits(of extent: Extent) -> Int? {
        guard let size = extent.size, case .integer(let bytes) = sources[size].syntax,
            bytes <= Int128(Int32.max)
        else { return nil }
        return Int(exactly: bytes * 8)
    }
}
