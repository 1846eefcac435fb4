import Wire

/// A data element of the Service Discovery Protocol (Core 5.4 Vol 3 Part B 3).
public indirect enum SDPElement: Sendable, Hashable {
    case null
    /// A number of 1, 2, 4 or 8 bytes.
    case unsigned(UInt64, size: Int)
    /// A signed number of 1, 2, 4 or 8 bytes.
    case signed(Int64, size: Int)
    /// A signed or unsigned number of 16 bytes.
    case wide([UInt8], isSigned: Bool)
    case uuid(BluetoothUUID)
    /// Text, in an encoding that another attribute specifies.
    case text([UInt8])
    case bool(Bool)
    case sequence([SDPElement])
    /// A choice of elements.
    case alternative([SDPElement])
    case url([UInt8])

    /// The largest depth of nested elements; real ones have five.
    static let depthMax = 16

    /// Returns text in UTF-8.
    public static func text(_ text: String) -> SDPElement { .text(Array(text.utf8)) }
    /// Returns a number of one byte.
    public static func uint8(_ number: UInt8) -> SDPElement { .unsigned(UInt64(number), size: 1) }
    /// Returns a number of two bytes.
    public static func uint16(_ number: UInt16) -> SDPElement {
        .unsigned(UInt64(number), size: 2)
    }
    /// Returns a number of four bytes.
    public static func uint32(_ number: UInt32) -> SDPElement {
        .unsigned(UInt64(number), size: 4)
    }
    /// Returns a UUID from its short form.
    public static func uuid16(_ number: UInt16) -> SDPElement {
        .uuid(BluetoothUUID(UInt32(number)))
    }

    /// The elements of a sequence or a choice.
    public var elements: [SDPElement] {
        switch self {
        case .sequence(let elements), .alternative(let elements): elements
        default: []
        }
    }

    /// The UUID, if the element is one.
    public var uuid: BluetoothUUID? { if case .uuid(let uuid) = self { uuid } else { nil } }

    /// The number, if the element is an unsigned number.
    public var number: UInt64? { if case .unsigned(let number, _) = self { number } else { nil } }

    /// All UUIDs in the element at any depth, in their order.
    public var uuids: [BluetoothUUID] {
        uuid.map { [$0] } ?? elements.flatMap(\.uuids)
    }
}

extension SDPElement {
    private enum Kind: UInt8 {
        case null = 0
        case unsigned, signed, uuid, text, bool, sequence, alternative, url
    }

    /// Reads an element.
    ///
    /// - Throws: `.truncated`, `.badValue` for a type that does not exist, `.badLength` for a size
    ///   that a type cannot have, `.limit` for elements nested too deeply.
    public init(parsing reader: inout ByteReader) throws(DecodeError) {
        try self.init(&reader, depth: 0)
    }

    private init(_ reader: inout ByteReader, depth: Int) throws(DecodeError) {
        guard depth < Self.depthMax else {
            throw DecodeError(
                .limit, in: "btsdp.data_element", at: reader.offset,
                "more than \(Self.depthMax) nested elements")
        }
        let offset = reader.offset
        let header = try reader.uint8("data_element.type")
        guard let kind = Kind(rawValue: header >> 3) else {
            throw DecodeError(
                .badValue, in: "btsdp.data_element.type", at: offset, "type \(header >> 3)")
        }
        if kind == .null, header & 7 == 0 {
            self = .null
            return
        }
        let size: Int
        switch header & 7 {
        case 5: size = Int(try reader.uint8("data_element.var_size"))
        case 6: size = Int(try reader.uint16("data_element.var_size"))
        case 7: size = Int(try reader.uint32("data_element.var_size"))
        case let index: size = 1 << Int(index)
        }
        try self.init(kind, header & 7, size, &reader, at: offset, depth: depth)
    }

    private init(
        _ kind: Kind, _ index: UInt8, _ size: Int, _ reader: inout ByteReader, at offset: Int,
        depth: Int
    ) throws(DecodeError) {
        func misfit() -> DecodeError {
            DecodeError(
                .badLength, in: "btsdp.data_element.size", at: offset,
                "\(size) byte(s) of type \(kind.rawValue)")
        }
        switch kind {
        case .unsigned where index == 4, .signed where index == 4:
            self = .wide(try reader.array(16, "data_element.value"), isSigned: kind == .signed)
        case .unsigned where index < 4:
            self = .unsigned(try Self.number(size, &reader), size: size)
        case .signed where index < 4:
            let shift = UInt64(64 - size * 8)
            let bits = Int64(bitPattern: try Self.number(size, &reader) << shift)
            self = .signed(bits >> Int64(shift), size: size)
        case .uuid where index == 1 || index == 2 || index == 4:
            let bytes = try reader.array(size, "data_element.value.uuid")
            guard let uuid = BluetoothUUID(bigEndian: bytes) else { throw misfit() }
            self = .uuid(uuid)
        case .text where index > 4: self = .text(try reader.array(size, "data_element.value"))
        case .url where index > 4: self = .url(try reader.array(size, "data_element.value"))
        case .bool where index == 0: self = .bool(try reader.uint8("data_element.value") != 0)
        case .sequence where index > 4, .alternative where index > 4:
            var body = ByteReader(
                try reader.span(size, "data_element.value"), unit: "btsdp.data_element")
            var elements: [SDPElement] = []
            while body.remaining > 0 {
                elements.append(try SDPElement(&body, depth: depth + 1))
            }
            self = kind == .sequence ? .sequence(elements) : .alternative(elements)
        default: throw misfit()
        }
    }

    private static func number(
        _ size: Int, _ reader: inout ByteReader
    ) throws(DecodeError) -> UInt64 {
        try reader.array(size, "data_element.value").reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The element on the wire; a UUID in its shortest form.
    public var bytes: [UInt8] {
        switch self {
        case .null: return [0]
        case .unsigned(let number, let size): return Self.fixed(.unsigned, number, size)
        case .signed(let number, let size):
            return Self.fixed(.signed, UInt64(bitPattern: number), size)
        case .wide(let bytes, let isSigned):
            return [(isSigned ? Kind.signed : .unsigned).rawValue << 3 | 4] + bytes
        case .uuid(let uuid):
            let bytes = uuid.shortestBytes
            let index: UInt8 = bytes.count == 2 ? 1 : bytes.count == 4 ? 2 : 4
            return [Kind.uuid.rawValue << 3 | index] + bytes
        case .text(let bytes): return Self.variable(.text, bytes)
        case .url(let bytes): return Self.variable(.url, bytes)
        case .bool(let flag): return [Kind.bool.rawValue << 3, flag ? 1 : 0]
        case .sequence(let elements): return Self.variable(.sequence, elements.flatMap(\.bytes))
        case .alternative(let elements):
            return Self.variable(.alternative, elements.flatMap(\.bytes))
        }
    }

    private static func fixed(_ kind: Kind, _ number: UInt64, _ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return [kind.rawValue << 3 | UInt8(clamping: size.trailingZeroBitCount)]
            + bytes.suffix(size)
    }

    private static func variable(_ kind: Kind, _ value: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        if let count = UInt8(exactly: value.count) {
            bytes = [kind.rawValue << 3 | 5, count]
        } else if let count = UInt16(exactly: value.count) {
            bytes = [kind.rawValue << 3 | 6]
            bytes.append(bigEndian: count)
        } else {
            bytes = [kind.rawValue << 3 | 7]
            bytes.append(bigEndian: UInt32(clamping: value.count))
        }
        return bytes + value
    }
}

extension BluetoothUUID {
    /// The shortest form, most significant byte first.
    var shortestBytes: [UInt8] {
        guard let short else { return longBytes.reversed() }
        var bytes: [UInt8] = []
        if let short16 { bytes.append(bigEndian: short16) } else { bytes.append(bigEndian: short) }
        return bytes
    }
}
