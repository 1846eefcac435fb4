import Wire

extension SDL {
    /// Compares a control frame with the specification, as far as one frame is sufficient for that.
    struct ControlCheck {
        private(set) var anomalies: [Anomaly] = []

        /// Checks a frame whose payload decoded to `payload`.
        init(_ frame: ControlFrame, _ header: Header, _ payload: ControlPayload) {
            checkTypes(payload, of: frame)
            let parameters = payload.parameters
            switch frame {
            case .startService: checkStartService(header, parameters)
            case .startServiceACK: checkStartServiceACK(header, parameters)
            case .startServiceNAK: checkStartServiceNAK(header)
            case .endService: checkEndService(header, parameters)
            case .transportEventUpdate: checkTransportEventUpdate(parameters)
            default: break
            }
            if header.sessionID == 0, !frame.mayHaveNoSession {
                violation("session id 0 in \(frame.messageName)", "4.2")
            }
            if frame.parameters.isEmpty, frame != .serviceDataACK, header.dataSize > 0 {
                warning("\(frame.messageName) has a payload, none is defined", "3.1.3")
            }
        }

        private mutating func checkTypes(_ payload: ControlPayload, of frame: ControlFrame) {
            guard let types = payload.types, let members = payload.parameters.objectValue else {
                return
            }
            var seen: Set<String> = []
            for (member, type) in zip(members, types) {
                if !seen.insert(member.name).inserted {
                    violation("params.\(member.name) appears more than once", "3.1.3")
                }
                guard let parameter = frame.parameters.first(where: { $0.name == member.name })
                else { continue }
                if type != parameter.elementType {
                    violation(
                        "params.\(member.name) is BSON \(type), expected \(parameter.elementType)",
                        "3.1.3")
                }
                checkElements(of: member, parameter.kind)
            }
        }

        private mutating func checkElements(
            of member: Value.Member, _ kind: ControlParameter.Kind
        ) {
            let elements = member.value.arrayValue ?? []
            switch kind {
            case .strings where elements.contains { $0.stringValue == nil }:
                violation("params.\(member.name) holds something that is not a string", "3.1.3")
            case .int32s where elements.contains { $0.integerValue == nil }:
                violation("params.\(member.name) holds something that is not an integer", "3.1.3")
            default:
                break
            }
        }

        private mutating func checkStartService(_ header: Header, _ parameters: Value) {
            if header.service == .rpc, header.sessionID == 0 {
                if header.version != 1 {
                    violation(
                        "the first StartService has a version-\(header.version) header, "
                            + "expected version 1", "4.2.1")
                }
                if header.isEncrypted {
                    violation("the first StartService asks for encryption", "4.2.5")
                }
            } else if header.sessionID == 0 {
                violation("StartService of service \(header.serviceType) has session id 0", "4.2")
            }
            checkProtocolVersion(parameters)
        }

        private mutating func checkStartServiceACK(_ header: Header, _ parameters: Value) {
            if header.sessionID == 0 {
                violation("StartServiceACK assigns session id 0", "4.2.3")
            }
            checkProtocolVersion(parameters)
            if let text = parameters["protocolVersion"]?.stringValue,
                let major = UInt8(text.prefix { $0 != "." }), major != header.version
            {
                violation(
                    "protocolVersion \(text) in a version-\(header.version) header", "3.1.3.2.2")
            }
        }

        private mutating func checkProtocolVersion(_ parameters: Value) {
            guard let text = parameters["protocolVersion"]?.stringValue else { return }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            if parts.count != 3 || parts.contains(where: { UInt32($0) == nil }) {
                violation(
                    "protocolVersion is '\(text)', expected the form major.minor.patch",
                    "4.2.2.2")
            }
        }

        private mutating func checkStartServiceNAK(_ header: Header) {
            guard header.service == .rpc else { return }
            if header.sessionID != 0 {
                warning("session id \(header.sessionID) in StartServiceNAK, expected 0", "4.2.4")
            }
            if header.messageID != 0 {
                warning("message id \(header.messageID) in StartServiceNAK, expected 0", "4.2.4")
            }
        }

        private mutating func checkEndService(_ header: Header, _ parameters: Value) {
            guard header.service == .rpc, header.version > 1 else { return }
            guard let hash = parameters["hashId"]?.integerValue else {
                return warning("EndService of the RPC service has no hash", "6.1")
            }
            // No session counts up to message ids as large as the hashes of head units.
            if hash > UInt16.max, hash == header.messageID {
                warning("the message id of EndService is the hash of the session", "2.3")
            }
        }

        private mutating func checkTransportEventUpdate(_ parameters: Value) {
            if parameters["tcpPort"] != nil, parameters["tcpIpAddress"] == nil {
                violation("tcpPort without tcpIpAddress", "4.6.2")
            }
        }

        private mutating func violation(_ text: String, _ section: String) {
            anomalies.append(.init(.violation, text, specification: SDL.citation(section)))
        }

        private mutating func warning(_ text: String, _ section: String) {
            anomalies.append(.init(.warning, text, specification: SDL.citation(section)))
        }
    }

    /// Returns the citation of a section of the protocol specification in anomalies and
    /// descriptions.
    static func citation(_ section: String) -> String { "SDL protocol \(section)" }
}

extension SDL.ControlFrame {
    /// Whether it is sent before there is a session, or outside any session (4.2).
    ///
    /// What refuses a request repeats its session, which may be the reason.
    fileprivate var mayHaveNoSession: Bool {
        switch self {
        case .startService, .startServiceACK, .startServiceNAK, .heartbeat, .heartbeatACK,
            .endServiceNAK, .registerSecondaryTransportNAK:
            true
        default: false
        }
    }
}
