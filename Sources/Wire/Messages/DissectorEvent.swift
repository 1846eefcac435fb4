/// A protocol unit that a dissector of another program has taken from a packet.
///
/// Its fields have the names that the dissector gives them, such as `mqtt.msgtype`: one name is one
/// member, whatever dots it has, and a field that occurs several times is a list.
public struct DissectorEvent: DissectedMessage, Hashable {
    /// The name: `tshark.` and that of the dissector, such as `tshark.mqtt`.
    public let name: String
    /// The fields, one member each.
    public let fields: Value

    /// Makes a message of what a dissector found.
    ///
    /// - Parameters:
    ///   - dissector: Its name.
    ///   - fields: The fields by their whole names, an object.
    public init(of dissector: String, fields: Value) {
        name = Self.prefix + dissector
        self.fields = fields
    }

    /// The value of the field that has this name, or an element of it.
    public func field(_ path: FieldPath) -> Value? {
        var components = path.components
        guard case .index(let index)? = components.last else { return fields[path.description] }
        components.removeLast()
        let whole = fields[FieldPath(components: components).description]
        guard let elements = whole?.arrayValue else { return index == 0 ? whole : nil }
        return elements.indices.contains(index) ? elements[index] : nil
    }

    /// Always empty: what a dissector complains of is a field.
    public var anomalies: [Anomaly] { [] }

    /// Always empty: the dissector reports fields and no bytes.
    public var bytes: [UInt8] { [] }

    /// What the names of such messages start with.
    public static let prefix = "tshark."
}
