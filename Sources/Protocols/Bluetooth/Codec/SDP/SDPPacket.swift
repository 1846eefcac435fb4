import Wire

/// A packet of the Service Discovery Protocol (Core 5.4 Vol 3 Part B 4).
public struct SDPPacket: Sendable, Hashable {
    /// The kind and parameters of a packet.
    public enum Content: Sendable, Hashable {
        case errorResponse(code: UInt16)
        case serviceSearchRequest(
            pattern: SDPElement, maximumCount: UInt16, continuation: [UInt8])
        case serviceSearchResponse(total: UInt16, records: [UInt32], continuation: [UInt8])
        case serviceAttributeRequest(
            record: UInt32, maximumBytes: UInt16, attributes: SDPElement,
            continuation: [UInt8])
        /// A part of a list of attributes, which is complete when no continuation follows.
        case serviceAttributeResponse(part: [UInt8], continuation: [UInt8])
        case serviceSearchAttributeRequest(
            pattern: SDPElement, maximumBytes: UInt16, attributes: SDPElement,
            continuation: [UInt8])
        /// A part of a list of lists of attributes.
        case serviceSearchAttributeResponse(part: [UInt8], continuation: [UInt8])
        /// An unknown packet.
        case unknown(UInt8, [UInt8])
    }

    /// The number that matches an answer with its request.
    public var transaction: UInt16
    /// The kind and parameters of the packet.
    public var content: Content

    /// Creates a packet.
    public init(_ content: Content, transaction: UInt16) {
        self.content = content
        self.transaction = transaction
    }

    /// The code of the packet.
    public var code: UInt8 {
        switch content {
        case .errorResponse: 1
        case .serviceSearchRequest: 2
        case .serviceSearchResponse: 3
        case .serviceAttributeRequest: 4
        case .serviceAttributeResponse: 5
        case .serviceSearchAttributeRequest: 6
        case .serviceSearchAttributeResponse: 7
        case .unknown(let code, _): code
        }
    }
}

extension SDPPacket {
    /// Reads a packet, which is the payload of an L2CAP unit.
    ///
    /// - Throws: `.truncated`, `.badLength` for bytes after it, and the errors of a data element.
    public init(parsing bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, unit: "btsdp")
        let code = try reader.uint8("pdu")
        transaction = try reader.uint16("tid")
        var body = ByteReader(
            try reader.span(Int(try reader.uint16("len")), "parameters"), unit: "btsdp")
        try reader.requireEnd(of: "btsdp.len")
        content = try Self.content(code, &body)
        guard body.remaining == 0 else {
            throw DecodeError(
                .badLength, in: "btsdp", at: body.offset,
                "\(body.remaining) byte(s) after the parameters")
        }
    }

    private static func content(
        _ code: UInt8, _ reader: inout ByteReader
    ) throws(DecodeError) -> Content {
        switch code {
        case 1:
            let code = try reader.uint16("error_code")
            // Information about the error was allowed before version 2.1.
            try reader.skip(reader.remaining, "error_info")
            return .errorResponse(code: code)
        case 2:
            let pattern = try SDPElement(parsing: &reader)
            let count = try reader.uint16("maximum_service_record_count")
            return .serviceSearchRequest(
                pattern: pattern, maximumCount: count,
                continuation: try continuation(&reader))
        case 3:
            let total = try reader.uint16("ssr.total_count")
            var records: [UInt32] = []
            for _ in 0..<Int(try reader.uint16("ssr.current_count")) {
                records.append(try reader.uint32("service_record_handle"))
            }
            return .serviceSearchResponse(
                total: total, records: records, continuation: try continuation(&reader))
        case 4:
            let record = try reader.uint32("service_record_handle")
            let count = try reader.uint16("maximum_attribute_byte_count")
            let attributes = try SDPElement(parsing: &reader)
            return .serviceAttributeRequest(
                record: record, maximumBytes: count, attributes: attributes,
                continuation: try continuation(&reader))
        case 6:
            let pattern = try SDPElement(parsing: &reader)
            let count = try reader.uint16("maximum_attribute_byte_count")
            let attributes = try SDPElement(parsing: &reader)
            return .serviceSearchAttributeRequest(
                pattern: pattern, maximumBytes: count, attributes: attributes,
                continuation: try continuation(&reader))
        case 5, 7:
            let count = Int(try reader.uint16("attribute_list_byte_count"))
            let part = try reader.array(count, "attribute_list")
            let continuation = try continuation(&reader)
            return code == 5
                ? .serviceAttributeResponse(part: part, continuation: continuation)
                : .serviceSearchAttributeResponse(part: part, continuation: continuation)
        default: return .unknown(code, try reader.array(reader.remaining))
        }
    }

    private static func continuation(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> [UInt8] {
        try reader.array(
            Int(try reader.uint8("continuation_state.length")), "continuation_state.value")
    }

    /// The packet on the wire, which is the payload of an L2CAP unit.
    public var bytes: [UInt8] {
        var body: [UInt8] = []
        switch content {
        case .errorResponse(let code): body.append(bigEndian: code)
        case .serviceSearchRequest(let pattern, let count, let continuation):
            body += pattern.bytes
            body.append(bigEndian: count)
            body.append(body: continuation)
        case .serviceSearchResponse(let total, let records, let continuation):
            body.append(bigEndian: total)
            body.append(bigEndian: UInt16(clamping: records.count))
            for record in records { body.append(bigEndian: record) }
            body.append(body: continuation)
        case .serviceAttributeRequest(let record, let count, let attributes, let continuation):
            body.append(bigEndian: record)
            body.append(bigEndian: count)
            body += attributes.bytes
            body.append(body: continuation)
        case .serviceSearchAttributeRequest(
            let pattern, let count, let attributes, let continuation):
            body += pattern.bytes
            body.append(bigEndian: count)
            body += attributes.bytes
            body.append(body: continuation)
        case .serviceAttributeResponse(let part, let continuation),
            .serviceSearchAttributeResponse(let part, let continuation):
            body.append(bigEndian: UInt16(clamping: part.count))
            body += part
            body.append(body: continuation)
        case .unknown(_, let rest): body += rest
        }
        var bytes = [code]
        bytes.append(bigEndian: transaction)
        bytes.append(bigEndian: UInt16(clamping: body.count))
        return bytes + body
    }
}
