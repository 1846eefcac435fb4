/// A service record, with the server that finds and reads it (Core 5.4 Vol 3 Part B).
struct ServiceRecord: Sendable {
    private enum Code: UInt8 {
        case error = 1
        case search, searchAnswer, attributes, attributesAnswer, searchAttributes
        case searchAttributesAnswer
    }

    /// The reason for refusing a request (4.4.1).
    private enum Refusal: UInt16, Error {
        case invalidHandle = 0x0002
        case invalidSyntax = 0x0003
        case invalidContinuation = 0x0005
    }

    /// The part of a request that follows its pattern or record handle.
    private struct Question {
        let bytesMax: Int
        let ids: [ClosedRange<UInt16>]
        let offset: Int
    }

    private static let handle: UInt32 = 0x0001_0001
    /// The most bytes of attributes in one answer: with its headers it fits into a unit.
    private static let partMax = 512

    private let attributes: [(id: UInt16, value: DataElement)]

    /// Creates the record of an accessory whose sessions use an RFCOMM channel.
    ///
    /// Its contents are those of BlueZ's `profiles/iap/main.c`, except that the class is that of
    /// accessories.
    init(accessoryOn channel: UInt8) {
        let uuid = ServiceUUID("00000000-deca-fade-deca-deafdecacaff") ?? ServiceUUID(0)
        attributes = [
            (0x0000, .unsigned(UInt64(Self.handle), size: 4)),
            (0x0001, .sequence([.uuid(uuid)])),
            (
                0x0004,
                .sequence([
                    .sequence([.uuid(ServiceUUID(0x0100))]),
                    .sequence([
                        .uuid(ServiceUUID(0x0003)), .unsigned(UInt64(channel), size: 1),
                    ]),
                ])
            ),
            (0x0005, .sequence([.uuid(ServiceUUID(0x1002))])),
            (
                0x0006,
                .sequence([0x656E, 0x006A, 0x0100].map { .unsigned($0, size: 2) })
            ),
            (0x0008, .unsigned(0xFF, size: 1)),
            (
                0x0009,
                .sequence([
                    .sequence([.uuid(ServiceUUID(0x1101)), .unsigned(0x0100, size: 2)])
                ])
            ),
            (0x0100, .text("Wireless iAP")),
        ]
    }

    /// Returns the answer to a request; `nil` if the PDU is not a request.
    func answer(to pdu: [UInt8]) -> [UInt8]? {
        guard pdu.count >= 5, let code = Code(rawValue: pdu[0]), code.rawValue % 2 == 0 else {
            return nil
        }
        var body = pdu[5...]
        do throws(Refusal) {
            switch code {
            case .search: return reply(.searchAnswer, pdu, try search(&body))
            case .attributes: return reply(.attributesAnswer, pdu, try read(&body))
            default: return reply(.searchAttributesAnswer, pdu, try searchAndRead(&body))
            }
        } catch {
            return reply(.error, pdu, Self.bytes(error.rawValue))
        }
    }

    private func reply(_ code: Code, _ request: [UInt8], _ body: [UInt8]) -> [UInt8] {
        [code.rawValue] + request[1..<3] + Self.bytes(UInt16(clamping: body.count)) + body
    }

    /// Returns a number in the byte order of this protocol, high byte first (4.1).
    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    private static func number(_ body: inout ArraySlice<UInt8>) throws(Refusal) -> UInt16 {
        guard let high = body.popFirst(), let low = body.popFirst() else {
            throw .invalidSyntax
        }
        return UInt16(high) << 8 | UInt16(low)
    }

    private func search(_ body: inout ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        let isFound = try matches(&body)
        _ = try Self.number(&body)
        guard body.first == 0 else { throw .invalidContinuation }
        let count: UInt16 = isFound ? 1 : 0
        let handle = DataElement.unsigned(UInt64(Self.handle), size: 4).bytes.dropFirst()
        return Self.bytes(count) + Self.bytes(count) + (isFound ? Array(handle) : []) + [0]
    }

    private func read(_ body: inout ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        let handle = [try Self.number(&body), try Self.number(&body)]
        guard UInt32(handle[0]) << 16 | UInt32(handle[1]) == Self.handle else {
            throw .invalidHandle
        }
        let question = try question(&body)
        return try part(of: list(question.ids).bytes, question)
    }

    private func searchAndRead(_ body: inout ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
        let isFound = try matches(&body)
        let question = try question(&body)
        let lists = DataElement.sequence(isFound ? [list(question.ids)] : [])
        return try part(of: lists.bytes, question)
    }

    /// Whether the record contains all UUIDs of a pattern, at any place (4.5.1).
    private func matches(_ body: inout ArraySlice<UInt8>) throws(Refusal) -> Bool {
        guard case .sequence(let pattern)? = DataElement(parsing: &body) else {
            throw .invalidSyntax
        }
        let known = attributes.flatMap(\.value.uuids)
        return pattern.flatMap(\.uuids).allSatisfy { uuid in known.contains { $0.means(uuid) } }
    }

    private func question(_ body: inout ArraySlice<UInt8>) throws(Refusal) -> Question {
        let bytesMax = Int(try Self.number(&body))
        guard case .sequence(let wanted)? = DataElement(parsing: &body) else {
            throw .invalidSyntax
        }
        let ids = wanted.compactMap { element -> ClosedRange<UInt16>? in
            guard case .unsigned(let number, let size) = element else { return nil }
            let last = UInt16(truncatingIfNeeded: number)
            let first = size == 4 ? UInt16(truncatingIfNeeded: number >> 16) : last
            return first <= last ? first...last : nil
        }
        guard let length = body.popFirst() else { throw .invalidSyntax }
        // The continuation state that it sends is an offset in the list.
        let offset = length == 0 ? 0 : Int(try Self.number(&body))
        guard length == 0 || length == 2 else { throw .invalidContinuation }
        return Question(bytesMax: min(bytesMax, Self.partMax), ids: ids, offset: offset)
    }

    private func list(_ ids: [ClosedRange<UInt16>]) -> DataElement {
        .sequence(
            attributes.filter { attribute in ids.contains { $0.contains(attribute.id) } }
                .flatMap { [.unsigned(UInt64($0.id), size: 2), $0.value] })
    }

    private func part(of list: [UInt8], _ question: Question) throws(Refusal) -> [UInt8] {
        guard question.offset <= list.count else { throw .invalidContinuation }
        guard question.bytesMax >= 7 else { throw .invalidSyntax }
        let part = list.dropFirst(question.offset).prefix(question.bytesMax)
        let next = question.offset + part.count
        return Self.bytes(UInt16(clamping: part.count)) + part
            + (next < list.count ? [2] + Self.bytes(UInt16(clamping: next)) : [0])
    }
}
