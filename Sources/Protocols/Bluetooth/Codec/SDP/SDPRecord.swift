/// A record of a service: its attributes by their ids (Core 5.4 Vol 3 Part B 2.2, 5).
public struct SDPRecord: Sendable, Hashable {
    /// The ids of attributes that every record may have (5.1).
    public enum Attribute {
        /// The handle of the record.
        public static let recordHandle: UInt16 = 0x0000
        /// The classes that the service belongs to.
        public static let serviceClasses: UInt16 = 0x0001
        /// The protocols by which the service is reached.
        public static let protocols: UInt16 = 0x0004
        /// The groups under which it is found by browsing.
        public static let browseGroups: UInt16 = 0x0005
        /// The languages of its texts.
        public static let languages: UInt16 = 0x0006
        /// How many more clients it can serve.
        public static let availability: UInt16 = 0x0008
        /// The profiles that it follows.
        public static let profiles: UInt16 = 0x0009
        /// Its name in the first language.
        public static let name: UInt16 = 0x0100
    }

    /// The UUID of RFCOMM in a list of protocols (Assigned Numbers 3.2).
    public static let rfcomm = BluetoothUUID(0x0003)
    /// The UUID of L2CAP in a list of protocols.
    public static let l2cap = BluetoothUUID(0x0100)

    /// The attributes by their ids.
    public var attributes: [UInt16: SDPElement]

    /// Creates a record.
    public init(_ attributes: [UInt16: SDPElement]) {
        self.attributes = attributes
    }

    /// Creates a record from a sequence of alternating ids and values.
    ///
    /// An element in the place of an id that is not one is omitted with its value.
    public init(list: SDPElement) {
        attributes = [:]
        let elements = list.elements
        for index in stride(from: 0, to: elements.count - 1, by: 2) {
            guard let id = elements[index].number.flatMap(UInt16.init(exactly:)) else { continue }
            attributes[id] = elements[index + 1]
        }
    }

    /// Returns the sequence of the attributes whose ids are in one of the ranges (4.6.1).
    public func list(of ranges: [ClosedRange<UInt16>]) -> SDPElement {
        .sequence(
            attributes.sorted { $0.key < $1.key }
                .filter { attribute in ranges.contains { $0.contains(attribute.key) } }
                .flatMap { [.uint16($0.key), $0.value] })
    }

    /// Whether all UUIDs of a pattern are in the record (4.5.1, 2.5.2).
    public func matches(_ pattern: [BluetoothUUID]) -> Bool {
        let uuids = Set(attributes.values.flatMap(\.uuids))
        return pattern.allSatisfy(uuids.contains)
    }

    /// The classes that the service belongs to.
    public var classes: [BluetoothUUID] { attributes[Attribute.serviceClasses]?.uuids ?? [] }

    /// The RFCOMM channel by which the service is reached, if any.
    public var rfcommChannel: UInt8? {
        attributes[Attribute.protocols]?.elements.lazy.compactMap { entry -> UInt8? in
            guard entry.elements.first?.uuid == Self.rfcomm, entry.elements.count > 1 else {
                return nil
            }
            return entry.elements[1].number.flatMap(UInt8.init(exactly:))
        }.first
    }

    /// The name, if it is text in UTF-8.
    public var name: String? {
        guard case .text(let bytes)? = attributes[Attribute.name] else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the ranges of ids that a list of ids and ranges requests (4.6.1).
    public static func ranges(in list: SDPElement) -> [ClosedRange<UInt16>] {
        list.elements.compactMap { element in
            guard case .unsigned(let number, let size) = element else { return nil }
            let (first, last) =
                size == 4
                ? (UInt16(truncatingIfNeeded: number >> 16), UInt16(truncatingIfNeeded: number))
                : (UInt16(truncatingIfNeeded: number), UInt16(truncatingIfNeeded: number))
            return first <= last ? first...last : nil
        }
    }
}
