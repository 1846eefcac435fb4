import Wire

/// A UDP datagram whose payload is a message defined by a description.
public struct DescribedDatagram: DissectedMessage {
    /// The datagram.
    public let datagram: UDPDatagram
    /// Its payload as a message.
    private let unit: StreamUnit

    /// Decodes the payload.
    public init(_ datagram: UDPDatagram, by description: any StreamDescription) {
        self.datagram = datagram
        unit = StreamUnit(
            datagram.bytes, endedBy: 0, by: description,
            as: description.dissect(datagram.bytes, isWhole: true), prefix: 0)
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
