extension KaitaiWriter {
    /// Writes one value; returns it as expressions see it.
    mutating func value(
        of type: FieldType, _ content: KaitaiContent, _ field: Field, _ slot: Int, _ frame: Frame,
        on stream: Int, path: String
    ) throws(KaitaiError) -> KaitaiValue {
        switch type {
        case .integer(let width, let isSigned, let order):
            let number = try integer(content, field)
            let isLittle = width > 1 ? try model.isLittle(order, frame.object) : false
            let bits = try KaitaiWriter.bits(number, count: width * 8, isSigned: isSigned)
            outputs[stream].append(bits, width: width, isLittle: isLittle)
            synchronize(stream)
            return named(number, field)
        case .float(let width, let order):
            guard case .value(let given) = content.kind, let number = Arithmetic.float(given) else {
                throw KaitaiError(code: .type, what: "a number is needed")
            }
            let isLittle = try model.isLittle(order, frame.object)
            outputs[stream].append(
                width == 4 ? UInt64(Float(number).bitPattern) : number.bitPattern, width: width,
                isLittle: isLittle)
            synchronize(stream)
            return .float(number)
        case .bits(let count, let order):
            let number = try integer(content, field)
            let bits = try KaitaiWriter.bits(number, count: count, isSigned: false)
            outputs[stream].appendBits(bits, count: count, isLittle: order == .little)
            synchronize(stream)
            return count == 1 && field.enumeration == nil ? .bool(bits == 1) : named(number, field)
        case .bytes(let extent):
            let bytes = try KaitaiWriter.bytes(content)
            try write(
                try processed(bytes, extent, content, frame, on: stream), extent, content, frame,
                on: stream)
            return .bytes(bytes)
        case .string(let extent, let encoding):
            guard case .value(.string(let text)) = content.kind else {
                throw KaitaiError(code: .type, what: "text is needed")
            }
            try write(try Encoding.encode(text, as: encoding), extent, content, frame, on: stream)
            return .string(text)
        case .object(let type, let arguments, let extent):
            if let order = description(of: type).varint,
                case .value(.integer(let number)) = content.kind
            {
                let place = model.objects[frame.object].base + slot
                let index = try varint(
                    number, type, order, of: place, on: stream, creator: frame.object)
                synchronize(stream)
                return .object(ObjectID(index: index))
            }
            return try object(
                type, arguments, extent, content, field, frame, on: stream, path: path)
        case .choice(let on, let cases, let otherwise):
            let value = try model.evaluate(on, frame)
            var chosen = otherwise
            for (key, type) in cases where model.equals(value, try model.evaluate(key, frame)) {
                chosen = type
                break
            }
            guard let chosen else {
                if content.kind != .none {
                    report(KaitaiError(code: .expression, what: "no case fits it"))
                }
                return .none
            }
            return try self.value(of: chosen, content, field, slot, frame, on: stream, path: path)
        default: throw KaitaiError(code: .unsupported, what: "this cannot be written")
        }
    }

    private func description(of type: TypeID) -> TypeModel { model.description.types[type] }

    private func named(_ number: Int128, _ field: Field) -> KaitaiValue {
        field.enumeration.map { .enumerator(number, of: $0) } ?? .integer(number)
    }

    /// Returns the number of a value; names of an enumeration and Booleans have one.
    private func integer(_ content: KaitaiContent, _ field: Field) throws(KaitaiError) -> Int128 {
        guard case .value(let value) = content.kind else {
            throw KaitaiError(code: .type, what: "an integer is needed")
        }
        switch value {
        case .integer(let number), .enumerator(let number, _): return number
        case .bool(let flag): return flag ? 1 : 0
        case .string(let name):
            let enumeration = field.enumeration.map { model.description.enumerations[$0.index] }
            if let number = enumeration?.numbers[name] { return number }
            // An integer beyond 63 bits is text.
            if Int64(name) == nil, let number = Int128(name) { return number }
            throw KaitaiError(
                code: .notInEnum,
                what: enumeration.map { "\($0.name) has no \"\(name)\"" }
                    ?? "text is not an integer")
        default:
            throw KaitaiError(
                code: .type, what: "an integer is needed, this is \(value.kindInWords)")
        }
    }

    /// Returns the bits of a number; throws if it does not fit.
    static func bits(
        _ number: Int128, count: Int, isSigned: Bool
    ) throws(KaitaiError) -> UInt64 {
        let limit = Int128(1) << Int128(isSigned ? count - 1 : count)
        guard number < limit, number >= (isSigned ? -limit : 0) else {
            throw KaitaiError(code: .overflow, what: "\(number) does not fit \(count) bits")
        }
        let wide = UInt64(truncatingIfNeeded: number)
        return count == 64 ? wide : wide & ((1 << UInt64(count)) - 1)
    }

    static func bytes(_ content: KaitaiContent) throws(KaitaiError) -> [UInt8] {
        switch content.kind {
        case .value(.bytes(let bytes)): return bytes
        case .value(.string(let text)): return Array(text.utf8)
        default: throw KaitaiError(code: .type, what: "bytes are needed")
        }
    }

    /// Returns the bytes to write so that `process` produces the given bytes.
    private mutating func processed(
        _ bytes: [UInt8], _ extent: Extent, _ content: KaitaiContent, _ frame: Frame,
        on stream: Int
    ) throws(KaitaiError) -> [UInt8] {
        guard let process = extent.process else { return bytes }
        // Expressions in `process` see the stream after the bytes have been taken.
        outputs[stream].align()
        model.streams[stream].position =
            outputs[stream].bytes.count + bytes.count + (content.trailingBytes?.count ?? 0)
        switch process {
        case .zlib: return try Processing.deflate(bytes)
        case .xor(let id): return try model.apply(.xor(id), to: bytes, frame)
        case .rotate(let id, let isLeft):
            return try model.apply(.rotate(id, isLeft: !isLeft), to: bytes, frame)
        case .custom(let name, _):
            throw KaitaiError(code: .unsupported, what: "the process \(name) is not known")
        }
    }

    /// Sets the position of a stream to the next field, for expressions.
    private mutating func synchronize(_ stream: Int) {
        model.streams[stream].position = outputs[stream].bytes.count
    }

    /// Writes bytes with their terminator and padding.
    private mutating func write(
        _ bytes: [UInt8], _ extent: Extent, _ content: KaitaiContent, _ frame: Frame,
        on stream: Int
    ) throws(KaitaiError) {
        outputs[stream].align()
        synchronize(stream)
        var trailingBytes = content.trailingBytes ?? []
        if content.trailingBytes == nil {
            trailingBytes = try self.trailingBytes(after: bytes, extent, frame)
        }
        outputs[stream].append(bytes)
        outputs[stream].append(trailingBytes)
        if let size = extent.size {
            try demand(size, Int128(bytes.count + trailingBytes.count), frame, "bytes")
        }
        synchronize(stream)
    }

    private mutating func trailingBytes(
        after bytes: [UInt8], _ extent: Extent, _ frame: Frame
    ) throws(KaitaiError) -> [UInt8] {
        let hasTerminator = !extent.terminator.isEmpty && !extent.keepsTerminator
        guard let size = extent.size, extent.padding != nil || hasTerminator else {
            if extent.size != nil || extent.reachesEnd { return [] }
            return hasTerminator && extent.consumesTerminator ? extent.terminator : []
        }
        let room = Int(clamping: try model.integer(size, frame)) - bytes.count
        guard room > 0 else { return [] }
        try model.produce(room)
        let end = hasTerminator ? Array(extent.terminator.prefix(room)) : []
        return end + Array(repeating: extent.padding ?? 0, count: room - end.count)
    }

    private mutating func object(
        _ type: TypeID, _ arguments: [ExpressionID], _ extent: Extent, _ content: KaitaiContent,
        _ field: Field, _ frame: Frame, on stream: Int, path: String
    ) throws(KaitaiError) -> KaitaiValue {
        var parent: Int? = frame.object
        switch field.parent {
        case .creator: break
        case .none: parent = nil
        case .expression(let id):
            if case .object(let given) = try model.evaluate(id, frame) { parent = given.index }
        }
        let isOwn = extent.isLimited || extent.process != nil
        let own = isOwn ? openStream() : stream
        if isOwn { outputs[stream].align() }
        var values: [KaitaiValue] = []
        for argument in arguments { values.append(try model.evaluate(argument, frame)) }
        let index = try object(
            of: type, values, content, on: own, creator: frame.object, parent: parent, path: path)
        if isOwn {
            outputs[own].append(content.tail)
            let bytes = try processed(outputs[own].bytes, extent, content, frame, on: stream)
            try write(padded(bytes, extent, content, frame), extent, content, frame, on: stream)
        }
        return .object(ObjectID(index: index))
    }

    /// Pads an object that is shorter than its size with zeros.
    private mutating func padded(
        _ bytes: [UInt8], _ extent: Extent, _ content: KaitaiContent, _ frame: Frame
    ) throws(KaitaiError) -> [UInt8] {
        guard content.trailingBytes == nil, let size = extent.size, extent.padding == nil,
            extent.terminator.isEmpty, case .constant = model.description.expressions[size]
        else { return bytes }
        let room = Int(clamping: try model.integer(size, frame)) - bytes.count
        guard room > 0 else { return bytes }
        try model.produce(room)
        return bytes + Array(repeating: 0, count: room)
    }

    /// Creates a stream with the size from the previous pass.
    private mutating func openStream() -> Int {
        let index = model.streams.count
        let bytes = index < previous.count ? previous[index] : []
        model.streams.append(ByteStream(bytes, bytes.indices, isInput: false))
        outputs.append(OutputBytes())
        return index
    }
}
