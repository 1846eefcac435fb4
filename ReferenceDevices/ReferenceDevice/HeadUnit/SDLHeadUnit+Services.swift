import ExternalAccessory
import SDL
import Wire

/// Control frames: services and heartbeats (SDL protocol 4).
extension SDLHeadUnit {
    /// The MTU that StartServiceACK announces, in bytes.
    private static let mtu: Int64 = 131_072

    /// Handles a control frame of an app.
    mutating func consume(
        _ frame: SDL.ControlFrame, _ header: SDL.Header, _ parameters: Value,
        on link: HeadUnitLink
    ) {
        guard header.version <= configuration.protocolVersion.major else { return }
        switch frame {
        case .startService where header.service == .rpc && header.sessionID == 0:
            start(parameters, on: link)
        case .startService where mutant == .silentOnOtherServices:
            break
        case .startService where mutant == .silentOnReservedServices && header.service == nil:
            break
        case .startService:
            refuse(header, "the service is not offered", on: link)
        case .endService:
            end(header, parameters, on: link)
        case .heartbeat where mutant != .silentHeartbeat:
            connections[link]?.heartbeats += 1
            guard mutant != .onlyFirstHeartbeat || connections[link]?.heartbeats == 1 else {
                return
            }
            control(.heartbeatACK, header, on: link)
        case .registerSecondaryTransport:
            control(
                .registerSecondaryTransportNAK, header,
                [.init("reason", "no secondary transport is offered")], on: link)
        default:
            break
        }
    }

    /// Starts a session of the RPC service in the highest version that both sides support.
    private mutating func start(_ parameters: Value, on link: HeadUnitLink) {
        guard mutant != .muteDedicated || !isDedicated(link),
            mutant != .deafAfterMalformed || !hasSeenMalformed,
            let free = connections[link]?.freeServiceID
        else { return }
        let id = mutant == .sameSessionAgain ? 1 : free
        let own = configuration.protocolVersion
        let text = parameters["protocolVersion"]?.stringValue
        // An unknown version is higher than its own.
        let offered = text.map { ProtocolVersion($0) ?? own }
        let agreed = offered.map { min($0, own) } ?? own
        // An app that offers no version is older than version 5.
        let former = mutant == .fiveForFormerApps ? own.major : min(own.major, 4)
        let version = offered == nil ? former : agreed.major
        let hash = Int32(truncatingIfNeeded: link << 16 | Int(id))
        let spoken = mutant == .speaksOwnVersion ? own.major : version
        connections[link]?.services[id] = HeadUnitService(version: spoken, hashID: hash)
        var answer: [Value.Member] = []
        if version > 1 { answer.append(.init("hashId", .integer(Int64(hash)))) }
        if version >= 5 {
            answer.append(.init("mtu", .integer(Self.mtu)))
            let said =
                switch mutant {
                case .higherVersion: own.description
                case .echoesVersion: text ?? own.description
                case .saysFormerVersion: "4.0.0"
                default: agreed.description
                }
            answer.append(.init("protocolVersion", .string(said)))
        }
        log(.serviceStarted, link, [.init("session", .integer(Int64(id)))])
        let header = SDL.Header(
            version: version, frameType: .control, serviceType: SDL.ServiceType.rpc.rawValue,
            sessionID: mutant == .sessionZero ? 0 : id)
        control(.startServiceACK, header, answer, on: link)
        if mutant == .transportUpdateForAll {
            control(.transportEventUpdate, header, [.init("tcpPort", .integer(-1))], on: link)
        }
    }

    private func isDedicated(_ link: HeadUnitLink) -> Bool {
        let string = connections[link]?.session?.protocolString
        return string != nil && string != ExternalAccessory.multisessionString
            && string != ExternalAccessory.legacyString
    }

    private mutating func refuse(_ header: SDL.Header, _ reason: String, on link: HeadUnitLink) {
        log(.serviceRefused, link, [.init("reason", .string(reason))])
        var header = header
        if mutant == .answersAsRPCService { header.serviceType = SDL.ServiceType.rpc.rawValue }
        control(.startServiceNAK, header, [.init("reason", .string(reason))], on: link)
    }

    /// Ends the RPC service of a session; the request must contain its hash.
    private mutating func end(
        _ header: SDL.Header, _ parameters: Value, on link: HeadUnitLink
    ) {
        guard mutant != .silentEnd else { return }
        guard header.service == .rpc,
            let service = connections[link]?.services[header.sessionID]
        else {
            return control(
                .endServiceNAK, header, [.init("reason", "there is no such service")], on: link)
        }
        let hash = parameters["hashId"]?.integerValue
        guard service.version < 5 || hash == Int64(service.hashID) || mutant == .anyHashEnds
        else {
            if mutant == .refusedEndEnds { connections[link]?.services[header.sessionID] = nil }
            let named: [Value.Member] = [.init("rejectedParams", .array(["hashId"]))]
            return control(
                .endServiceNAK, header, mutant == .namesNoParameter ? [] : named, on: link)
        }
        log(.serviceEnded, link, [.init("session", .integer(Int64(header.sessionID)))])
        control(.endServiceACK, header, on: link)
        if mutant == .talksAfterEnd { tellStatus("NONE", header.sessionID, on: link) }
        connections[link]?.services[header.sessionID] = nil
        if mutant == .endServiceEndsOthers {
            for other in connections.keys { connections[other]?.services = [:] }
        }
    }

    /// Sends a control frame of the version, service and session of `header`.
    private mutating func control(
        _ frame: SDL.ControlFrame, _ header: SDL.Header, _ parameters: [Value.Member] = [],
        on link: HeadUnitLink
    ) {
        encode(on: link, version: header.version, session: header.sessionID) { encoder in
            var bytes = encoder.encode(
                frame, service: header.service ?? .rpc, parameters: .object(parameters))
            // A reserved service is refused under its own number.
            bytes[1] = header.serviceType
            return bytes
        }
    }

    /// Ends the services of a connection on its own initiative, after unregistering their apps.
    mutating func endServices(on link: HeadUnitLink) {
        for (id, service) in (connections[link]?.services ?? [:]).sorted(by: { $0.key < $1.key }) {
            let header = SDL.Header(
                version: service.version, frameType: .control,
                serviceType: SDL.ServiceType.rpc.rawValue, sessionID: id)
            let end: [Value.Member] = [.init("hashId", .integer(Int64(service.hashID)))]
            if mutant == .talksAfterOwnEnd { control(.endService, header, end, on: link) }
            if service.app != nil {
                let rpc = SDL.RPC(
                    .notification, "OnAppInterfaceUnregistered", correlationID: -1,
                    parameters: ["reason": "IGNITION_OFF"])
                send(rpc, id, on: link)
            }
            if mutant != .talksAfterOwnEnd { control(.endService, header, end, on: link) }
        }
    }

    /// Sends the bytes that an encoder of that version and session produces.
    mutating func encode(
        on link: HeadUnitLink, version: UInt8, session: UInt8,
        _ body: (inout SDL.Encoder) -> [UInt8]
    ) {
        guard let next = connections[link]?.nextMessageID else { return }
        var encoder = SDL.Encoder(version: version, sessionID: session)
        encoder.nextMessageID = next
        if mutant == .longFramesForFormerApps { encoder.maximumPayload = Int(Self.mtu) }
        send(body(&encoder), on: link)
        connections[link]?.nextMessageID = encoder.nextMessageID
    }
}

extension ProtocolVersion: Comparable {
    /// Compares by major, minor and patch number, in this order.
    public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
