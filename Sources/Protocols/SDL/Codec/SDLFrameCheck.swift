import Wire

extension SDL {
    /// Checks one header against the rules for all frames.
    struct FrameCheck {
        private(set) var anomalies: [Anomaly] = []

        /// Checks a header whose version is defined, and the receiver's limit if it is known.
        init(_ header: Header, _ limit: FrameLimit? = nil) {
            checkKind(header)
            checkSize(header)
            if let limit { checkSize(header, limit) }
            guard header.frameType != .control else { return }
            if header.service != nil, header.service != .control, header.sessionID == 0 {
                violation("session id 0 in a frame that carries data", "4.2")
            }
            if header.version > 1, header.messageID == 0 {
                warning("message id 0 in a frame that carries data", "2.3")
            }
        }

        private mutating func checkKind(_ header: Header) {
            switch header.frameType {
            case .single, .first:
                if header.frameInfo != 0 {
                    let title = header.frameType.title
                    violation(
                        "frame info \(header.frameInfo) in a \(title) frame, expected 0",
                        header.frameType == .single ? "3.2.1" : "3.3.1.2")
                }
                if header.frameType == .first, header.isEncrypted {
                    violation("E bit set in a First frame", "2.3")
                }
            case .control where header.service == nil && !Self.refuses(header),
                .consecutive where header.service == nil:
                violation("service \(header.serviceType) is reserved", "2.3")
            default:
                break
            }
        }

        /// Returns whether it refuses a service, whichever number was requested (4.2.4, 6.2).
        private static func refuses(_ header: Header) -> Bool {
            let frame = ControlFrame(rawValue: header.frameInfo)
            return frame == .startServiceNAK || frame == .endServiceNAK
        }

        private mutating func checkSize(_ header: Header) {
            let size = Int(header.dataSize)
            switch header.frameType {
            case .first where size != PartialMessage.firstPayloadSize:
                violation("data size \(size) in a First frame, expected 8", "3.3.1")
            case .single where size == 0, .consecutive where size == 0:
                violation("\(header.frameType.title) frame without payload", "3.2.1, 3.3.2.1")
            default:
                break
            }
            let maximum = SDL.maximumPayload(version: header.version)
            guard size > maximum else { return }
            // Real libraries use the MTU for the payload alone, and the ACK of version 5 may
            // announce a larger one.
            let isTolerable = size <= maximum + Header.longSize || header.version >= 5
            add(
                isTolerable ? .warning : .violation,
                "\(size) bytes of payload, at most \(maximum) in version \(header.version)", "2.4")
        }

        private mutating func checkSize(_ header: Header, _ limit: FrameLimit) {
            let size = Int(header.dataSize)
            guard header.size + size > limit.mtu else { return }
            add(
                size > limit.mtu ? .violation : .warning,
                "a frame of \(header.size + size) bytes, while the StartServiceACK says mtu "
                    + "\(limit.mtu)", "2.4")
        }

        private mutating func violation(_ text: String, _ section: String) {
            add(.violation, text, section)
        }

        private mutating func warning(_ text: String, _ section: String) {
            add(.warning, text, section)
        }

        private mutating func add(
            _ severity: Anomaly.Severity, _ text: String, _ section: String
        ) {
            anomalies.append(.init(severity, text, specification: SDL.citation(section)))
        }
    }
}
