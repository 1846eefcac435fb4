import SDL
import Wire

// MARK: - Messages of the head unit

extension SDLAppLifecycle {
    /// Handles a message; the app ignores unknown messages.
    mutating func consume(_ message: SDL.Message) {
        if isForeign(message), rules.mutant == .endsOnForeignSession { return exit(1) }
        switch message.content {
        case .control(let frame, let parameters):
            consume(frame, message.header, parameters)
        case .rpc(let rpc):
            switch rpc.type {
            case .response, .errorResponse: takeResponse(rpc)
            case .notification: takeNotification(rpc)
            case .request: break
            }
        case .malformed(let error):
            log(.malformed, ["reason": .string(error.description)])
            hasSeenMalformed = true
            if rules.mutant == .endsOnMalformed { exit(1) }
            if rules.mutant == .hangsOnMalformed { act(.harm(.hang)) }
        case .securityQuery, .data, .encrypted:
            break
        }
    }

    private mutating func consume(
        _ frame: SDL.ControlFrame, _ header: SDL.Header, _ parameters: Value
    ) {
        switch (frame, header.service, state) {
        case (.heartbeat, _, _) where rules.mutant != .ignoresHeartbeat:
            control(.heartbeatACK, service: .control)
        case (.startServiceACK, .rpc, .startingService):
            serviceStarted(header, parameters)
        case (.startServiceACK, .rpc, .registered) where rules.mutant == .endsOnSecondStart:
            exit(1)
        case (.startServiceNAK, .rpc, .startingService):
            log(.serviceRefused, parameters)
            guard rules.mutant == .registersWhenRefused else {
                act(.close)
                return end(Stop(code: nil, isHurried: false))
            }
            begin(Session(granted: header, parameters, highestVersion: header.version))
            register()
        case (.endService, .rpc, .registering), (.endService, .rpc, .registered):
            log(.serviceEndedByHeadUnit)
            if rules.mutant != .silentAboutEnd { control(.endServiceACK) }
            leave("the head unit ended the service", .endOfService)
        case (.endService, .rpc, .unregistering(let stop)),
            (.endService, .rpc, .endingService(let stop)):
            log(.serviceEndedByHeadUnit)
            if rules.mutant != .silentAboutEnd { control(.endServiceACK) }
            act(.close)
            end(stop)
        case (.endServiceACK, .rpc, .endingService(let stop)),
            (.endServiceNAK, .rpc, .endingService(let stop)):
            act(.close)
            end(stop)
        default:
            break
        }
    }

    private mutating func takeResponse(_ rpc: SDL.RPC) {
        guard let function = session?.pending[rpc.correlationID],
            function == rpc.functionName || rpc.functionName == "GenericResponse"
        else {
            if rules.mutant == .leavesOnStrayAnswer, state == .registered {
                leave("the head unit has answered a request that was not sent")
            }
            return
        }
        session?.pending[rpc.correlationID] = nil
        switch (function, state) {
        case (_, .registered) where screen.inFlight?.correlationID == rpc.correlationID:
            finishStep(rpc.parameters)
        case ("RegisterAppInterface", .registering):
            takeRegistration(rpc.parameters)
        case ("ChangeRegistration", .registered):
            takeChange(rpc.parameters)
        case ("UnregisterAppInterface", .unregistering(let stop)):
            endService(stop)
        default:
            break
        }
    }

    private mutating func takeNotification(_ rpc: SDL.RPC) {
        if rpc.functionName == "OnHashChange" { return takeHashChange(rpc.parameters) }
        guard state == .registered else { return }
        if failsOnNotification(over: rpc) { return }
        switch rpc.functionName {
        case "OnCommand": takeCommand(rpc.parameters)
        case "OnButtonPress": takeButtonPress(rpc.parameters)
        case "OnHMIStatus": takeHMIStatus(rpc.parameters)
        case "OnLanguageChange":
            if rules.changesAgainOnNotification, let change = session?.change { sendChange(change) }
        case "OnAppInterfaceUnregistered" where rules.mutant == .goesOnUnregistered:
            act(.startTimer(.goesOn, milliseconds: RegistrationRules.reaction))
        case "OnAppInterfaceUnregistered" where rules.mutant == .staysUnregistered: break
        case "OnAppInterfaceUnregistered":
            log(.unregisteredByHeadUnit, rpc.parameters)
            leave("the head unit unregistered the app", .unregistered)
        default: break
        }
    }
}

extension SDLAppLifecycle {
    /// Whether a mutant exits or disconnects because of a notification that other apps ignore.
    private mutating func failsOnNotification(over rpc: SDL.RPC) -> Bool {
        let faults = ValueFaults(rpc)
        switch rules.mutant {
        case .leavesOnUnknown where rpc.functionName == SDL.RPC.unknownFunction,
            .leavesOnNewParameter where rpc.parameters["tomorrow"] != nil,
            .leavesOnUnused where rpc.functionName == "OnTouchEvent",
            .leavesOnUnknownWord where faults.areWords:
            leave("the head unit has sent something unknown")
        case .endsOnIncomplete where faults.areAbsences,
            .endsOnWrongValue where faults.areOfType,
            .endsOnLongText where faults.areOfTextLength,
            .endsOnLongList where faults.areOfListLength,
            .endsOnNumberOutOfRange where faults.areNumbers,
            .endsOnUnknownWord where faults.areWords:
            exit(1)
        default:
            if let harm = harm(of: faults) { act(.harm(harm)) }
            return false
        }
        return true
    }

    /// What a mutant does to its process because of the values of a notification.
    private func harm(of faults: ValueFaults) -> Harm? {
        switch rules.mutant {
        case .crashesOnNull where faults.areNull: .crash
        case .hangsOnWrongValue where faults.areOfType: .hang
        case .spinsAfterWrongValue where !faults.isEmpty: .spin
        case .keepsWrongValues where !faults.isEmpty: .keepMemory
        case .keepsDescriptors where !faults.isEmpty: .keepDescriptors
        default: nil
        }
    }

    /// Whether a message of the RPC service belongs to another session.
    private func isForeign(_ message: SDL.Message) -> Bool {
        guard let session, state == .registered, message.header.service == .rpc else {
            return false
        }
        return message.header.sessionID != session.id
    }
}

// MARK: - Session and registration

extension SDLAppLifecycle {
    /// Starts the RPC service, in a version 1 header because no version is agreed yet.
    mutating func startService() {
        guard state == .connecting else { return }
        act(.stopTimer(.connectDeadline))
        log(.connected)
        state = .startingService
        let version = configuration.protocolVersion
        let text =
            rules.mutant == .writesShortVersion
            ? "\(version.major).\(version.minor)" : version.description
        control(
            .startService,
            parameters: version.major < 5 ? .object([]) : ["protocolVersion": .string(text)])
    }

    private mutating func serviceStarted(_ header: SDL.Header, _ parameters: Value) {
        let needed: [SDLAppMutant: String] = [.needsMTU: "mtu", .needsHashID: "hashId"]
        if let name = rules.mutant.flatMap({ needed[$0] }), parameters[name] == nil {
            return exit(1)
        }
        let session = Session(
            granted: header, parameters, highestVersion: configuration.protocolVersion.major)
        begin(session)
        log(
            .serviceStarted,
            [
                "sessionID": .integer(Int64(session.id)),
                "version": .integer(Int64(session.version)),
                "protocolVersion": parameters["protocolVersion"] ?? .null,
                "hashId": parameters["hashId"] ?? .null,
                "mtu": parameters["mtu"] ?? .null,
            ])
        readArchive(of: parameters)
    }

    mutating func register() {
        state = .registering
        rules.restore(after: registrations, in: &configuration)
        var parameters = configuration.registrationParameters(hashID: resumption.sentHash)
        let forgotten: [SDLAppMutant: Set<String>] = [
            .registersWithoutName: ["appName"],
            .returnsWithoutNames: registrations > 0 ? ["ttsName", "vrSynonyms"] : [],
        ]
        if let names = rules.mutant.flatMap({ forgotten[$0] }) {
            parameters = .object(
                (parameters.objectValue ?? []).filter { !names.contains($0.name) })
        }
        request("RegisterAppInterface", parameters)
        if rules.mutant == .registersTwice { request("RegisterAppInterface", parameters) }
        if rules.mutant == .asksBeforeRegistration { request("ListFiles", .object([])) }
        log(.registrationSent, ["language": .string(configuration.language)])
        if rules.guessBeforeResponse(configuration) != nil {
            act(.startTimer(.response, milliseconds: RegistrationRules.patience))
        }
    }

    private mutating func takeRegistration(_ response: Value) {
        act(.stopTimer(.response))
        session?.rpcVersion = response["syncMsgVersion"]?["majorVersion"]?.integerValue ?? 0
        session?.headUnitLanguage = response["language"]?.stringValue
        session?.headUnitDisplayLanguage = response["hmiDisplayLanguage"]?.stringValue
        session?.resultCode = response["resultCode"]?.stringValue
        let succeeded = response["success"] == true
        let summary: Value = [
            "resultCode": response["resultCode"] ?? .null,
            "language": response["language"] ?? .null,
            "hmiDisplayLanguage": response["hmiDisplayLanguage"] ?? .null,
        ]
        var hash = ResumptionManager.Outcome.notSent
        if succeeded {
            registrations += 1
            hash = resumption.consume(resultCode: session?.resultCode)
            state = .registered
            log(.registered, summary)
            log(.ready)
        } else {
            log(.registrationRefused, summary)
        }
        if rules.compares(registration: registrations, succeeded: succeeded, hash: hash) {
            compareLanguages()
        }
        if succeeded { beginManagers(hash) }
        if !succeeded {
            if rules.mutant == .asksWhenNotRegistered { request("ListFiles", .object([])) }
            endService(Stop(code: nil, isHurried: false))
        }
    }

    private mutating func takeHMIStatus(_ status: Value) {
        guard let level = status["hmiLevel"]?.stringValue, (status["windowID"] ?? 0) == 0 else {
            return
        }
        session?.hmiLevel = level
        log(.hmiStatus, ["hmiLevel": .string(level)])
        levelChanged(to: level)
        guard level == "FULL", session?.hasBeenFull == false else { return }
        session?.hasBeenFull = true
        if habits.contains(.probesAtFull) {
            for item in SDLAppHabit.probe { request(item.name, item.value) }
        }
        if let parameters = configuration.showParameters {
            request("Show", parameters)
            log(.showSent)
        }
        if rules.changesAgainWhenFull, let change = session?.change {
            sendChange(change)
        }
    }
}
