import Wire

extension SDL.Message {
    /// Decodes a control frame.
    init(controlFrame header: SDL.Header, _ payload: RawSpan, anomalies: [Anomaly]) {
        let bytes = [UInt8](copying: payload)
        guard let frame = SDL.ControlFrame(rawValue: header.frameInfo) else {
            self.init(
                malformed: DecodeError(
                    .badValue, in: "sdl.frame_info", at: 2,
                    "control frame info \(header.frameInfo) is reserved"),
                header: header, payload: bytes, section: "2.3", anomalies: anomalies)
            return
        }
        do {
            let decoded = try SDL.ControlPayload(payload, of: frame, version: header.version)
            self.init(
                header: header, frameCount: 1, payload: bytes,
                content: .control(frame, parameters: decoded.parameters),
                anomalies: anomalies + SDL.ControlCheck(frame, header, decoded).anomalies)
        } catch {
            self.init(
                malformed: error.inside("sdl.\(frame.messageName)", header.size),
                header: header, payload: bytes, section: "3.1.3", anomalies: anomalies)
        }
    }

    /// Decodes the payload of the data frames of one message, reassembled.
    init(
        data header: SDL.Header, isEncrypted: Bool, frameCount: Int, _ payload: [UInt8],
        anomalies: [Anomaly]
    ) {
        do {
            self.init(
                header: header, frameCount: frameCount, payload: payload,
                content: try Self.content(header, isEncrypted: isEncrypted, payload),
                anomalies: anomalies)
        } catch {
            self.init(
                malformed: error.inside("sdl", frameCount == 1 ? header.size : 0),
                header: header, frameCount: frameCount, payload: payload, section: "5",
                anomalies: anomalies)
        }
    }

    private static func content(
        _ header: SDL.Header, isEncrypted: Bool, _ payload: [UInt8]
    ) throws(DecodeError) -> Content {
        guard let service = header.service else {
            throw DecodeError(
                .badValue, in: "sdl.service_type", at: 1,
                "service \(header.serviceType) is reserved")
        }
        if isEncrypted { return .encrypted(payload) }
        switch service {
        case .control:
            return .securityQuery(try SDL.SecurityQuery(parsing: payload.span.bytes))
        case .rpc, .bulk:
            return header.version == 1
                ? .rpc(try SDL.RPC(parsingEnvelope: payload.span.bytes))
                : .rpc(try SDL.RPC(parsing: payload))
        case .audio, .video:
            return .data(service, payload)
        }
    }

    /// Creates a message for bytes that do not decode.
    ///
    /// - Parameters:
    ///   - error: What is wrong; also added to the anomalies.
    ///   - header: The header, if there is one.
    ///   - payload: The payload, or without a header the bytes; a sample of at most
    ///     `Limits.malformedSample` bytes is kept.
    ///   - isLoss: Whether the capture lacks bytes, so that the sender is not responsible.
    init(
        malformed error: DecodeError, header: SDL.Header? = nil, frameCount: Int = 1,
        payload: [UInt8], section: String, anomalies: [Anomaly] = [], isLoss: Bool = false
    ) {
        let anomaly = Anomaly(
            isLoss || error.isExcused ? .warning : .violation, error.description,
            specification: isLoss ? "capture" : SDL.citation(section))
        self.init(
            header: header
                ?? SDL.Header(version: 0, frameType: .control, serviceType: 0, sessionID: 0),
            frameCount: header == nil ? 0 : frameCount,
            payload: Array(payload.prefix(SDL.Limits.malformedSample)),
            content: .malformed(error), anomalies: anomalies + [anomaly])
    }
}

extension DecodeError {
    /// Whether only a limit of the decoder kept it from reading more; a frame that is too long for
    /// it is too long for the specification as well.
    var isExcused: Bool { code == .limit && unit != "sdl.header.data_size" }

    /// Returns the same error within a larger unit that starts `offset` bytes earlier.
    fileprivate func inside(_ unit: String, _ offset: Int) -> DecodeError {
        let name = self.unit.hasPrefix(unit) ? self.unit : "\(unit).\(self.unit)"
        return DecodeError(code, in: name, at: self.offset + offset, detail)
    }
}
