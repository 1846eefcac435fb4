import Bluetooth

/// A service record, with the server that finds and reads it (Core 5.4 Vol 3 Part B).
struct ServiceRecord: Sendable {
    /// The reason for refusing a request (4.4.1).
    private enum Refusal: UInt16, Error {
        case invalidHandle = 0x0002
        case invalidSyntax = 0x0003
        case invalidContinuation = 0x0005
    }

    private static let handle: UInt32 = 0x0001_0001
    /// The most bytes of attributes in one answer: with its headers it fits into a unit.
    private static let partMax = 512

    private let record: SDPRecord

    /// Creates the record of an accessory whose sessions use an RFCOMM channel.
    ///
    /// Its contents are those of BlueZ's `profiles/iap/main.c`, except that the class is that of
    /// accessories, 00000000-deca-fade-deca-deafdecacaff.
    init(accessoryOn channel: UInt8) {
        let accessories = BluetoothUUID(upper: 0xDECA_FADE, lower: 0xDECA_DEAF_DECA_CAFF)
        record = SDPRecord([
            SDPRecord.Attribute.recordHandle: .uint32(Self.handle),
            SDPRecord.Attribute.serviceClasses: .sequence([.uuid(accessories)]),
            SDPRecord.Attribute.protocols: .sequence([
                .sequence([.uuid(SDPRecord.l2cap)]),
                .sequence([.uuid(SDPRecord.rfcomm), .uint8(channel)]),
            ]),
            SDPRecord.Attribute.browseGroups: .sequence([.uuid16(0x1002)]),
            SDPRecord.Attribute.languages: .sequence(
                [0x656E, 0x006A, 0x0100].map(SDPElement.uint16)),
            SDPRecord.Attribute.availability: .uint8(0xFF),
            SDPRecord.Attribute.profiles: .sequence([
                .sequence([.uuid16(0x1101), .uint16(0x0100)])
            ]),
            SDPRecord.Attribute.name: .text("Wireless iAP"),
        ])
    }

    /// Returns the answer to a request; `nil` if the PDU is not a request.
    func answer(to pdu: [UInt8]) -> [UInt8]? {
        guard pdu.count >= 5, [2, 4, 6].contains(pdu[0]) else { return nil }
        let transaction = UInt16(pdu[1]) << 8 | UInt16(pdu[2])
        do throws(Refusal) {
            guard let request = try? SDPPacket(parsing: pdu.span.bytes) else {
                throw .invalidSyntax
            }
            return SDPPacket(try answer(to: request.content), transaction: transaction).bytes
        } catch {
            return SDPPacket(.errorResponse(code: error.rawValue), transaction: transaction).bytes
        }
    }

    private func answer(to request: SDPPacket.Content) throws(Refusal) -> SDPPacket.Content {
        switch request {
        case .serviceSearchRequest(let pattern, _, let continuation):
            guard continuation.isEmpty else { throw .invalidContinuation }
            let found = record.matches(pattern.uuids) ? [Self.handle] : []
            return .serviceSearchResponse(
                total: UInt16(found.count), records: found, continuation: [])
        case .serviceAttributeRequest(Self.handle, let limit, let ids, let continuation):
            let (part, rest) = try part(of: list(ids), limit, from: continuation)
            return .serviceAttributeResponse(part: part, continuation: rest)
        case .serviceAttributeRequest: throw .invalidHandle
        case .serviceSearchAttributeRequest(let pattern, let limit, let ids, let continuation):
            let lists = record.matches(pattern.uuids) ? [list(ids)] : []
            let (part, rest) = try part(of: .sequence(lists), limit, from: continuation)
            return .serviceSearchAttributeResponse(part: part, continuation: rest)
        default: throw .invalidSyntax
        }
    }

    private func list(_ ids: SDPElement) -> SDPElement {
        record.list(of: SDPRecord.ranges(in: ids))
    }

    /// Returns a part of a list, and the continuation state, which is the offset of the next part.
    private func part(
        of list: SDPElement, _ limit: UInt16, from continuation: [UInt8]
    ) throws(Refusal) -> ([UInt8], [UInt8]) {
        let bytes = list.bytes
        let offset = continuation.reduce(0) { $0 << 8 | Int($1) }
        guard [0, 2].contains(continuation.count), offset <= bytes.count else {
            throw .invalidContinuation
        }
        guard limit >= 7 else { throw .invalidSyntax }
        let part = Array(bytes.dropFirst(offset).prefix(min(Int(limit), Self.partMax)))
        let next = offset + part.count
        return (
            part,
            next < bytes.count ? [UInt8(clamping: next >> 8), UInt8(truncatingIfNeeded: next)] : []
        )
    }
}
