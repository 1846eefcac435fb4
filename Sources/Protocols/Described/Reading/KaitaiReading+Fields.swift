extension KaitaiReading {
    /// Reads a field of `seq` if its condition holds.
    mutating func readField(_ slot: Int, of object: Int, on stream: Int) throws(KaitaiError) {
        let place = objects[object].base + slot
        let type = objects[object].type
        if let id = description.types[type].fields[slot].condition {
            do throws(KaitaiError) {
                guard try holds(id, Frame(object: object)) else {
                    slots[place].state = .read
                    return
                }
            } catch {
                throw located(error, slot, type, at: streams[stream].position, on: stream)
            }
        }
        try readValues(slot, of: object, on: stream)
    }

    /// Reads the value of a field, or all its values if it repeats.
    mutating func readValues(_ slot: Int, of object: Int, on stream: Int) throws(KaitaiError) {
        let place = objects[object].base + slot
        let type = objects[object].type
        let start = streams[stream].position
        slots[place].state = .inProgress
        slots[place].stream = Int32(clamping: stream)
        slots[place].start = start
        do throws(KaitaiError) {
            if case .once = description.types[type].fields[slot].repetition {
                try readOnce(slot, place, of: object, on: stream)
            } else {
                try repeatValues(slot, place, of: object, on: stream)
            }
        } catch {
            slots[place].state = .read
            slots[place].end = streams[stream].position
            throw located(error, slot, type, at: start, on: stream)
        }
        slots[place].state = .read
        slots[place].end = streams[stream].position
        if description.types[type].fields[slot].checksum != nil {
            checksums.append(ReadChecksum(slot: slot, object: object))
        }
    }

    private func located(
        _ error: KaitaiError, _ slot: Int, _ type: TypeID, at position: Int, on stream: Int
    ) -> KaitaiError {
        var error = error
        error.path.insert(description.types[type].fields[slot].id, at: 0)
        if error.offset == nil, streams[stream].isInput { error.offset = position }
        return error
    }

    private mutating func readOnce(
        _ slot: Int, _ place: Int, of object: Int, on stream: Int
    ) throws(KaitaiError) {
        let type = objects[object].type
        var frame = Frame(object: object)
        do throws(KaitaiError) {
            slots[place].value = try value(
                of: description.types[type].fields[slot].type, slot, frame, on: stream)
        } catch {
            if let failed { slots[place].value = .object(ObjectID(index: failed)) }
            failed = nil
            throw error
        }
        if let validity = description.types[type].fields[slot].validity {
            frame.item = slots[place].value
            try check(validity, frame, description.types[type].fields[slot])
        }
    }

    private mutating func repeatValues(
        _ slot: Int, _ place: Int, of object: Int, on stream: Int
    ) throws(KaitaiError) {
        let field = description.types[objects[object].type].fields[slot]
        var frame = Frame(object: object)
        slots[place].value = .array([])
        var count: Int128?
        if case .count(let id) = field.repetition { count = try integer(id, frame) }
        while true {
            if let count, frame.index >= count { return }
            if case .toEnd = field.repetition, streams[stream].isAtEnd { return }
            try takeElement()
            let before = (streams[stream].position, streams[stream].bitsLeft)
            frame.item = try element(field, slot, place, frame, on: stream)
            if let validity = field.validity { try check(validity, frame, field) }
            switch field.repetition {
            case .until(let id):
                if try holds(id, frame) { return }
            case .toEnd:
                if before == (streams[stream].position, streams[stream].bitsLeft) {
                    throw KaitaiError(
                        code: .limit, what: "an element up to the end of the stream has no bytes")
                }
            default: break
            }
            frame.index += 1
        }
    }

    private mutating func takeElement() throws(KaitaiError) {
        elementsLeft -= 1
        if elementsLeft < 0 {
            throw KaitaiError(code: .limit, what: "there are more than \(limits.elements) elements")
        }
    }

    /// Reads an element and appends it, even if reading it fails halfway.
    private mutating func element(
        _ field: Field, _ slot: Int, _ place: Int, _ frame: Frame, on stream: Int
    ) throws(KaitaiError) -> KaitaiValue {
        do throws(KaitaiError) {
            let value = try value(of: field.type, slot, frame, on: stream)
            append(value, to: place)
            return value
        } catch {
            if let failed { append(.object(ObjectID(index: failed)), to: place) }
            failed = nil
            var error = error
            error.path.insert(String(frame.index), at: 0)
            throw error
        }
    }

    /// Appends an element to an array.
    mutating func append(_ value: KaitaiValue, to place: Int) {
        guard case .array(var elements) = slots[place].value else { return }
        slots[place].value = .none
        elements.append(value)
        slots[place].value = .array(elements)
    }

    /// Reads one value.
    private mutating func value(
        of type: FieldType, _ slot: Int, _ frame: Frame, on stream: Int
    ) throws(KaitaiError) -> KaitaiValue {
        switch type {
        case .integer(let width, let isSigned, let order):
            let isLittle = width > 1 ? try isLittle(order, frame.object) : false
            let number = try streams[stream].unsigned(width: width, isLittle: isLittle)
            try takeBytes(width)
            return numberValue(number, isSigned ? width * 8 : 0, slot, frame)
        case .float(let width, let order):
            let isLittle = try isLittle(order, frame.object)
            let bits = try streams[stream].unsigned(width: width, isLittle: isLittle)
            try takeBytes(width)
            return .float(
                width == 4
                    ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
                    : Double(bitPattern: bits))
        case .bits(let count, let order):
            let number = try streams[stream].bits(count, isLittle: order == .little)
            if trailing != nil {
                let last = streams[stream].bytes[max(0, streams[stream].position - 1)]
                trailing?.lastBytes[objects[frame.object].base + slot] = last
            }
            let hasNames =
                description.types[objects[frame.object].type].fields[slot].enumeration != nil
            if count == 1, !hasNames { return .bool(number == 1) }
            return numberValue(number, 0, slot, frame)
        case .bytes(let extent): return .bytes(try bytes(extent, slot, frame, on: stream))
        case .string(let extent, let encoding):
            let bytes = try bytes(extent, slot, frame, on: stream)
            try produce(bytes.count)
            return .string(try Encoding.decode(bytes, from: encoding))
        case .object(let type, let arguments, let extent):
            return try object(type, arguments, extent, slot, frame, on: stream)
        case .choice(let on, let cases, let otherwise):
            let value = try evaluate(on, frame)
            for (key, type) in cases where equals(value, try evaluate(key, frame)) {
                return try self.value(of: type, slot, frame, on: stream)
            }
            guard let otherwise else { return .none }
            return try self.value(of: otherwise, slot, frame, on: stream)
        case .opaque(let name):
            throw KaitaiError(code: .unsupported, what: "the type \(name) is not described")
        default: throw KaitaiError(code: .unsupported, what: "this cannot be read")
        }
    }

    private func numberValue(
        _ bits: UInt64, _ signedWidth: Int, _ slot: Int, _ frame: Frame
    ) -> KaitaiValue {
        var number = Int128(bits)
        if signedWidth > 0, bits >> UInt64(signedWidth - 1) & 1 == 1 {
            number -= Int128(1) << Int128(signedWidth)
        }
        if let enumeration =
            description.types[objects[frame.object].type].fields[slot].enumeration
        {
            return .enumerator(number, of: enumeration)
        }
        return .integer(number)
    }

    /// Whether the lowest byte of a number is first.
    func isLittle(_ order: ByteOrder, _ object: Int) throws(KaitaiError) -> Bool {
        let decided = order == .inherited ? objects[object].order : order
        guard decided != .inherited else {
            throw KaitaiError(code: .undecidedEndianness, what: "the byte order is not determined")
        }
        return decided == .little
    }

    mutating func takeBytes(_ count: Int) throws(KaitaiError) {
        bytesLeft -= count
        if bytesLeft < 0 {
            throw KaitaiError(code: .limit, what: "more than \(limits.bytesRead) bytes are read")
        }
    }

    mutating func produce(_ count: Int) throws(KaitaiError) {
        producedLeft -= count
        if producedLeft < 0 {
            throw KaitaiError(
                code: .limit, what: "more than \(limits.bytesProduced) bytes are produced")
        }
    }
}

extension KaitaiReading {
    private mutating func object(
        _ type: TypeID, _ arguments: [ExpressionID], _ extent: Extent, _ slot: Int, _ frame: Frame,
        on stream: Int
    ) throws(KaitaiError) -> KaitaiValue {
        var values: [KaitaiValue] = []
        var parent: Int? = frame.object
        switch description.types[objects[frame.object].type].fields[slot].parent {
        case .creator: break
        case .none: parent = nil
        case .expression(let id):
            guard case .object(let given) = try evaluate(id, frame) else {
                throw KaitaiError(code: .null, what: "there is no parent")
            }
            parent = given.index
        }
        var own = stream
        if extent.isLimited || extent.process != nil {
            own = try substream(extent, frame, on: stream)
        }
        for argument in arguments { values.append(try evaluate(argument, frame)) }
        if trailing != nil, own != stream {
            let latest = trailing?.latest
            trailing?.ofObjects[objects.count] = latest
        }
        let index = try object(of: type, values, on: own, creator: frame.object, parent: parent)
        return .object(ObjectID(index: index))
    }

    private mutating func substream(
        _ extent: Extent, _ frame: Frame, on stream: Int
    ) throws(KaitaiError) -> Int {
        let range = try range(of: extent, frame, on: stream)
        if trailing != nil {
            let trailingBytes = trailingBytes(after: range, on: stream)
            trailing?.latest = trailingBytes
        }
        let whole = streams[stream]
        if let process = extent.process {
            let bytes = try apply(process, to: Array(whole.bytes[range]), frame)
            streams.append(ByteStream(bytes, bytes.indices, isInput: false))
        } else {
            streams.append(ByteStream(whole.bytes, range, isInput: whole.isInput))
        }
        return streams.count - 1
    }

    /// Returns the bytes taken after a value.
    private func trailingBytes(after range: Range<Int>, on stream: Int) -> [UInt8] {
        let end = max(range.upperBound, streams[stream].position)
        return Array(streams[stream].bytes[range.upperBound..<min(end, streams[stream].end)])
    }

    private mutating func bytes(
        _ extent: Extent, _ slot: Int, _ frame: Frame, on stream: Int
    ) throws(KaitaiError) -> [UInt8] {
        let range = try range(of: extent, frame, on: stream)
        if trailing != nil {
            let key = Padding.Key(place: objects[frame.object].base + slot, index: frame.index)
            let trailingBytes = trailingBytes(after: range, on: stream)
            trailing?.ofValues[key] = trailingBytes
        }
        let bytes = Array(streams[stream].bytes[range])
        guard let process = extent.process else { return bytes }
        return try apply(process, to: bytes, frame)
    }

    /// Takes the bytes of an extent; returns their range without padding and terminator.
    private mutating func range(
        of extent: Extent, _ frame: Frame, on stream: Int
    ) throws(KaitaiError) -> Range<Int> {
        var range: Range<Int>
        if let size = extent.size {
            guard let count = Int(exactly: try integer(size, frame)) else {
                throw KaitaiError(code: .overflow, what: "the size does not fit")
            }
            range = try streams[stream].consume(count)
        } else if extent.reachesEnd {
            range = try streams[stream].consume(streams[stream].remaining)
        } else if !extent.terminator.isEmpty {
            range = try terminated(extent, on: stream)
            try takeBytes(range.count)
            return range
        } else {
            throw KaitaiError(code: .unsupported, what: "the end of the bytes is not given")
        }
        try takeBytes(range.count)
        let bytes = streams[stream].bytes
        if let padding = extent.padding, extent.terminator.last != padding {
            while let last = range.last, bytes[last] == padding {
                range = range.lowerBound..<last
            }
        }
        if !extent.terminator.isEmpty,
            let place = streams[stream].index(
                of: extent.terminator, from: range.lowerBound, to: range.upperBound)
        {
            let kept = extent.keepsTerminator ? extent.terminator.count : 0
            range = range.lowerBound..<(place + kept)
        }
        return range
    }

    private mutating func terminated(
        _ extent: Extent, on stream: Int
    ) throws(KaitaiError) -> Range<Int> {
        streams[stream].bitsLeft = 0
        let first = min(streams[stream].position, streams[stream].end)
        let end = streams[stream].end
        guard let place = streams[stream].index(of: extent.terminator, from: first, to: end) else {
            if extent.needsTerminator { try streams[stream].require(end - first + 1) }
            streams[stream].position = max(end, streams[stream].position)
            return first..<end
        }
        let after = place + extent.terminator.count
        streams[stream].position = extent.consumesTerminator ? after : place
        return first..<(extent.keepsTerminator ? after : place)
    }

    /// Checks a value that has just been read.
    mutating func check(
        _ validity: Validity, _ frame: Frame, _ field: Field
    ) throws(KaitaiError) {
        let value = frame.item
        if value == .none { return }
        switch validity {
        case .equal(let id):
            let wanted = try evaluate(id, frame)
            if !equals(value, wanted) {
                throw KaitaiError(
                    code: .notEqual, what: "it is \(text(of: value)), not \(text(of: wanted))")
            }
        case .range(let least, let most):
            if let least, try order(value, try evaluate(least, frame)) < 0 {
                throw KaitaiError(
                    code: .lessThan,
                    what: "\(text(of: value)) is less than \(text(of: try evaluate(least, frame)))")
            }
            if let most, try order(value, try evaluate(most, frame)) > 0 {
                throw KaitaiError(
                    code: .greaterThan,
                    what: "\(text(of: value)) is more than \(text(of: try evaluate(most, frame)))")
            }
        case .anyOf(let ids):
            for id in ids where equals(value, try evaluate(id, frame)) { return }
            throw KaitaiError(
                code: .notAnyOf, what: "\(text(of: value)) is not one of the permitted values")
        case .inEnum:
            guard case .enumerator(let number, let id) = value,
                description.name(of: number, in: id) == nil
            else { return }
            throw KaitaiError(
                code: .notInEnum,
                what: "\(number) has no name in \(description.enumerations[id.index].name)")
        case .expression(let id):
            if !(try holds(id, frame)) {
                throw KaitaiError(
                    code: .expression,
                    what: "\(text(of: value)) is not valid: \(description.sources[id].text)")
            }
        }
    }
}
