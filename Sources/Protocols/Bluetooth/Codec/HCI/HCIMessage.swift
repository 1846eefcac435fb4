import Wire

/// An HCI command or event in a trace.
public struct HCIMessage: DissectedMessage, Hashable {
    /// The kind and content of a message.
    public enum Content: Sendable, Hashable {
        case command(HCICommand)
        case event(HCIEvent)
        case malformed(String)
    }

    /// What the message contains.
    public let content: Content
    /// The packet on the wire, without its type.
    public let bytes: [UInt8]

    /// Creates a message.
    public init(_ content: Content, bytes: [UInt8]) {
        self.content = content
        self.bytes = bytes
    }

    /// `bthci_cmd.` or `bthci_evt.`, and the name of the command or event.
    public var name: String {
        switch content {
        case .command(let command): "bthci_cmd.\(command.opcode.layout?.name ?? "command")"
        case .event(let event):
            "bthci_evt.\(event.kind.layout?.name ?? (event.kind.subevent == nil ? "event" : "LEMeta"))"
        case .malformed: "hci_h4.malformed"
        }
    }

    /// The parameters.
    public var fields: Value {
        switch content {
        case .command(let command):
            let members =
                [Value.Member("opcode", .integer(Int64(command.opcode.rawValue)))]
                + command.parameters.members(command.opcode.layout?.parameters ?? [])
            return Self.fields("bthci_cmd", members, command.rest)
        case .event(let event): return Self.fields("bthci_evt", event.members, event.rest)
        case .malformed(let what): return ["error": .string(what)]
        }
    }

    private static func fields(
        _ name: String, _ members: [Value.Member], _ rest: [UInt8]
    ) -> Value {
        var all = [Value.Member(name, .object(members))]
        if !rest.isEmpty { all.append(Value.Member("data", .bytes(rest))) }
        return .object(all)
    }

    /// The violation in a malformed packet.
    public var anomalies: [Anomaly] {
        guard case .malformed(let what) = content else { return [] }
        return [Anomaly(.violation, what, specification: "Core 5.4 Vol 4 Part E 5.4")]
    }
}

extension HCIEvent {
    /// The parameters under Wireshark's names; those that the command returns for Command Complete.
    fileprivate var members: [Value.Member] {
        var members = [Value.Member("code", .integer(Int64(kind.code)))]
        if let subevent = kind.subevent {
            members.append(Value.Member("le_meta_subevent", .integer(Int64(subevent))))
        }
        let layout = kind.layout?.parameters ?? []
        guard kind == .commandComplete else { return members + parameters.members(layout) }
        members += parameters.members(layout.filter { $0.field != .retParams })
        if let returned {
            let known = answered?.layout?.returns ?? []
            members += returned.members([.status] + known)
        }
        return members
    }
}
