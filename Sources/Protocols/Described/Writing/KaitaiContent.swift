/// The content of an object without its bytes: content to be written, or content that was read.
public struct KaitaiContent: Sendable, Hashable {
    /// The kinds of content.
    public indirect enum Kind: Sendable, Hashable {
        /// An absent field.
        case none
        /// A number, text, bytes, or a Boolean.
        case value(KaitaiValue)
        case array([KaitaiContent])
        /// Fields by name; a field without a name is `_unnamed` with its index in `seq`.
        case object([String: KaitaiContent])
    }

    /// The content itself.
    public var kind: Kind
    /// The bytes after the value in its bounds: terminator and padding.
    ///
    /// `nil` if the description decides.
    public var trailingBytes: [UInt8]?
    /// Bytes at the end of an object's own stream that belong to no field.
    public var tail: [UInt8] = []
    /// The byte that supplies the bits that belong to no field.
    var lastByte: UInt8?

    /// Creates content.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// Returns the content of an object with fields.
    public static func object(_ fields: [String: KaitaiContent]) -> KaitaiContent {
        KaitaiContent(.object(fields))
    }

    /// Returns the content of a single value.
    public static func value(_ value: KaitaiValue) -> KaitaiContent {
        KaitaiContent(.value(value))
    }

    /// Returns the content of an array.
    public static func array(_ elements: [KaitaiContent]) -> KaitaiContent {
        KaitaiContent(.array(elements))
    }
}

extension KaitaiReading {
    /// The content of the top object.
    ///
    /// If the reading keeps fillings, `KaitaiDescription.encode` produces the same bytes from it.
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
        if let trailing, let trailingBytes = trailing.ofObjects[index] {
            content.trailingBytes = trailingBytes
            content.tail = Array(stream.bytes[min(record.end, stream.end)..<stream.end])
        }
        return content
    }

    private func content(ofField place: Int) -> KaitaiContent {
        var content = content(of: slots[place].value, place, 0)
        content.lastByte = trailing?.lastBytes[place]
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
        content.trailingBytes = trailing?.ofValues[Padding.Key(place: place, index: index)]
        return content
    }
}
