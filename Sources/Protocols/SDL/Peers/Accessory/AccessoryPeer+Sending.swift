import PeerKit
import SuiteLanguage
import Wire

/// Messages and actions that a suite requests from the accessories.
extension AccessoryPeer {
    /// Sends the answer to a session request, or a head unit's message in a session; see `Peer`.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        if message.hasPrefix("sdl.") {
            let commands = try headUnit.send(
                message, fields: fields, answering: answering, on: connection)
            return commands
        }
        guard message == "ea.opened" || message == "ea.refused" else {
            throw PeerError(
                .unknownMessage, "an accessory cannot send \(message)",
                advice: "it sends ea.opened, ea.refused and what a head unit sends; "
                    + "see its actions for the others")
        }
        guard let connection = connection ?? latestSession(where: \.isPending),
            case .session(let session)? = roles[connection], session.isPending
        else {
            throw PeerError(
                .noSession, "the device has no unanswered session request to \(name)",
                advice: "expect ea.open before, and give the session no other answer")
        }
        var id: UInt32?
        var reason = "no session now"
        for (path, value) in fields {
            switch ("\(path)", value) {
            case ("ea.session_id", .integer(let number)?)
            where message == "ea.opened" && UInt32(exactly: number) != nil:
                id = UInt32(exactly: number)
            case ("ea.reason", .string(let text)?) where message == "ea.refused":
                reason = text
            default:
                throw PeerError(
                    .badField, "\(path) of \(message) cannot be replaced",
                    advice: "replace ea.session_id of ea.opened, or ea.reason of ea.refused")
            }
        }
        return message == "ea.opened" ? open(connection, as: id) : refuse(reason, on: connection)
    }

    /// Carries out the actions of `PeerKind`; see `Peer`.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        switch action {
        case "connect":
            return try connect(named: arguments)
        case "disconnect":
            return try disconnect(named: arguments)
        case "index", "indices":
            return try sendIndex(arguments)
        case "configure":
            return try configure(arguments)
        case "close", "dropLink", "ignitionOff", "forget":
            guard arguments == .null else {
                throw PeerError.takesNoArgument(action, of: name)
            }
            if action == "ignitionOff" || action == "forget" {
                return try endSessions(headUnit.perform(action, arguments: .null))
            }
            guard let connection = latestSession(where: { !$0.isEnded }) else {
                throw PeerError(
                    .noSession, "the device has no session with \(name)",
                    advice: "expect ea.open of the device first")
            }
            return end(connection, isReset: action == "dropLink")
        default:
            throw PeerError.unknownAction(action, of: Self.kind, "an accessory")
        }
    }

    private mutating func configure(_ arguments: Value) throws(PeerError) -> [PeerCommand] {
        let fixed = ["accessories", "carrier", "port"]
        if let member = arguments.objectValue?.first(where: { fixed.contains($0.name) }) {
            throw PeerError(
                .badArgument, "\(member.name) cannot change while the case runs",
                advice: "use connect and disconnect for accessories")
        }
        var changed = settings
        try changed.configure(arguments, of: name, example: "hubIndex: [4]")
        if let stated = arguments["headUnit"] {
            _ = try headUnit.perform("configure", arguments: stated)
        }
        // The lists begin again.
        if arguments["sessions"] != nil { requestCounts = [:] }
        if arguments["hubIndex"] != nil { indexCount = 0 }
        settings = changed
        return []
    }

    /// Records the sessions that the head unit ends.
    private mutating func endSessions(_ commands: [PeerCommand]) -> [PeerCommand] {
        for command in commands {
            guard case .close(let connection) = command,
                case .session(var session)? = roles[connection]
            else { continue }
            session.isEnded = true
            roles[connection] = .session(session)
        }
        return commands
    }
}
