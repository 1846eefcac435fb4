import Wire

extension ATTPacket {
    /// The length of a signature in bytes (Core 5.4 Vol 3 Part F 3.3.1).
    private static let signatureSize = 12

    /// Reads a packet, which is the payload of an L2CAP unit.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it or an impossible length of items;
    ///   `.badValue` for a format of UUIDs that does not exist.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "btatt")
        let opcode = try reader.uint8("opcode")
        guard let operation = ATTOpcode(rawValue: opcode) else {
            self = .unknown(opcode: opcode, try reader.array(reader.remaining))
            return
        }
        self = try Self.packet(operation, &reader)
        try reader.requireEnd(of: "btatt")
    }

    private static func packet(
        _ operation: ATTOpcode, _ reader: inout ByteReader
    ) throws(DecodeError) -> ATTPacket {
        switch operation {
        case .errorResponse:
            let request = try reader.uint8("req_opcode_in_error")
            let handle = try reader.littleEndian16("handle")
            return .errorResponse(
                request: request, handle: handle, error: try reader.uint8("error_code"))
        case .exchangeMTURequest:
            return .exchangeMTURequest(mtu: try reader.littleEndian16("client_rx_mtu"))
        case .exchangeMTUResponse:
            return .exchangeMTUResponse(mtu: try reader.littleEndian16("server_rx_mtu"))
        case .findInformationRequest: return .findInformationRequest(try handles(&reader))
        case .findInformationResponse:
            return .findInformationResponse(try information(&reader))
        case .findByTypeValueRequest:
            let handles = try handles(&reader)
            let type = try reader.littleEndian16("uuid16")
            return .findByTypeValueRequest(handles, type: type, value: try rest(&reader))
        case .findByTypeValueResponse:
            var found = [try handles(&reader)]
            while reader.remaining > 0 { found.append(try handles(&reader)) }
            return .findByTypeValueResponse(found)
        case .readByTypeRequest:
            return .readByTypeRequest(try handles(&reader), type: try uuid(&reader))
        case .readByTypeResponse: return .readByTypeResponse(try attributes(&reader))
        case .readByGroupTypeRequest:
            return .readByGroupTypeRequest(try handles(&reader), type: try uuid(&reader))
        case .readByGroupTypeResponse: return .readByGroupTypeResponse(try groups(&reader))
        default: return try access(operation, &reader)
        }
    }

    /// Reads packets that read or write values.
    private static func access(
        _ operation: ATTOpcode, _ reader: inout ByteReader
    ) throws(DecodeError) -> ATTPacket {
        switch operation {
        case .readResponse: return .readResponse(value: try rest(&reader))
        case .readBlobResponse: return .readBlobResponse(value: try rest(&reader))
        case .readMultipleResponse: return .readMultipleResponse(values: try rest(&reader))
        case .writeResponse: return .writeResponse
        case .executeWriteResponse: return .executeWriteResponse
        case .handleValueConfirmation: return .handleValueConfirmation
        case .executeWriteRequest:
            return .executeWriteRequest(flags: try reader.uint8("flags"))
        case .readMultipleRequest:
            return .readMultipleRequest(handles: try handleList(&reader))
        case .readMultipleVariableRequest:
            return .readMultipleVariableRequest(handles: try handleList(&reader))
        case .readMultipleVariableResponse:
            return .readMultipleVariableResponse(values: try values(&reader))
        case .multipleHandleValueNotification:
            var items: [Attribute] = []
            while reader.remaining > 0 {
                let handle = try reader.littleEndian16("handle")
                items.append(Attribute(handle: handle, value: try counted(&reader)))
            }
            return .multipleHandleValueNotification(items)
        default: return try write(operation, &reader)
        }
    }

    /// Reads packets that begin with a handle.
    private static func write(
        _ operation: ATTOpcode, _ reader: inout ByteReader
    ) throws(DecodeError) -> ATTPacket {
        let handle = try reader.littleEndian16("handle")
        switch operation {
        case .readRequest: return .readRequest(handle: handle)
        case .readBlobRequest:
            return .readBlobRequest(
                handle: handle, offset: try reader.littleEndian16("offset"))
        case .prepareWriteRequest, .prepareWriteResponse:
            let offset = try reader.littleEndian16("offset")
            let value = try rest(&reader)
            return operation == .prepareWriteRequest
                ? .prepareWriteRequest(handle: handle, offset: offset, value: value)
                : .prepareWriteResponse(handle: handle, offset: offset, value: value)
        case .writeCommand: return .writeCommand(handle: handle, value: try rest(&reader))
        case .handleValueNotification:
            return .handleValueNotification(handle: handle, value: try rest(&reader))
        case .handleValueIndication:
            return .handleValueIndication(handle: handle, value: try rest(&reader))
        case .signedWriteCommand:
            let value = try reader.array(
                max(0, reader.remaining - Self.signatureSize), "value")
            return .signedWriteCommand(
                handle: handle, value: value,
                signature: try reader.array(Self.signatureSize, "signature"))
        default: return .writeRequest(handle: handle, value: try rest(&reader))
        }
    }
}

// MARK: - Parts

extension ATTPacket {
    private static func rest(_ reader: inout ByteReader) throws(DecodeError) -> [UInt8] {
        try reader.array(reader.remaining, "value")
    }

    private static func counted(_ reader: inout ByteReader) throws(DecodeError) -> [UInt8] {
        try reader.array(Int(try reader.littleEndian16("length")), "value")
    }

    /// Reads values after their lengths.
    ///
    /// A list that is longer than the packet may be is cut anywhere, and the last length is still
    /// that of the whole value (Core 5.4 Vol 3 Part F 3.4.4.12).
    private static func values(_ reader: inout ByteReader) throws(DecodeError) -> [[UInt8]] {
        var values: [[UInt8]] = []
        while reader.remaining >= 2 {
            let length = Int(try reader.littleEndian16("length"))
            values.append(try reader.array(min(length, reader.remaining), "value"))
        }
        try reader.skip(reader.remaining, "length")
        return values
    }

    private static func handles(_ reader: inout ByteReader) throws(DecodeError) -> Handles {
        let start = try reader.littleEndian16("starting_handle")
        return Handles(start, try reader.littleEndian16("ending_handle"))
    }

    private static func handleList(_ reader: inout ByteReader) throws(DecodeError) -> [UInt16] {
        var handles: [UInt16] = []
        while reader.remaining > 0 { handles.append(try reader.littleEndian16("handle")) }
        return handles
    }

    /// Reads a type from the last 2 or 16 bytes.
    private static func uuid(_ reader: inout ByteReader) throws(DecodeError) -> BluetoothUUID {
        let (offset, count) = (reader.offset, reader.remaining)
        guard count == 2 || count == 16,
            let uuid = BluetoothUUID(littleEndian: try reader.array(count, "uuid"))
        else {
            throw DecodeError(
                .badLength, in: "btatt.uuid", at: offset, "\(count) byte(s), expected 2 or 16")
        }
        return uuid
    }

    /// Reads a format, then attributes with their types, all short or all long.
    private static func information(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> [Information] {
        let format = try reader.uint8("uuid_format")
        guard format == 1 || format == 2 else {
            throw DecodeError(
                .badValue, in: "btatt.uuid_format", at: 1, "\(format), expected 1 or 2")
        }
        var items: [Information] = []
        repeat {
            let handle = try reader.littleEndian16("handle")
            let bytes = try reader.array(format == 1 ? 2 : 16, "uuid")
            guard let type = BluetoothUUID(littleEndian: bytes) else { continue }
            items.append(Information(handle: handle, type: type))
        } while reader.remaining > 0
        return items
    }

    /// Reads a length, then items of that length.
    private static func items(
        atLeast size: Int, _ reader: inout ByteReader
    ) throws(DecodeError) -> [[UInt8]] {
        let length = Int(try reader.uint8("length"))
        guard length >= size, reader.remaining > 0, reader.remaining % length == 0 else {
            throw DecodeError(
                .badLength, in: "btatt.length", at: 1,
                "items of \(length) in \(reader.remaining) byte(s)")
        }
        var items: [[UInt8]] = []
        while reader.remaining > 0 { items.append(try reader.array(length, "attribute_data")) }
        return items
    }

    private static func attributes(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> [Attribute] {
        try items(atLeast: 2, &reader).map { item in
            Attribute(
                handle: UInt16(item[0]) | UInt16(item[1]) << 8, value: Array(item.dropFirst(2)))
        }
    }

    private static func groups(_ reader: inout ByteReader) throws(DecodeError) -> [Group] {
        try items(atLeast: 4, &reader).map { item in
            Group(
                Handles(
                    UInt16(item[0]) | UInt16(item[1]) << 8,
                    UInt16(item[2]) | UInt16(item[3]) << 8),
                value: Array(item.dropFirst(4)))
        }
    }
}

// MARK: - Writing

extension ATTPacket {
    /// The packet on the wire, which is the payload of an L2CAP unit.
    ///
    /// Lists whose items must have one length contain only items with the length of the first one.
    public var bytes: [UInt8] {
        var bytes = [opcode]
        func append(_ numbers: UInt16...) {
            for number in numbers { bytes.append(littleEndian: number) }
        }
        switch self {
        case .errorResponse(let request, let handle, let error):
            bytes.append(request)
            append(handle)
            bytes.append(error)
        case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): append(mtu)
        case .findInformationRequest(let handles): append(handles.start, handles.end)
        case .findInformationResponse(let items): bytes += Self.bytes(of: items)
        case .findByTypeValueRequest(let handles, let type, let value):
            append(handles.start, handles.end, type)
            bytes += value
        case .findByTypeValueResponse(let found):
            for handles in found { append(handles.start, handles.end) }
        case .readByTypeRequest(let handles, let type),
            .readByGroupTypeRequest(let handles, let type):
            append(handles.start, handles.end)
            bytes += type.attributeBytes
        case .readByTypeResponse(let items):
            bytes += Self.list(items.map { Self.pair($0.handle) + $0.value })
        case .readByGroupTypeResponse(let groups):
            bytes += Self.list(
                groups.map { Self.pair($0.handles.start) + Self.pair($0.handles.end) + $0.value })
        case .readRequest(let handle): append(handle)
        case .readResponse(let value), .readBlobResponse(let value),
            .readMultipleResponse(let value):
            bytes += value
        case .readBlobRequest(let handle, let offset): append(handle, offset)
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            for handle in handles { append(handle) }
        case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
            .handleValueNotification(let handle, let value),
            .handleValueIndication(let handle, let value):
            append(handle)
            bytes += value
        case .signedWriteCommand(let handle, let value, let signature):
            append(handle)
            bytes += value + signature
        case .prepareWriteRequest(let handle, let offset, let value),
            .prepareWriteResponse(let handle, let offset, let value):
            append(handle, offset)
            bytes += value
        case .executeWriteRequest(let flags): bytes.append(flags)
        case .readMultipleVariableResponse(let values):
            for value in values { bytes += Self.counted(value) }
        case .multipleHandleValueNotification(let items):
            for item in items { bytes += Self.pair(item.handle) + Self.counted(item.value) }
        case .writeResponse, .executeWriteResponse, .handleValueConfirmation: break
        case .unknown(_, let rest): bytes += rest
        }
        return bytes
    }

    private static func pair(_ number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }

    private static func counted(_ value: [UInt8]) -> [UInt8] {
        pair(UInt16(clamping: value.count)) + value
    }

    private static func list(_ items: [[UInt8]]) -> [UInt8] {
        let length = items.first?.count ?? 0
        return [UInt8(clamping: length)] + items.filter { $0.count == length }.joined()
    }

    private static func bytes(of items: [Information]) -> [UInt8] {
        let isShort = items.allSatisfy { $0.type.short16 != nil }
        return items.reduce(into: [isShort ? 1 : 2]) { bytes, item in
            bytes += pair(item.handle)
            bytes += isShort ? item.type.attributeBytes : item.type.longBytes
        }
    }
}
