import Wire

/// The value of a parameter of an HCI command or event.
public enum HCIValue: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// A number; 64-bit numbers are stored by their bits.
    case number(Int64)
    /// A device address, its lower 48 bits.
    case address(UInt64)
    case bytes([UInt8])
    case records([HCIParameters])

    /// Creates a number.
    public init(integerLiteral value: Int64) { self = .number(value) }

    /// Returns a number of any width; a 64-bit number is stored by its bits.
    public static func number(_ value: some FixedWidthInteger) -> HCIValue {
        .number(Int64(truncatingIfNeeded: value))
    }
}

/// The parameters of an HCI command or event by their names.
///
/// The layout defines their order on the wire.
public struct HCIParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [HCIField: HCIValue]

    /// Creates parameters; the last value counts if a name is repeated.
    public init(dictionaryLiteral elements: (HCIField, HCIValue)...) {
        values = Dictionary(elements) { $1 }
    }

    /// The value of a parameter.
    public subscript(field: HCIField) -> HCIValue? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// Returns these parameters with others added; the others count where both have one.
    public func merging(_ others: HCIParameters) -> HCIParameters {
        var result = self
        result.values.merge(others.values) { $1 }
        return result
    }

    /// Returns a number; `nil` if there is none with that name.
    public func number(_ field: HCIField) -> Int64? {
        if case .number(let number)? = values[field] { number } else { nil }
    }

    /// Returns a connection handle or another 16-bit number.
    public func uint16(_ field: HCIField) -> UInt16? {
        number(field).map { UInt16(truncatingIfNeeded: $0) }
    }

    /// Returns an 8-bit number.
    public func uint8(_ field: HCIField) -> UInt8? {
        number(field).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Returns a device address.
    public func address(_ field: HCIField = .bdAddr) -> UInt64? {
        if case .address(let address)? = values[field] { address } else { nil }
    }

    /// Returns bytes.
    public func bytes(_ field: HCIField) -> [UInt8]? {
        if case .bytes(let bytes)? = values[field] { bytes } else { nil }
    }

    /// Returns records; none if there are none with that name.
    public func records(_ field: HCIField) -> [HCIParameters] {
        if case .records(let records)? = values[field] { records } else { [] }
    }
}

// MARK: - Wire

extension HCIParameters {
    /// Reads parameters by their layout.
    ///
    /// - Throws: `.truncated`.
    init(parsing reader: inout ByteReader, _ layout: [HCIParameter]) throws(DecodeError) {
        values = [:]
        for parameter in layout {
            values[parameter.field] = try Self.value(parameter.form, &reader, behind: self)
        }
    }

    private static func value(
        _ form: HCIParameter.Form, _ reader: inout ByteReader, behind known: HCIParameters
    ) throws(DecodeError) -> HCIValue {
        switch form {
        case .uint8: return .number(try reader.uint8())
        case .int8: return .number(Int8(bitPattern: try reader.uint8()))
        case .uint16: return .number(try reader.littleEndian16())
        case .uint24: return .number(try reader.littleEndian(3))
        case .uint32: return .number(try reader.littleEndian(4))
        case .uint64: return .number(try reader.littleEndian(8))
        case .handle: return .number(try reader.littleEndian16() & 0x0FFF)
        case .address: return .address(try reader.bluetoothAddress())
        case .bytes(let count): return .bytes(try reader.array(count))
        case .counted: return .bytes(try reader.array(Int(try reader.uint8())))
        case .rest: return .bytes(try reader.array(reader.remaining))
        case .records(let parts):
            return .records(try records(Int(try reader.uint8()), parts, &reader))
        case .recordPerBit(let mask, let parts):
            let count = known.number(mask)?.nonzeroBitCount ?? 0
            return .records(try records(count, parts, &reader))
        }
    }

    private static func records(
        _ count: Int, _ parts: [HCIParameter], _ reader: inout ByteReader
    ) throws(DecodeError) -> [HCIParameters] {
        var records: [HCIParameters] = []
        for _ in 0..<count { records.append(try HCIParameters(parsing: &reader, parts)) }
        return records
    }

    /// Returns the parameters on the wire.
    ///
    /// Missing ones are zero or empty, and those that the layout does not have are omitted.
    func bytes(_ layout: [HCIParameter]) -> [UInt8] {
        layout.reduce(into: []) { append($1, to: &$0) }
    }

    private func append(_ parameter: HCIParameter, to bytes: inout [UInt8]) {
        let field = parameter.field
        switch parameter.form {
        case .uint8, .int8: bytes.append(littleEndian: number(field) ?? 0, bytes: 1)
        case .uint16: bytes.append(littleEndian: number(field) ?? 0, bytes: 2)
        case .handle: bytes.append(littleEndian: (number(field) ?? 0) & 0x0FFF, bytes: 2)
        case .uint24: bytes.append(littleEndian: number(field) ?? 0, bytes: 3)
        case .uint32: bytes.append(littleEndian: number(field) ?? 0, bytes: 4)
        case .uint64: bytes.append(littleEndian: number(field) ?? 0, bytes: 8)
        case .address:
            bytes.append(littleEndian: Int64(bitPattern: address(field) ?? 0), bytes: 6)
        case .bytes(let count):
            let value = self.bytes(field)?.prefix(count) ?? []
            bytes += value + [UInt8](repeating: 0, count: count - value.count)
        case .counted:
            let value = self.bytes(field)?.prefix(0xFF) ?? []
            bytes.append(UInt8(clamping: value.count))
            bytes += value
        case .rest: bytes += self.bytes(field) ?? []
        case .records(let parts):
            let records = records(field).prefix(0xFF)
            bytes.append(UInt8(clamping: records.count))
            for record in records { bytes += record.bytes(parts) }
        case .recordPerBit(let mask, let parts):
            // The mask gives the number of records, whether or not they are given.
            let records = records(field)
            for index in 0..<(number(mask).map { ($0 & 0xFF).nonzeroBitCount } ?? 0) {
                bytes += (index < records.count ? records[index] : [:]).bytes(parts)
            }
        }
    }
}

// MARK: - As fields of a message

extension HCIParameters {
    /// Returns the parameters as members of an object, in the layout's order.
    func members(_ layout: [HCIParameter]) -> [Wire.Value.Member] {
        layout.compactMap { parameter in
            guard let value = values[parameter.field] else { return nil }
            return Wire.Value.Member(
                parameter.field.rawValue, Self.value(value, parameter.form))
        }
    }

    private static func value(_ value: HCIValue, _ form: HCIParameter.Form) -> Wire.Value {
        switch (value, form) {
        case (.number(let number), _): .integer(number)
        case (.address(let address), _): .string(BluetoothNode.address(address).description)
        case (.bytes(let bytes), _): .bytes(bytes)
        case (.records(let records), .records(let parts)),
            (.records(let records), .recordPerBit(_, let parts)):
            .array(records.map { .object($0.members(parts)) })
        case (.records, _): .null
        }
    }
}

extension ByteReader {
    /// Consumes a 16-bit number, least significant byte first.
    @_lifetime(self: copy self)
    mutating func littleEndian16(_ field: StaticString = "") throws(DecodeError) -> UInt16 {
        try uint16(field).byteSwapped
    }

    /// Consumes a number of at most eight bytes, least significant byte first.
    @_lifetime(self: copy self)
    mutating func littleEndian(
        _ count: Int, _ field: StaticString = ""
    ) throws(DecodeError) -> UInt64 {
        try array(count, field).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Consumes a device address, least significant byte first.
    @_lifetime(self: copy self)
    mutating func bluetoothAddress(_ field: StaticString = "") throws(DecodeError) -> UInt64 {
        try littleEndian(6, field)
    }
}

extension [UInt8] {
    /// Appends a 16-bit number, least significant byte first.
    mutating func append(littleEndian number: UInt16) {
        append(littleEndian: Int64(number), bytes: 2)
    }

    /// Appends the lower bytes of a number, least significant byte first.
    mutating func append(littleEndian number: Int64, bytes count: Int) {
        for shift in 0..<count { append(UInt8(truncatingIfNeeded: number >> Int64(shift * 8))) }
    }
}
