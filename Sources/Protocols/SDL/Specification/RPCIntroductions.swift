/// Since which version of the RPC specification there are messages, structures and parameters.
struct RPCIntroductions: Sendable {
    /// The table, read.
    static let shared = RPCIntroductions()

    /// The versions by name: `Show.request`, `Show.request.graphic`, `Image`, `Image.isTemplate`.
    let versions: [String: String]

    private init() {
        var reader = RPCTableReader()
        var versions: [String: String] = [:]
        for entry in reader.entries(of: RPCSpecification.introductions) {
            for name in RPCTableReader.words(of: entry.body) {
                versions[name] = String(decoding: entry.head, as: UTF8.self)
            }
        }
        self.versions = versions
    }
}

extension ProtocolCatalogue {
    private static let rpcPrefix = "sdl."
    private static let parameterPrefix = "params."

    /// Since which version of its specification there is a message; `nil` where the specification
    /// does not say it.
    public static func introduction(ofMessage name: String) -> String? {
        rpcName(of: name).map { RPCIntroductions.shared.versions[$0] ?? "1.0" }
    }

    /// Since which version a message has a field; `nil` where that is as old as the message, or
    /// unknown.
    public static func introduction(ofField path: String, inMessage name: String) -> String? {
        guard let message = rpcName(of: name), path.hasPrefix(parameterPrefix) else { return nil }
        let parameter = path.dropFirst(parameterPrefix.count)
        return RPCIntroductions.shared.versions["\(message).\(parameter)"]
    }

    /// Since which version a structure of an RPC has a member; `nil` where that is as old as the
    /// structure, or unknown.
    public static func introduction(ofMember member: String, inStructure name: String) -> String? {
        RPCIntroductions.shared.versions["\(name).\(member)"]
    }

    /// What the table calls an RPC, an erroneous response a response; `nil` for other messages.
    private static func rpcName(of message: String) -> String? {
        guard message.hasPrefix(rpcPrefix) else { return nil }
        let parts = message.dropFirst(rpcPrefix.count).split(separator: ".")
        guard parts.count == 2, RPCFunctions.shared.ids[String(parts[0])] != nil else { return nil }
        return "\(parts[0]).\(parts[1] == "errorResponse" ? "response" : parts[1])"
    }
}
