/// What an object of a description holds, apart from any bytes: what is written, or has been read.
public struct KaitaiContent: Sendable, Hashable {
    /// What it holds.
    public indirect enum Kind: Sendable, Hashable {
        /// A field that is not there.
        case none
        /// A number, text, bytes, a Boolean.
        case value(KaitaiValue)
        case array([KaitaiContent])
        /// Fields by name; those without one are `_unnamed` with their place in `seq`.
        case object([String: KaitaiContent])
    }

    /// What it holds.
    public var kind: Kind
    /// What follows within its bounds: terminator, padding; `nil` if the description decides.
    public var filling: [UInt8]?
    /// Bytes at the end of an object's own stream that no field takes.
    public var tail: [UInt8] = []
    /// Where the bits come from that no field takes.
    var lastByte: UInt8?

    /// Makes content.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// An object of fields.
    public static func object(_ fields: [String: KaitaiContent]) -> KaitaiContent {
        KaitaiContent(.object(fields))
    }

    /// A single value.
    public static func value(_ value: KaitaiValue) -> KaitaiContent {
        KaitaiContent(.value(value))
    }

    /// An array.
    public static func array(_ elements: [KaitaiContent]) -> KaitaiContent {
        KaitaiContent(.array(elements))
    }
}

extension KaitaiReading {
    /// What the top object holds, with what `KaitaiDescription.encode` needs to give the same bytes
    /// if the reading keeps fillings.
    public var content: KaitaiContent { content(ofObject: 0) }

    private func content(ofObject index: Int) -> KaitaiContent {
        let record = objects[index]
        let model = description.types[record.type]
        var fields: [String: KaitaiContent] = [:]
        for slot in model.sequence {
            fields[model.fields[slot].id] = content(ofField: record.base + slot)
        }
        var content = KaitaiContent.object(fields)
        let stream = streams[record.stream]
        if let fillings, let filling = fillings.ofObjects[index] {
            content.filling = filling
            content.tail = Array(stream.bytes[min(record.end, stream.end)..<stream.end])
        }
        return content
    }

    private func content(ofField place: Int) -> KaitaiContent {
        var content = content(of: slots[place].value, place, 0)
        content.lastByte = fillings?.lastBytes[place]
        return content
    }

    private func content(of value: KaitaiValue, _ place: Int, _ index: Int) -> KaitaiContent {
        var content: KaitaiContent
        switch value {
        case .none: content = KaitaiContent(.none)
        case .object(let id): return self.content(ofObject: id.index)
        case .array(let elements):
            return .array(
                elements.enumerated().map { self.content(of: $0.element, place, $0.offset) })
        default: content = .value(value)
        }
        content.filling = fillings?.ofValues[Padding.Key(place: place, index: index)]
        return content
    }
}
