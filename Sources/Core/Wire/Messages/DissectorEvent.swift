/// A protocol unit that another program's dissector extracted from a packet.
///
/// Its fields have the names that the dissector gives them, such as `mqtt.msgtype`. One name is one
/// member, even if it contains dots. A field that occurs several times is a list.
public struct DissectorEvent: DissectedMessage, Hashable {
    /// The name: `tshark.` and the name of the dissector, such as `tshark.mqtt`.
    public let name: String
    /// The fields, with one member each.
    public let fields: Value

    /// Creates a message of what a dissector found.
    ///
    /// - Parameters:
    ///   - dissector: The name of the dissector.
    ///   - fields: The fields by their whole names, as an object.
    public init(of dissector: String, fields: Value) {
        name = Self.prefix + dissector
        self.fields = fields
    }

    /// Returns the value of the field that has this name, or an element of it.
    public func field(_ path: FieldPath) -> Value? {
        var components = path.components
        guard case .index(let index)? = components.last else { return fields[path.description] }
        components.removeLast()
        let whole = fields[FieldPath(components: components).description]
        guard let elements = whole?.arrayValue else { return index == 0 ? whole : nil }
        return elements.indices.contains(index) ? elements[index] : nil
    }

    /// Always empty: a complaint of a dissector is a field.
    public var anomalies: [Anomaly] { [] }

    /// Always empty: the dissector reports fields and no bytes.
    public var bytes: [UInt8] { [] }

    /// The prefix of the names of such messages.
    public static let prefix = "tshark."
}
