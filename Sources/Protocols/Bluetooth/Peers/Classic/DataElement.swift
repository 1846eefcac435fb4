/// A data element of the Service Discovery Protocol (Core 5.4 Vol 3 Part B 3).
///
/// It covers the types that an accessory needs.
indirect enum DataElement: Sendable {
    case unsigned(UInt64, size: Int)
    case uuid(ServiceUUID)
    case text(String)
    case sequence([DataElement])
    /// An element of another type.
    case other

    private static let depthMax = 8

    /// Parses and removes an element at the start; `nil` if it is incomplete or malformed.
    init?(parsing bytes: inout ArraySlice<UInt8>) {
        self.init(parsing: &bytes, depth: 0)
    }

    private init?(parsing bytes: inout ArraySlice<UInt8>, depth: Int) {
        guard depth < Self.depthMax, let header = bytes.popFirst() else { return nil }
        let (type, index) = (header >> 3, header & 7)
        var size = type == 0 ? 0 : 1 << Int(index)
        if index >= 5 {
            let digits = 1 << Int(index - 5)
            guard bytes.count >= digits else { return nil }
            size = bytes.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(digits)
        }
        guard bytes.count >= size else { return nil }
        var value = bytes.prefix(size)
        bytes = bytes.dropFirst(size)
        switch type {
        case 1 where size <= 8:
            self = .unsigned(value.reduce(0) { $0 << 8 | UInt64($1) }, size: size)
        case 3:
            // In all UUIDs of four bytes that are known here, the upper two bytes are 0.
            let sent = size == 4 ? value.suffix(2).reversed() : value.reversed()
            self = ServiceUUID(sent: sent).map { .uuid($0) } ?? .other
        case 6:
            var elements: [DataElement] = []
            while !value.isEmpty {
                guard let element = DataElement(parsing: &value, depth: depth + 1) else {
                    return nil
                }
                elements.append(element)
            }
            self = .sequence(elements)
        default: self = .other
        }
    }

    /// All UUIDs in it.
    var uuids: [ServiceUUID] {
        switch self {
        case .uuid(let uuid): [uuid]
        case .sequence(let elements): elements.flatMap(\.uuids)
        case .unsigned, .text, .other: []
        }
    }

    /// The encoded element; the encoded contents must have fewer than 256 bytes.
    var bytes: [UInt8] {
        switch self {
        case .unsigned(let number, let size):
            let value = (0..<size).reversed().map {
                UInt8(truncatingIfNeeded: number >> (8 * UInt64($0)))
            }
            return [1 << 3 | UInt8(clamping: size.trailingZeroBitCount)] + value
        case .uuid(let uuid):
            return [3 << 3 | (uuid.bytes.count == 2 ? 1 : 4)] + uuid.bytes.reversed()
        case .text(let text):
            return [4 << 3 | 5, UInt8(clamping: text.utf8.count)] + Array(text.utf8.prefix(255))
        case .sequence(let elements):
            let value = elements.flatMap(\.bytes)
            return [6 << 3 | 5, UInt8(clamping: value.count)] + value.prefix(255)
        case .other: return [0]
        }
    }
}
