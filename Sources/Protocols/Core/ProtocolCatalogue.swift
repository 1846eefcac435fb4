/// Every protocol that `conform` knows: the one list that a new protocol is added to.
public enum ProtocolCatalogue {
    /// The protocols' messages and fields, for suites and documentation.
    public static let descriptions: [ProtocolDescription] =
        [
            TCPEvent.description, UDPDatagram.description, ICMPUnreachable.description,
            SDL.description,
            WebSocket.description, HTTP.description, Diffusion.description, DeviceEvent.description,
            ExternalAccessory.description,
            IAP2.description, StreamUnit.description,
        ] + BluetoothDescriptions.all

    /// The protocols that ride on a byte stream, in the order in which they are tried; each says
    /// what may carry it.
    public static let streamProtocols: [StreamProtocol] = [
        SDL.streamProtocol, Diffusion.streamProtocol, WebSocket.streamProtocol,
        HTTP.streamProtocol,
        ExternalAccessory.busProtocol,
        IAP2.streamProtocol,
    ]

    /// By the code of the message.
    private static let messages: [MessageDescription] = {
        let messages = descriptions.flatMap(\.messages)
        let names = messages.map(\.name)
        return names.indices.sorted { names[$0] < names[$1] }.map { messages[$0] }
    }()

    /// The description of a message by its full name.
    public static func message(named name: String) -> MessageDescription? {
        codes[name].map { messages[Int($0.index)] }
    }

    /// All message names, sorted.
    public static let messageNames: [String] = messages.map(\.name)

    private static let codes: [String: MessageCode] = Dictionary(
        uniqueKeysWithValues: messageNames.enumerated().map {
            ($0.element, MessageCode(index: $0.offset))
        })

    /// By the code of a message, the code of the one that answers it, if one does.
    public static let responses: [MessageCode?] = messages.map { message in
        message.response.flatMap { codes[$0] }
    }

    /// The code of a message by its full name.
    static func code(ofMessage name: String) -> MessageCode? { codes[name] }

    /// The fields that a message may have: the protocol's common ones and its own.
    public static func fields(ofMessage name: String) -> [FieldDescription] {
        if name == LostBytes.name { return LostBytes.fieldDescriptions }
        let common = descriptions.first { name.hasPrefix($0.name + ".") }?.fields ?? []
        return common + (message(named: name)?.fields ?? [])
    }

    /// The fields by which responses of a protocol are told apart.
    public static func correlation(ofMessage name: String) -> [FieldPath] {
        descriptions.first { name.hasPrefix($0.name + ".") }?.correlation ?? []
    }

    /// The number of the session that a message belongs to, if its protocol has several on one
    /// connection; 0 if it belongs to none yet.
    public static func session(of message: any DissectedMessage) -> Int64? {
        let name = message.name
        return descriptions.first { name.hasPrefix($0.name + ".") }?.session
            .flatMap { message.field($0)?.integerValue }
    }

    /// The fields of the header of the frames that carry a message, for tests that break them.
    public static func frameFields(ofMessage name: String) -> [FrameField] {
        descriptions.first { name.hasPrefix($0.name + ".") }?.frameFields ?? []
    }

    /// What a path denotes in a message; `nil` if the message has no such field.
    public static func fieldType(of path: FieldPath, inMessage name: String) -> FieldType? {
        path == .violation
            ? .string(maxLength: nil) : type(of: path, among: fields(ofMessage: name))
    }

    /// Whether any message may have a field at that path.
    public static func hasField(_ path: FieldPath) -> Bool {
        path == .violation || descriptions.contains { type(of: path, among: $0.fields) != nil }
            || descriptions.contains { family in
                family.messages.contains { type(of: path, among: $0.fields) != nil }
            }
    }

    /// What a path denotes among fields; `nil` if it denotes none.
    public static func type(of path: FieldPath, among fields: [FieldDescription]) -> FieldType? {
        let text = path.description
        for field in fields where text.hasPrefix(field.path) {
            guard let prefix = FieldPath(field.path)?.components,
                path.components.starts(with: prefix)
            else { continue }
            if let type = field.type.descending(path.components.dropFirst(prefix.count)) {
                return type
            }
        }
        return nil
    }
}

extension FieldType {
    /// The type that remains after following `components` into this type.
    package func descending(_ components: ArraySlice<FieldPath.Component>) -> FieldType? {
        guard let first = components.first else { return self }
        switch (self, first) {
        case (.any, _):
            return .any
        case (.array(let element, _), .index):
            return element.descending(components.dropFirst())
        case (.structure(_, let fields), .name(let name)):
            return fields.first { $0.path == name }?.type.descending(components.dropFirst())
        default:
            return nil
        }
    }
}
