extension KaitaiReading {
    /// Returns the result of a method.
    mutating func call(
        _ method: Method, on value: KaitaiValue, _ arguments: [Expression], _ frame: Frame
    ) throws(KaitaiError) -> KaitaiValue {
        switch value {
        case .string(let text): return try call(method, on: text, arguments, frame)
        case .bytes(let bytes):
            if method == .toText {
                guard
                    case .string(let encoding)? = try arguments.first.map({
                        argument throws(KaitaiError) in try evaluate(argument, frame)
                    })
                else { throw KaitaiError(code: .type, what: "there is no encoding") }
                try produce(bytes.count)
                return .string(try Encoding.decode(bytes, from: encoding))
            }
            return try call(method, onBytes: bytes)
        case .array(let elements): return try call(method, onArray: elements)
        case .stream(let id): return try call(method, onStream: streams[id.index])
        case .integer(let number), .enumerator(let number, _):
            return method == .toText ? .string(String(number)) : .integer(number)
        case .float(let number):
            if method == .toText { return .string(String(number)) }
            guard let whole = Int128(exactly: number.rounded(.towardZero)) else {
                throw KaitaiError(code: .overflow, what: "\(number) is not an integer")
            }
            return .integer(whole)
        case .bool(let flag): return .integer(flag ? 1 : 0)
        case .none:
            throw KaitaiError(code: .null, what: "\"\(method.rawValue)\" is called on nothing")
        case .object:
            throw KaitaiError(code: .type, what: "an object has no \"\(method.rawValue)\"")
        }
    }

    private mutating func call(
        _ method: Method, on text: String, _ arguments: [Expression], _ frame: Frame
    ) throws(KaitaiError) -> KaitaiValue {
        var numbers: [Int128] = []
        for argument in arguments {
            guard case .integer(let number) = try evaluate(argument, frame) else {
                throw KaitaiError(code: .type, what: "an argument is an integer")
            }
            numbers.append(number)
        }
        try produce(text.utf8.count)
        switch method {
        case .length, .size: return .integer(Int128(text.unicodeScalars.count))
        case .reverse:
            return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
        case .substring:
            guard numbers.count == 2, let from = Int(exactly: numbers[0]),
                let to = Int(exactly: numbers[1]), 0 <= from, from <= to,
                to <= text.unicodeScalars.count
            else { throw KaitaiError(code: .index, what: "the text has no such part") }
            let part = text.unicodeScalars.dropFirst(from).prefix(to - from)
            return .string(String(String.UnicodeScalarView(part)))
        case .toInteger:
            let radix = numbers.first.flatMap { Int(exactly: $0) } ?? 10
            guard (2...36).contains(radix), let number = Int128(text, radix: radix) else {
                throw KaitaiError(
                    code: .conversion,
                    what: "\"\(text.prefix(40))\" is not an integer in base \(radix)")
            }
            return .integer(number)
        default: throw KaitaiError(code: .type, what: "text has no \"\(method.rawValue)\"")
        }
    }

    private func call(_ method: Method, onBytes bytes: [UInt8]) throws(KaitaiError) -> KaitaiValue {
        let found: UInt8?
        switch method {
        case .size, .length: return .integer(Int128(bytes.count))
        case .first: found = bytes.first
        case .last: found = bytes.last
        case .min: found = bytes.min()
        case .max: found = bytes.max()
        default: throw KaitaiError(code: .type, what: "bytes have no \"\(method.rawValue)\"")
        }
        guard let found else { throw KaitaiError(code: .index, what: "there are no bytes") }
        return .integer(Int128(found))
    }

    private func call(
        _ method: Method, onArray elements: [KaitaiValue]
    ) throws(KaitaiError) -> KaitaiValue {
        guard let first = elements.first else {
            if method == .size || method == .length { return .integer(0) }
            throw KaitaiError(code: .index, what: "the array is empty")
        }
        switch method {
        case .size, .length: return .integer(Int128(elements.count))
        case .first: return first
        case .last: return elements.last ?? first
        case .min, .max:
            var best = first
            for element in elements.dropFirst() {
                let order = try order(element, best)
                if method == .min ? order < 0 : order > 0 { best = element }
            }
            return best
        default: throw KaitaiError(code: .type, what: "an array has no \"\(method.rawValue)\"")
        }
    }

    private func call(_ method: Method, onStream stream: ByteStream) throws(KaitaiError)
        -> KaitaiValue
    {
        switch method {
        case .size: return .integer(Int128(stream.count))
        case .position: return .integer(Int128(stream.position - stream.start))
        case .isAtEnd: return .bool(stream.isAtEnd)
        default: throw KaitaiError(code: .type, what: "a stream has no \"\(method.rawValue)\"")
        }
    }
}
