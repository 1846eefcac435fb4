import Wire

/// A discovery, which consists of one or more consecutive requests (Core 5.4 Vol 3 Part G 4.4 to
/// 4.7).
struct GATTProcedure: Sendable {
    /// The kind of items that are discovered.
    enum Subject: String, Sendable {
        /// All services.
        case services
        /// Services with one UUID.
        case service
        case included
        case characteristics
        case descriptors
    }

    let subject: Subject
    /// The requested UUID, if any.
    let uuid: BluetoothUUID?
    let start: UInt16
    let end: UInt16
    /// The start of the next request that continues it.
    private(set) var next: UInt16?
    private(set) var found: [Value] = []

    /// Creates the discovery that a request starts; `nil` for a request that discovers nothing.
    init?(_ request: ATTPacket) {
        let handles: ATTPacket.Handles
        switch request {
        case .readByGroupTypeRequest(let range, GATTDatabase.Kind.primaryService),
            .readByGroupTypeRequest(let range, GATTDatabase.Kind.secondaryService):
            (subject, uuid, handles) = (.services, nil, range)
        case .findByTypeValueRequest(let range, 0x2800, let value):
            (subject, uuid, handles) = (.service, BluetoothUUID(littleEndian: value), range)
        case .readByTypeRequest(let range, GATTDatabase.Kind.include):
            (subject, uuid, handles) = (.included, nil, range)
        case .readByTypeRequest(let range, GATTDatabase.Kind.characteristic):
            (subject, uuid, handles) = (.characteristics, nil, range)
        case .findInformationRequest(let range):
            (subject, uuid, handles) = (.descriptors, nil, range)
        default: return nil
        }
        (start, end) = (handles.start, handles.end)
    }

    /// Whether a request continues this discovery.
    func isContinued(by other: GATTProcedure) -> Bool {
        other.subject == subject && other.uuid == uuid && other.end == end && other.start == next
    }

    /// Takes the items in a response, up to the handle `last`.
    ///
    /// - Returns: Whether the range has been searched to its end.
    mutating func consume(_ items: [Value], upTo last: UInt16) -> Bool {
        found += items
        next = last == .max ? nil : last + 1
        return last >= end
    }

    /// The message that begins it.
    var requested: PlainMessage {
        PlainMessage(
            "gatt.discover",
            [
                "what": .string(subject.rawValue), "uuid": .uuid(uuid),
                "start": .number(start), "end": .number(end),
            ])
    }

    /// The message that ends it.
    var answered: PlainMessage {
        PlainMessage(
            "gatt.discovered",
            [
                "what": .string(subject.rawValue), "uuid": .uuid(uuid),
                "start": .number(start), "end": .number(end), "found": .array(found),
            ])
    }
}
