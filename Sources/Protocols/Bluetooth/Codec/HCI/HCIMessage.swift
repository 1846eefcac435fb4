import Wire

extension HCICommand: PacketMessage.Packet {
    var messageName: String { "bthci_cmd.\(opcode.layout?.name ?? "command")" }

    var fields: Value {
        let opcode = Value.Member("opcode", .integer(Int64(opcode.rawValue)))
        let members = parameters.members(self.opcode.layout?.parameters ?? [])
        return .fields("bthci_cmd", [opcode] + members, rest)
    }
}

extension HCIEvent: PacketMessage.Packet {
    var messageName: String {
        "bthci_evt.\(kind.layout?.name ?? (kind.subevent == nil ? "event" : "LEMeta"))"
    }

    var fields: Value { .fields("bthci_evt", members, rest) }
}

extension Value {
    fileprivate static func fields(
        _ name: String, _ members: [Value.Member], _ rest: [UInt8]
    ) -> Value {
        var all = [Value.Member(name, .object(members))]
        if !rest.isEmpty { all.append(Value.Member("data", .bytes(rest))) }
        return .object(all)
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
