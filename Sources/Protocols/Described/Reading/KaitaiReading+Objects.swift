/// The context in which an expression is evaluated: the object, `_` and `_index`.
struct Frame {
    var object: Int
    var item = KaitaiValue.none
    var index = 0
}

extension KaitaiReading {
    /// Creates an object and reads its fields.
    mutating func object(
        of type: TypeID, _ arguments: [KaitaiValue], on stream: Int, creator: Int?, parent: Int?
    ) throws(KaitaiError) -> Int {
        try enter()
        defer { leave() }
        let index = make(type, arguments, on: stream, creator: creator, parent: parent)
        do throws(KaitaiError) {
            try decideOrder(of: index, creator: creator)
            for slot in description.types[type].sequence {
                try readField(slot, of: index, on: stream)
            }
            objects[index].end = streams[stream].position
        } catch {
            objects[index].end = streams[stream].position
            failed = index
            throw error
        }
        return index
    }

    /// Checks the limits and enters an object.
    mutating func enter() throws(KaitaiError) {
        guard depth < limits.depth else {
            throw KaitaiError(
                code: .limit, what: "objects are nested more than \(limits.depth) deep")
        }
        guard objects.count < limits.objects else {
            throw KaitaiError(code: .limit, what: "there are more than \(limits.objects) objects")
        }
        depth += 1
    }

    /// Leaves an object after its fields.
    mutating func leave() {
        depth -= 1
    }

    /// Creates an object without reading its fields.
    mutating func make(
        _ type: TypeID, _ arguments: [KaitaiValue], on stream: Int, creator: Int?, parent: Int?
    ) -> Int {
        let index = objects.count
        let base = slots.count
        slots.append(
            contentsOf: repeatElement(Slot(), count: description.types[type].fields.count))
        for (offset, argument) in arguments.enumerated() {
            slots[base + offset].value = argument
            slots[base + offset].state = .read
        }
        let file = description.types[type].file
        let isOfSameFile = creator.map { description.types[objects[$0].type].file == file }
        let isTop = description.files[file].top == type
        let root = isOfSameFile == true ? creator.flatMap { objects[$0].root } : isTop ? index : nil
        objects.append(
            ObjectRecord(
                type: type, base: base, parent: isOfSameFile == true ? parent : nil, root: root,
                stream: stream, order: .inherited, start: streams[stream].position,
                end: streams[stream].position))
        return index
    }

    /// Determines the byte order of an object.
    mutating func decideOrder(of object: Int, creator: Int?) throws(KaitaiError) {
        switch description.types[objects[object].type].endian {
        case .none: break
        case .fixed(let order): objects[object].order = order
        case .ofCreator:
            objects[object].order = creator.map { objects[$0].order } ?? .inherited
        case .computed(let on, let cases, let otherwise):
            let frame = Frame(object: object)
            let value = try evaluate(on, frame)
            for (key, order) in cases where equals(value, try evaluate(key, frame)) {
                objects[object].order = order
                return
            }
            objects[object].order = otherwise ?? .inherited
        }
    }

    /// Returns the value of a field; instances are read or computed on first use.
    mutating func value(_ slot: Int, of object: Int) throws(KaitaiError) -> KaitaiValue {
        let place = objects[object].base + slot
        switch slots[place].state {
        case .read: return slots[place].value
        case .inProgress:
            if slot < description.types[objects[object].type].sequence.upperBound {
                return slots[place].value
            }
            throw KaitaiError(
                code: .cycle,
                what: "\(description.types[objects[object].type].fields[slot].id) needs itself")
        case .unread:
            let model = description.types[objects[object].type]
            guard slot >= model.sequence.upperBound else {
                throw KaitaiError(code: .null, what: "\(model.fields[slot].id) has not been read")
            }
            try readInstance(slot, of: object)
            return slots[place].value
        }
    }

    private mutating func readInstance(_ slot: Int, of object: Int) throws(KaitaiError) {
        let field = description.types[objects[object].type].fields[slot]
        let place = objects[object].base + slot
        guard evaluationDepth < limits.evaluationDepth else {
            throw KaitaiError(code: .limit, what: "computed fields depend on one another too deep")
        }
        evaluationDepth += 8
        defer { evaluationDepth -= 8 }
        slots[place].state = .inProgress
        do throws(KaitaiError) {
            if case .computed(let id) = field.type {
                try compute(id, field, slot, of: object)
            } else {
                try readPositioned(field, slot, of: object)
            }
        } catch {
            slots[place].state = .unread
            throw error
        }
    }

    private mutating func compute(
        _ id: ExpressionID, _ field: Field, _ slot: Int, of object: Int
    ) throws(KaitaiError) {
        let frame = Frame(object: object)
        let place = objects[object].base + slot
        var value = KaitaiValue.none
        if try holds(field.condition, frame) {
            value = try evaluate(id, frame)
            if let enumeration = field.enumeration, case .integer(let number) = value {
                value = .enumerator(number, of: enumeration)
            }
        }
        slots[place].value = value
        slots[place].state = .read
        if value != .none, let validity = field.validity {
            try check(validity, Frame(object: object, item: value), field)
        }
    }

    private mutating func readPositioned(
        _ field: Field, _ slot: Int, of object: Int
    ) throws(KaitaiError) {
        let frame = Frame(object: object)
        let place = objects[object].base + slot
        guard try holds(field.condition, frame) else {
            slots[place].state = .read
            return
        }
        var stream = objects[object].stream
        if let id = field.stream {
            guard case .stream(let given) = try evaluate(id, frame) else {
                throw KaitaiError(code: .null, what: "there is no stream")
            }
            stream = given.index
        }
        guard let position = field.place else {
            try readValues(slot, of: object, on: stream)
            return
        }
        let offset = try integer(position, frame)
        let saved = (streams[stream].position, streams[stream].bitsLeft)
        defer { (streams[stream].position, streams[stream].bitsLeft) = saved }
        try streams[stream].seek(offset)
        try readValues(slot, of: object, on: stream)
    }

    /// Whether a condition holds; a missing condition does.
    mutating func holds(_ id: ExpressionID?, _ frame: Frame) throws(KaitaiError) -> Bool {
        guard let id else { return true }
        guard case .bool(let flag) = try evaluate(id, frame) else {
            throw KaitaiError(code: .type, what: "the condition is not a Boolean")
        }
        return flag
    }

    /// Returns the integer value of an expression.
    mutating func integer(_ id: ExpressionID, _ frame: Frame) throws(KaitaiError) -> Int128 {
        switch try evaluate(id, frame) {
        case .integer(let number), .enumerator(let number, _): return number
        case .none: throw KaitaiError(code: .null, what: "there is no number")
        case let other:
            throw KaitaiError(
                code: .type, what: "an integer is needed, this is \(other.kindInWords)")
        }
    }
}
