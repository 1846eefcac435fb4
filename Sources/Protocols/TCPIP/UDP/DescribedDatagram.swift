import Wire

/// A UDP datagram whose payload is a message defined by a description.
public struct DescribedDatagram: DissectedMessage {
    /// The datagram.
    public let datagram: UDPDatagram
    /// Its payload as a message.
    private let unit: StreamUnit

    /// Decodes the payload.
    public init(_ datagram: UDPDatagram, by description: any StreamDescription) {
        self.init(
            datagram, description.dissect(datagram.bytes, isWhole: true), by: description)
    }

    private init(
        _ datagram: UDPDatagram, _ dissection: StreamDissection,
        by description: any StreamDescription
    ) {
        self.datagram = datagram
        unit = StreamUnit(
            datagram.bytes, endedBy: 0, by: description, as: dissection, prefix: 0)
    }

    /// The most messages into which a datagram is divided.
    private static let messagesMax = 256

    /// Returns the messages of a datagram.
    ///
    /// There are several if messages say where they end and the whole datagram consists of them;
    /// otherwise what follows the first one belongs to it.
    public static func messages(
        in datagram: UDPDatagram, by description: any StreamDescription
    ) -> [DescribedDatagram] {
        let whole = description.dissect(datagram.bytes, isWhole: true)
        var messages: [DescribedDatagram] = []
        var (rest, next) = (datagram.bytes[...], whole)
        while description.endsMessages, messages.count < messagesMax,
            case .message(_, let count) = next, count > 0, count <= rest.count
        {
            var part = datagram
            part.bytes = Array(rest.prefix(count))
            messages.append(DescribedDatagram(part, next, by: description))
            rest = rest.dropFirst(count)
            if rest.isEmpty { return messages }
            next = description.dissect(Array(rest), isWhole: true)
        }
        return [DescribedDatagram(datagram, whole, by: description)]
    }

    /// The name that the description gives the message.
    public var name: String { unit.name }

    /// The fields of the message, then `ip` and `udp`, unless a field has that name.
    public var fields: Value {
        let own = unit.fields.objectValue ?? []
        let carrier = (datagram.fields.objectValue ?? []).filter { member in
            Self.carrierNames.contains(member.name) && !own.contains { $0.name == member.name }
        }
        return .object(own + carrier)
    }

    /// The value at one path: of the message, otherwise of the carrying datagram.
    public func field(_ path: FieldPath) -> Value? {
        if let value = unit.field(path) { return value }
        guard case .name(let name)? = path.components.first, Self.carrierNames.contains(name)
        else { return nil }
        return datagram.field(path)
    }

    /// Always empty.
    public var anomalies: [Anomaly] { [] }

    /// The payload.
    public var bytes: [UInt8] { datagram.bytes }

    /// Where the fields are in the payload.
    public var fieldPlaces: [String: Range<Int>] { unit.fieldPlaces }

    private static let carrierNames: Set<String> = ["ip", "udp"]

    /// The `ip` and `udp` fields of the carrying datagram.
    public static let carrierFields = UDPDatagram.description.fields.filter {
        $0.path.hasPrefix("ip.") || $0.path.hasPrefix("udp.")
    }
}

extension DissectedMessage {
    /// Whether it is a UDP datagram, whatever it carries.
    public var isDatagram: Bool { self is UDPDatagram || self is DescribedDatagram }
}
